//! Games that grow: a writer that appends, writes anew, truncates and stops half-way.

use std::collections::BTreeMap;

use stillmate_arbiter::{
    Arbiter, GameRecord, Ground, Rules,
    live::{Boards, Look, News},
    pgn::Game,
};
use stillmate_core::{Color, Move, Position, text::Leniency};

use crate::support::{arbiter, each_game};

/// News in short, without what depends on how much was seen.
fn short(game: &Game<'_>, news: News<'_>) -> String {
    let white = game.tags.get("White").unwrap_or_default().into_owned();
    match news {
        News::Claim(claim) => format!("{white}: {} after {}", claim.article(), claim.plies),
        News::Draw(end) => format!("{white}: {} after {}", end.rule.article(), end.plies),
        News::Fault(fault) => format!("{white}: {fault}"),
    }
}

/// What is to be reported of finished games.
fn expected(arbiter: &Arbiter, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_game(text, |game| {
        let report = arbiter.report(game);
        let claims = &report.claims;
        for (index, claim) in claims.iter().enumerate() {
            let fifty = claim.article() == "9.3.2";
            let goes_on = |other: &stillmate_arbiter::Claim| {
                other.article() == "9.3.2" && other.plies + 1 == claim.plies
            };
            if !(fifty && claims[..index].iter().any(goes_on)) {
                found.push(short(game, News::Claim(claim)));
            }
        }
        if let Some(end) = report
            .ends
            .first()
            .filter(|end| end.rule.article() != "5.1.1")
        {
            found.push(short(game, News::Draw(end)));
        }
    });
    found.sort();
    found
}

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 90 60",
    "8/8/4k3/8/8/2BN4/3K4/7r b - - 96 90",
    "8/8/4k3/8/8/2QR4/3K4/7r w - - 141 110",
    "4k3/8/p7/P7/8/1n6/8/3NK3 w - - 0 80",
];

/// A game whose players often go back.
struct Played {
    header: String,
    first: Position,
    moves: Vec<Move>,
    start: usize,
    result: &'static str,
}

impl Played {
    fn random(rng: &mut fastrand::Rng, number: usize) -> Played {
        let start = rng.usize(..STARTS.len());
        let first = Position::from_fen(STARTS[start]).unwrap();
        let mut position = first;
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..rng.usize(4..30) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let back = moves.len().checked_sub(2).map(|at| moves[at]);
            let back = back.and_then(|last| {
                legal
                    .iter()
                    .find(|m| m.from() == last.to() && m.to() == last.from())
            });
            let m = *back
                .filter(|_| rng.u8(..4) > 0)
                .unwrap_or(&legal[rng.usize(..legal.len())]);
            position.play(m);
            moves.push(m);
        }
        Played {
            header: format!(
                "[White \"{number}\"]\n[Event \"live\"]\n[FEN \"{}\"]\n",
                STARTS[start]
            ),
            first,
            moves,
            start,
            result: ["1-0", "1/2-1/2", "*"][rng.usize(..3)],
        }
    }

    /// The record after some plies, with clocks or without.
    fn text(&self, plies: usize, clocks: bool) -> String {
        let mut record = GameRecord::default();
        let fields: Vec<&str> = STARTS[self.start].split(' ').collect();
        let clock = fields[4].parse().unwrap();
        record.begin(self.first, clock, fields[5].parse().unwrap());
        let mut text = format!("{}\n", self.header);
        for (ply, &m) in self.moves[..plies].iter().enumerate() {
            let (number, black) = record.number(ply);
            if !black {
                text += &format!("{number}. ");
            }
            text += &record.san(ply, m);
            text += if clocks { " {[%clk 0:10:00]} " } else { " " };
            record.play(m);
        }
        let result = if plies == self.moves.len() {
            self.result
        } else {
            "*"
        };
        text + result + "\n\n"
    }
}

