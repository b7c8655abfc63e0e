//! Lists all mating patterns that fit into a number of moves.
//!
//! For each square of Black's king and each white man that may come to check it there, men are
//! added until they are a mate by themselves: for the flight square that can be covered in the
//! fewest ways, all ways are tried. A black man stands on it, or a white one attacks it along a
//! line that then has to be empty. Where men that are placed could still answer the check, all
//! remedies are tried likewise: something in between, a second check, a pin.
//!
//! `docs/verdicts.md` says why no mate is missed. In short: whatever mate is given, the men that
//! are placed stand in it just so, the lines that have to be empty are empty in it, and one of
//! the ways that are tried is that of the mate.
//!
//! **No pattern twice.** Once a way has been tried, mates that contain it are done; so it is
//! barred while the other ways are tried, as far as its line is known to be empty. And a
//! pattern is left out if it is still a mate without one of its men, as the others are a pattern.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use rustc_hash::FxHashSet;
use shakmaty::{
    Bitboard, Square,
    attacks::{aligned, attacks, between, pawn_attacks},
};
use stillmate_core::{Color, Position, Rank, Role};

use super::{
    covers::{CHECK, Kind, arrivals, guards, neighbour},
    men::{self, CONTACT, Distances, Man, Men, Place, place},
    patterns::{Patterns, moves_left},
    search::Pause,
};
use crate::budget::Meter;

/// Set in what a man guards if it checks with no square between. [`CHECK`] is set, too.
const TOUCHES: u16 = CHECK << 1;

/// States that cost a node of the budget.
const STATES_OF_A_NODE: u64 = 16;

/// Looking at so many ways takes as long again as what else is done in a state.
const WAYS_OF_A_STATE: u64 = 16;

/// Longer lists aren't worth their memory.
const MOST_PATTERNS: usize = 1 << 20;

/// Ways are told apart by so many numbers of moves.
const LEVELS: usize = 16;

/// What a man guards around a king from a square on an empty board: by role, square and the
/// king's square.
static GUARDED: LazyLock<Vec<[[u16; 64]; 64]>> = LazyLock::new(|| {
    let of = |role, from, target: Square| {
        let mask = guards(Kind::of(role, true), from, target);
        let touches = mask & CHECK != 0 && between(from, target).is_empty();
        mask | if touches { TOUCHES } else { 0 }
    };
    let of_role = |role| Square::ALL.map(|from| Square::ALL.map(|target| of(role, from, target)));
    Role::ALL.into_iter().map(of_role).collect()
});

/// A man of the root and what it may be in the end.
struct Arrival {
    man: u8,
    color: Color,
    role: Role,
    square: Square,
    /// Moves that it takes at least.
    moves: u8,
    /// Captures among them, at least.
    captures: u8,
    /// Moves that it takes if the man must come last.
    last: u8,
}

/// An arrival, by its number.
type Number = u16;

/// An arrival that may be taken next.
#[derive(Clone, Copy)]
struct Way {
    arrival: Number,
    /// Squares that have to be empty for it.
    line: Bitboard,
    /// The state once it is taken.
    next: State,
}

/// A way that need not be tried again: mates that contain it, with its line empty, are done.
#[derive(Clone, Copy)]
struct Bar {
    line: Bitboard,
    /// The bar of the same arrival below this one.
    below: Option<u32>,
}

/// Men that have been placed, and what is left.
#[derive(Clone, Copy)]
struct State {
    /// Men placed, a bit each.
    used: u32,
    white: Bitboard,
    /// Black's men but the king.
    black: Bitboard,
    /// Squares that have to be empty.
    open: Bitboard,
    moves: [u8; 2],
    /// Captures that each side's men need.
    captures: [u8; 2],
    /// Whether a man checks with no square between.
    touches: bool,
}

/// Ways to cover a flight square, the shortest first.
#[derive(Default)]
struct Flight {
    square: Option<Square>,
    guards: Vec<Number>,
    blocks: Vec<Number>,
    /// How many of them take so many moves or fewer, by side.
    counts: [[u16; LEVELS]; 2],
    /// And how many of each man.
    of_man: Vec<[u16; LEVELS]>,
}

/// What is missing in men for a mate by themselves.
enum Missing {
    Nothing,
    /// Whatever is added.
    Hopeless,
    /// A man on one of these squares.
    Between(Bitboard),
    /// Something against the move of the black man on `from` to `to`.
    Answer {
        from: Square,
        to: Square,
        /// A man here would do.
        hinder: Bitboard,
    },
}

