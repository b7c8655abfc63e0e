//! The relaxation: where each man may ever stand, as a fix-point.
//!
//! Start from "nobody ever moves" and add every move that the present sets don't exclude,
//! until nothing changes. What comes out is an over-approximation of everything that can
//! happen: every position that play can reach keeps each man on its squares. If no mate fits
//! into it, there is none, and the sets are the proof, a [`stillmate_proof::Invariant`] (the
//! rules and their soundness are in `docs/certificates.md`; the checker derives them anew).
//!
//! The idea is the "collapsed" static analysis of M. Ambrona, *A Practical Algorithm for
//! Chess Unwinnability*, FUN 2022.
//!
//! White is the intended winner throughout; callers mirror the board.

mod terminal_moves;

use arrayvec::ArrayVec;
use shakmaty::attacks::pawn_attacks;
use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square};
use stillmate_proof::{Invariant, Man};

use self::terminal_moves::Corner;
use crate::{
    geometry::{attacks_from, attacks_from_any},
    never::mate_test::{MOST_MEN, MateTest},
};

/// What may ever become of one man (over-approximations, complete after saturation).
#[derive(Clone, Copy, Debug)]
struct AbstractPiece {
    color: Color,
    role: Role,
    /// Where it stands at first, or one of these squares.
    home: Square,
    /// Over: squares it may stand on.
    squares: Bitboard,
    /// Over: squares that it may step on, which is where it captures.
    steps: Bitboard,
    /// Over: may be captured.
    lost: bool,
    /// Over: may promote (only ever set for Black).
    promotes: bool,
    /// Over: squares that a pawn may be pushed to, as far as pawns that face it are concerned.
    limit: Bitboard,
    /// The fixed and the barred squares for which a piece's squares were closed last.
    closed_for: (Bitboard, Bitboard),
}

impl AbstractPiece {
    /// A man that may stand on `squares`; `None` without any.
    fn new(color: Color, role: Role, squares: Bitboard) -> Option<AbstractPiece> {
        let home = squares.first()?;
        let steps = Bitboard::EMPTY;
        Some(AbstractPiece {
            color,
            role,
            home,
            squares,
            steps,
            lost: false,
            promotes: false,
            limit: Bitboard::FULL,
            closed_for: (Bitboard::FULL, Bitboard::FULL),
        })
    }

    /// Stays on the board as what it is.
    const fn steady(&self) -> bool {
        !self.lost && !self.promotes
    }

    /// Under: squares that it attacks wherever it stands, while lines are blocked on `may`.
    fn certainly_attacked(&self, may_occupy: Bitboard) -> Bitboard {
        let mut common = !Bitboard::EMPTY;
        for square in self.squares {
            common &= attacks_from(self.role, self.color, square, may_occupy);
            if common.is_empty() {
                break;
            }
        }
        common
    }
}

/// The saturated sets for one position.
#[derive(Clone, Debug)]
pub(crate) struct Relaxation {
    men: ArrayVec<AbstractPiece, MOST_MEN>,
    /// Pairs (white pawn, black pawn) on one file, the white one below.
    opposed: ArrayVec<(u8, u8), 16>,
    castling: Bitboard,
    en_passant: Option<Square>,
    /// White's only man beside the king. Taking it leaves White bare, so that the claim
    /// holds by material: its captures need not be followed.
    last: Option<usize>,
    /// Under: squares always occupied, by the same man.
    fixed: Bitboard,
    fixed_of: [Bitboard; 2],
    fixed_kings: Bitboard,
    /// Over, once saturated: squares on which any man may stand.
    may_occupy: Bitboard,
    /// Over, once saturated: squares on which men of a colour may be captured, White's last
    /// one not counted.
    capturable: [Bitboard; 2],
    /// Over, once saturated: squares beside which pawns of a colour may be taken en passant.
    passable: [Bitboard; 2],
    /// Under: squares that the men of a colour attack wherever they stand.
    certainly_attacked: [Bitboard; 2],
    /// The kings by colour, where they may be shut in.
    corners: [Corner; 2],
    black_promotes: bool,
}

