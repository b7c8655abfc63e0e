//! The men of the root, each told apart, and how many moves each needs to stand somewhere.
//!
//! Moves are counted over an empty board, so that no man ever needs fewer. A *place* is what a
//! man is and where it stands: `kind * 64 + square`.

use std::{borrow::Cow, sync::LazyLock};

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Square};
use stillmate_core::{Color, Move, Position, Role};

use super::covers::{Kind, NEVER, arrivals};

/// Both sides' men, at most.
pub(super) const MOST: usize = 32;

/// Number of a man in the order of its square at the root.
pub(super) type Man = usize;

/// What a man is and where: `kind * 64 + square`.
pub(super) type Place = u16;

pub(super) const fn place(role: Role, square: Square) -> Place {
    (role as u16 - 1) << 6 | square as u16
}

/// What a pattern asks of a man that takes no part in it: nothing, for no moves.
pub(super) const ANYWHERE: Place = 6 << 6;

/// Set in the place of a man that checks from next to the king, or as a knight: see
/// [`Distances`].
pub(super) const CONTACT: Place = 1 << 9;

/// Moves from one place to all others.
const ROW: usize = 1 << 10;

pub(super) type Row = [u8; ROW];

/// Moves of each kind of man of each colour from anywhere to anywhere, as whatever.
///
/// A place with [`CONTACT`] belongs to a man that must make White's last move, since the check
/// that it gives can't be uncovered. While White has a move left, a man that already stands
/// there has to leave and to come back; a pawn never does.
#[derive(Clone)]
pub(super) struct Distances(Cow<'static, [Row]>);

const OFFICERS: [Role; 5] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

impl Distances {
    /// Distances on an empty board, where White's and Black's pawns find something to take or
    /// don't.
    fn plain(takes: [bool; 2]) -> Vec<Row> {
        let mut rows = vec![[NEVER; ROW]; 2 * 6 * 64];
        for color in Color::ALL {
            for role in Role::ALL {
                let kind = Kind::of(role, takes[color.fold_wb(0, 1)]);
                for from in Square::ALL {
                    let row = &mut rows[index(color, place(role, from))];
                    row[usize::from(ANYWHERE)] = 0;
                    for to in Square::ALL {
                        for (kind, moves) in arrivals(color, kind, from, to) {
                            let to = place(kind.role(), to);
                            row[usize::from(to)] = moves;
                            row[usize::from(to | CONTACT)] = moves;
                        }
                    }
                    let back = if role == Role::Pawn { NEVER } else { 2 };
                    row[usize::from(place(role, from) | CONTACT)] = back;
                }
            }
        }
        rows
    }

    /// The distances that hold in `position` and whatever comes after it.
    ///
    /// With castling rights, a rook may be where castling puts it for nothing, and the king for
    /// one move. As a rook may also leave its square by castling, one move brings it back.
    pub(super) fn of(position: &Position) -> Distances {
        static PLAIN: LazyLock<[Vec<Row>; 3]> =
            LazyLock::new(|| [[true, true], [true, false], [false, true]].map(Distances::plain));
        let can_take = |color: Color| position.of(!color).more_than_one();
        let plain = match Color::ALL.map(can_take) {
            // Where neither can take, there are no pawns but of one side: none is barred more.
            [true, true] => &PLAIN[0],
            [true, false] => &PLAIN[1],
            [false, _] => &PLAIN[2],
        };
        let mut distances = Distances(Cow::Borrowed(plain));
        if position.castling().any() {
            distances.allow_castling(position);
        }
        distances
    }

    fn allow_castling(&mut self, position: &Position) {
        let rows = self.0.to_mut();
        for role in OFFICERS {
            for square in Square::ALL {
                let place = place(role, square);
                rows[index(Color::White, place)][usize::from(place | CONTACT)] = 1;
            }
        }
        for rook in position.castling() {
            let color = Color::from_white(position.of(Color::White).contains(rook));
            let king = position.king(color);
            let (king_to, rook_to) = castled(color, king, rook);
            let mut also_from = |role, from, by_castling, after: u8| {
                let farther = rows[index(color, place(role, by_castling))];
                let row = &mut rows[index(color, place(role, from))];
                for (moves, farther) in row.iter_mut().zip(farther) {
                    *moves = farther.saturating_add(after).min(*moves);
                }
            };
            also_from(Role::King, king, king_to, 1);
            // The move is the king's.
            also_from(Role::Rook, rook, rook_to, 0);
            if rook != rook_to {
                // There it arrives, although it is no farther than where it already stands.
                let arrival = place(Role::Rook, rook_to) | CONTACT;
                rows[index(color, place(Role::Rook, rook))][usize::from(arrival)] = 0;
            }
        }
    }

    /// Moves of a man of `color` from `place` to each place.
    #[inline]
    pub(super) fn from(&self, color: Color, place: Place) -> &Row {
        &self.0[index(color, place)]
    }
}

const fn index(color: Color, place: Place) -> usize {
    color as usize * 6 * 64 + place as usize
}

/// Where castling puts the king and the rook.
pub(super) fn castled(color: Color, king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(king < rook);
    (side.king_to(color), side.rook_to(color))
}

/// Who stands where.
#[derive(Clone)]
pub(super) struct Men {
    /// The man on each square; of no meaning where there is none.
    on: [u8; 64],
    places: [Place; MOST],
}

/// What a move does to the men.
pub(super) struct Change {
    pub(super) moved: Man,
    /// The rook that castles, too.
    pub(super) castled: Option<Man>,
    pub(super) taken: Option<Man>,
    /// The men afterwards.
    pub(super) men: Men,
}

impl Men {
    pub(super) fn of(position: &Position) -> Men {
        let mut men = Men {
            on: [0; 64],
            places: [ANYWHERE; MOST],
        };
        for (man, (square, piece)) in position.pieces().enumerate() {
            men.put(man, place(piece.role, square));
        }
        men
    }

    fn put(&mut self, man: Man, place: Place) {
        self.on[usize::from(place & 63)] = man as u8;
        self.places[man] = place;
    }

    #[inline]
    pub(super) fn place(&self, man: Man) -> Place {
        self.places[man]
    }

    fn man_on(&self, square: Square) -> Man {
        usize::from(self.on[usize::from(square)])
    }

    /// What `m`, a move of `color`, changes.
    pub(super) fn change(&self, color: Color, m: Move) -> Change {
        let (from, to) = (m.from(), m.to());
        let mut change = Change {
            moved: self.man_on(from),
            castled: None,
            taken: None,
            men: self.clone(),
        };
        if m.is_castle() {
            let rook = self.man_on(to);
            let (king_to, rook_to) = castled(color, from, to);
            change.men.put(change.moved, place(Role::King, king_to));
            change.men.put(rook, place(Role::Rook, rook_to));
            change.castled = Some(rook);
            return change;
        }
        if m.is_en_passant() {
            let victim = Square::from_coords(to.file(), from.rank());
            change.taken = Some(self.man_on(victim));
        } else if m.capture().is_some() {
            change.taken = Some(self.man_on(to));
        }
        let becomes = m.promotion().unwrap_or(m.role());
        change.men.put(change.moved, place(becomes, to));
        change
    }
}

/// The men of a position in the order of their numbers.
pub(super) fn list(position: &Position) -> ArrayVec<(Color, Role, Square), MOST> {
    let men = position.pieces();
    men.map(|(square, piece)| (piece.color, piece.role, square))
        .collect()
}