/// Lists patterns bit by bit, so that other work can be done in between.
pub(super) struct Generator {
    plies: u16,
    arrivals: Vec<Arrival>,
    by_square: Vec<Vec<Number>>,
    /// Men of White and of Black.
    men: [u8; 2],
    black_king: Man,
    white_king: Man,
    moves: [u8; 2],
    /// Squares where Black's king may be mated, with the moves that it takes, last first.
    targets: Vec<(Square, u8)>,
    /// How many of the checks on the last of them are done.
    done: usize,

    // Of the square being worked on.
    target: Square,
    /// Guards of each arrival; 0 if it doesn't fit.
    masks: Vec<u16>,
    /// Moves of each arrival, which are more if it has to come last.
    needed: Vec<u8>,
    flights: [Flight; 8],
    checks: Vec<Number>,
    found: FxHashSet<Box<[Place]>>,

    // Of the state being worked on.
    placed: Vec<Number>,
    ways: Vec<Way>,
    bars: Vec<Bar>,
    /// The topmost bar of each arrival.
    barred: Vec<Option<u32>>,

    pub(super) patterns: Patterns,
    states: u64,
    /// Arrivals that were looked at as ways.
    looked_at: u64,
    /// [`Generator::work`] may become so much.
    share: u64,
}

impl Generator {
    /// For mates after exactly `plies` from `position`, the last of them White's.
    pub(super) fn new(position: &Position, distances: &Distances, plies: u16) -> Generator {
        let (white, black) = moves_left(position.turn(), plies);
        let cap = |moves: u16| u8::try_from(moves).unwrap_or(u8::MAX - 1);
        let moves = [cap(white), cap(black)];
        let men = men::list(position);
        let numbered = Men::of(position);
        let king = |color| {
            let is_king =
                |&(other, role, _): &(Color, Role, Square)| other == color && role == Role::King;
            men.iter().position(is_king).unwrap_or_default()
        };
        let (white_king, black_king) = (king(Color::White), king(Color::Black));
        let row = distances.from(Color::Black, numbered.place(black_king));
        let mut targets: Vec<(Square, u8)> = Square::ALL
            .into_iter()
            .map(|target| (target, row[usize::from(place(Role::King, target))]))
            .filter(|&(_, steps)| steps <= moves[1])
            .collect();
        targets.reverse();
        let mut generator = Generator {
            plies,
            arrivals: Vec::new(),
            by_square: vec![Vec::new(); 64],
            men: Color::ALL.map(|color| position.of(color).count() as u8),
            black_king,
            white_king,
            moves,
            targets,
            done: 0,
            target: Square::A1,
            masks: Vec::new(),
            needed: Vec::new(),
            flights: Default::default(),
            checks: Vec::new(),
            found: FxHashSet::default(),
            placed: Vec::new(),
            ways: Vec::new(),
            bars: Vec::new(),
            barred: Vec::new(),
            patterns: Patterns::default(),
            states: 0,
            looked_at: 0,
            share: 0,
        };
        for (man, &(color, role, square)) in men.iter().enumerate() {
            if man != black_king {
                let row = distances.from(color, numbered.place(man));
                generator.add_arrivals(man, color, role, square, row);
            }
        }
        generator.arrivals.sort_by_key(|arrival| arrival.moves);
        for (number, arrival) in generator.arrivals.iter().enumerate() {
            generator.by_square[usize::from(arrival.square)].push(number as Number);
        }
        generator.enter();
        generator
    }

    fn add_arrivals(&mut self, man: Man, color: Color, role: Role, from: Square, row: &men::Row) {
        let most = self.moves[side(color)];
        for becomes in Role::ALL {
            let fits = match role {
                Role::Pawn => becomes != Role::King,
                _ => becomes == role,
            };
            if !fits {
                continue;
            }
            for square in Square::ALL {
                let moves = row[usize::from(place(becomes, square))];
                let no_pawn_there = [Rank::First, Rank::Eighth].contains(&square.rank());
                if moves > most || becomes == Role::Pawn && no_pawn_there {
                    continue;
                }
                let captures = match (role, becomes) {
                    (Role::Pawn, Role::Pawn) => from.file().distance(square.file()) as u8,
                    (Role::Pawn, _) => {
                        let mut straight = arrivals(color, Kind::Straight, from, square);
                        u8::from(
                            !straight.any(|(kind, moves)| kind.role() == becomes && moves <= most),
                        )
                    }
                    _ => 0,
                };
                self.arrivals.push(Arrival {
                    man: man as u8,
                    color,
                    role: becomes,
                    square,
                    moves,
                    captures,
                    last: row[usize::from(place(becomes, square) | CONTACT)],
                });
            }
        }
    }

