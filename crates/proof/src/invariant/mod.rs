//! Invariants: descriptions of positions that play never leaves.
//!
//! | file | its obligation |
//! |---|---|
//! | this one | the description makes sense; what follows from it at once |
//! | `fits` | it holds: a position fits |
//! | `opposed` | also with its opposed pairs in order |
//! | `kept` | it is kept: no legal move leads out of it |
//! | `ends` | except to where nothing is left to prove |
//! | `mate` | it excludes mate |

mod ends;
mod fits;
mod kept;
mod mate;
mod opposed;
#[cfg(test)]
mod tests;

pub(crate) use mate::find_mate;

use shakmaty::{ByRole, attacks};
use stillmate_core::{Bitboard, ByColor, Color, File, Piece, Rank, Role, Square};

use self::opposed::{Lane, lanes};
use crate::{
    certificate::{Invariant, Man},
    refusal::InvariantFault,
    rules::is_promotion,
};

/// A well-formed invariant with the sets that its obligations are stated in.
pub(crate) struct Frame<'c> {
    invariant: &'c Invariant,
    /// The colour claimed unable to mate: W.
    winner: Color,
    /// Squares that are always occupied, each by the same man.
    fixed: Bitboard,
    /// Of these, the ones that no man of the given colour can move to.
    closed_to: ByColor<Bitboard>,
    /// Squares on which some man may stand.
    may: Bitboard,
    /// The same for men of each kind, what a pawn may have become included.
    places: ByColor<ByRole<Bitboard>>,
    /// Squares that the given colour attacks in every position.
    certain: ByColor<Bitboard>,
    /// Squares on which a man of the given colour may be taken, but for W's last man.
    prey: ByColor<Bitboard>,
    /// Of these, the ones on which a man may stand that must not be taken.
    exposed: ByColor<Bitboard>,
    /// The place of W's man beside its king, if it has exactly one.
    last: Option<usize>,
    /// The opposed pairs by file.
    lanes: Vec<Lane>,
}

impl Man {
    /// A man that is neither lost nor promotes.
    pub(crate) fn known(piece: Piece, squares: Bitboard) -> Man {
        Man {
            piece,
            squares,
            lost: false,
            promotes: false,
        }
    }

    /// Whether it is always on the board as what it is.
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

    /// Whether this allows all that `narrow` does. What has promoted says so by its mark or,
    /// if its kind is known, by being neither king nor pawn.
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

impl<'c> Frame<'c> {
    /// Checks that `invariant` is well formed and computes what follows from it.
    pub(crate) fn new(
        invariant: &'c Invariant,
        winner: Color,
    ) -> Result<Frame<'c>, InvariantFault> {
        let last = only_man(&invariant.men, winner);
        check_form(invariant, winner, last)?;

        let (mut fixed, mut closed_to) = (Bitboard::EMPTY, ByColor::<Bitboard>::default());
        let (mut prey, mut exposed) = (ByColor::<Bitboard>::default(), closed_to);
        let mut may = Bitboard::EMPTY;
        let mut places = ByColor::<ByRole<Bitboard>>::default();
        for (place, man) in invariant.men.iter().enumerate() {
            may |= man.may_stand();
            places[man.piece.color][man.piece.role] |= man.squares;
            if man.promotes {
                let promotions = Role::ALL.into_iter().filter(|&role| is_promotion(role));
                promotions.for_each(|role| places[man.piece.color][role] = Bitboard::FULL);
            }
            if !man.is_king() && Some(place) != last {
                prey[man.piece.color] |= man.may_stand();
                if !man.lost {
                    exposed[man.piece.color] |= man.may_stand();
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
        Ok(Frame {
            invariant,
            winner,
            fixed,
            closed_to,
            may,
            places,
            certain: certain_attacks(&invariant.men, may),
            prey,
            exposed,
            last,
            lanes: lanes(invariant),
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

/// How many squares are listed for `men` together: most of what is asked of them takes time in
/// proportion to that.
pub(crate) fn size<'m>(men: impl IntoIterator<Item = &'m Man>) -> usize {
    let sizes = men.into_iter().map(|man| 1 + man.squares.count());
    sizes.sum()
}

/// The squares that each colour's steady ones of `men` attack wherever they stand while lines
/// are blocked on all squares of `may`.
pub(crate) fn certain_attacks(men: &[Man], may: Bitboard) -> ByColor<Bitboard> {
    ByColor::new_with(|color| {
        let own = men.iter().filter(|man| man.piece.color == color);
        certain_attacks_of(own, may)
    })
}

/// The same for some men.
fn certain_attacks_of<'m>(men: impl Iterator<Item = &'m Man>, may: Bitboard) -> Bitboard {
    men.filter(|man| man.is_steady())
        .filter_map(|man| {
            let from = |square| attacks::attacks(square, man.piece, may);
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
