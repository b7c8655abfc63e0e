//! Class splitting: material and pawns change only forward, so analyse class by class.
//!
//! A *class* is the set of positions that reversible moves (no captures, no pawn moves) lead
//! to from one another, described from outside: pawns exactly, every other man by the squares
//! it may stand on, and the kings by a relation between their squares and the side to move. A
//! side may "pass" (let another man move) only if it owns a man that can move, so zugzwang,
//! parity and stalemates of a lone king stay exact.
//!
//! Every game is a reversible stretch, one irreversible move, and a game from the class that
//! this leads to. By induction on men and pawn steps left, White can't mate if no class that
//! can be reached contains a mate. The idea of an exact relation between two state variables
//! is h² of P. Haslum (mutexes of pairs); the rest is this project's own. The rules and their
//! soundness are in `docs/certificates.md`.
//!
//! White is the intended winner; callers mirror the board.

mod kings;

use std::{cmp::Reverse, collections::BinaryHeap};

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;
use shakmaty::attacks::{king_attacks, pawn_attacks};
use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square};
use stillmate_proof::{self as proof, Man, Step};

use kings::{AFTER_KING, BLACK, Kings, WHITE, side};

use crate::{
    geometry::{attacks_from, flood, neighbours},
    never::{
        mate_test::{MOST_MEN, MateTest},
        relaxation::Relaxation,
        throttle::Throttle,
    },
    signature::Signature,
};

/// A man other than a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Piece {
    color: Color,
    role: Role,
    /// A black man that has promoted to whatever it likes, anywhere.
    unknown: bool,
    squares: Bitboard,
}

impl Piece {
    /// An order in which equal sets of men are listed alike.
    fn rank(&self) -> (bool, Role, bool, Bitboard) {
        (
            self.color == Color::White,
            self.role,
            self.unknown,
            self.squares,
        )
    }

    const fn is_pawn(&self) -> bool {
        matches!(self.role, Role::Pawn) && !self.unknown
    }
}

type Men = ArrayVec<Piece, MOST_MEN>;

/// A class, at first only the positions it is entered by.
#[derive(Clone, Debug)]
struct Class {
    men: Men,
    kings: Box<Kings>,
}

/// Proves White's "never" by splitting into at most `most` classes. Declines positions with
/// castling rights or an en passant capture at hand.
pub(crate) fn prove(position: &Position, most: usize) -> Option<Proof> {
    attempt(position, most).0
}

/// As [`prove`], and how many classes were visited.
pub(crate) fn attempt(position: &Position, most: usize) -> (Option<Proof>, usize) {
    let Some(root) = Class::root(position) else {
        return (None, 0);
    };
    let mut visited = 0;
    for (limit, order) in [(most.min(PROBE), Order::Last), (most, Order::First)] {
        let mut proof = Proof {
            most: limit,
            classes: Vec::new(),
            exits: Vec::new(),
            index: FxHashMap::default(),
            relaxed: Throttle::default(),
        };
        let outcome = proof.run(root.clone(), order);
        visited += 1 + proof.classes.len() + proof.exits.len();
        match outcome {
            Outcome::Proved => return (Some(proof), visited),
            Outcome::Cut if limit < most => {}
            Outcome::Open | Outcome::Cut => break,
        }
    }
    (None, visited)
}

/// Classes visited to see whether a mate is soon found at the end of play, where most are.
const PROBE: usize = 60;

/// Which class is visited next: the one with least progress or with most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    First,
    Last,
}

enum Outcome {
    Proved,
    /// A mate could not be excluded.
    Open,
    /// There were too many classes.
    Cut,
}

/// Classes without a mate that irreversible moves don't leave: White can't mate from any
/// position that belongs to one of them.
#[derive(Debug)]
pub(crate) struct Proof {
    most: usize,
    /// Closed classes without a mate whose irreversible moves are covered.
    classes: Vec<Class>,
    /// Relaxations that stand for all that follows from some class.
    exits: Vec<(Class, Relaxation)>,
    /// Where classes of a signature are kept.
    index: FxHashMap<Signature, Vec<Place>>,
    relaxed: Throttle,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Class(usize),
    Exit(usize),
}

