//! Whether a mate can fit into the plies that are left: a lower bound for the search.
//!
//! Every mate of Black's king is a picture: the king on some square, in check, and each square
//! next to it off the board, guarded by a white man or taken by a black one. To paint it, White's
//! men and Black's have to get to their places. [`Bound::fits`] counts moves as if each man walked
//! over an empty board, all others out of its way, so that it never counts too many: the moves
//! of White's men together must not be more than White has left, and likewise Black's. If no
//! picture can be painted in time, no mate comes in time.
//!
//! - A guard may be seen through the king (it can't go on in the line of a check) and through
//!   other men, which is more than is true.
//! - Pawns go straight, or aside if there is any man to take, and become anything.
//! - With castling rights, rooks may be where castling puts them for nothing, and the king for
//!   one move.
//! - A man that takes no part is left alone; men may be captured for nothing.

use arrayvec::ArrayVec;
use shakmaty::Square;
use stillmate_core::{Color, Move, Position, Role};

use super::{
    covers::{CHECK, Kind, NEVER, covers, moves_to, neighbour, steps},
    lone, men,
    patterns::moves_left,
    search::Pruner,
};

/// A side has at most so many men.
pub(super) const MOST_MEN: usize = 16;

/// After so many steps a picture is taken for possible, which is never wrong: with many men,
/// trying all that could guard something may take long.
pub(super) const PATIENCE: u32 = 4_000;

/// How a man may set out: as what, from which square, and after how many moves; from another
/// square than its own by castling.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) kind: Kind,
    pub(super) from: Square,
    pub(super) after: u8,
}

/// All ways of one man: its own square and at most two by castling.
pub(super) type Ways = ArrayVec<Way, 3>;

/// Where all men may set out.
struct Board {
    white: ArrayVec<Ways, MOST_MEN>,
    /// Black's men but the king.
    black: ArrayVec<Ways, MOST_MEN>,
    king: Ways,
    /// Moves of Black until some man but the king stands on a square, where that is known.
    blocks: [Option<u8>; 64],
    /// Steps of painting so far.
    steps: u32,
}

impl Board {
    fn new(position: &Position) -> Board {
        let can_take = |color: Color| position.of(!color).more_than_one();
        let takes = Color::ALL.map(can_take);
        let mut board = Board {
            white: ArrayVec::new(),
            black: ArrayVec::new(),
            king: Ways::new(),
            blocks: [None; 64],
            steps: 0,
        };
        for (square, piece) in position.pieces() {
            let kind = Kind::of(piece.role, takes[piece.color.fold_wb(0, 1)]);
            let mut ways = Ways::new();
            ways.push(Way {
                kind,
                from: square,
                after: 0,
            });
            if position.castling().any() {
                ways.extend(castled(position, square, piece.color, kind));
            }
            match (piece.color, piece.role) {
                (Color::White, _) => board.white.push(ways),
                (Color::Black, Role::King) => board.king = ways,
                (Color::Black, _) => board.black.push(ways),
            }
        }
        board
    }

    /// Moves of Black until some man but the king stands on `square`.
    fn block(&mut self, square: Square) -> u8 {
        let known = &mut self.blocks[usize::from(square)];
        *known.get_or_insert_with(|| {
            let ways = self.black.iter().flatten();
            let moves = ways.map(|way| moves_to(Color::Black, way.kind, way.from, square));
            moves.min().unwrap_or(NEVER)
        })
    }

    /// Whether Black's king, once on `target`, can be mated there with so many moves of each
    /// side.
    fn can_mate_on(&mut self, target: Square, white: u8, black: u8) -> bool {
        let mut needed = CHECK;
        let mut blocks = [NEVER; 8];
        for (d, block) in blocks.iter_mut().enumerate() {
            if let Some(square) = neighbour(target, d) {
                needed |= 1 << d;
                *block = self.block(square);
            }
        }
        let now = |ways: &Ways| {
            let here = ways.iter().filter(|way| way.after == 0);
            here.fold(0, |all, way| match covers(way.kind, way.from, target) {
                [first, ..] if first.moves == 0 => all | first.mask,
                _ => all,
            })
        };
        let mut picture = Picture {
            target,
            men: &self.white,
            guarded: self.white.iter().map(now).collect(),
            decided: 0,
            needed,
            blocks,
            blockers: self.black.len() as u32,
            patience: PATIENCE,
        };
        let painted = picture.can_be_painted(white, black);
        self.steps += 1 + PATIENCE - picture.patience;
        painted
    }
}

