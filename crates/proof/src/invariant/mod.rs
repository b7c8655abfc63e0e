//! Inductive invariants: descriptions of positions that play never leaves.
//!
//! The three obligations are those of an inductive safety proof, as in model checking.
//!
//! | file | its thought |
//! |---|---|
//! | this one | the description is well formed; what follows from it at once |
//! | `initiation` | a position fits it |
//! | `opposed` | which pawns are those of its opposed pairs |
//! | `consecution` | no legal move leads out of it |
//! | `terminal_moves` | except where nothing is left to prove |
//! | `safety` | no position that fits is mate |

mod consecution;
mod initiation;
mod opposed;
mod safety;
mod terminal_moves;
#[cfg(test)]
mod tests;

pub(crate) use safety::find_mate;

use shakmaty::{ByRole, attacks};
use stillmate_core::{Bitboard, ByColor, Color, File, Piece, Rank, Role, Square};

use self::opposed::{OpposedFile, opposed_files};
use crate::{
    certificate::{Invariant, Man},
    refusal::InvariantFault,
    rules::is_promotion,
};

/// A well-formed invariant with the sets in which its obligations are stated.
pub(crate) struct InductiveInvariant<'c> {
    invariant: &'c Invariant,
    /// W, the colour that is claimed unable to mate.
    winner: Color,
    /// The squares that are always occupied, each by the same man.
    fixed: Bitboard,
    /// Those of them that no man of the given colour can move to.
    closed_to: ByColor<Bitboard>,
    /// The squares on which any man may stand.
    may_occupy: Bitboard,
    /// The squares on which a man of each kind may stand, promoted men included.
    places: ByColor<ByRole<Bitboard>>,
    /// The squares that the given colour attacks in every position.
    certainly_attacked: ByColor<Bitboard>,
    /// The squares on which men of the given colour may stand, apart from its king and W's last
    /// man.
    capture_squares: ByColor<Bitboard>,
    /// Those of them on which a man may stand that isn't marked as `lost`.
    uncapturable_squares: ByColor<Bitboard>,
    /// W's only man beside its king, by its place in the list, if it has exactly one.
    last: Option<usize>,
    /// The opposed pairs by file.
    opposed_files: Vec<OpposedFile>,
}

impl Man {
    /// A man that can be neither captured nor promoted.
    pub(crate) fn known(piece: Piece, squares: Bitboard) -> Man {
        Man {
            piece,
            squares,
            lost: false,
            promotes: false,
        }
    }

    /// Whether it is always on the board and never promotes.
    pub(crate) fn is_steady(&self) -> bool {
        !self.lost && !self.promotes
    }

    pub(crate) fn is_king(&self) -> bool {
        self.piece.role == Role::King
    }

    pub(crate) fn is_pawn(&self) -> bool {
        self.piece.role == Role::Pawn
    }

    /// The squares it may ever stand on.
    pub(crate) fn may_stand(&self) -> Bitboard {
        if self.promotes {
            Bitboard::FULL
        } else {
            self.squares
        }
    }

    /// Whether it may ever stand on `square`.
    pub(crate) fn may_stand_on(&self, square: Square) -> bool {
        self.may_stand().contains(square)
    }

    /// Whether this allows all that `narrow` does. A promoted man is marked as such or, if its
    /// kind is known, is neither king nor pawn.
    pub(crate) fn includes(&self, narrow: &Man) -> bool {
        let unchanged = !narrow.promotes
            && self.piece == narrow.piece
            && narrow.squares.is_subset(self.squares);
        let promoted = self.promotes
            && self.piece.color == narrow.piece.color
            && (narrow.promotes || is_promotion(narrow.piece.role));
        unchanged || promoted
    }

    /// The one square of a man that is always there.
    pub(crate) fn fixed_square(&self) -> Option<Square> {
        self.squares.single_square().filter(|_| self.is_steady())
    }
}

impl<'c> InductiveInvariant<'c> {
    /// Checks that `invariant` is well formed and computes what follows from it.
    pub(crate) fn new(
        invariant: &'c Invariant,
        winner: Color,
    ) -> Result<InductiveInvariant<'c>, InvariantFault> {
        let last = only_man(&invariant.men, winner);
        check_form(invariant, winner, last)?;