const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// White's claim "never" for `position`, proved by the relaxation alone.
pub(crate) fn prove(position: &Position) -> Option<Relaxation> {
    Relaxation::saturate(position).filter(|relaxation| !relaxation.allows_mate())
}

/// Whether one of White's `pawns` has nothing before it: it goes on to promote, which needn't be
/// saturated.
pub(crate) fn has_open_file(pawns: Bitboard, occupied: Bitboard) -> bool {
    let mut behind = occupied.shift(-8);
    for rows in [-8, -16, -32] {
        behind |= behind.shift(rows);
    }
    !pawns.is_subset(behind)
}

impl Relaxation {
    /// The fix-point, or `None` where it can't prove anything: a white pawn may promote, or
    /// there are too many men.
    pub(crate) fn saturate(position: &Position) -> Option<Relaxation> {
        if has_open_file(
            position.pieces_of(Color::White, Role::Pawn),
            position.occupied(),
        ) {
            return None;
        }
        let mut men = ArrayVec::new();
        for (home, piece) in position.pieces() {
            men.try_push(AbstractPiece::new(piece.color, piece.role, home.into())?)
                .ok()?;
        }
        let mut relaxation = Relaxation::of(men);
        relaxation.castling = position.castling();
        relaxation.en_passant = position.ep_square();
        relaxation.castle();
        relaxation.run().then_some(relaxation)
    }

    /// The fix-point from men that may stand on several squares already. Black men of unknown
    /// kind, which may be anywhere, are given as `promoted`.
    pub(crate) fn saturate_sets(
        sets: impl Iterator<Item = (Color, Role, Bitboard)>,
        promoted: usize,
    ) -> Option<Relaxation> {
        let mut men = ArrayVec::new();
        for (color, role, squares) in sets {
            men.try_push(AbstractPiece::new(color, role, squares)?)
                .ok()?;
        }
        for _ in 0..promoted {
            let mut piece = AbstractPiece::new(Color::Black, Role::Pawn, Square::A1.into())?;
            piece.squares = Bitboard::EMPTY;
            piece.lost = true;
            piece.promotes = true;
            men.try_push(piece).ok()?;
        }
        let mut relaxation = Relaxation::of(men);
        if promoted > 0 {
            relaxation.note_black_promotion();
        }
        relaxation.run().then_some(relaxation)
    }

    fn of(men: ArrayVec<AbstractPiece, MOST_MEN>) -> Relaxation {
        let white = || {
            men.iter()
                .enumerate()
                .filter(|(_, m)| m.color == Color::White)
        };
        let last = if white().count() == 2 {
            white().find(|(_, m)| m.role != Role::King).map(|(i, _)| i)
        } else {
            None
        };
        Relaxation {
            opposed: opposed_pairs(&men),
            men,
            castling: Bitboard::EMPTY,
            en_passant: None,
            last,
            fixed: Bitboard::EMPTY,
            fixed_of: [Bitboard::EMPTY; 2],
            fixed_kings: Bitboard::EMPTY,
            may_occupy: Bitboard::EMPTY,
            capturable: [Bitboard::EMPTY; 2],
            passable: [Bitboard::EMPTY; 2],
            certainly_attacked: [Bitboard::EMPTY; 2],
            corners: [Corner::default(); 2],
            black_promotes: false,
        }
    }

    /// Saturates the sets; `false` when nothing will be provable, since a white pawn may
    /// promote.
    fn run(&mut self) -> bool {
        loop {
            match self.round() {
                Some(true) => {}
                changed => return changed.is_some(),
            }
        }
    }

    /// Castling adds the targets of king and rook, without further conditions.
    fn castle(&mut self) {
        for rook in self.castling {
            let color = Color::from_white(rook.rank() == Rank::First);
            let Some(king) = self
                .men
                .iter()
                .position(|m| m.color == color && m.role == Role::King)
            else {
                continue;
            };
            let side = shakmaty::CastlingSide::from_king_side(self.men[king].home < rook);
            self.men[king].squares |= side.king_to(color);
            if let Some(piece) = self.men.iter_mut().find(|m| m.home == rook) {
                piece.squares |= side.rook_to(color);
            }
        }
    }

