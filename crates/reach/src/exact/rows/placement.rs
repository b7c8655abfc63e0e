//! Men on the board without the row man, and what a row is worth with them.

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use stillmate_core::{Bitboard, Color, Key, Position, Role, Square, insufficient_material};

use crate::{
    exact::visited,
    geometry::{attacks_from, attacks_from_any},
};

/// The kinds of men that may be a row man, in the order of [`Kind`]'s numbers.
const ROLES: [Role; 6] = [
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// A kind of piece of which reversible moves keep the number: bishops on light squares and on
/// dark ones are two kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind(u8);

impl Kind {
    /// All kinds of a colour.
    pub(super) fn all_of(color: Color) -> impl Iterator<Item = Kind> {
        (0..6).map(move |kind| Kind(color.fold_wb(0, 6) + kind))
    }

    /// The kind of a piece, not a pawn, that stands on `square`.
    pub(super) fn of(color: Color, role: Role, square: Square) -> Kind {
        let kind = match role {
            Role::Pawn | Role::Knight => 0,
            Role::Bishop => 1 + u8::from(!square.is_light()),
            Role::Rook => 3,
            Role::Queen => 4,
            Role::King => 5,
        };
        Kind(color.fold_wb(0, 6) + kind)
    }

    pub(super) const fn color(self) -> Color {
        Color::from_white(self.0 < 6)
    }

    pub(super) const fn role(self) -> Role {
        ROLES[self.0 as usize % 6]
    }

    pub(super) const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The squares on which a piece of this kind may stand.
    fn squares(self) -> Bitboard {
        match self.0 % 6 {
            1 => Bitboard::LIGHT_SQUARES,
            2 => Bitboard::DARK_SQUARES,
            _ => Bitboard::FULL,
        }
    }
}

/// Men on the board, in four bit planes: three for the role, one for Black's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Placement(pub(super) [u64; 4]);

/// The same, ready for use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Men {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

const fn place(role: Role) -> usize {
    role as usize - 1
}

const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Placement {
    pub(super) fn unpack(self) -> Men {
        let [a, b, c, black] = self.0.map(Bitboard);
        Men {
            roles: [a & !b & !c, !a & b & !c, a & b, !a & !b & c, a & c, b & c],
            colors: [(a | b | c) & !black, black],
        }
    }

    /// Where to look for it in a set.
    pub(super) fn hash(self) -> u64 {
        visited::hash(&self.0)
    }
}

impl Men {
    pub(super) fn new(position: &Position) -> Men {
        Men {
            roles: Role::ALL.map(|role| position.with_role(role)),
            colors: [position.of(Color::White), position.of(Color::Black)],
        }
    }

    pub(super) fn pack(&self) -> Placement {
        let [pawn, knight, bishop, rook, queen, king] = self.roles.map(u64::from);
        Placement([
            pawn | bishop | queen,
            knight | bishop | king,
            rook | queen | king,
            self.colors[1].into(),
        ])
    }

    /// The position with these men.
    pub(super) fn position(&self, turn: Color, castling: Bitboard, ep: Option<Square>) -> Position {
        let Placement([a, b, c, mut black]) = self.pack();
        if let Some(passed) = ep {
            black |= 1 << u32::from(passed);
        }
        if turn == Color::Black {
            black = !black;
        }
        let castling = u64::from(castling);
        Key::from_planes([a | castling, b | castling, c | castling, black]).position()
    }

    pub(super) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    pub(super) fn of(&self, color: Color) -> Bitboard {
        self.colors[side(color)]
    }

    pub(super) fn pieces_of(&self, color: Color, role: Role) -> Bitboard {
        self.roles[place(role)] & self.of(color)
    }

    pub(super) fn kind(&self, kind: Kind) -> Bitboard {
        self.pieces_of(kind.color(), kind.role()) & kind.squares()
    }

    pub(super) fn pawns(&self) -> Bitboard {
        self.roles[place(Role::Pawn)]
    }

    pub(super) fn role_at(&self, square: Square) -> Option<Role> {
        let at = self.roles.iter().position(|men| men.contains(square))?;
        Some(Role::ALL[at])
    }

    pub(super) fn put(&mut self, square: Square, color: Color, role: Role) {
        self.roles[place(role)] |= square;
        self.colors[side(color)] |= square;
    }

    pub(super) fn lift(&mut self, square: Square) {
        let stays = !Bitboard::from_square(square);
        for men in self.roles.iter_mut().chain(&mut self.colors) {
            *men &= stays;
        }
    }

    #[must_use]
    pub(super) fn with(mut self, square: Square, color: Color, role: Role) -> Men {
        self.put(square, color, role);
        self
    }

    #[must_use]
    pub(super) fn without(mut self, square: Square) -> Men {
        self.lift(square);
        self
    }

    /// The sliders of a colour, by diagonals and by files and ranks.
    fn sliders(&self, color: Color) -> (Bitboard, Bitboard) {
        let [.., bishop, rook, queen, _] = self.roles;
        let men = self.of(color);
        ((bishop | queen) & men, (rook | queen) & men)
    }

    /// Whether no line of `color`'s sliders leads to `square`, whatever stands between.
    pub(super) fn is_off_lines(&self, color: Color, square: Square) -> bool {
        let (diagonal, straight) = self.sliders(color);
        (diagonal.is_empty() || (bishop_attacks(square, Bitboard::EMPTY) & diagonal).is_empty())
            && (straight.is_empty()
                || (rook_attacks(square, Bitboard::EMPTY) & straight).is_empty())
    }

    pub(super) fn has_sliders(&self, color: Color) -> bool {
        let (diagonal, straight) = self.sliders(color);
        (diagonal | straight).any()
    }

    /// All that `color` attacks.
    fn attacked(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let men = |role| self.pieces_of(color, role);
        let leaps = |role| attacks_from_any(role, color, men(role), occupied);
        let mut all = leaps(Role::Pawn) | leaps(Role::Knight) | leaps(Role::King);
        let (diagonal, straight) = self.sliders(color);
        for square in diagonal {
            all |= bishop_attacks(square, occupied);
        }
        for square in straight {
            all |= rook_attacks(square, occupied);
        }
        all
    }

    /// The squares on which one more man keeps `color`'s men from attacking `square`.
    fn shelter(&self, color: Color, square: Square) -> Bitboard {
        let men = |role| self.pieces_of(color, role);
        if (pawn_attacks(!color, square) & men(Role::Pawn)
            | knight_attacks(square) & men(Role::Knight)
            | king_attacks(square) & men(Role::King))
        .any()
        {
            return Bitboard::EMPTY;
        }
        let (diagonal, straight) = self.sliders(color);
        let mut shelter = Bitboard::FULL;
        if diagonal.any() {
            for slider in bishop_attacks(square, self.occupied()) & diagonal {
                shelter &= between(slider, square);
            }
        }
        if straight.any() {
            for slider in rook_attacks(square, self.occupied()) & straight {
                shelter &= between(slider, square);
            }
        }
        shelter
    }

    /// Whether White can't mate with these men, as [`insufficient_material`] has it.
    pub(super) fn are_insufficient(&self) -> bool {
        let position = self.position(Color::White, Bitboard::EMPTY, None);
        insufficient_material(&position, Color::White).is_some()
    }

    /// Whether `color`'s king is attacked by none of these men.
    pub(super) fn is_safe(&self, color: Color) -> bool {
        let king = self.pieces_of(color, Role::King).first();
        king.is_none_or(|king| self.shelter(!color, king) == Bitboard::FULL)
    }

    /// The squares of the row man with which `color`'s king isn't attacked.
    pub(super) fn safe(&self, row: Kind, color: Color) -> Bitboard {
        let Some(king) = self.pieces_of(color, Role::King).first() else {
            return !self.attacked(!color);
        };
        let mut safe = self.shelter(!color, king);
        if row.color() != color && safe.any() {
            safe &= !attacks_from(row.role(), color, king, self.occupied());
        }
        safe
    }

    /// How far the men of a kind could roam if the pawns were alone: four times the squares of
    /// the one with most room, divided among them.
    pub(super) fn room(&self, kind: Kind) -> usize {
        let (color, role) = (kind.color(), kind.role());
        let men = self.kind(kind);
        let mut barred = self.pawns();
        if role == Role::King {
            let pawns = self.pieces_of(!color, Role::Pawn);
            barred |= attacks_from_any(Role::Pawn, !color, pawns, Bitboard::EMPTY);
        }
        let mut most = 0;
        for square in men {
            let mut all = Bitboard::from_square(square);
            loop {
                let next = all | attacks_from_any(role, color, all, self.pawns()) & !barred;
                if next == all {
                    break;
                }
                all = next;
            }
            most = most.max(all.count());
        }
        4 * most / men.count().max(1)
    }
}