/// Classes that have been entered and wait to be closed.
struct Worklist {
    order: Order,
    classes: Vec<Option<Class>>,
    by_men: FxHashMap<Men, usize>,
    queue: BinaryHeap<Reverse<(u32, usize)>>,
}

impl Worklist {
    fn new(order: Order) -> Worklist {
        Worklist {
            order,
            classes: Vec::new(),
            by_men: FxHashMap::default(),
            queue: BinaryHeap::new(),
        }
    }

    /// Adds the positions that a class is entered by.
    fn enter(&mut self, mut class: Class) {
        if class.kings.is_empty() || class.insufficient() {
            return;
        }
        class.men.sort_unstable_by_key(Piece::rank);
        let fresh = self.classes.len();
        let place = *self.by_men.entry(class.men.clone()).or_insert(fresh);
        if place == fresh {
            let progress = class.progress();
            let turn = match self.order {
                Order::First => progress,
                Order::Last => u32::MAX - progress,
            };
            self.queue.push(Reverse((turn, fresh)));
            self.classes.push(Some(class));
        } else if let Some(known) = &mut self.classes[place] {
            known.kings.add(&class.kings);
        }
    }

    /// The class whose turn it is.
    fn next(&mut self) -> Option<Class> {
        let Reverse((_, place)) = self.queue.pop()?;
        let class = self.classes[place].take()?;
        self.by_men.remove(&class.men);
        Some(class)
    }
}

impl Proof {
    /// Visits `root` and all classes that follow.
    ///
    /// Every irreversible move is progress. Where the classes with least of it come first, all
    /// ways into one are known, and put together, before it is closed.
    fn run(&mut self, root: Class, order: Order) -> Outcome {
        let mut worklist = Worklist::new(order);
        worklist.enter(root);
        let mut entered = Vec::new();
        while let Some(mut class) = worklist.next() {
            if self.covered(&class) {
                continue;
            }
            let facts = class.close();
            if self.relaxed.pays(16, 8)
                && let Some(relaxation) = class.relax()
                && !relaxation.allows_mate()
            {
                self.relaxed.hit();
                if self.classes.is_empty() {
                    // A proof by the relaxation alone is another method's; as the first class
                    // it must be spelled out here.
                    if class.allows_mate(&facts) {
                        return Outcome::Open;
                    }
                    self.irreversible_moves(&class, &facts, &mut entered);
                    self.keep(class);
                } else {
                    let place = self.index.entry(class.signature()).or_default();
                    place.push(Place::Exit(self.exits.len()));
                    self.exits.push((class, relaxation));
                }
            } else {
                if class.allows_mate(&facts)
                    || !self.irreversible_moves(&class, &facts, &mut entered)
                {
                    return Outcome::Open;
                }
                self.keep(class);
            }
            if self.classes.len() + self.exits.len() > self.most {
                return Outcome::Cut;
            }
            for class in entered.drain(..) {
                worklist.enter(class);
            }
        }
        if self.classes.is_empty() {
            Outcome::Open
        } else {
            Outcome::Proved
        }
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let classes = self.classes.capacity() * size_of::<Class>();
        let exits = self.exits.capacity() * size_of::<(Class, Relaxation)>();
        let kings = (self.classes.len() + self.exits.len()) * size_of::<Kings>();
        let index = self.index.capacity() * size_of::<(Signature, Vec<Place>)>();
        (classes + exits + kings + index) as u64
    }

    fn keep(&mut self, class: Class) {
        let place = self.index.entry(class.signature()).or_default();
        place.push(Place::Class(self.classes.len()));
        self.classes.push(class);
    }

