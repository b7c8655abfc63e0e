//! Both ways to search against plain search, in random positions.

use std::fmt;

use fastrand::Rng;
use rustc_hash::FxHashMap;
use stillmate_core::{Color, Key, Move, Piece, Position, Role};

use super::*;

/// What happens in series of moves that end with mate, a bit each.
const KINDS: [&str; 9] = [
    "castling",
    "castling with a right of Chess960",
    "en passant",
    "en passant at the root",
    "promotion",
    "check before the mate",
    "mate by double check",
    "mate by discovered check",
    "mate by castling",
];

/// Series of moves, and the kinds among them.
#[derive(Clone, Copy, Default, Debug)]
struct Plain {
    lines: u128,
    kinds: u16,
}

fn kind(name: &str) -> u16 {
    1 << KINDS.iter().position(|kind| *kind == name).unwrap()
}

/// What `m` is, which leads to `next`.
fn kinds(m: Move, next: &Position, is_mate: bool) -> u16 {
    let mut kinds = 0;
    let mut add = |is_so, name| kinds |= if is_so { kind(name) } else { 0 };
    let is_orthodox = m.from().file() as u8 == 4 && matches!(m.to().file() as u8, 0 | 7);
    add(m.is_castle(), "castling");
    add(
        m.is_castle() && !is_orthodox,
        "castling with a right of Chess960",
    );
    add(m.is_en_passant(), "en passant");
    add(m.promotion().is_some(), "promotion");
    let checkers = next.checkers();
    add(checkers.any() && !is_mate, "check before the mate");
    if is_mate {
        add(checkers.more_than_one(), "mate by double check");
        add(m.is_castle(), "mate by castling");
        let discovered = !m.is_castle() && !checkers.contains(m.to());
        add(discovered, "mate by discovered check");
    }
    kinds
}

type Known = FxHashMap<(Key, u16), Plain>;

/// Plain search gives up beyond so many positions.
const MOST_KNOWN: usize = 1_500_000;

/// All series of exactly `plies` moves that end with mate by White, by trying every move; `None`
/// if that takes too long.
fn plain(position: &Position, plies: u16, memory: &mut Known) -> Option<Plain> {
    let key = (Key::new(position), plies);
    if let Some(known) = memory.get(&key) {
        return Some(*known);
    }
    if memory.len() > MOST_KNOWN {
        return None;
    }
    let mut all = Plain::default();
    for m in position.legal_moves() {
        let next = position.after(m);
        let is_mate = plies == 1 && next.is_checkmate();
        let rest = match plies {
            1 => Plain {
                lines: u128::from(is_mate),
                kinds: 0,
            },
            _ => plain(&next, plies - 1, memory)?,
        };
        if rest.lines > 0 {
            all.lines += rest.lines;
            all.kinds |= rest.kinds | kinds(m, &next, is_mate);
        }
    }
    memory.insert(key, all);
    Some(all)
}

/// Where the search has to be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theme {
    Any,
    WhiteCastles,
    BlackCastles,
    Chess960,
    Pawns,
    EnPassant,
    Battery,
}

const THEMES: [Theme; 7] = [
    Theme::Any,
    Theme::WhiteCastles,
    Theme::BlackCastles,
    Theme::Chess960,
    Theme::Pawns,
    Theme::EnPassant,
    Theme::Battery,
];

/// A board being filled.
struct Board([Option<Piece>; 64]);

impl Board {
    fn put(&mut self, color: Color, role: Role, file: i32, rank: i32) -> bool {
        if !(0..8).contains(&file) || !(0..8).contains(&rank) {
            return false;
        }
        let slot = &mut self.0[(rank * 8 + file) as usize];
        if slot.is_some() || role == Role::Pawn && (rank == 0 || rank == 7) {
            return false;
        }
        *slot = Some(Piece { color, role });
        true
    }

    fn fen(&self) -> String {
        let ranks = (0..8).rev().map(|rank| {
            let man = |piece: &Option<Piece>| piece.map_or('1', Piece::char);
            self.0[rank * 8..][..8].iter().map(man).collect::<String>()
        });
        ranks.collect::<Vec<_>>().join("/")
    }
}

