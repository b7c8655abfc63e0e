//! Legal moves, and playing them.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Color, Rank, Role, Square,
    attacks::{
        attacks, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks,
        queen_attacks, ray, rook_attacks,
    },
};

use crate::position::{Position, color_index, role_index};

/// A move in 32 bits: origin, target, the piece that moves, the piece that is taken and the
/// promotion. Castling goes from the king's square to the rook's.
///
/// A move means something only in a position where it is legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

/// At most this many legal moves exist in any position with one king a side and up to 15
/// other pieces of any kind each; 218 is the most known for positions that can arise.
const MOST_MOVES: usize = 512;

/// The legal moves of a position, without allocation.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

const NONE: u32 = 7;
const EN_PASSANT: u32 = 1 << 21;
const CASTLE: u32 = 1 << 22;

const fn code(role: Option<Role>) -> u32 {
    match role {
        Some(role) => role_index(role) as u32,
        None => NONE,
    }
}

const fn decode(code: u32) -> Option<Role> {
    match code & 7 {
        0 => Some(Role::Pawn),
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        5 => Some(Role::King),
        _ => None,
    }
}

impl Move {
    const fn new(
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> Move {
        Move(
            from as u32
                | (to as u32) << 6
                | (role_index(role) as u32) << 12
                | code(capture) << 15
                | code(promotion) << 18,
        )
    }

    const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::new(Role::Pawn, from, to, Some(Role::Pawn), None).0 | EN_PASSANT)
    }

    const fn castle(king: Square, rook: Square) -> Move {
        Move(Move::new(Role::King, king, rook, None, None).0 | CASTLE)
    }

    /// Where the piece comes from; the king's square when castling.
    pub const fn from(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// Where it goes; the rook's square when castling.
    pub const fn to(self) -> Square {
        Square::new(self.0 >> 6 & 63)
    }

    /// The piece that moves.
    pub const fn role(self) -> Role {
        match decode(self.0 >> 12) {
            Some(role) => role,
            None => Role::Pawn,
        }
    }

    /// The piece that is taken.
    pub const fn capture(self) -> Option<Role> {
        decode(self.0 >> 15)
    }

    /// What the pawn becomes.
    pub const fn promotion(self) -> Option<Role> {
        decode(self.0 >> 18)
    }

    /// Whether a pawn is taken in passing.
    pub const fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Whether the move castles.
    pub const fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// Whether the move is a capture or a pawn move, which resets the halfmove clock and
    /// can never be taken back.
    pub const fn is_zeroing(self) -> bool {
        (self.0 >> 12 & 7) == 0 || (self.0 >> 15 & 7) != NONE
    }

    /// The move of the board turned over (see [`Position::mirrored`]).
    #[must_use]
    pub const fn mirrored(self) -> Move {
        // Flipping the rank of a square is an xor with 56.
        Move(self.0 ^ (56 | 56 << 6))
    }

    /// The move that shakmaty calls `m`.
    ///
    /// # Panics
    ///
    /// On a drop, which only exists in variants.
    pub fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => Move::new(role, from, to, capture, promotion),
            shakmaty::Move::EnPassant { from, to } => Move::en_passant(from, to),
            shakmaty::Move::Castle { king, rook } => Move::castle(king, rook),
            shakmaty::Move::Put { .. } => panic!("pieces are not dropped in chess"),
        }
    }

    /// This move for shakmaty, which knows how to write it.
    pub fn to_shakmaty(self) -> shakmaty::Move {
        let (from, to) = (self.from(), self.to());
        if self.is_castle() {
            shakmaty::Move::Castle {
                king: from,
                rook: to,
            }
        } else if self.is_en_passant() {
            shakmaty::Move::EnPassant { from, to }
        } else {
            let (role, capture, promotion) = (self.role(), self.capture(), self.promotion());
            shakmaty::Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            }
        }
    }

    /// This move in UCI notation; castling as the king's two steps where king and rook
    /// stand as in orthodox chess.
    pub fn uci(self) -> String {
        let mode = if self.is_castle()
            && !(self.from().file() == shakmaty::File::E
                && matches!(self.to().file(), shakmaty::File::A | shakmaty::File::H))
        {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        self.to_shakmaty().to_uci(mode).to_string()
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.uci())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.uci())
    }
}