    /// Whether all positions of `class` are known already.
    fn covered(&self, class: &Class) -> bool {
        let places = self.index.get(&class.signature());
        places.into_iter().flatten().any(|place| {
            let closed = match *place {
                Place::Class(at) => &self.classes[at],
                Place::Exit(at) => &self.exits[at].0,
            };
            closed.men.len() == class.men.len()
                && class.men.iter().zip(&closed.men).all(|(a, b)| {
                    (a.color, a.role, a.unknown) == (b.color, b.role, b.unknown)
                        && a.squares.is_subset(b.squares)
                })
                && class.kings.is_subset(&closed.kings)
        })
    }

    /// Enters every class that an irreversible move from a closed class may lead to; `false`
    /// when a white pawn may promote.
    fn irreversible_moves(
        &self,
        class: &Class,
        facts: &ClassFacts,
        entered: &mut Vec<Class>,
    ) -> bool {
        for (i, man) in class.men.iter().enumerate() {
            if man.is_pawn() {
                if !self.irreversible_pawn_moves(class, facts, i, entered) {
                    return false;
                }
                continue;
            }
            let mut steps = Bitboard::EMPTY;
            if man.unknown {
                steps = !Bitboard::EMPTY;
            } else {
                for square in man.squares {
                    steps |= attacks_from(man.role, man.color, square, facts.fixed);
                }
            }
            for (j, victim) in class.men.iter().enumerate() {
                let targets = steps & victim.squares;
                if victim.color == man.color || targets.is_empty() {
                    continue;
                }
                let mut next = class.clone_after(man.color, targets.single_square());
                if !man.unknown {
                    next.men[i].squares = targets;
                }
                next.men.remove(j);
                entered.push(next);
            }
        }
        for color in Color::ALL {
            self.king_captures(class, facts, color, entered);
        }
        true
    }

    fn irreversible_pawn_moves(
        &self,
        class: &Class,
        facts: &ClassFacts,
        i: usize,
        entered: &mut Vec<Class>,
    ) -> bool {
        let pawn = class.men[i];
        let Some(from) = pawn.squares.single_square() else {
            return false;
        };
        let forward = pawn.color.fold_wb(8, -8);
        let once = Bitboard::from_square(from).shift(forward) & !facts.fixed;
        for to in once {
            if !class.enter_pawn_move(i, to, None, entered) {
                return false;
            }
        }
        for to in pawn_attacks(pawn.color, from) {
            for (j, victim) in class.men.iter().enumerate() {
                if victim.color != pawn.color
                    && victim.squares.contains(to)
                    && !class.enter_pawn_move(i, to, Some(j), entered)
                {
                    return false;
                }
            }
        }
        if once.any() && from.rank() == pawn.color.fold_wb(Rank::Second, Rank::Seventh) {
            for to in once.shift(forward) & !facts.fixed {
                class.enter_pawn_move(i, to, None, entered);
                let mut next = class.clone_after(pawn.color, Some(to));
                next.men[i].squares = to.into();
                let passed = Square::new((u32::from(from) + u32::from(to)) / 2);
                self.en_passant(&next, passed, entered);
            }
        }
        true
    }

    /// Enters the classes after an en passant capture on `passed`.
    fn en_passant(&self, class: &Class, passed: Square, entered: &mut Vec<Class>) {
        let taker = if passed.rank() == Rank::Third {
            Color::Black
        } else {
            Color::White
        };
        let rank = taker.fold_wb(Rank::Fifth, Rank::Fourth);
        let victim = Bitboard::from_square(Square::from_coords(passed.file(), rank));
        let Some(j) = class
            .men
            .iter()
            .position(|m| m.is_pawn() && m.squares == victim)
        else {
            return;
        };
        for (i, man) in class.men.iter().enumerate() {
            let beside = pawn_attacks(!taker, passed);
            if man.color == taker && man.is_pawn() && man.squares.is_subset(beside) {
                let mut next = class.clone_after(taker, Some(passed));
                next.men[i].squares = passed.into();
                next.men.remove(j);
                entered.push(next);
            }
        }
    }