        let (mut fixed, mut closed_to) = (Bitboard::EMPTY, ByColor::<Bitboard>::default());
        let (mut capture_squares, mut uncapturable_squares) =
            (ByColor::<Bitboard>::default(), closed_to);
        let mut may_occupy = Bitboard::EMPTY;
        let mut places = ByColor::<ByRole<Bitboard>>::default();
        for (place, man) in invariant.men.iter().enumerate() {
            may_occupy |= man.may_stand();
            places[man.piece.color][man.piece.role] |= man.squares;
            if man.promotes {
                let promotions = Role::ALL.into_iter().filter(|&role| is_promotion(role));
                promotions.for_each(|role| places[man.piece.color][role] = Bitboard::FULL);
            }
            if !man.is_king() && Some(place) != last {
                capture_squares[man.piece.color] |= man.may_stand();
                if !man.lost {
                    uncapturable_squares[man.piece.color] |= man.may_stand();
                }
            }
            if let Some(square) = man.fixed_square() {
                fixed |= square;
                closed_to[man.piece.color] |= square;
                if man.is_king() {
                    closed_to[!man.piece.color] |= square;
                }
            }
        }
        Ok(InductiveInvariant {
            invariant,
            winner,
            fixed,
            closed_to,
            may_occupy,
            places,
            certainly_attacked: certainly_attacked_by(&invariant.men, may_occupy),
            capture_squares,
            uncapturable_squares,
            last,
            opposed_files: opposed_files(invariant),
        })
    }

    fn men(&self) -> impl Iterator<Item = (usize, &'c Man)> {
        self.invariant.men.iter().enumerate()
    }

    /// The men of `color` beside its king.
    fn subjects(&self, color: Color) -> impl Iterator<Item = (usize, &'c Man)> {
        self.men()
            .filter(move |(_, man)| man.piece.color == color && !man.is_king())
    }

    /// The squares of `color`'s king.
    fn king_squares(&self, color: Color) -> Bitboard {
        let kings = self.men().map(|(_, man)| man);
        kings
            .filter(|man| man.piece.color == color && man.is_king())
            .fold(Bitboard::EMPTY, |squares, man| squares | man.squares)
    }
}

/// The number of squares listed for all `men`. Most tests of them take time in proportion to it.
pub(crate) fn size<'m>(men: impl IntoIterator<Item = &'m Man>) -> usize {
    let sizes = men.into_iter().map(|man| 1 + man.squares.count());
    sizes.sum()
}

/// The squares that each colour's steady men attack wherever they stand, with lines blocked on all
/// squares of `may_occupy`.
pub(crate) fn certainly_attacked_by(men: &[Man], may_occupy: Bitboard) -> ByColor<Bitboard> {
    ByColor::new_with(|color| {
        let own = men.iter().filter(|man| man.piece.color == color);
        certainly_attacked_by_all(own, may_occupy)
    })
}

/// The same for these men.
fn certainly_attacked_by_all<'m>(
    men: impl Iterator<Item = &'m Man>,
    may_occupy: Bitboard,
) -> Bitboard {
    men.filter(|man| man.is_steady())
        .filter_map(|man| {
            let from = |square| attacks::attacks(square, man.piece, may_occupy);
            man.squares.into_iter().map(from).reduce(|a, b| a & b)
        })
        .fold(Bitboard::EMPTY, |all, some| all | some)
}

/// The place of the man that `color` has beside its king, if there is exactly one.
fn only_man(men: &[Man], color: Color) -> Option<usize> {
    let mut own = (0..men.len()).filter(|&i| men[i].piece.color == color && !men[i].is_king());
    own.next().filter(|_| own.next().is_none())
}

fn check_form(
    invariant: &Invariant,
    winner: Color,
    last: Option<usize>,
) -> Result<(), InvariantFault> {
    let men = &invariant.men;
    if men.len() > 64 || invariant.opposed.len() > 64 {
        return Err(InvariantFault::Crowd);
    }
    for color in Color::ALL {
        let mut kings = men
            .iter()
            .filter(|man| man.piece.color == color && man.is_king());
        if !kings.next().is_some_and(Man::is_steady) || kings.next().is_some() {
            return Err(InvariantFault::Kings);
        }
    }
    let promotions = men.iter().any(|man| man.promotes);
    for (place, man) in men.iter().enumerate() {
        if man.is_pawn() && man.squares.intersects(Bitboard::BACKRANKS) {
            return Err(InvariantFault::PawnRank(place));
        }
        if man.promotes && !(man.is_pawn() && man.lost && man.piece.color != winner) {
            return Err(InvariantFault::Promotes(place));
        }
        let safe = man.is_king() || man.piece.color != winner || Some(place) == last;
        if promotions && !man.lost && !safe {
            return Err(InvariantFault::Exposed(place));
        }
    }
    for (place, &(white, black)) in invariant.opposed.iter().enumerate() {
        let pawn = |place: usize, color| {
            let man = men.get(place)?;
            (man.piece == Role::Pawn.of(color) && !man.promotes).then_some(man)
        };
        let pair = pawn(white, Color::White).zip(pawn(black, Color::Black));
        let opposed = |(white, black): (&Man, &Man)| {
            let on_one_file =
                |file| (white.squares | black.squares).is_subset(Bitboard::from_file(file));
            !(white.lost && black.lost) && File::ALL.into_iter().any(on_one_file)
        };
        if !pair.is_some_and(opposed) {
            return Err(InvariantFault::Opposed(place));
        }
    }
    if !invariant.castling.is_subset(Bitboard::BACKRANKS) {
        return Err(InvariantFault::Castling);
    }
    let passed = invariant.en_passant.map(Square::rank);
    if passed.is_some_and(|rank| !matches!(rank, Rank::Third | Rank::Sixth)) {
        return Err(InvariantFault::EnPassant);
    }
    Ok(())
}
