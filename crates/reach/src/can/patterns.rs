//! Pictures of mates with whatever pieces there are, and how far the men are from them.
//!
//! A *pattern* says where Black's king is mated, which white man checks from where, what else
//! must stand somewhere (White's king, one more white man), and on which squares Black's own
//! men must block the way out. What pawns and men that can't move block or guard already needs
//! nobody. Distances are counted in moves along the squares that each kind of man can really
//! use while the pawns stand: in a maze of locked pawns that is the signal, and how near
//! things look on an open board is not.
//!
//! A pattern is a guide, no more: men get into each other's way, and Black's men may guard
//! what they should leave alone. So several patterns are followed side by side.
//!
//! White mates; callers mirror the board.

use arrayvec::ArrayVec;
use shakmaty::attacks::{king_attacks, pawn_attacks};
use stillmate_core::{Bitboard, Color, Position, Role, Square};

use crate::geometry::attacks_from;

/// Pictures that are followed at once.
pub(crate) const MOST_PATTERNS: usize = 8;
/// Of these, such with the king on the same square.
const MOST_PER_TARGET: usize = 2;

/// Moves to one square from each other; [`FAR`] where there is no way.
type Ways = [u8; 64];
const FAR: u8 = u8::MAX;

const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A pattern: places in [`PatternSet::ways`] for everything that must come to some square.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MatingPattern {
    target: Square,
    /// The way of Black's king.
    mated: u16,
    checker: (Role, u16),
    helper: Option<(Role, u16)>,
    king: Option<u16>,
    /// For every square that Black must block, the ways of each kind of man.
    blocks: ArrayVec<[u16; 4], 8>,
}

/// The patterns of one pawn structure.
#[derive(Debug)]
pub(crate) struct PatternSet {
    ways: Vec<Ways>,
    patterns: Vec<MatingPattern>,
}

/// What both sides still have to do, in sixteenths of moves: the side that is ahead waits.
fn cost(white: u32, black: u32) -> u32 {
    16 * white.max(black) + 4 * white.min(black)
}

impl PatternSet {
    /// Pictures for the pawns of `position`, those that it is nearest to.
    pub(crate) fn new(position: &Position) -> PatternSet {
        let mut generator = Generator::new(position);
        generator.generate();
        let patterns = generator
            .best
            .into_iter()
            .map(|(_, pattern)| pattern)
            .collect();
        PatternSet {
            ways: generator.ways,
            patterns,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let ways = self.ways.capacity() * size_of::<Ways>();
        (ways + self.patterns.capacity() * size_of::<MatingPattern>()) as u64
    }

    /// How far `position`, of the same pawn structure, is from the pattern at `place`.
    /// In sixteenths of moves; `None` if some man has no way to where it should be.
    pub(crate) fn distance(&self, place: usize, position: &Position) -> Option<u32> {
        measure(&self.ways, &self.patterns[place], position)
    }
}

fn measure(ways: &[Ways], pattern: &MatingPattern, position: &Position) -> Option<u32> {
    let way = |place: u16, square: Square| match ways[usize::from(place)][usize::from(square)] {
        FAR => None,
        moves => Some(u32::from(moves)),
    };
    let nearest = |(role, place): (Role, u16), but: Option<Square>| {
        let men = position.pieces_of(Color::White, role).into_iter();
        men.filter(|square| Some(*square) != but)
            .filter_map(|square| Some((way(place, square)?, square)))
            .min()
    };
    let mut white = match pattern.king {
        Some(place) => way(place, position.king(Color::White))?,
        None => 0,
    };
    white += match pattern.helper {
        None => nearest(pattern.checker, None)?.0,
        Some(helper) if helper.0 != pattern.checker.0 => {
            nearest(pattern.checker, None)?.0 + nearest(helper, None)?.0
        }
        Some(helper) => position
            .pieces_of(Color::White, helper.0)
            .into_iter()
            .filter_map(|square| {
                Some(way(helper.1, square)? + nearest(pattern.checker, Some(square))?.0)
            })
            .min()?,
    };
    let mut black = way(pattern.mated, position.king(Color::Black))?;
    let mut used = Bitboard::EMPTY;
    for block in &pattern.blocks {
        let mut best: Option<(u32, Square)> = None;
        for (role, place) in PIECES.into_iter().zip(block) {
            for square in position.pieces_of(Color::Black, role) & !used {
                if let Some(moves) = way(*place, square)
                    && best.is_none_or(|(least, _)| moves < least)
                {
                    best = Some((moves, square));
                }
            }
        }
        let (moves, square) = best?;
        black += moves;
        used |= square;
    }
    Some(cost(white, black))
}

/// Who walks: pieces of both colours go the same ways, kings don't.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walker {
    King(Color),
    Piece(Role),
}