    fn king_captures(
        &self,
        class: &Class,
        facts: &ClassFacts,
        color: Color,
        entered: &mut Vec<Class>,
    ) {
        for (j, victim) in class
            .men
            .iter()
            .enumerate()
            .filter(|(_, m)| m.color != color)
        {
            // The man that is taken guards nothing afterwards, and never its own square.
            let open = victim.squares & !facts.certain[side(!color)];
            let mut kings = Kings::empty();
            for square in Square::ALL {
                let row = class.kings.row(color, square);
                match color {
                    Color::White => {
                        for target in king_attacks(square) & open {
                            let barred = king_attacks(target).with(target);
                            kings.0[AFTER_KING][usize::from(target)] |= row & !barred;
                        }
                    }
                    Color::Black => {
                        let steps = neighbours(row) & open & !king_attacks(square);
                        kings.0[WHITE][usize::from(square)] |= steps.without(square);
                    }
                }
            }
            if !kings.is_empty() {
                let mut men = class.men.clone();
                men.remove(j);
                entered.push(Class { men, kings });
            }
        }
    }

    /// The proof as steps of a certificate in which the first of them has number `first`.
    pub(crate) fn steps(&self, first: usize) -> Vec<Step> {
        let classes = self.classes.iter().map(Class::evidence).collect();
        let exits = (first + 1..=first + self.exits.len()).collect();
        let mut steps = vec![Step::Classes { classes, exits }];
        steps.extend(
            self.exits
                .iter()
                .map(|(_, relaxation)| Step::Invariant(relaxation.invariant())),
        );
        steps
    }

    /// The signatures of the classes without men of unknown kind, with the place of each.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = (Signature, usize)> {
        let known = |class: &Class| class.men.iter().all(|m| !m.unknown);
        let classes = self
            .classes
            .iter()
            .enumerate()
            .filter(move |(_, class)| known(class));
        classes.map(|(place, class)| (class.signature(), place))
    }

    /// Whether `position`, which has the signature of the class at `place`, belongs to it.
    pub(crate) fn contains(&self, place: usize, position: &Position) -> bool {
        position.castling().is_empty()
            && position.ep_square().is_none()
            && self.classes[place].contains(position)
    }
}

/// What is known of a closed class as a whole.
struct ClassFacts {
    /// Squares always occupied, by the same man or king.
    fixed: Bitboard,
    /// The same without Black's king, through which lines to it run.
    lines: Bitboard,
    /// Squares that the men of a colour, kings apart, attack wherever they stand.
    certain: [Bitboard; 2],
}

impl Class {
    /// The class that `position` enters; `None` with castling rights or an en passant capture
    /// at hand, which classes don't know.
    fn root(position: &Position) -> Option<Class> {
        if position.castling().any() || position.ep_square().is_some() {
            return None;
        }
        let mut men = Men::new();
        for (square, piece) in position
            .pieces()
            .filter(|(_, piece)| piece.role != Role::King)
        {
            let (color, role) = (piece.color, piece.role);
            men.try_push(Piece {
                color,
                role,
                unknown: false,
                squares: square.into(),
            })
            .ok()?;
        }
        let mut kings = Kings::empty();
        let white_king = usize::from(position.king(Color::White));
        kings.0[side(position.turn())][white_king] = position.king(Color::Black).into();
        Some(Class { men, kings })
    }

    /// How far play has come on its way without return: what has been taken, and how far the
    /// pawns have gone. Every irreversible move makes it more.
    fn progress(&self) -> u32 {
        let steps = self.men.iter().map(|man| {
            if man.unknown {
                return 7;
            }
            if man.role != Role::Pawn {
                return 0;
            }
            let rank = man
                .squares
                .first()
                .map_or(0, |square| u32::from(square.rank()));
            man.color.fold_wb(rank, 7 - rank)
        });
        1_000 * (MOST_MEN - self.men.len()) as u32 + steps.sum::<u32>()
    }