    /// Work done so far, as [`Pruner::work`](super::search::Pruner::work).
    pub(super) fn work(&self) -> u64 {
        self.states + self.looked_at / WAYS_OF_A_STATE
    }

    /// The patterns have been listed for so many plies.
    pub(super) fn is_for(&self, plies: u16) -> bool {
        self.plies == plies
    }

    /// Whether there are too many.
    pub(super) fn is_overfull(&self) -> bool {
        self.patterns.len() > MOST_PATTERNS
    }

    /// Goes on until all patterns are listed, or `share` of work is done. What has been begun
    /// then is done anew the next time.
    pub(super) fn work_on(&mut self, share: u64, meter: &Meter) -> Result<(), Pause> {
        self.share = self.work() + share;
        while let Some(&(_, steps)) = self.targets.last() {
            let Some(&check) = self.checks.get(self.done) else {
                self.targets.pop();
                self.enter();
                continue;
            };
            let line = between(self.arrivals[usize::from(check)].square, self.target);
            let state = State {
                used: 1 << self.black_king,
                white: Bitboard::EMPTY,
                black: Bitboard::EMPTY,
                open: Bitboard::EMPTY,
                moves: [self.moves[0], self.moves[1] - steps],
                captures: [0, 0],
                touches: false,
            };
            self.add_way(&state, check, line);
            if let Err(pause) = self.attempt_all(0, meter) {
                self.reset();
                return Err(pause);
            }
            self.bar(check, line);
            self.done += 1;
        }
        Ok(())
    }

    /// Forgets what was being tried when the work was interrupted.
    fn reset(&mut self) {
        self.placed.clear();
        self.ways.clear();
        self.bars.clear();
        self.barred.clear();
        self.barred.resize(self.arrivals.len(), None);
        for index in 0..self.done {
            let check = self.checks[index];
            let line = between(self.arrivals[usize::from(check)].square, self.target);
            self.bar(check, line);
        }
    }

    fn bar(&mut self, arrival: Number, line: Bitboard) {
        let below = &mut self.barred[usize::from(arrival)];
        self.bars.push(Bar {
            line,
            below: *below,
        });
        *below = Some(self.bars.len() as u32 - 1);
    }

    fn is_barred(&self, way: &Way) -> bool {
        let mut next = self.barred[usize::from(way.arrival)];
        while let Some(index) = next {
            let bar = self.bars[index as usize];
            if bar.line.is_subset(way.next.open) {
                return true;
            }
            next = bar.below;
        }
        false
    }

    /// Begins with the last of the targets.
    fn enter(&mut self) {
        let Some(&(target, _)) = self.targets.last() else {
            return;
        };
        self.target = target;
        self.done = 0;
        self.found.clear();
        self.checks.clear();
        self.masks.clear();
        self.needed.clear();
        for flight in &mut self.flights {
            flight.guards.clear();
            flight.blocks.clear();
        }
        for (number, arrival) in self.arrivals.iter().enumerate() {
            let (mut mask, mut needed) = (0, arrival.moves);
            if arrival.square == target {
                needed = u8::MAX;
            } else if arrival.color == Color::White {
                let next_to = arrival.square.distance(target) <= 1;
                mask = GUARDED[arrival.role as usize - 1][usize::from(arrival.square)]
                    [usize::from(target)];
                if arrival.role == Role::King && next_to {
                    needed = u8::MAX;
                }
                if mask & TOUCHES != 0 {
                    needed = needed.max(arrival.last);
                }
            }
            if needed == u8::MAX {
                mask = 0;
            } else if mask & CHECK != 0 {
                self.checks.push(number as Number);
            }
            self.masks.push(mask);
            self.needed.push(needed);
        }
        for (d, flight) in self.flights.iter_mut().enumerate() {
            flight.square = neighbour(target, d);
            flight.counts = Default::default();
            flight.of_man = vec![[0; LEVELS]; men::MOST];
            let Some(square) = flight.square else {
                continue;
            };
            let guarding = (0..self.masks.len()).filter(|&n| self.masks[n] >> d & 1 == 1);
            flight.guards.extend(guarding.map(|n| n as Number));
            let here = self.by_square[usize::from(square)].iter();
            let black = |n: &&Number| self.arrivals[usize::from(**n)].color == Color::Black;
            flight.blocks.extend(here.filter(black));
            flight.guards.sort_by_key(|&n| self.needed[usize::from(n)]);
            flight.blocks.sort_by_key(|&n| self.needed[usize::from(n)]);
            for (side, ways) in [&flight.guards, &flight.blocks].into_iter().enumerate() {
                for &way in ways {
                    let man = usize::from(self.arrivals[usize::from(way)].man);
                    let level = usize::from(self.needed[usize::from(way)]).min(LEVELS);
                    for count in &mut flight.counts[side][level..] {
                        *count += 1;
                    }
                    for count in &mut flight.of_man[man][level..] {
                        *count += 1;
                    }
                }
            }
        }
        self.reset();
    }