/// For each code of a role all squares in its own set, and none in the others.
static ALL_IN: [[Bitboard; 6]; 8] = {
    let mut table = [[Bitboard::EMPTY; 6]; 8];
    let mut code = 0;
    while code < 6 {
        table[code][code] = Bitboard::FULL;
        code += 1;
    }
    table
};

/// For each colour all squares in its own set, and none in the other's.
static ALL_OF: [[Bitboard; 2]; 2] = [
    [Bitboard::FULL, Bitboard::EMPTY],
    [Bitboard::EMPTY, Bitboard::FULL],
];

/// All squares for the king's code, none for others.
static ALL_FOR_KINGS: [Bitboard; 8] = {
    let mut table = [Bitboard::EMPTY; 8];
    table[role_index(Role::King)] = Bitboard::FULL;
    table
};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// The move of `role` from `from` to `to`, with whatever stands there taken, neither
    /// castling nor en passant. It need not be legal: see [`Position::is_safe_after`].
    #[inline]
    pub fn move_of(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        // The code of the piece on `to` and `NONE` differ in these bits; without branches.
        let [pawn, knight, bishop, rook, queen, king] = self.roles;
        let planes = [
            pawn | bishop | queen,
            pawn | knight | queen | king,
            pawn | knight | bishop | rook,
        ];
        let theirs = Bitboard::from_square(to) & self.of(!self.turn);
        let bit = |plane: Bitboard| u32::from(plane.intersects(theirs));
        let differs = bit(planes[0]) | bit(planes[1]) << 1 | bit(planes[2]) << 2;
        let plain = Move::new(role, from, to, None, promotion);
        Move(plain.0 ^ differs << 15)
    }

    /// Whether the side that has just moved left its own king unattacked: the last condition
    /// for a move to be legal that a piece makes along its lines.
    #[inline]
    pub fn is_safe_after(&self) -> bool {
        self.attackers(self.king(!self.turn), self.turn, self.occupied())
            .is_empty()
    }

    /// All legal moves, in an order that depends on nothing but the position.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&mut |m| {
            list.push(m);
            true
        });
        list
    }

    /// Calls `visit` with every legal move, in the order of [`Position::legal_moves`].
    #[inline]
    pub fn for_each_legal_move(&self, mut visit: impl FnMut(Move)) {
        self.generate(&mut |m| {
            visit(m);
            true
        });
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.generate(&mut |_| false)
    }

    /// The position after `m`, which must be legal here; see [`Position::legal_moves`].
    #[must_use]
    pub fn after(&self, m: Move) -> Position {
        let mut next = *self;
        next.play(m);
        next
    }

    /// The position after `m`, wherever that comes from; `None` if it isn't legal here.
    pub fn after_if_legal(&self, m: Move) -> Option<Position> {
        let (us, from, to, role) = (self.turn, m.from(), m.to(), m.role());
        let (ours, occupied) = (self.of(us), self.occupied());
        let possible = match role {
            _ if m.is_castle() => self.castling_moves().any(|castle| castle == m),
            _ if !self.pieces_of(us, role).contains(from) => false,
            Role::Pawn if m.is_en_passant() => {
                let takes = pawn_attacks(us, from).contains(to);
                takes && self.ep == Some(to) && m == Move::en_passant(from, to)
            }
            Role::Pawn => {
                let mut differs = |other| other != m;
                !self.generate_pawn(from, Bitboard::FULL, occupied, self.of(!us), &mut differs)
            }
            _ => {
                let reached = attacks(from, role.of(us), occupied) & !ours;
                reached.contains(to) && m == self.move_of(role, from, to, None)
            }
        };
        possible
            .then(|| self.after(m))
            .filter(Position::is_safe_after)
    }

    /// Plays `m`, which must be legal here: nothing is checked, and an illegal move leaves a
    /// position of no meaning.
    #[inline]
    pub fn play(&mut self, m: Move) {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (m.from(), m.to());
        self.ep = None;
        self.turn = them;
        if m.is_castle() {
            return self.castle(us, from, to);
        }
        // In passing, the victim is on the square behind, one rank off.
        let behind = if m.is_en_passant() { 8 } else { 0 };
        let victim = Square::new(to as u32 ^ behind);
        let stays = !(Bitboard::from_square(from) | to | victim);
        // All sets alike, without branches: which of them change is unpredictable.
        let (role, promotion) = (m.0 as usize >> 12 & 7, m.0 as usize >> 18 & 7);
        let becomes = if promotion == NONE as usize {
            role
        } else {
            promotion
        };
        for (set, all) in self.roles.iter_mut().zip(ALL_IN[becomes]) {
            *set = *set & stays | all & to;
        }
        for (set, all) in self.colors.iter_mut().zip(ALL_OF[color_index(us)]) {
            *set = *set & stays | all & to;
        }
        self.castling &= stays & !(Position::rights_of_home(us) & ALL_FOR_KINGS[role]);
        // One condition: a pawn's code is 0, and only its double step changes the rank by two.
        let no_double_step = role as u32 | (from as u32 ^ to as u32 ^ 16);
        if no_double_step == 0 {
            let passed = Square::new((from as u32).midpoint(to as u32));
            if self.en_passant_is_possible(passed) {
                self.ep = Some(passed);
            }
        }
    }

    /// Castles: the king on `king` with the rook on `rook`.
    #[inline(never)]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let (king_to, rook_to) = castling_targets(us, king, rook);
        self.lift(king, us, Role::King);
        self.lift(rook, us, Role::Rook);
        self.put(king_to, us, Role::King);
        self.put(rook_to, us, Role::Rook);
        self.castling = self.castling.without(Position::rights_of_home(us));
    }

    /// Whether the side to move has a legal en passant capture on `passed`, given that the
    /// other side's pawn has just made a double step over that square.
    pub(crate) fn en_passant_is_possible(&self, passed: Square) -> bool {
        let takers = pawn_attacks(!self.turn, passed) & self.pieces_of(self.turn, Role::Pawn);
        takers
            .into_iter()
            .any(|taker| self.en_passant_is_legal(taker, passed))
    }

    /// Whether the side to move may take en passant from `taker` to `passed` without leaving
    /// its king in check (both pawns leave their squares at once).
    fn en_passant_is_legal(&self, taker: Square, passed: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let victim = Square::from_coords(passed.file(), taker.rank());
        let mut occupied = self.occupied();
        occupied.toggle(taker);
        occupied.toggle(victim);
        occupied.add(passed);
        self.attackers(self.king(us), them, occupied)
            .without(victim)
            .is_empty()
    }

    /// The legal moves that castle.
    pub fn castling_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let checked = self.castling.any() && self.checkers().any();
        let moves = self.castlings(self.king(self.turn));
        moves.filter(move |_| !checked)
    }

    /// The same for a side that isn't in check.
    fn castlings(&self, king: Square) -> impl Iterator<Item = Move> + '_ {
        let rooks = self.castling & self.pieces_of(self.turn, Role::Rook);
        let may = rooks
            .into_iter()
            .filter(move |&rook| self.may_castle(king, rook));
        may.map(move |rook| Move::castle(king, rook))
    }

    /// Hands every legal move to `take` until it answers `false`; tells whether all were
    /// taken.
    #[inline]
    pub(crate) fn generate(&self, take: &mut impl FnMut(Move) -> bool) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let (ours, theirs) = (self.of(us), self.of(them));
        let occupied = ours | theirs;
        let king = self.king(us);
        let checkers = self.attackers(king, them, occupied);

        let without_king = occupied.without(king);
        for to in king_attacks(king) & !ours {
            if self.attackers(to, them, without_king).is_empty()
                && !take(Move::new(
                    Role::King,
                    king,
                    to,
                    self.taken(to, theirs),
                    None,
                ))
            {
                return false;
            }
        }
        if checkers.more_than_one() {
            return true;
        }
        let mask = match checkers.first() {
            Some(checker) => between(king, checker) | checker,
            None => !Bitboard::EMPTY,
        };
        let pinned = self.shields(king, ours, theirs, occupied);
        let allowed = |from: Square| {
            if pinned.contains(from) {
                mask & ray(king, from)
            } else {
                mask
            }
        };

        for (role, reach) in [
            (
                Role::Queen,
                queen_attacks as fn(Square, Bitboard) -> Bitboard,
            ),
            (Role::Rook, rook_attacks),
            (Role::Bishop, bishop_attacks),
            (Role::Knight, |square, _| knight_attacks(square)),
        ] {
            for from in self.with_role(role) & ours {
                for to in reach(from, occupied) & !ours & allowed(from) {
                    if !take(Move::new(role, from, to, self.taken(to, theirs), None)) {
                        return false;
                    }
                }
            }
        }
        for from in self.with_role(Role::Pawn) & ours {
            if !self.generate_pawn(from, allowed(from), occupied, theirs, take) {
                return false;
            }
        }
        if let Some(passed) = self.ep {
            for from in pawn_attacks(them, passed) & self.with_role(Role::Pawn) & ours {
                if self.en_passant_is_legal(from, passed) && !take(Move::en_passant(from, passed)) {
                    return false;
                }
            }
        }
        !checkers.is_empty() || self.castlings(king).all(take)
    }

    #[inline]
    fn generate_pawn(
        &self,
        from: Square,
        allowed: Bitboard,
        occupied: Bitboard,
        theirs: Bitboard,
        take: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let us = self.turn;
        let mut targets = pawn_attacks(us, from) & theirs;
        let ahead = Bitboard::from_square(from).shift(us.fold_wb(8, -8)) & !occupied;
        targets |= ahead;
        if ahead.any() && from.rank() == us.fold_wb(Rank::Second, Rank::Seventh) {
            targets |= ahead.shift(us.fold_wb(8, -8)) & !occupied;
        }
        for to in targets & allowed {
            let capture = self.taken(to, theirs);
            if Bitboard::BACKRANKS.contains(to) {
                for promotion in PROMOTIONS {
                    if !take(Move::new(Role::Pawn, from, to, capture, Some(promotion))) {
                        return false;
                    }
                }
            } else if !take(Move::new(Role::Pawn, from, to, capture, None)) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn taken(&self, to: Square, theirs: Bitboard) -> Option<Role> {
        if theirs.contains(to) {
            self.role_at(to)
        } else {
            None
        }
    }

    /// Pieces of `color` that shield their king from a line piece.
    pub fn pinned(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        self.shields(king, self.of(color), self.of(!color), self.occupied())
    }

    fn shields(
        &self,
        king: Square,
        ours: Bitboard,
        theirs: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.with_role(Role::Queen);
        let snipers = theirs
            & (rook_attacks(king, theirs) & (self.with_role(Role::Rook) | queens)
                | bishop_attacks(king, theirs) & (self.with_role(Role::Bishop) | queens));
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if !shield.more_than_one() {
                pinned |= shield & ours;
            }
        }
        pinned
    }

    /// FIDE Laws 3.8.2 and the Chess960 guidelines: the way is free, and the king neither
    /// passes nor reaches an attacked square. That it is not in check is the caller's.
    pub(crate) fn may_castle(&self, king: Square, rook: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let (king_to, rook_to) = castling_targets(us, king, rook);
        let others = self.occupied().without(king).without(rook);
        let way = between(king, king_to) | king_to;
        if (way | between(rook, rook_to) | rook_to).intersects(others) {
            return false;
        }
        let passing = self.occupied().without(king);
        way.into_iter()
            .all(|square| self.attackers(square, them, passing).is_empty())
            && self
                .attackers(king_to, them, others.with(rook_to))
                .is_empty()
    }
}

/// Where king and rook of `color` stand after castling.
pub(crate) fn castling_targets(color: Color, king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(king < rook);
    (side.king_to(color), side.rook_to(color))
}