    fn signature(&self) -> Signature {
        let of = |color, role| {
            self.men
                .iter()
                .filter(move |m| m.color == color && m.role == role && !m.unknown)
        };
        let pawns = Color::ALL
            .map(|color| of(color, Role::Pawn).fold(Bitboard::EMPTY, |all, m| all | m.squares));
        Signature::of(pawns, |color, role| of(color, role).count())
    }

    /// Whether a position of the same signature belongs to the class.
    fn contains(&self, position: &Position) -> bool {
        let row = self.kings.row(position.turn(), position.king(Color::White));
        if !row.contains(position.king(Color::Black)) {
            return false;
        }
        // Men of a kind are interchangeable: each square needs a man of its own.
        fn assign(squares: &[Square], men: &[&Piece], used: u32) -> bool {
            let Some((square, rest)) = squares.split_first() else {
                return true;
            };
            men.iter().enumerate().any(|(i, man)| {
                used >> i & 1 == 0
                    && man.squares.contains(*square)
                    && assign(rest, men, used | 1 << i)
            })
        }
        Color::ALL.into_iter().all(|color| {
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                .into_iter()
                .all(|role| {
                    let squares: ArrayVec<Square, MOST_MEN> =
                        position.pieces_of(color, role).into_iter().collect();
                    let of_kind = |m: &&Piece| m.color == color && m.role == role;
                    let men: ArrayVec<&Piece, MOST_MEN> = self.men.iter().filter(of_kind).collect();
                    assign(&squares, &men, 0)
                })
        })
    }

    /// The same men, with the kings after a move of `mover`'s.
    fn clone_after(&self, mover: Color, target: Option<Square>) -> Class {
        Class {
            men: self.men.clone(),
            kings: self.kings.after(mover, target),
        }
    }

    /// Enters the class after pawn `i` has moved to `to`, taking man `victim`; `false` when a
    /// white pawn promotes.
    fn enter_pawn_move(
        &self,
        i: usize,
        to: Square,
        victim: Option<usize>,
        entered: &mut Vec<Class>,
    ) -> bool {
        let color = self.men[i].color;
        let mut next = self.clone_after(color, Some(to));
        next.men[i].squares = to.into();
        if Bitboard::BACKRANKS.contains(to) {
            if color == Color::White {
                return false;
            }
            // Where the new man stands at first doesn't matter: it may be anywhere.
            next.men[i].unknown = true;
            next.men[i].squares = !Bitboard::EMPTY;
        }
        if let Some(j) = victim {
            next.men.remove(j);
        }
        entered.push(next);
        true
    }

    /// Closes the class under reversible moves.
    ///
    /// A king that can't move as long as the men around it stay is one of the men that stay:
    /// that is assumed where it may be so, and taken back if the closed class contradicts it.
    fn close(&mut self) -> ClassFacts {
        let mut frozen = Color::ALL.map(|color| self.may_be_frozen(color));
        let entered = frozen
            .iter()
            .any(|squares| squares.any())
            .then(|| self.clone());
        loop {
            let facts = self.close_with(frozen);
            let mut holds = true;
            for (color, squares) in Color::ALL.into_iter().zip(&mut frozen) {
                if squares.any() && self.kings.squares(color) != *squares {
                    *squares = Bitboard::EMPTY;
                    holds = false;
                }
            }
            if holds {
                return facts;
            }
            *self = entered.clone().expect("kept where something was assumed");
        }
    }

    /// The square of `color`'s king if it has only one and every way out is occupied or
    /// attacked by a pawn for now.
    fn may_be_frozen(&self, color: Color) -> Bitboard {
        let squares = self.kings.squares(color);
        let Some(king) = squares.single_square() else {
            return Bitboard::EMPTY;
        };
        let mut shut = Bitboard::EMPTY;
        for man in &self.men {
            if let Some(square) = man.squares.single_square() {
                shut |= square;
                if man.is_pawn() && man.color != color {
                    shut |= pawn_attacks(man.color, square);
                }
            }
        }
        if king_attacks(king).is_subset(shut) {
            squares
        } else {
            Bitboard::EMPTY
        }
    }