struct Generator<'a> {
    position: &'a Position,
    /// Squares of pawns and of men that can't move while the others that can't stay.
    fixed: Bitboard,
    /// What each colour's pawns and fixed men attack.
    guarded: [Bitboard; 2],
    ways: Vec<Ways>,
    known: Vec<(Walker, Square)>,
    best: Vec<(u32, MatingPattern)>,
}

impl<'a> Generator<'a> {
    fn new(position: &'a Position) -> Generator<'a> {
        let fixed = fixed(position);
        let mut guarded = [Bitboard::EMPTY; 2];
        for (square, piece) in position.pieces() {
            if fixed.contains(square) && piece.role != Role::King {
                let lines = fixed.without(position.king(!piece.color));
                guarded[piece.color as usize] |= if piece.role == Role::Pawn {
                    pawn_attacks(piece.color, square)
                } else {
                    attacks_from(piece.role, piece.color, square, lines)
                };
            }
        }
        Generator {
            position,
            fixed,
            guarded,
            ways: Vec::new(),
            known: Vec::new(),
            best: Vec::new(),
        }
    }

    /// The place of the ways to `target`.
    fn way(&mut self, walker: Walker, target: Square) -> u16 {
        if let Some(place) = self
            .known
            .iter()
            .position(|known| *known == (walker, target))
        {
            return place as u16;
        }
        let barred = match walker {
            Walker::King(color) => self.fixed | self.guarded[!color as usize],
            Walker::Piece(_) => self.fixed,
        };
        let mut ways = [FAR; 64];
        // The man that stands on a fixed square is one that stays.
        if !barred.contains(target) || self.stands(walker, target) {
            let mut ring = Bitboard::from_square(target);
            let mut seen = ring;
            let mut moves = 0;
            while ring.any() {
                let mut next = Bitboard::EMPTY;
                for square in ring {
                    ways[usize::from(square)] = moves;
                    next |= match walker {
                        Walker::King(_) => king_attacks(square),
                        Walker::Piece(role) => attacks_from(role, Color::White, square, self.fixed),
                    };
                }
                ring = next & !barred & !seen;
                seen |= ring;
                moves += 1;
            }
        }
        self.known.push((walker, target));
        self.ways.push(ways);
        (self.ways.len() - 1) as u16
    }

    fn stands(&self, walker: Walker, square: Square) -> bool {
        match walker {
            Walker::King(color) => self.position.king(color) == square,
            Walker::Piece(role) => self.position.with_role(role).contains(square),
        }
    }

    /// Moves of the nearest white man of a kind.
    fn nearest(&self, role: Role, place: u16) -> Option<u32> {
        let men = self.position.pieces_of(Color::White, role).into_iter();
        let moves = men.map(|square| self.ways[usize::from(place)][usize::from(square)]);
        moves.min().filter(|moves| *moves < FAR).map(u32::from)
    }

    fn bound(&self) -> u32 {
        match self.best.get(MOST_PATTERNS - 1) {
            Some((cost, _)) => *cost,
            None => u32::MAX,
        }
    }

    fn generate(&mut self) {
        let king = self.position.king(Color::Black);
        let start = self.way(Walker::King(Color::Black), king);
        for target in Square::ALL {
            let moves = self.ways[usize::from(start)][usize::from(target)];
            if moves < FAR && cost(0, u32::from(moves)) < self.bound() {
                self.generate_target(target, u32::from(moves));
            }
        }
    }

    fn generate_target(&mut self, target: Square, walk: u32) {
        let mated = self.way(Walker::King(Color::Black), target);
        let black = self
            .position
            .of(Color::Black)
            .without(self.position.king(Color::Black));
        let white_fixed = self.fixed & self.position.of(Color::White);
        let lines = self.fixed.without(target);
        let open =
            king_attacks(target) & !(self.fixed & black) & !self.guarded[Color::White as usize];
        for role in PIECES {
            if self.position.pieces_of(Color::White, role).is_empty() {
                continue;
            }
            for from in attacks_from(role, Color::White, target, lines) & !self.fixed {
                let check = self.way(Walker::Piece(role), from);
                let Some(come) = self.nearest(role, check) else {
                    continue;
                };
                if cost(come, walk) >= self.bound() {
                    continue;
                }
                let own = attacks_from(role, Color::White, from, lines);
                let rest = Remaining {
                    open: open & !own,
                    covered_only: white_fixed.with(from),
                    white: come,
                    black: walk,
                };
                let pattern = MatingPattern {
                    target,
                    mated,
                    checker: (role, check),
                    helper: None,
                    king: None,
                    blocks: ArrayVec::new(),
                };
                self.with_king(&pattern, &rest, from, lines);
            }
        }
    }

    /// Lets White's king guard some of what is open, or nothing.
    fn with_king(
        &mut self,
        pattern: &MatingPattern,
        rest: &Remaining,
        from: Square,
        lines: Bitboard,
    ) {
        self.with_helper(pattern, rest, from, lines);
        let target = pattern.target;
        let near = king_attacks(target).with(target);
        let mut stands = Bitboard::EMPTY;
        for square in rest.open {
            stands |= king_attacks(square);
        }
        stands &= !near & !self.fixed.without(self.position.king(Color::White));
        for stand in stands.without(from) {
            let place = self.way(Walker::King(Color::White), stand);
            let square = self.position.king(Color::White);
            let moves = self.ways[usize::from(place)][usize::from(square)];
            if moves == FAR {
                continue;
            }
            let rest = Remaining {
                open: rest.open & !king_attacks(stand),
                white: rest.white + u32::from(moves),
                ..*rest
            };
            let mut pattern = pattern.clone();
            pattern.king = Some(place);
            self.with_helper(&pattern, &rest, from, lines);
        }
    }

    /// Lets one more white man guard some of what is open, or nothing.
    fn with_helper(
        &mut self,
        pattern: &MatingPattern,
        rest: &Remaining,
        from: Square,
        lines: Bitboard,
    ) {
        self.with_blocks(pattern, rest);
        if rest.open.is_empty() || cost(rest.white, rest.black) >= self.bound() {
            return;
        }
        for role in PIECES {
            let men = self.position.pieces_of(Color::White, role).count();
            if men < 1 + usize::from(role == pattern.checker.0) {
                continue;
            }
            let mut stands = Bitboard::EMPTY;
            for square in rest.open {
                stands |= attacks_from(role, Color::White, square, lines);
            }
            stands &= !self.fixed & !king_attacks(pattern.target).with(pattern.target);
            for stand in stands.without(from) {
                let place = self.way(Walker::Piece(role), stand);
                let Some(moves) = self.nearest(role, place) else {
                    continue;
                };
                let rest = Remaining {
                    open: rest.open & !attacks_from(role, Color::White, stand, lines.with(from)),
                    white: rest.white + moves,
                    ..*rest
                };
                let mut pattern = pattern.clone();
                pattern.helper = Some((role, place));
                self.with_blocks(&pattern, &rest);
            }
        }
    }

    /// Lets Black's men block what is still open, and keeps the pattern if it is a cheap one.
    fn with_blocks(&mut self, pattern: &MatingPattern, rest: &Remaining) {
        let men = |role| self.position.pieces_of(Color::Black, role);
        let pieces = PIECES
            .into_iter()
            .map(men)
            .fold(Bitboard::EMPTY, |a, b| a | b);
        let blocked = rest.open & pieces;
        let black = rest.black + (rest.open & !blocked).count() as u32;
        if rest.open.intersects(rest.covered_only)
            || rest.open.count() > pieces.count()
            || cost(rest.white, black) >= self.bound()
        {
            return;
        }
        let mut pattern = pattern.clone();
        for square in rest.open {
            let places = PIECES.map(|role| self.way(Walker::Piece(role), square));
            pattern.blocks.push(places);
        }
        if let Some(cost) = measure(&self.ways, &pattern, self.position) {
            self.keep(cost, pattern);
        }
    }

    /// Keeps a pattern among the cheapest, not too many with the king on one square.
    fn keep(&mut self, cost: u32, pattern: MatingPattern) {
        let same = |(_, other): &(u32, MatingPattern)| other.target == pattern.target;
        if self.best.iter().filter(|kept| same(kept)).count() >= MOST_PER_TARGET {
            let worst = self.best.iter().rposition(same).expect("there are some");
            if self.best[worst].0 <= cost {
                return;
            }
            self.best.remove(worst);
        }
        let place = self.best.partition_point(|(other, _)| *other <= cost);
        self.best.insert(place, (cost, pattern));
        self.best.truncate(MOST_PATTERNS);
    }
}

/// What a pattern still lacks.
#[derive(Clone, Copy)]
struct Remaining {
    /// Squares that are neither guarded nor blocked.
    open: Bitboard,
    /// Squares that nobody can block: the checking man's, and those of white men.
    covered_only: Bitboard,
    /// Moves of White's so far, and of Black's king.
    white: u32,
    black: u32,
}

/// The squares of pawns and of all men that can't move, captures apart, while these stay.
fn fixed(position: &Position) -> Bitboard {
    let mut fixed = position.occupied();
    let mut men: ArrayVec<_, 64> = position
        .pieces()
        .filter(|(_, piece)| piece.role != Role::Pawn)
        .collect();
    loop {
        let before = men.len();
        men.retain(|(square, piece)| {
            let mut steps = attacks_from(piece.role, piece.color, *square, fixed);
            if piece.role == Role::King {
                steps &= !pawns_guard(position, !piece.color);
            }
            let stays = steps.is_subset(fixed);
            if !stays {
                fixed.discard(*square);
            }
            stays
        });
        if men.len() == before {
            return fixed;
        }
    }
}

fn pawns_guard(position: &Position, color: Color) -> Bitboard {
    let pawns = position.pieces_of(color, Role::Pawn).into_iter();
    pawns.fold(Bitboard::EMPTY, |all, square| {
        all | pawn_attacks(color, square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_that_waits_for_its_blockers() {
        // Black's king mated in a corner by a dark bishop, its own bishops beside it.
        let far = "k7/1b6/2b5/3b4/4b3/1pB2b2/pP4b1/K6b w - -";
        let near = "6bk/7b/2b5/3b4/4b3/1pB2b2/pP6/K7 b - -";
        let patterns = PatternSet::new(&Position::from_fen(far).unwrap());
        assert!(patterns.len() > 0);
        let least = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            (0..patterns.len())
                .filter_map(|place| patterns.distance(place, &position))
                .min()
        };
        assert!(least(far).unwrap() > least(near).unwrap());
    }

    #[test]
    fn without_a_man_that_can_check_there_is_no_picture() {
        let position = Position::from_fen("4k3/p7/P7/8/8/8/8/4K3 w - -").unwrap();
        assert_eq!(PatternSet::new(&position).len(), 0);
    }
}
