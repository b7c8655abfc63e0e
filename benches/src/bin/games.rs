//! Whole games: `stillmate game --adjudicate` beside the bare reading of the same file.
//!
//! ```text
//! cargo build --release -p stillmate
//! cargo run --release -p stillmate-benches --bin games -- [--games N] [--clocks]
//! ```
//!
//! Makes a file of ordinary games, reads it with `pgn-reader` and a visitor that does nothing
//! but count, and has the program that was built adjudicate it, several times in turn. The
//! games, made by a player who takes what is offered and mates when that is possible, have the
//! lengths, tags and results of an online server's.

#![forbid(unsafe_code)]

use std::{
    fmt::Write as _,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use pgn_reader::{Reader, SanPlus, Visitor};
use stillmate_core::{Color, Move, Position, Role, insufficient_material};

#[derive(Parser)]
struct Args {
    /// How many games.
    #[arg(long, default_value_t = 100_000)]
    games: usize,
    /// With a clock comment on each move, as in the databases of servers.
    #[arg(long)]
    clocks: bool,
    /// How often each side has its turn.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Keep the file here.
    #[arg(long)]
    keep: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let program = std::env::current_exe()?.with_file_name("stillmate");
    let path = args.keep.clone();
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("stillmate-games.pgn"));
    fs::write(&path, games(args.games, args.clocks))?;
    let size = fs::metadata(&path)?.len() as f64 / 1e6;
    let mut runs = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..args.rounds {
        runs[0].push(timed(|| visit(&path, args.games))?);
        runs[1].push(timed(|| adjudicate(&program, &path, "1"))?);
        runs[2].push(timed(|| adjudicate(&program, &path, "0"))?);
    }
    if args.keep.is_none() {
        fs::remove_file(&path)?;
    }
    println!("{} games, {size:.1} MB", args.games);
    let names = [
        "pgn-reader, bare visiting",
        "game --adjudicate, one thread",
        "game --adjudicate, all threads",
    ];
    let bare = median(&runs[0], |run| run.wall);
    for (name, runs) in names.into_iter().zip(&runs) {
        let wall = median(runs, |run| run.wall);
        let cpu = median(runs, |run| run.cpu);
        println!(
            "  {name:30} {wall:.3} s, {:6.1} MB/s, {:.2} of the bare speed; {cpu:.2} s of processors",
            size / wall,
            bare / wall
        );
    }
    Ok(())
}

/// What a run took.
struct Run {
    /// Seconds by the clock on the wall.
    wall: f64,
    /// Seconds of processors, in hundredths; the fairer figure on a machine that is busy.
    cpu: f64,
}

fn timed(run: impl FnOnce() -> Result<()>) -> Result<Run> {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    run()?;
    Ok(Run {
        wall: start.elapsed().as_secs_f64(),
        cpu: cpu_seconds() - cpu,
    })
}

/// Processor time of this program and those it has started, where Linux tells it.
fn cpu_seconds() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold anything.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let times = fields.split_whitespace().skip(11).take(4);
    times
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS
}