#[test]
fn nothing_is_missed_invented_or_told_twice() {
    let arbiter = arbiter(Rules::Fide);
    let mut rng = fastrand::Rng::with_seed(99);
    let rounds: usize = std::env::var("STILLMATE_ROUNDS").map_or(1000, |n| n.parse().unwrap());
    let (mut looks, mut events) = (0, 0);
    for round in 0..rounds {
        let games: Vec<Played> = (0..rng.usize(1..4))
            .map(|n| Played::random(&mut rng, n))
            .collect();
        let clocks = rng.bool();
        let mut plies = vec![0; games.len()];
        let whole = |plies: &[usize]| -> String {
            let texts = games.iter().zip(plies);
            texts
                .map(|(game, &plies)| game.text(plies, clocks))
                .collect()
        };
        let mut boards = Boards::default();
        let mut told = BTreeMap::<String, usize>::new();
        let mut look = |text: &[u8], how| {
            looks += 1;
            boards.look(&arbiter, text, Leniency::Strict, how, |game, news| {
                *told.entry(short(game, news)).or_default() += 1;
            });
        };
        // What the file holds: a text that was written, or a part of it.
        look(b"", Look::First);
        while games
            .iter()
            .zip(&plies)
            .any(|(game, plies)| *plies < game.moves.len())
        {
            let board = rng.usize(..games.len());
            let most = games[board].moves.len();
            plies[board] = (plies[board] + rng.usize(1..4)).min(most);
            let text = whole(&plies).into_bytes();
            match rng.u8(..4) {
                // The whole, written at once, or seen again when nothing has changed.
                0 => look(&text, [Look::Growing, Look::Settled][rng.usize(..2)]),
                // Half-way, and then the whole, or not yet.
                1 => {
                    look(&text[..rng.usize(..=text.len())], Look::Growing);
                    if rng.bool() {
                        look(&text, Look::Growing);
                    }
                }
                // Truncated, then bit by bit.
                2 => {
                    look(b"", Look::Growing);
                    let mut end = 0;
                    while end < text.len() {
                        end = (end + rng.usize(1..200)).min(text.len());
                        look(&text[..end], Look::Growing);
                    }
                }
                // Not seen at all.
                _ => {}
            }
        }
        let text = whole(&plies);
        look(text.as_bytes(), Look::Growing);
        look(text.as_bytes(), Look::Settled);
        let expected = expected(&arbiter, &text);
        let found: Vec<String> = told.keys().cloned().collect();
        assert_eq!(found, expected, "round {round}:\n{text}");
        assert!(
            told.values().all(|&times| times == 1),
            "round {round}: {told:?}"
        );
        events += found.len();
    }
    assert!(
        events > 2 * rounds && looks > 10 * rounds,
        "{events} events in {looks} looks"
    );
}

#[test]
fn finished_games_are_silent_when_seen_first() {
    let arbiter = arbiter(Rules::Fide);
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let text = |result: &str| format!("[White \"A\"]\n\n{moves} {result}\n");
    for (result, first, count) in [
        ("*", Look::First, 2),
        ("1-0", Look::First, 0),
        ("1-0", Look::Growing, 2),
    ] {
        let mut boards = Boards::default();
        let mut told = Vec::new();
        boards.look(
            &arbiter,
            text(result).as_bytes(),
            Leniency::Strict,
            first,
            |game, news| {
                if let News::Claim(claim) = news {
                    assert_eq!(claim.ground, Ground::Threefold);
                    assert_eq!(
                        claim.player,
                        if claim.plies == 7 {
                            Color::Black
                        } else {
                            Color::White
                        }
                    );
                }
                told.push(short(game, news));
            },
        );
        assert_eq!(told.len(), count, "{result}: {told:?}");
    }
}

#[test]
fn a_fault_is_told_once_and_only_when_nothing_changes_any_more() {
    let arbiter = arbiter(Rules::Fide);
    let mut boards = Boards::default();
    let text = b"[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n";
    let mut told = Vec::new();
    for look in [Look::First, Look::Growing, Look::Settled, Look::Settled] {
        boards.look(&arbiter, text, Leniency::Strict, look, |game, news| {
            told.push(short(game, news));
        });
    }
    assert_eq!(told, ["A: Ke3 is not a legal move here"]);
}