    /// Closes the class while the `frozen` kings stay.
    fn close_with(&mut self, frozen: [Bitboard; 2]) -> ClassFacts {
        let [white_frozen, black_frozen] = frozen;
        let fixed = self.spread_men(white_frozen | black_frozen);
        // Over: where the kings could get to if nothing but fixed men barred them.
        let kings = flood(self.kings.squares(Color::White), !fixed)
            | flood(self.kings.squares(Color::Black), !fixed);
        let may = self.men.iter().fold(kings, |all, m| all | m.squares);
        let lines = fixed & !black_frozen;
        let facts = ClassFacts {
            fixed,
            lines,
            certain: self.certain(may),
        };
        self.spread_kings(&facts);
        facts
    }

    /// Spreads every piece over the squares it can get to while the fixed men and the
    /// `frozen` kings stay; the squares of all these.
    fn spread_men(&mut self, frozen: Bitboard) -> Bitboard {
        loop {
            let single = self.men.iter().filter(|m| m.squares.count() == 1);
            let fixed = single.fold(frozen, |all, m| all | m.squares);
            let mut grown = false;
            for man in self.men.iter_mut().filter(|m| !m.is_pawn() && !m.unknown) {
                let before = man.squares;
                let mut frontier = before;
                while let Some(from) = frontier.pop_front() {
                    let targets =
                        attacks_from(man.role, man.color, from, fixed) & !fixed & !man.squares;
                    man.squares |= targets;
                    frontier |= targets;
                }
                grown |= man.squares != before;
            }
            if !grown {
                return fixed;
            }
        }
    }

    /// What the men of each colour, kings apart, attack wherever they stand, lines being
    /// blocked wherever a man may stand.
    fn certain(&self, may: Bitboard) -> [Bitboard; 2] {
        let mut certain = [Bitboard::EMPTY; 2];
        for man in self.men.iter().filter(|m| !m.unknown) {
            let mut common = !Bitboard::EMPTY;
            for square in man.squares {
                common &= attacks_from(man.role, man.color, square, may);
                if common.is_empty() {
                    break;
                }
            }
            certain[side(man.color)] |= common;
        }
        certain
    }

    /// Closes the kings' relation under king steps and passes.
    fn spread_kings(&mut self, facts: &ClassFacts) {
        let mobile = |color: Color| {
            self.men
                .iter()
                .any(|m| m.color == color && (m.unknown || m.squares.count() > 1))
        };
        let (white_passes, black_passes) = (mobile(Color::White), mobile(Color::Black));
        let white_open = !facts.fixed & !facts.certain[BLACK];
        let black_open = !facts.fixed & !facts.certain[WHITE];
        let mut dirty = !Bitboard::EMPTY;
        while dirty.any() {
            let [white_rows, black_rows, after_king] = &mut self.kings.0;
            for square in dirty {
                let row = white_rows[usize::from(square)];
                if row.is_empty() {
                    continue;
                }
                if white_passes {
                    black_rows[usize::from(square)] |= row;
                }
                for target in king_attacks(square) & white_open {
                    after_king[usize::from(target)] |= row & !king_attacks(target).with(target);
                }
            }
            dirty = Bitboard::EMPTY;
            for square in Square::ALL {
                let row = self.kings.row(Color::Black, square);
                if row.is_empty() {
                    continue;
                }
                let steps = neighbours(row) & black_open & !king_attacks(square);
                let mut squares = steps.without(square);
                if black_passes {
                    squares |= row;
                }
                let next = &mut self.kings.0[WHITE][usize::from(square)];
                if !squares.is_subset(*next) {
                    *next |= squares;
                    dirty |= square;
                }
            }
        }
    }

    /// The relaxation started from the sets of the class.
    fn relax(&self) -> Option<Relaxation> {
        let kings = [
            (Color::White, Role::King, self.kings.squares(Color::White)),
            (Color::Black, Role::King, self.kings.squares(Color::Black)),
        ];
        let known = self.men.iter().filter(|m| !m.unknown);
        let sets = known.map(|m| (m.color, m.role, m.squares)).chain(kings);
        Relaxation::saturate_sets(sets, self.men.iter().filter(|m| m.unknown).count())
    }