/// A position of up to `most` men besides the kings and what the theme needs, Black's mostly
/// around their king.
fn random_position(rng: &mut Rng, theme: Theme, most: usize) -> Position {
    loop {
        let mut board = Board([None; 64]);
        let mut rights = String::new();
        let (mut king_file, mut king_rank) = (rng.i32(0..8), rng.i32(0..8));
        if rng.bool() {
            king_rank = if rng.bool() { 0 } else { 7 };
        }
        let castles = match theme {
            Theme::WhiteCastles => Some(Color::White),
            Theme::BlackCastles => Some(Color::Black),
            Theme::Chess960 => Some(Color::from_white(rng.u8(..3) > 0)),
            _ => None,
        };
        let mut white_king = None;
        if let Some(color) = castles {
            let home = color.fold_wb(0, 7);
            let (king, rooks) = if theme == Theme::Chess960 {
                (rng.i32(1..7), [rng.i32(0..8), rng.i32(0..8)])
            } else {
                (4, [0, 7])
            };
            board.put(color, Role::King, king, home);
            for (number, rook) in rooks.into_iter().enumerate() {
                let apart = if number == 0 {
                    rook < king
                } else {
                    rook > king
                };
                if apart && rng.u8(..4) > 0 && board.put(color, Role::Rook, rook, home) {
                    let letter = (b'A' + rook as u8) as char;
                    rights.push(color.fold_wb(letter, letter.to_ascii_lowercase()));
                }
            }
            match color {
                Color::White => {
                    white_king = Some(());
                    // Where a rook checks that has just castled.
                    if rng.u8(..4) > 0 {
                        king_file = if rng.bool() { 3 } else { 5 };
                        king_rank = [0, 1, 2, 2, 3, 7, 7][rng.usize(..7)];
                    }
                }
                Color::Black => (king_file, king_rank) = (king, home),
            }
        }
        if rights.is_empty() {
            if castles.is_some() {
                continue;
            }
            rights.push('-');
        }
        if castles != Some(Color::Black)
            && !board.put(Color::Black, Role::King, king_file, king_rank)
        {
            continue;
        }
        if white_king.is_none() {
            while !board.put(Color::White, Role::King, rng.i32(0..8), rng.i32(0..8)) {}
        }
        if theme == Theme::Battery {
            let (df, dr) = [
                (1, 0),
                (0, 1),
                (1, 1),
                (-1, 0),
                (0, -1),
                (-1, -1),
                (1, -1),
                (-1, 1),
            ][rng.usize(..8)];
            let (near, far) = (rng.i32(1..3), rng.i32(3..5));
            let rider = if df * dr == 0 {
                Role::Rook
            } else {
                Role::Bishop
            };
            let front = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn][rng.usize(..4)];
            board.put(
                Color::White,
                rider,
                king_file + df * far,
                king_rank + dr * far,
            );
            board.put(
                Color::White,
                front,
                king_file + df * near,
                king_rank + dr * near,
            );
        }
        if theme == Theme::EnPassant {
            for role in [Role::Queen, Role::Rook] {
                board.put(Color::White, role, rng.i32(0..8), rng.i32(0..8));
            }
        }
        let crowded = rng.bool();
        for _ in 0..rng.usize(1..=most) {
            let color = Color::from_white(rng.bool());
            let role = match theme {
                Theme::Pawns | Theme::EnPassant if rng.bool() => Role::Pawn,
                _ => Role::ALL[rng.usize(..5)],
            };
            let near = color == Color::Black && crowded;
            let (file, mut rank) = if near {
                (king_file + rng.i32(-1..2), king_rank + rng.i32(-1..2))
            } else {
                (rng.i32(0..8), rng.i32(0..8))
            };
            if role == Role::Pawn && !near {
                rank = match theme {
                    Theme::Pawns => color.fold_wb(6, 1),
                    Theme::EnPassant => {
                        color.fold_wb([1, 4][rng.usize(..2)], [6, 3][rng.usize(..2)])
                    }
                    _ => rank,
                };
            }
            board.put(color, role, file, rank);
        }
        let turn = if rng.bool() { 'w' } else { 'b' };
        let Ok(position) = Position::from_fen(&format!("{} {turn} {rights} -", board.fen())) else {
            continue;
        };
        if theme == Theme::EnPassant {
            let variants: Vec<Position> = position.en_passant_variants().collect();
            match variants.first() {
                Some(variant) => return *variant,
                None => continue,
            }
        }
        return position;
    }
}

/// What was compared.
#[derive(Default)]
struct Compared {
    questions: u64,
    with_mates: u64,
    lines: u128,
    kinds: [u64; KINDS.len()],
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compared {
            questions,
            with_mates,
            lines,
            ..
        } = self;
        writeln!(
            f,
            "{questions} questions, {with_mates} with mates, {lines} lines"
        )?;
        for (name, count) in KINDS.iter().zip(self.kinds) {
            writeln!(f, "  {count:8} {name}")?;
        }
        Ok(())
    }
}