    /// Adds what the present sets allow; tells whether anything was new, `None` when nothing
    /// will be provable.
    fn round(&mut self) -> Option<bool> {
        self.refresh();
        let mut changed = false;
        // Pawns first: a white one that promotes ends it all.
        for i in 0..self.men.len() {
            if self.men[i].role == Role::Pawn {
                changed |= self.spread_pawn(i)?;
            }
        }
        for i in 0..self.men.len() {
            if self.men[i].role != Role::Pawn {
                changed |= self.spread_piece(i);
            }
        }
        Some(changed | self.capture_on_steps())
    }

    /// Recomputes what is fixed and certainly attacked.
    fn refresh(&mut self) {
        self.fixed_of = [Bitboard::EMPTY; 2];
        self.fixed_kings = Bitboard::EMPTY;
        self.capturable = [Bitboard::EMPTY; 2];
        self.passable = [self.en_passant.map_or(Bitboard::EMPTY, |_| Bitboard::FULL); 2];
        let mut may_occupy = Bitboard::EMPTY;
        for (i, m) in self.men.iter().enumerate() {
            may_occupy |= m.squares;
            if m.role != Role::King && self.last != Some(i) {
                self.capturable[index(m.color)] |= m.squares;
            }
            if m.role == Role::Pawn {
                let start = m.squares & start_rank(m.color);
                self.passable[index(m.color)] |= start.shift(m.color.fold_wb(16, -16)) & m.squares;
            }
            if m.steady() && m.squares.count() == 1 {
                self.fixed_of[index(m.color)] |= m.squares;
                if m.role == Role::King {
                    self.fixed_kings |= m.squares;
                }
            }
        }
        if self.black_promotes {
            may_occupy = Bitboard::FULL;
            self.capturable[index(Color::Black)] = Bitboard::FULL;
        }
        self.fixed = self.fixed_of[0] | self.fixed_of[1];
        self.may_occupy = may_occupy;
        self.limit_pushes();
        self.certainly_attacked = [Bitboard::EMPTY; 2];
        for m in self.men.iter().filter(|m| m.steady()) {
            self.certainly_attacked[index(m.color)] |= m.certainly_attacked(may_occupy);
        }
        self.corners = [self.corner(Color::White), self.corner(Color::Black)];
    }

    /// Closes the squares of a piece under its steps.
    fn spread_piece(&mut self, i: usize) -> bool {
        let m = self.men[i];
        let mut barred = self.fixed_of[index(m.color)] | self.fixed_kings;
        if m.role == Role::King {
            barred |= self.certainly_attacked[index(!m.color)];
        } else {
            barred |= self.terminal_moves(i);
        }
        if m.closed_for == (self.fixed, barred) {
            return false;
        }
        let (mut squares, mut steps) = (m.squares, m.steps);
        let mut frontier = squares;
        while frontier.any() {
            let targets = attacks_from_any(m.role, m.color, frontier, self.fixed) & !barred;
            steps |= targets;
            frontier = targets & !squares;
            squares |= targets;
        }
        let man = &mut self.men[i];
        (man.squares, man.steps) = (squares, steps);
        man.closed_for = (self.fixed, barred);
        squares != m.squares || steps != m.steps
    }

    fn king(&self, color: Color) -> &AbstractPiece {
        let mut men = self.men.iter();
        men.find(|m| m.color == color && m.role == Role::King)
            .expect("both kings")
    }