/// Moves of a king to `target`.
fn walk(king: &Ways, target: Square) -> u8 {
    let moves = |way: &Way| way.after + steps(way.from, target);
    king.iter().map(moves).min().unwrap_or(NEVER)
}

/// Where castling may put a man of `color` that stands on `square`.
fn castled(position: &Position, square: Square, color: Color, kind: Kind) -> ArrayVec<Way, 2> {
    let king = position.king(color);
    let rooks = position.castling() & position.of(color);
    let way = |rook: Square| {
        let (king_to, rook_to) = men::castled(color, king, rook);
        let (from, after) = match kind {
            Kind::King => (king_to, 1),
            // The move is the king's.
            _ => (rook_to, 0),
        };
        Way { kind, from, after }
    };
    let takes_part = |rook: &Square| kind == Kind::King || square == *rook;
    rooks.into_iter().filter(takes_part).map(way).collect()
}

/// A mate on a square, being painted.
struct Picture<'a> {
    target: Square,
    men: &'a [Ways],
    /// What each of White's men guards: without a move, or what has been decided.
    guarded: ArrayVec<u16, MOST_MEN>,
    /// White's men for which it has been decided, a bit for each.
    decided: u16,
    /// What is still needed, whatever White guards.
    needed: u16,
    /// Moves of Black until some man stands next to the king, by direction.
    blocks: [u8; 8],
    /// Black's men that may still do so.
    blockers: u32,
    /// Steps until the picture is taken for possible.
    patience: u32,
}

impl Picture<'_> {
    /// Whether what is missing can be painted with so many moves of White and Black.
    ///
    /// Some square is missing. A man for which nothing has been decided must come to guard it,
    /// or a black man stand there: each is tried.
    fn can_be_painted(&mut self, white: u8, black: u8) -> bool {
        let guarded = self.guarded.iter().fold(0, |all, mask| all | mask);
        let missing = self.needed & !guarded;
        if missing == 0 || self.patience == 0 {
            return true;
        }
        self.patience -= 1;
        // The check, which is the highest bit, is the hardest to get.
        let bit = 15 - missing.leading_zeros();
        if bit < 8 && self.blockers > 0 && self.blocks[bit as usize] <= black {
            self.blockers -= 1;
            self.needed ^= 1 << bit;
            let painted = self.can_be_painted(white, black - self.blocks[bit as usize]);
            self.needed ^= 1 << bit;
            self.blockers += 1;
            if painted {
                return true;
            }
        }
        if white == 0 {
            return false;
        }
        let men = self.men;
        for (index, ways) in men.iter().enumerate() {
            if self.decided >> index & 1 == 1 {
                continue;
            }
            let undecided = self.guarded[index];
            self.decided ^= 1 << index;
            for way in ways {
                for cover in covers(way.kind, way.from, self.target) {
                    let moves = cover.moves.saturating_add(way.after);
                    if moves > white {
                        break;
                    }
                    if moves > 0 && cover.mask >> bit & 1 == 1 {
                        self.guarded[index] = cover.mask;
                        if self.can_be_painted(white - moves, black) {
                            return true;
                        }
                    }
                }
            }
            self.guarded[index] = undecided;
            self.decided ^= 1 << index;
        }
        false
    }
}

/// The bound, with a memory of where it last thought a mate to be possible, which mostly is
/// where it is still possible a move later.
#[derive(Debug)]
pub(super) struct Bound {
    likely: Square,
    work: u64,
}