fn median(runs: &[Run], figure: impl Fn(&Run) -> f64) -> f64 {
    let mut figures: Vec<f64> = runs.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Reads all games, doing nothing with them.
fn visit(path: &Path, games: usize) -> Result<()> {
    struct Count;
    impl Visitor for Count {
        type Tags = ();
        type Movetext = usize;
        type Output = usize;
        fn begin_tags(&mut self) -> ControlFlow<usize, ()> {
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> ControlFlow<usize, usize> {
            ControlFlow::Continue(0)
        }
        fn san(&mut self, plies: &mut usize, _: SanPlus) -> ControlFlow<usize> {
            *plies += 1;
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, plies: usize) -> usize {
            plies
        }
    }
    let mut reader = Reader::new(fs::File::open(path)?);
    let plies: Vec<usize> = reader.read_games(&mut Count).collect::<Result<_, _>>()?;
    ensure!(
        plies.len() == games,
        "pgn-reader sees {} games",
        plies.len()
    );
    ensure!(
        plies.iter().sum::<usize>() > games * 20,
        "the moves are not read"
    );
    Ok(())
}

/// Has the program adjudicate all games, and throws the verdicts away.
fn adjudicate(program: &Path, path: &Path, threads: &str) -> Result<()> {
    let status = Command::new(program)
        .args(["game", "--adjudicate", "-q", "--threads", threads])
        .arg(path)
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("{} is to be built first", program.display()))?;
    ensure!(status.success(), "the games are sound, but {status}");
    Ok(())
}

/// A file of `count` games.
fn games(count: usize, clocks: bool) -> String {
    let mut rng = fastrand::Rng::with_seed(2024);
    let mut text = String::new();
    for number in 0..count {
        game(&mut text, &mut rng, number, clocks);
    }
    text
}

fn game(text: &mut String, rng: &mut fastrand::Rng, number: usize, clocks: bool) {
    let mut chess = shakmaty::Chess::default();
    let longest = 30 + rng.usize(..60) + rng.usize(..60);
    let mut moves = String::new();
    let mut plies = 0;
    loop {
        let position = Position::from_chess(&chess);
        let legal = position.legal_moves();
        if legal.is_empty() || plies == longest {
            break;
        }
        let m = choose(&position, &legal, rng);
        if plies % 2 == 0 {
            write!(moves, "{}. ", plies / 2 + 1).expect("memory takes all");
        } else if clocks {
            write!(moves, "{}... ", plies / 2 + 1).expect("memory takes all");
        }
        let san = shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut chess, m.to_shakmaty());
        write!(moves, "{san} ").expect("memory takes all");
        if clocks {
            let seconds = 300 - plies * 2;
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            write!(moves, "{{ [%clk 0:0{minutes}:{seconds:02}] }} ").expect("memory takes all");
        }
        plies += 1;
    }
    let last = Position::from_chess(&chess);
    let (result, termination) = if last.is_checkmate() {
        let won = last.turn() == Color::Black;
        (if won { "1-0" } else { "0-1" }, "Normal")
    } else if last.is_stalemate() || rng.u8(..100) < 8 {
        ("1/2-1/2", "Normal")
    } else {
        // Players resign when they are behind, and overstep the time now and then anyway.
        let on_time = rng.u8(..100) < 45;
        let ahead = material(&last, Color::White) >= material(&last, Color::Black);
        let won = ahead != (on_time && rng.u8(..100) < 35);
        let winner = if won { Color::White } else { Color::Black };
        let ending = if on_time { "Time forfeit" } else { "Normal" };
        let result = match insufficient_material(&last, winner) {
            Some(_) => "1/2-1/2",
            None if won => "1-0",
            None => "0-1",
        };
        (result, ending)
    };
    let (white, black) = (rng.u32(..50_000), rng.u32(..50_000));
    let elo = 1000 + rng.u32(..1500);
    write!(
        text,
        "[Event \"Rated Blitz game\"]\n[Site \"https://example.org/{number:08x}\"]\n\
         [Date \"2024.05.{:02}\"]\n[White \"player{white}\"]\n[Black \"player{black}\"]\n\
         [Result \"{result}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n[ECO \"A00\"]\n\
         [TimeControl \"300+0\"]\n[Termination \"{termination}\"]\n\n{moves}{result}\n\n",
        1 + number % 28,
    )
    .expect("memory takes all");
}

/// A mate if there is one; else, of some moves looked at, one that wins or at least doesn't lose
/// too much at once and keeps the king at home.
fn choose(position: &Position, legal: &[Move], rng: &mut fastrand::Rng) -> Move {
    const LOOK: usize = 8;
    let mut best = (i32::MIN, legal[0]);
    for &m in legal {
        let next = position.after(m);
        if next.checkers().any() && next.is_checkmate() {
            return m;
        }
        let forcing = m.capture().is_some() || m.promotion().is_some();
        if !forcing && rng.usize(..legal.len()) >= LOOK {
            continue;
        }
        let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
        let castles = if m.is_castle() { 20 } else { 0 };
        let walks = m.role() == Role::King && next.occupied().count() > 10 && !m.is_castle();
        let away = if walks { 12 } else { 0 };
        let score = 10 * (gain - loss(&next)) + castles - away + rng.i32(..15);
        if score > best.0 {
            best = (score, m);
        }
    }
    best.1
}

/// What the side to move can take at once, more or less: the most of what is unguarded, or
/// attacked by something cheaper.
fn loss(position: &Position) -> i32 {
    let (us, them) = (position.turn(), !position.turn());
    let occupied = position.occupied();
    let loss_of = |square| {
        let attackers = position.attackers(square, us, occupied);
        let value = position.role_at(square).map_or(0, worth);
        let cheapest = attackers
            .into_iter()
            .filter_map(|from| position.role_at(from));
        match cheapest.map(worth).min() {
            None => 0,
            Some(cost) if cost > 0 && position.attackers(square, them, occupied).any() => {
                (value - cost).max(0)
            }
            Some(_) => value,
        }
    };
    position
        .of(them)
        .into_iter()
        .map(loss_of)
        .max()
        .unwrap_or(0)
}

const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

fn material(position: &Position, color: Color) -> i32 {
    let worth_of = |role| worth(role) * position.pieces_of(color, role).count() as i32;
    Role::ALL.into_iter().map(worth_of).sum()
}
