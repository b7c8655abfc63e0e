//! Whether White could mate on a square, given where each man may stand.
//!
//! An over-approximation: "no" is certain. The argument is in `docs/certificates.md`, section
//! "It excludes mate": a mate needs a man, not the king, that checks, and every square next to
//! the mated king covered by White or blocked by black men, a different one for each.

use arrayvec::ArrayVec;
use shakmaty::attacks::{between, king_attacks};
use stillmate_core::{Bitboard, Color, Role, Square};

use crate::geometry::{attacks_from, attacks_from_any};

/// Most men that the static analyses take; positions with more are declined.
pub(crate) const MOST_MEN: usize = 32;

/// A white man and what it may attack.
#[derive(Clone, Copy, Debug)]
struct Coverer {
    role: Role,
    squares: Bitboard,
    cover: Bitboard,
}

/// The men that could take part in a mate, without the kings.
#[derive(Clone, Debug)]
pub(crate) struct MateTest {
    white: ArrayVec<Coverer, MOST_MEN>,
    /// Where each black man may stand; the whole board for one of unknown kind.
    black: ArrayVec<Bitboard, MOST_MEN>,
    /// Lines are blocked by these squares only (never by Black's king).
    lines: Bitboard,
    /// All that White may attack without its king.
    covered: Bitboard,
}

impl MateTest {
    /// A test without men; `lines` are the squares that certainly block, Black's king not
    /// among them.
    pub(crate) fn new(lines: Bitboard) -> MateTest {
        MateTest {
            white: ArrayVec::new(),
            black: ArrayVec::new(),
            lines,
            covered: Bitboard::EMPTY,
        }
    }

    /// Adds a white man, not the king, that may stand on `squares`.
    pub(crate) fn add_white(&mut self, role: Role, squares: Bitboard) {
        let cover = attacks_from_any(role, Color::White, squares, self.lines);
        self.covered |= cover;
        self.white.push(Coverer {
            role,
            squares,
            cover,
        });
    }

    /// Adds a black man, not the king, that may stand on `squares`.
    pub(crate) fn add_black(&mut self, squares: Bitboard) {
        self.black.push(squares);
    }

    /// Squares on which Black's king could be in check.
    pub(crate) fn checked(&self) -> Bitboard {
        self.covered
    }

    /// Whether there may be a mate with Black's king on `king` and White's on one of
    /// `stands`.
    pub(crate) fn allows(&self, king: Square, stands: Bitboard) -> bool {
        if !self.covered.contains(king) {
            return false;
        }
        let ring = king_attacks(king);
        let mut guards: ArrayVec<Bitboard, 64> = ArrayVec::new();
        for stand in stands & !ring.with(king) {
            let guard = king_attacks(stand) & ring;
            if !guards.contains(&guard) && self.blockable(ring & !self.covered & !guard) {
                guards.push(guard);
            }
        }
        if guards.is_empty() {
            return false;
        }
        self.white.iter().enumerate().any(|(c, checker)| {
            checker.cover.contains(king)
                && checker.squares.into_iter().any(|square| {
                    guards
                        .iter()
                        .any(|&guard| self.mates(c, square, king, guard))
                })
        })
    }

    /// The same where White's king has just moved to its stand: it gives no check itself, so
    /// it has opened a line.
    pub(crate) fn allows_discovered(&self, king: Square, stands: Bitboard) -> bool {
        let ring = king_attacks(king);
        stands
            .into_iter()
            .filter(|stand| !ring.contains(*stand))
            .any(|stand| {
                let guard = king_attacks(stand) & ring;
                self.blockable(ring & !self.covered & !guard)
                    && self.white.iter().enumerate().any(|(c, checker)| {
                        checker.squares.into_iter().any(|square| {
                            let line = between(square, king);
                            line.intersects(king_attacks(stand))
                                && !line.contains(stand)
                                && self.mates(c, square, king, guard)
                        })
                    })
            })
    }

    /// Whether there may be a mate with the `c`-th white man checking from `square` and
    /// White's king covering `guard`. What the checking man covers shrinks with its one square.
    fn mates(&self, c: usize, square: Square, king: Square, guard: Bitboard) -> bool {
        let checker = &self.white[c];
        let own = attacks_from(checker.role, Color::White, square, self.lines);
        if !own.contains(king) {
            return false;
        }
        let others = self.white.iter().enumerate().filter(|&(i, _)| i != c);
        let others = others.fold(Bitboard::EMPTY, |all, (_, man)| all | man.cover);
        self.blockable(king_attacks(king) & !(others | own | guard))
    }

    /// Whether different black men may stand on all of `squares` (at most eight) at once:
    /// a bipartite matching, by augmenting paths.
    fn blockable(&self, squares: Bitboard) -> bool {
        if squares.count() > self.black.len() {
            return false;
        }
        let mut holder = [None; MOST_MEN];
        squares
            .into_iter()
            .all(|square| self.place(square, &mut holder, &mut 0))
    }

    fn place(
        &self,
        square: Square,
        holder: &mut [Option<Square>; MOST_MEN],
        tried: &mut u32,
    ) -> bool {
        for (i, stands) in self.black.iter().enumerate() {
            if *tried >> i & 1 == 1 || !stands.contains(square) {
                continue;
            }
            *tried |= 1 << i;
            let free = match holder[i] {
                None => true,
                Some(other) => self.place(other, holder, tried),
            };
            if free {
                holder[i] = Some(square);
                return true;
            }
        }
        false
    }
}