impl Bound {
    pub(super) const fn new() -> Bound {
        Bound {
            likely: Square::A1,
            work: 0,
        }
    }

    /// Whether a mate by White after exactly `plies` plies, the last of them White's, isn't
    /// ruled out. When it is, no mate comes sooner either.
    pub(super) fn fits(&mut self, position: &Position, plies: u16) -> bool {
        let (white, black) = moves_left(position.turn(), plies);
        let cap = |moves: u16| u8::try_from(moves).unwrap_or(NEVER - 1);
        let (white, black) = (cap(white), cap(black));
        let mut board = Board::new(position);
        let lone = match &board.white[..] {
            [one, other] if board.black.len() <= lone::MOST_BLOCKERS => lone::Minor::of(one, other),
            _ => None,
        };
        let mut can_mate_on = |target| {
            let Some(black) = black.checked_sub(walk(&board.king, target)) else {
                return false;
            };
            match &lone {
                Some(lone) => lone.can_mate_on(target, &board.black, white, black),
                None => board.can_mate_on(target, white, black),
            }
        };
        let first = [self.likely].into_iter();
        let found = first.chain(Square::ALL).find(|&target| can_mate_on(target));
        self.likely = found.unwrap_or(self.likely);
        self.work += BASE_WORK + u64::from(board.steps) / STEPS_OF_PAINTING;
        found.is_some()
    }
}

/// Asking once takes as long as generating so many states of patterns, and painting beside that.
const BASE_WORK: u64 = 12;
const STEPS_OF_PAINTING: u64 = 2;

impl Bound {
    /// Work done so far, as [`Pruner::work`].
    pub(super) const fn work(&self) -> u64 {
        self.work
    }
}

impl Pruner for &mut Bound {
    type Node = ();

    fn after(&mut self, position: &Position, (): &(), m: Move, left: u16) -> Option<()> {
        (left == 0 || self.fits(&position.after(m), left)).then_some(())
    }

    fn leave(&mut self, (): &()) {}

    fn work(&self) -> u64 {
        Bound::work(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, Verdict};

    fn fits(fen: &str, plies: u16) -> bool {
        Bound::new().fits(&Position::from_fen(fen).unwrap(), plies)
    }

    #[test]
    fn it_rules_out_what_no_picture_allows_and_not_its_twin() {
        // The queen needs the king's help, which comes a move later.
        assert!(fits("7k/8/5K2/6Q1/8/8/8/8 w - -", 1));
        assert!(!fits("7k/8/4K3/6Q1/8/8/8/8 w - -", 1));
        assert!(fits("7k/8/4K3/6Q1/8/8/8/8 w - -", 3));
        // A pawn stands in its king's way, a rook would take the knight there.
        assert!(fits("k1K5/p7/8/1N6/8/8/8/8 w - -", 1));
        assert!(!fits("k1K5/r7/8/1N6/8/8/8/8 w - -", 1));
        // With another man between them it wouldn't.
        assert!(fits("k1K5/rn6/8/1N6/8/8/8/8 w - -", 1));
        // Castling brings two men at once.
        assert!(fits("8/8/8/3N4/8/1B2P3/3Q4/R3K1k1 w Q -", 1));
    }

    /// Every mate that there is must be possible for the bound, at each move before it.
    #[test]
    fn it_never_rules_out_a_line_of_the_engine() {
        let analyzer = Analyzer::default();
        let mut positions = 0;
        for line in stillmate_testkit::labels::seed_examples() {
            let start = line.position();
            for mut position in [start, start.mirrored()] {
                let Verdict::Winnable(line) = analyzer.decide(&position, Color::White).verdict
                else {
                    continue;
                };
                let mut left = line.0.len() as u16;
                for m in line.0 {
                    assert!(Bound::new().fits(&position, left), "{left}, {position:?}");
                    position.play(m);
                    left -= 1;
                    positions += 1;
                }
            }
        }
        assert!(positions > 200, "only {positions} positions on lines");
    }
}