    /// Closes the squares of a pawn under pushes and captures. `None` when a white pawn may
    /// promote.
    fn spread_pawn(&mut self, i: usize) -> Option<bool> {
        let m = self.men[i];
        let enemies = self.capturable[index(!m.color)];
        let free = m.limit & !self.fixed;
        let terminal_moves = self.terminal_moves(i);
        let forward = m.color.fold_wb(8, -8);
        let start = start_rank(m.color);
        let passing = match self.passable[index(!m.color)].any() {
            true => Bitboard::from_rank(m.color.fold_wb(Rank::Fifth, Rank::Fourth)),
            false => Bitboard::EMPTY,
        };
        let (mut squares, mut captures) = (m.squares, m.steps);
        let mut frontier = squares;
        let mut passes = false;
        while frontier.any() {
            let ahead = |from: Bitboard| from.shift(forward) & free;
            let taken =
                attacks_from_any(m.role, m.color, frontier, self.fixed) & enemies & !terminal_moves;
            let once = ahead(frontier);
            let mut targets = taken | once & !terminal_moves | ahead(ahead(frontier & start));
            captures |= taken;
            for from in frontier & passing {
                let (passed, new) = self.pass(m.color, from);
                targets |= passed;
                passes |= new;
            }
            frontier = targets & !squares & !Bitboard::BACKRANKS;
            squares |= targets;
        }
        let mut promoted = false;
        if squares.intersects(Bitboard::BACKRANKS) {
            if m.color == Color::White {
                return None;
            }
            promoted = !m.promotes;
            self.men[i].promotes = true;
            self.men[i].lost = true;
            if promoted {
                self.note_black_promotion();
            }
        }
        let grown = squares != m.squares || captures != m.steps || passes || promoted;
        self.men[i].squares = squares;
        self.men[i].steps = captures;
        Some(grown)
    }

    /// A promoted man may capture anything anywhere.
    fn note_black_promotion(&mut self) {
        self.black_promotes = true;
        for (i, m) in self.men.iter_mut().enumerate() {
            if m.color == Color::White && m.role != Role::King && self.last != Some(i) {
                m.lost = true;
            }
        }
    }

    /// Where a pawn of `color` may take en passant from `from`, which is on the rank for that.
    /// Marks as lost what it takes, and tells whether that is new.
    fn pass(&mut self, color: Color, from: Square) -> (Bitboard, bool) {
        let (mut passed, mut new) = (Bitboard::EMPTY, false);
        for to in pawn_attacks(color, from) {
            let beside = Square::from_coords(to.file(), from.rank());
            let origin = Square::from_coords(to.file(), color.fold_wb(Rank::Seventh, Rank::Second));
            let passes = self.en_passant == Some(to);
            for (i, m) in self.men.iter_mut().enumerate() {
                if m.role == Role::Pawn
                    && m.color != color
                    && self.last != Some(i)
                    && m.squares.contains(beside)
                    && (passes || m.squares.contains(origin))
                {
                    passed |= to;
                    new |= !m.lost;
                    m.lost = true;
                }
            }
        }
        (passed, new)
    }

    /// Notes how far pawns may be pushed as far as opposed pawns are concerned.
    fn limit_pushes(&mut self) {
        for &(white, black) in &self.opposed {
            self.men[usize::from(white)].limit = Bitboard::FULL;
            self.men[usize::from(black)].limit = Bitboard::FULL;
        }
        for &(white, black) in &self.opposed {
            let (white, black) = (usize::from(white), usize::from(black));
            let (w, b) = (&self.men[white], &self.men[black]);
            if self.stays_opposed(w, b) {
                let upper = b.squares.last().expect("a man stands somewhere");
                let lower = w.squares.first().expect("a man stands somewhere");
                let (white_lost, black_lost) = (w.lost, b.lost);
                if !black_lost {
                    self.men[white].limit &= below(upper);
                }
                if !white_lost {
                    self.men[black].limit &= above(lower);
                }
            }
        }
    }

    fn stays_opposed(&self, white: &AbstractPiece, black: &AbstractPiece) -> bool {
        let file = Bitboard::from_file(white.home.file());
        let stays = |m: &AbstractPiece| !m.promotes && m.squares.is_subset(file);
        stays(white) && stays(black) && !(white.lost && black.lost)
    }