impl Compared {
    /// Asks for mates in each number of plies up to `most`, of either way to search.
    fn ask(&mut self, position: &Position, plies: std::ops::RangeInclusive<u16>, way: Way) {
        let meter = Meter::of_nodes(u64::MAX);
        let tables = Tables::empty();
        let mut memory = FxHashMap::default();
        let mut solver = Solver::new(position, &tables, &meter).of_any_length();
        for plies in plies {
            if (plies % 2 == 1) != (position.turn() == Color::White) {
                continue;
            }
            let Some(expected) = plain(position, plies, &mut memory) else {
                return;
            };
            let found = match way {
                Way::Patterns => solver.by_patterns(plies, Goal::Count, u64::MAX >> 1).1,
                Way::Bound => solver.by_bound(plies, Goal::Count, u64::MAX >> 1).1,
            };
            let Ok((lines, _)) = found else {
                panic!("{way:?} stopped on {position:?}");
            };
            assert_eq!(
                lines, expected.lines,
                "{way:?}, {plies} plies: {position:?}"
            );
            let most = 3;
            let listed = solver.lines(plies, most).expect("there is no limit");
            assert_eq!(
                listed.len() as u128,
                lines.min(most as u128),
                "{position:?}"
            );
            self.questions += 1;
            self.with_mates += u64::from(lines > 0);
            self.lines += lines;
            let root = position.ep_square().is_some() && lines > 0;
            let kinds = expected.kinds
                | if root {
                    kind("en passant at the root")
                } else {
                    0
                };
            for (bit, count) in self.kinds.iter_mut().enumerate() {
                *count += u64::from(kinds >> bit & 1);
            }
        }
    }

    /// Compares until `questions` of `plies` are asked in positions of up to `most` men besides
    /// those of the theme.
    fn compare(
        &mut self,
        rng: &mut Rng,
        questions: u64,
        plies: std::ops::RangeInclusive<u16>,
        most: usize,
    ) {
        let end = self.questions + questions;
        for number in 0.. {
            if self.questions >= end {
                break;
            }
            let theme = THEMES[number % THEMES.len()];
            let position = random_position(rng, theme, most);
            let way = if number % 4 == 0 {
                Way::Bound
            } else {
                Way::Patterns
            };
            self.ask(&position, plies.clone(), way);
        }
    }

    #[track_caller]
    fn none_is_rarer_than(&self, least: u64) {
        println!("{self}");
        for (name, count) in KINDS.iter().zip(self.kinds) {
            assert!(count >= least, "{count} with {name}");
        }
    }
}

#[test]
fn counts_of_every_length_are_those_of_plain_search() {
    let (mut rng, mut compared) = (Rng::with_seed(11), Compared::default());
    compared.compare(&mut rng, 3_000, 1..=3, 9);
    compared.compare(&mut rng, 400, 4..=4, 4);
    compared.none_is_rarer_than(3);
}

/// Questions of 1 to 6 plies; the longer, the fewer men.
#[test]
#[ignore = "an hour: a million random questions"]
fn counts_of_a_million_questions_are_those_of_plain_search() {
    let (mut rng, mut compared) = (Rng::with_seed(12), Compared::default());
    compared.compare(&mut rng, 700_000, 1..=3, 10);
    compared.compare(&mut rng, 250_000, 3..=4, 6);
    compared.compare(&mut rng, 40_000, 4..=5, 4);
    compared.compare(&mut rng, 10_000, 5..=6, 3);
    compared.none_is_rarer_than(500);
}

#[test]
#[ignore = "an hour: long lines by plain search"]
fn counts_of_long_lines_are_those_of_plain_search() {
    let (mut rng, mut compared) = (Rng::with_seed(13), Compared::default());
    compared.compare(&mut rng, 20_000, 7..=8, 2);
    println!("{compared}");
    assert!(compared.with_mates > 2_000);
}

/// Positions of 5 to 12 men at 6 to 8 plies, as far as plain search can follow.
#[test]
#[ignore = "an hour: long lines by plain search"]
fn counts_among_five_to_twelve_men_are_those_of_plain_search() {
    let (mut rng, mut compared) = (Rng::with_seed(14), Compared::default());
    while compared.questions < 2_000 {
        let theme = THEMES[rng.usize(..THEMES.len())];
        let most = rng.usize(3..=10);
        let position = random_position(&mut rng, theme, most);
        if (5..=12).contains(&position.occupied().count()) {
            compared.ask(&position, 6..=8, Way::Patterns);
        }
    }
    compared.none_is_rarer_than(5);
}