    /// The state after an arrival has been taken; `None` if it doesn't fit.
    fn take(&self, state: &State, arrival: Number, line: Bitboard) -> Option<State> {
        let way = usize::from(arrival);
        let arrival = &self.arrivals[way];
        let (man, side) = (arrival.man, side(arrival.color));
        let occupied = state.white | state.black;
        if state.used >> man & 1 == 1
            || self.needed[way] > state.moves[side]
            || (occupied | state.open).contains(arrival.square)
            || line.intersects(occupied)
        {
            return None;
        }
        let open = state.open | line;
        let touches = self.masks[way] & TOUCHES != 0;
        if touches && state.touches {
            return None;
        }
        let mut next = *state;
        next.used |= 1 << man;
        next.open = open;
        next.touches |= touches;
        next.moves[side] -= self.needed[way];
        next.captures[side] += arrival.captures;
        match arrival.color {
            Color::White => next.white.add(arrival.square),
            Color::Black => next.black.add(arrival.square),
        }
        // Men of the pattern aren't taken, nor are kings.
        let kept = [
            next.white.count() as u8 + u8::from(next.used >> self.white_king & 1 == 0),
            next.black.count() as u8 + 1,
        ];
        let takes = |side: usize| {
            next.captures[side] == 0 || next.captures[side] + kept[1 - side] <= self.men[1 - side]
        };
        (takes(0) && takes(1)).then_some(next)
    }

    fn add_way(&mut self, state: &State, arrival: Number, line: Bitboard) {
        self.looked_at += 1;
        if let Some(next) = self.take(state, arrival, line) {
            self.ways.push(Way {
                arrival,
                line,
                next,
            });
        }
    }

    /// Tries the ways from `first` on; each is barred for those that follow.
    fn attempt_all(&mut self, first: usize, meter: &Meter) -> Result<(), Pause> {
        let end = self.ways.len();
        for index in first..end {
            let way = self.ways[index];
            if !self.is_barred(&way) {
                self.placed.push(way.arrival);
                self.complete(&way.next, meter)?;
                self.placed.pop();
            }
            self.bar(way.arrival, way.line);
        }
        for way in self.ways.drain(first..).rev() {
            if let Some(bar) = self.bars.pop() {
                self.barred[usize::from(way.arrival)] = bar.below;
            }
        }
        Ok(())
    }

    /// Adds men in all ways that make a mate by themselves out of the men placed.
    fn complete(&mut self, state: &State, meter: &Meter) -> Result<(), Pause> {
        self.states += 1;
        if self.states.is_multiple_of(STATES_OF_A_NODE) {
            meter.spend(1)?;
        }
        if self.work() >= self.share {
            return Err(Pause::Share);
        }
        let first = self.ways.len();
        let covered = self.covered(&self.placed, state.white | state.black) | state.black;
        match self.hardest_flight(state, covered) {
            Hardest::Impossible => return Ok(()),
            Hardest::Flight(d) => self.ways_to_cover(state, d),
            Hardest::None => match self.missing(&self.placed) {
                Missing::Hopeless => return Ok(()),
                Missing::Nothing => {
                    self.keep();
                    return Ok(());
                }
                Missing::Between(squares) => self.ways_onto(state, squares),
                Missing::Answer { from, to, hinder } => {
                    self.ways_onto(state, hinder);
                    self.ways_against(state, from, to);
                }
            },
        }
        self.attempt_all(first, meter)
    }