    /// Whether some position of the class may be White's mate.
    fn allows_mate(&self, facts: &ClassFacts) -> bool {
        let mut test = MateTest::new(facts.lines);
        for man in &self.men {
            match man.color {
                Color::White => test.add_white(man.role, man.squares),
                Color::Black => test.add_black(man.squares),
            }
        }
        let checked = test.checked();
        // The other way round: where White's king may stand for each square of Black's.
        let mut stands = [[Bitboard::EMPTY; 64]; 2];
        for (stands, rows) in stands.iter_mut().zip(&self.kings.0[BLACK..]) {
            for (square, row) in Square::ALL.into_iter().zip(rows) {
                for king in *row & checked {
                    stands[usize::from(king)] |= square;
                }
            }
        }
        let [stands, after_king] = stands;
        checked.into_iter().any(|king| {
            let at = usize::from(king);
            stands[at].any() && test.allows(king, stands[at])
                || after_king[at].any() && test.allows_discovered(king, after_king[at])
        })
    }

    /// Whether White's men can't mate by the rules of material.
    fn insufficient(&self) -> bool {
        let mut white = self.men.iter().filter(|m| m.color == Color::White);
        let black = || self.men.iter().filter(|m| m.color == Color::Black);
        let Some(first) = white.next() else {
            return true;
        };
        if first.role == Role::Knight && white.next().is_none() {
            return black().all(|m| m.role == Role::Queen && !m.unknown);
        }
        let on = |colour: Bitboard| {
            self.men.iter().all(|m| match m.role {
                Role::Bishop => m.squares.is_subset(colour),
                Role::Knight | Role::Pawn => false,
                _ => !m.unknown,
            })
        };
        let only_bishops = self
            .men
            .iter()
            .all(|m| m.color == Color::Black || m.role == Role::Bishop);
        only_bishops && (on(Bitboard::DARK_SQUARES) || on(Bitboard::LIGHT_SQUARES))
    }

    fn evidence(&self) -> proof::Class {
        let man = |m: &Piece| Man {
            piece: m.role.of(m.color),
            squares: m.squares,
            lost: false,
            promotes: m.unknown,
        };
        proof::Class {
            men: self.men.iter().map(man).collect(),
            kings: Box::new(proof::Kings {
                claim_to_move: self.kings.0[WHITE],
                other_to_move: self.kings.0[BLACK],
                after_king: self.kings.0[AFTER_KING],
            }),
        }
    }
}

/// One class by itself, proved or not: what tests follow games through.
pub(crate) struct ReversibleClass(Class);

impl ReversibleClass {
    /// What `position` enters by itself, if it belongs to a class.
    pub(crate) fn root(position: &Position) -> Option<ReversibleClass> {
        Class::root(position).map(ReversibleClass)
    }

    /// The class as it is now.
    pub(crate) fn class(&self) -> proof::Class {
        self.0.evidence()
    }

    /// Closes the class under reversible moves. Tells whether some position of it may be
    /// White's mate, and what irreversible moves enter (`None` where White may promote).
    pub(crate) fn close(&mut self) -> (bool, Option<Vec<ReversibleClass>>) {
        let proof = Proof {
            most: 0,
            classes: Vec::new(),
            exits: Vec::new(),
            index: FxHashMap::default(),
            relaxed: Throttle::default(),
        };
        let facts = self.0.close();
        let mut entered = Vec::new();
        let complete = proof.irreversible_moves(&self.0, &facts, &mut entered);
        let entered = complete.then(|| entered.into_iter().map(ReversibleClass).collect());
        (self.0.allows_mate(&facts), entered)
    }

    /// Whether White's men don't suffice for what follows.
    pub(crate) fn is_insufficient(&self) -> bool {
        self.0.insufficient()
    }
}