    /// Marks as lost whatever stands where an enemy may step; tells whether that is new.
    fn capture_on_steps(&mut self) -> bool {
        let mut steps = [Bitboard::EMPTY; 2];
        for m in &self.men {
            steps[index(m.color)] |= m.steps;
        }
        let mut changed = false;
        for (i, m) in self.men.iter_mut().enumerate() {
            if m.role != Role::King
                && !m.lost
                && self.last != Some(i)
                && m.squares.intersects(steps[index(!m.color)])
            {
                m.lost = true;
                changed = true;
            }
        }
        changed
    }

    /// Whether a position with White's mate may fit the sets.
    pub(crate) fn allows_mate(&self) -> bool {
        let king = |color| self.king(color).squares;
        let (black_king, white_king) = (king(Color::Black), king(Color::White));
        // Only a king that never moves is fixed, and the lines go through it.
        let mut test = MateTest::new(self.fixed & !black_king);
        for m in self.men.iter().filter(|m| m.role != Role::King) {
            match m.color {
                Color::White => test.add_white(m.role, m.squares),
                Color::Black if m.promotes => test.add_black(!Bitboard::EMPTY),
                Color::Black => test.add_black(m.squares),
            }
        }
        (black_king & test.checked())
            .into_iter()
            .any(|k| test.allows(k, white_king))
    }

    /// The sets as evidence, still with White as the claiming colour.
    pub(crate) fn invariant(&self) -> Invariant {
        let men = self
            .men
            .iter()
            .map(|m| Man {
                piece: m.role.of(m.color),
                // Whatever a pawn is on the last rank, it's no pawn there.
                squares: if m.role == Role::Pawn {
                    m.squares & !Bitboard::BACKRANKS
                } else {
                    m.squares
                },
                lost: m.lost,
                promotes: m.promotes,
            })
            .collect();
        let opposed = self
            .opposed
            .iter()
            .map(|&(w, b)| (usize::from(w), usize::from(b)))
            .filter(|&(w, b)| self.stays_opposed(&self.men[w], &self.men[b]))
            .collect();
        Invariant {
            men,
            opposed,
            castling: self.castling,
            en_passant: self.en_passant,
        }
    }
}

/// Pairs of pawns that face each other on a file, the nearest for each.
fn opposed_pairs(men: &[AbstractPiece]) -> ArrayVec<(u8, u8), 16> {
    let mut pairs = ArrayVec::new();
    let pawns = |color| {
        men.iter()
            .enumerate()
            .filter(move |(_, m)| m.color == color && m.role == Role::Pawn)
    };
    let face = |white: &AbstractPiece, black: &AbstractPiece| {
        black.home.file() == white.home.file() && black.home > white.home
    };
    let mut add = |white: usize, black: usize| {
        let pair = (u8::try_from(white), u8::try_from(black));
        if let (Ok(white), Ok(black)) = pair
            && !pairs.contains(&(white, black))
        {
            // What finds no room is only forgotten.
            _ = pairs.try_push((white, black));
        }
    };
    // Men are listed from a1 to h8.
    for (w, white) in pawns(Color::White) {
        let above = pawns(Color::Black).find(|(_, black)| face(white, black));
        if let Some((b, _)) = above {
            add(w, b);
        }
    }
    for (b, black) in pawns(Color::Black) {
        let below = pawns(Color::White).rfind(|(_, white)| face(white, black));
        if let Some((w, _)) = below {
            add(w, b);
        }
    }
    pairs
}

/// Where pawns of `color` may make a double step.
fn start_rank(color: Color) -> Bitboard {
    Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh))
}

/// All squares on ranks below `square`'s.
fn below(square: Square) -> Bitboard {
    Bitboard((1_u64 << (8 * u32::from(square.rank()))) - 1)
}

/// All squares on ranks above `square`'s.
fn above(square: Square) -> Bitboard {
    !(below(square) | Bitboard::from_rank(square.rank()))
}