    /// Squares that white men of `placed` attack; Black's king is no obstacle.
    fn covered(&self, placed: &[Number], occupied: Bitboard) -> Bitboard {
        placed
            .iter()
            .map(|&number| &self.arrivals[usize::from(number)])
            .filter(|arrival| arrival.color == Color::White)
            .fold(Bitboard::EMPTY, |all, arrival| {
                all | attacks(arrival.square, arrival.role.of(Color::White), occupied)
            })
    }

    /// The flight square that may be covered in the fewest ways.
    fn hardest_flight(&self, state: &State, covered: Bitboard) -> Hardest {
        let level = state.moves.map(|moves| usize::from(moves).min(LEVELS - 1));
        let (mut hardest, mut fewest) = (Hardest::None, u16::MAX);
        let mut black_needs = 0_u8;
        for (d, flight) in self.flights.iter().enumerate() {
            let Some(square) = flight.square else {
                continue;
            };
            if covered.contains(square) {
                continue;
            }
            let may_block = !(state.white | state.open).contains(square);
            let mut count = [flight.counts[0][level[0]], flight.counts[1][level[1]]];
            for &number in &self.placed {
                let arrival = &self.arrivals[usize::from(number)];
                let side = side(arrival.color);
                count[side] -= flight.of_man[usize::from(arrival.man)][level[side]];
            }
            if !may_block {
                count[1] = 0;
            }
            let ways = count[0] + count[1];
            if ways == 0 {
                return Hardest::Impossible;
            }
            if count[0] == 0 {
                let free =
                    |&&way: &&Number| state.used >> self.arrivals[usize::from(way)].man & 1 == 0;
                let least = flight.blocks.iter().find(free);
                let least = least.map_or(u8::MAX, |&way| self.needed[usize::from(way)]);
                black_needs = black_needs.saturating_add(least);
                if black_needs > state.moves[1] {
                    return Hardest::Impossible;
                }
            }
            if ways < fewest {
                (hardest, fewest) = (Hardest::Flight(d), ways);
            }
        }
        hardest
    }

    fn ways_to_cover(&mut self, state: &State, d: usize) {
        let Some(square) = self.flights[d].square else {
            return;
        };
        for index in 0..self.flights[d].blocks.len() {
            let way = self.flights[d].blocks[index];
            if self.needed[usize::from(way)] > state.moves[1] {
                break;
            }
            self.add_way(state, way, Bitboard::EMPTY);
        }
        for index in 0..self.flights[d].guards.len() {
            let way = self.flights[d].guards[index];
            if self.needed[usize::from(way)] > state.moves[0] {
                break;
            }
            let from = self.arrivals[usize::from(way)].square;
            self.add_way(state, way, between(from, square).without(self.target));
        }
    }

    fn ways_onto(&mut self, state: &State, squares: Bitboard) {
        for square in squares {
            for index in 0..self.by_square[usize::from(square)].len() {
                let way = self.by_square[usize::from(square)][index];
                self.add_way(state, way, Bitboard::EMPTY);
            }
        }
    }

    /// Second checks, and pins of the black man on `from` that keep it from `to`.
    fn ways_against(&mut self, state: &State, from: Square, to: Square) {
        for index in 0..self.checks.len() {
            let way = self.checks[index];
            let square = self.arrivals[usize::from(way)].square;
            let line = between(square, self.target);
            if !line.contains(from) {
                self.add_way(state, way, line);
            } else if !aligned(square, self.target, to) {
                self.add_way(state, way, line.without(from));
            }
        }
    }

