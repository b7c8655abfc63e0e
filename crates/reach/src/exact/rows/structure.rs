//! What irreversible moves change, exactly: pawns, material, castling rights, en passant.

use stillmate_core::{Bitboard, Color, Role, Square};

use super::placement::{Kind, Men, Placement};

/// What reversible moves keep. Finer than [`crate::signature::Signature`]: bishops are counted by
/// the colour of their squares, and the rights of the moment belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Signature {
    /// White's pawns, then Black's.
    pawns: [u64; 2],
    /// The number of men of each [`Kind`], four bits each.
    counts: u64,
    /// Rooks that may castle.
    castling: u64,
    /// The square of a legal en passant capture, or 64.
    ep: u8,
}

const NO_SQUARE: u8 = 64;

impl Signature {
    pub(super) fn new(men: &Men, castling: Bitboard, ep: Option<Square>) -> Signature {
        let pawns = [Color::White, Color::Black].map(|color| men.pieces_of(color, Role::Pawn).0);
        let mut signature = Signature {
            pawns,
            counts: 0,
            castling: castling.0,
            ep: NO_SQUARE,
        };
        for color in Color::ALL {
            for kind in Kind::all_of(color) {
                signature.counts += (men.kind(kind).count() as u64) << (4 * kind.number());
            }
        }
        signature.with_ep(ep)
    }

    pub(super) const fn castling(&self) -> Bitboard {
        Bitboard(self.castling)
    }

    pub(super) fn ep(&self) -> Option<Square> {
        (self.ep < NO_SQUARE).then(|| Square::new(u32::from(self.ep)))
    }

    pub(super) const fn count(&self, kind: Kind) -> u64 {
        self.counts >> (4 * kind.number()) & 15
    }

    /// Whether the same men are on the board, pawns apart.
    pub(super) const fn has_pieces_of(&self, other: &Signature) -> bool {
        self.counts == other.counts
    }

    /// The same with other castling rights and without en passant.
    #[must_use]
    pub(super) fn after(mut self, castling: Bitboard) -> Signature {
        self.castling = castling.0;
        self.ep = NO_SQUARE;
        self
    }

    #[must_use]
    pub(super) fn with_ep(mut self, ep: Option<Square>) -> Signature {
        self.ep = ep.map_or(NO_SQUARE, u8::from);
        self
    }

    /// The same with one man more.
    #[must_use]
    pub(super) fn with(mut self, color: Color, role: Role, square: Square) -> Signature {
        if role == Role::Pawn {
            self.pawns[color.fold_wb(0, 1)] |= 1 << u32::from(square);
        } else {
            self.counts += 1 << (4 * Kind::of(color, role, square).number());
        }
        self
    }

    /// The same with one man less.
    #[must_use]
    pub(super) fn without(mut self, color: Color, role: Role, square: Square) -> Signature {
        if role == Role::Pawn {
            self.pawns[color.fold_wb(0, 1)] &= !(1 << u32::from(square));
        } else {
            self.counts -= 1 << (4 * Kind::of(color, role, square).number());
        }
        self
    }

    /// How far play has come on its way without return. Every irreversible move makes it more.
    fn progress(&self) -> u32 {
        let mut pieces = 0;
        for color in Color::ALL {
            pieces += Kind::all_of(color)
                .map(|kind| self.count(kind) as u32)
                .sum::<u32>();
        }
        let [white, black] = self.pawns.map(Bitboard);
        let men = pieces + (white | black).count() as u32;
        let steps = |pawns: Bitboard, color: Color| -> u32 {
            let ranks = pawns.into_iter().map(|pawn| u32::from(pawn.rank()));
            ranks.map(|rank| color.fold_wb(rank, 7 - rank)).sum()
        };
        // A promotion takes a pawn off, which is more than its steps.
        let pawns = (white | black).count() as u32;
        let steps = steps(white, Color::White) + steps(black, Color::Black) + 7 * (32 - pawns);
        let rights = self.castling().count() as u32;
        let moment = 2 * (4 - rights.min(4)) + u32::from(self.ep == NO_SQUARE);
        16 * (1_000 * (32 - men) + steps) + moment
    }
}

/// Positions by which a structure is entered: a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The men without the row man.
    pub(super) placement: Placement,
    /// The squares of the row man.
    pub(super) row: Bitboard,
    pub(super) turn: Color,
    /// The structure that it was entered from; the first one comes from itself.
    pub(super) origin: u32,
}

/// All positions of one signature.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) signature: Signature,
    pub(super) progress: u32,
    pub(super) row_man: Kind,
    /// Before it is closed, whatever was entered; then each position once.
    pub(super) entries: Vec<Entry>,
    /// How many entries there have been.
    pub(super) entered: u32,
}

impl Structure {
    pub(super) fn new(signature: Signature, row_man: Kind) -> Structure {
        Structure {
            signature,
            progress: signature.progress(),
            row_man,
            entries: Vec::new(),
            entered: 0,
        }
    }
}

/// The man with most room, as far as the pawns tell. Kings and rooks that may castle have none.
pub(super) fn roomiest(signature: &Signature, men: &Men) -> Kind {
    let mut best = (0, Kind::of(Color::White, Role::King, Square::A1));
    for color in Color::ALL {
        let rights = men.of(color).intersects(signature.castling());
        for kind in candidates(signature) {
            if kind.color() != color {
                continue;
            }
            let room = match kind.role() {
                Role::King if rights => 1,
                Role::King => men.room(kind) + 1,
                _ => men.room(kind),
            };
            if room > best.0 {
                best = (room, kind);
            }
        }
    }
    best.1
}

/// The kinds that may be the row man: rooks may not while one of them may castle.
pub(super) fn candidates(signature: &Signature) -> impl Iterator<Item = Kind> + '_ {
    let castles = |color: Color| {
        let home = if color == Color::White {
            0xFF
        } else {
            0xFF << 56
        };
        signature.castling & home != 0
    };
    let all = Color::ALL.into_iter().flat_map(Kind::all_of);
    all.filter(move |kind| {
        signature.count(*kind) > 0 && (kind.role() != Role::Rook || !castles(kind.color()))
    })
}