    /// What men that cover all flight squares lack.
    fn missing(&self, placed: &[Number]) -> Missing {
        let men = || {
            placed
                .iter()
                .map(|&number| &self.arrivals[usize::from(number)])
        };
        let of = |color| men().filter(move |arrival: &&Arrival| arrival.color == color);
        let squares = |color| of(color).fold(Bitboard::EMPTY, |all, man| all | man.square);
        let occupied = squares(Color::White) | squares(Color::Black);
        let is_check = |man: &&Arrival| {
            attacks(man.square, man.role.of(Color::White), occupied).contains(self.target)
        };
        let checkers: ArrayVec<&Arrival, { men::MOST }> =
            of(Color::White).filter(is_check).collect();
        let lines = checkers.iter().fold(Bitboard::EMPTY, |all, man| {
            all | between(man.square, self.target)
        });
        let [checker] = checkers[..] else {
            // No move gives more than two checks.
            return match checkers.len() {
                0 => Missing::Hopeless,
                2 => self.check_to_white(placed).unwrap_or(Missing::Nothing),
                _ => Missing::Between(lines),
            };
        };
        if let Some(missing) = self.check_to_white(placed) {
            return missing;
        }
        let full = occupied.with(self.target);
        for man in of(Color::Black) {
            let from = man.square;
            let without = occupied.without(from);
            let pinned_from = |to: Square| {
                of(Color::White).any(|other| {
                    between(other.square, self.target).contains(from)
                        && attacks(other.square, other.role.of(Color::White), without)
                            .contains(self.target)
                        && !aligned(other.square, self.target, to)
                })
            };
            let (answers, double) = match man.role {
                Role::Pawn => {
                    let takes = pawn_attacks(Color::Black, from) & Bitboard::from(checker.square);
                    let one = from.offset(-8).filter(|&one| !full.contains(one));
                    let second = from.rank() == Rank::Seventh && one.is_some();
                    let two = from
                        .offset(-16)
                        .filter(|&two| second && lines.contains(two));
                    let one_step = one.filter(|&one| lines.contains(one));
                    (one_step.map_or(takes, |one| takes.with(one)), two)
                }
                role => {
                    let answers = lines.with(checker.square);
                    (attacks(from, role.of(Color::Black), full) & answers, None)
                }
            };
            for to in answers {
                if !pinned_from(to) {
                    let hinder = between(from, to);
                    return Missing::Answer { from, to, hinder };
                }
            }
            if let Some(to) = double.filter(|&to| !pinned_from(to)) {
                let hinder = between(from, to);
                return Missing::Answer { from, to, hinder };
            }
        }
        Missing::Nothing
    }

    /// What it takes so that no black man of `placed` attacks White's king, if one does.
    fn check_to_white(&self, placed: &[Number]) -> Option<Missing> {
        let men = || {
            placed
                .iter()
                .map(|&number| &self.arrivals[usize::from(number)])
        };
        let king = men()
            .find(|man| man.color == Color::White && man.role == Role::King)?
            .square;
        let full = men().fold(Bitboard::from(self.target), |all, man| all | man.square);
        let attacker = men().find(|man| {
            man.color == Color::Black
                && attacks(man.square, man.role.of(Color::Black), full).contains(king)
        })?;
        let between = between(attacker.square, king);
        Some(if between.is_empty() {
            Missing::Hopeless
        } else {
            Missing::Between(between)
        })
    }

    /// Keeps the men placed, which are a mate, as a pattern.
    fn keep(&mut self) {
        for index in 0..self.placed.len() {
            let mut fewer: ArrayVec<Number, { men::MOST }> = self.placed.iter().copied().collect();
            fewer.remove(index);
            if self.are_mate(&fewer) {
                return;
            }
        }
        let mut key: Vec<Place> = Vec::with_capacity(self.placed.len());
        key.extend(self.placed.iter().map(|&number| {
            let arrival = &self.arrivals[usize::from(number)];
            Place::from(arrival.man) << 9 | place(arrival.role, arrival.square)
        }));
        key.sort_unstable();
        if !self.found.insert(key.into()) {
            return;
        }
        let men = self.placed.iter().map(|&number| {
            let arrival = &self.arrivals[usize::from(number)];
            let touches = self.masks[usize::from(number)] & TOUCHES != 0;
            let last = if touches { CONTACT } else { 0 };
            let place = place(arrival.role, arrival.square) | last;
            (usize::from(arrival.man), place)
        });
        let king = (self.black_king, place(Role::King, self.target));
        self.patterns.push(men.chain([king]));
    }

    fn are_mate(&self, placed: &[Number]) -> bool {
        let men = || {
            placed
                .iter()
                .map(|&number| &self.arrivals[usize::from(number)])
        };
        let occupied = men().fold(Bitboard::EMPTY, |all, man| all | man.square);
        let black = men()
            .filter(|man| man.color == Color::Black)
            .fold(Bitboard::EMPTY, |all, man| all | man.square);
        let covered = self.covered(placed, occupied) | black;
        let flights = self.flights.iter().filter_map(|flight| flight.square);
        flights.into_iter().all(|square| covered.contains(square))
            && matches!(self.missing(placed), Missing::Nothing)
    }
}

/// Where men are to be added.
enum Hardest {
    /// On no flight square: all are covered.
    None,
    /// Next to the king in this direction.
    Flight(usize),
    /// There is one that can't be covered.
    Impossible,
}

const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}
