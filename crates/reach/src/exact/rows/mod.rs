//! Exact search over sets of positions.
//!
//! The unit of work is a *row*: all positions that differ only in where one man, the *row man*,
//! stands. A node is a placement of all other men; for each side to move it holds a bitboard of
//! the row man's squares, and one step moves all of them at once: where the row man bars no line
//! and stands in nobody's way, a move of another man carries the whole row along.
//!
//! Play never comes back from an irreversible move, so positions are split into *structures*
//! (pawns, material, castling rights, en passant) and these are closed one by one in the order of
//! their progress: everything that enters a structure is known before it is closed, so that it is
//! tested for deadness once, as a whole, and each position is expanded once. A structure's rows
//! are forgotten when it is closed; what entered it is kept, to walk a mate back by closing the
//! structures on its way again.
//!
//! Where White becomes strong by an irreversible move, a rollout tries to finish. When no
//! structure is left, that is a proof of "never": exactly the reachable positions were visited.
//!
//! The searches over sets known from model checking (J. R. Burch et al., *Symbolic Model
//! Checking: 10^20 States and Beyond*, 1992) use decision diagrams; a bitboard is enough here,
//! since one man at a time is what a move changes.
//!
//! White is the intended winner; callers mirror the board.

mod expand;
mod graph;
mod placement;
mod structure;
mod trace;

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use stillmate_core::{Bitboard, Color, Key, Move, Position, Role, Square};
use stillmate_proof::Step;

use self::{
    graph::{Expansion, Graph, Source},
    placement::{Kind, Men, Placement},
    structure::{Entry, Signature, Structure, candidates, roomiest},
    trace::Watch,
};
use crate::{
    budget::Meter,
    can::rollout,
    features,
    never::{
        relaxation::{Relaxation, has_open_file},
        throttle::Throttle,
    },
    settled::Settled,
    verdict::StopReason,
};

/// Rows expanded in a structure before it is asked whether another row man would serve better;
/// and again each time there are so many times more.
const REVIEW_FROM: usize = 2_000;
const REVIEW_AGAIN: usize = 8;
/// Nodes of a structure below which it isn't asked.
const REVIEW_NODES: usize = 300;
/// Positions that are looked at for an answer.
const REVIEW_MOST: usize = 60_000;

/// Positions that rollouts may visit before anything has been expanded.
const ROLLED_AHEAD: u64 = 1_000;
/// Rows that pay for one position of a rollout.
const ROWS_PER_ROLLED: u64 = 4;

/// Visits everything that play can reach from `position`, expanding at most `limit` rows, each
/// of which counts as one node; `None` at that limit.
pub(crate) fn search(
    position: &Position,
    limit: usize,
    meter: &Meter,
) -> Result<Option<Settled>, StopReason> {
    let mut search = Search::new(limit, meter);
    let end = search.run(position)?;
    Ok(match end {
        End::Mate(line) => Some(Settled::Can(line)),
        End::Never => Some(Settled::Never(search.steps())),
        End::Open => None,
    })
}

/// How many positions play can reach, all of them visited: without rollouts, and with nothing
/// dropped but where the men don't suffice. `None` if White can mate or at the limit.
pub(crate) fn count(position: &Position, limit: usize, meter: &Meter) -> Option<u64> {
    let mut search = Search::new(limit, meter);
    search.shortcuts = false;
    search.review_from = 5;
    matches!(search.run(position), Ok(End::Never)).then_some(search.positions)
}

/// How a search, or the closing of a structure, has ended.
enum End {
    Mate(Vec<Move>),
    Never,
    Open,
}

/// A position as a row of one square.
#[derive(Clone, Copy, Debug)]
struct Spot {
    placement: Placement,
    square: Square,
    turn: Color,
}

struct Search<'m> {
    meter: &'m Meter,
    limit: usize,
    structures: Vec<Structure>,
    by_signature: FxHashMap<Signature, u32>,
    /// Structures that wait to be closed, by progress.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    /// The structure that is being closed, and its rows.
    here: u32,
    graph: Graph,
    /// Black's mate, once it is found.
    mate: Option<Spot>,
    /// A position that a rollout mates from, which the last expansion leads to.
    finish: Option<(Position, Vec<Move>)>,
    /// The entry that is looked for while a structure is closed again.
    watch: Option<Watch>,
    /// Whether the relaxation drops structures, and rollouts finish. Tests go without.
    shortcuts: bool,
    /// See [`REVIEW_FROM`].
    review_from: usize,
    rows: usize,
    rolled: u64,
    /// Entries that the lists of all structures have room for.
    entries: usize,
    positions: u64,
    relaxed: Throttle,
    /// Proofs of what was dropped.
    dead: Vec<Relaxation>,
}

impl<'m> Search<'m> {
    fn new(limit: usize, meter: &'m Meter) -> Search<'m> {
        Search {
            meter,
            limit,
            structures: Vec::new(),
            by_signature: FxHashMap::default(),
            waiting: BinaryHeap::new(),
            here: 0,
            graph: Graph::new(),
            mate: None,
            finish: None,
            watch: None,
            shortcuts: true,
            review_from: REVIEW_FROM,
            rows: 0,
            rolled: 0,
            entries: 0,
            positions: 0,
            relaxed: Throttle::default(),
            dead: Vec::new(),
        }
    }

    fn run(&mut self, position: &Position) -> Result<End, StopReason> {
        let men = Men::new(position);
        let signature = Signature::new(&men, position.castling(), position.ep_square());
        self.enter_position(&men, signature, position.turn())?;
        while let Some(Reverse((_, number))) = self.waiting.pop() {
            match self.close(number)? {
                End::Never => {}
                end => return Ok(end),
            }
        }
        Ok(End::Never)
    }

    /// The steps of the proof that a finished search is.
    fn steps(self) -> Vec<Step> {
        if !self.meter.keeps_evidence() {
            return Vec::new();
        }
        let mut exits = Vec::new();
        let mut known = FxHashSet::default();
        for relaxation in self.dead {
            let invariant = relaxation.invariant();
            if known.insert(invariant.clone()) {
                exits.push(Step::Invariant(invariant));
            }
        }
        let mut steps = vec![Step::Closed {
            positions: self.positions,
            exits: (1..=exits.len()).collect(),
        }];
        steps.append(&mut exits);
        steps
    }

    /// Visits everything in a structure, of which all entries are known.
    fn close(&mut self, number: u32) -> Result<End, StopReason> {
        self.here = number;
        self.load()?;
        if self.structures[number as usize].entries.is_empty() {
            return Ok(End::Never);
        }
        let first = self.structures[number as usize].entries[0];
        let men = self.full(first.placement, first.row.first().expect("no row is empty"));
        if men.are_insufficient() || self.is_dead() {
            self.count()?;
            return Ok(End::Never);
        }
        let mut review = self.review_from;
        let mut begun = self.rows;
        while let Some((node, rows)) = self.graph.next() {
            for (turn, row) in [Color::White, Color::Black].into_iter().zip(rows) {
                if row.is_empty() {
                    continue;
                }
                if self.rows >= self.limit {
                    return Ok(End::Open);
                }
                self.rows += 1;
                self.meter.spend(1)?;
                self.expand(Expansion { node, turn, row })?;
                let mut found = None;
                if let Some((position, mut rest)) = self.finish.take() {
                    found = Some(self.line_through(&position)?);
                    if let Some(Some(line)) = &mut found {
                        line.append(&mut rest);
                    }
                } else if let Some(spot) = self.mate.take() {
                    found = Some(self.line_to(spot)?);
                }
                if let Some(line) = found {
                    debug_assert!(line.is_some(), "what is found can be walked back");
                    return Ok(line.map_or(End::Open, End::Mate));
                }
            }
            if self.rows - begun > review {
                review *= REVIEW_AGAIN;
                if let Some(better) = self.better_row_man() {
                    self.change_row_man(better)?;
                    begun = self.rows;
                }
            }
        }
        self.count()?;
        Ok(End::Never)
    }

    /// The memory it takes: structures are listed, found by signature, and wait.
    fn bytes(&self) -> u64 {
        let entries = self.entries * size_of::<Entry>();
        let structures = self.structures.capacity() * size_of::<Structure>()
            + 2 * self.structures.len() * size_of::<(Signature, u32)>();
        let dead = self.dead.capacity() * size_of::<Relaxation>();
        self.graph.bytes() + (entries + structures + dead) as u64
    }

    /// Makes room for the rows that were deferred and so many others, if the memory allows it.
    fn make_room(&mut self, rows: usize) -> Result<(), StopReason> {
        let held = self.bytes();
        self.meter.hold(held)?;
        self.graph.reserve(rows, self.meter.memory() - held)
    }

    /// Whether so many bytes more can be held for a while.
    fn can_hold(&self, bytes: usize) -> Result<(), StopReason> {
        self.meter.hold(self.bytes() + bytes as u64)
    }

    /// Puts the entries of the structure that is to be closed into an empty graph, and drops
    /// those that say nothing new.
    fn load(&mut self) -> Result<(), StopReason> {
        self.graph.clear();
        self.make_room(self.structures[self.here as usize].entries.len())?;
        let entries = &mut self.structures[self.here as usize].entries;
        self.entries -= entries.capacity();
        let mut number = 0;
        let graph = &mut self.graph;
        entries.retain_mut(|entry| {
            let source = Source::Entry(number);
            entry.row = graph.add(entry.placement, entry.turn, entry.row, source);
            number += u32::from(entry.row.any());
            entry.row.any()
        });
        entries.shrink_to_fit();
        self.entries += entries.capacity();
        Ok(())
    }

    /// Counts the positions of the structure that has been closed.
    fn count(&mut self) -> Result<(), StopReason> {
        if !self.meter.keeps_evidence() {
            return Ok(());
        }
        let structure = &self.structures[self.here as usize];
        let rows = self.graph.rows();
        if structure.signature.count(structure.row_man) == 1 {
            self.positions += rows.map(|(_, _, row)| row.count() as u64).sum::<u64>();
            return Ok(());
        }
        // With two men of the row man's kind, two rows may hold the same position.
        let positions = rows.map(|(_, _, row)| row.count()).sum();
        self.can_hold(positions * size_of::<Key>())?;
        let mut keys: Vec<Key> = Vec::with_capacity(positions);
        for (placement, turn, row) in self.graph.rows() {
            keys.extend(row.into_iter().map(|square| {
                let spot = Spot {
                    placement,
                    square,
                    turn,
                };
                Key::new(&self.position(spot, self.here))
            }));
        }
        keys.sort_unstable();
        keys.dedup();
        self.positions += keys.len() as u64;
        Ok(())
    }

    /// All men of a row's position in the structure that is being closed.
    fn full(&self, placement: Placement, square: Square) -> Men {
        let row_man = self.structures[self.here as usize].row_man;
        let men = placement.unpack();
        men.with(square, row_man.color(), row_man.role())
    }

    /// A position of a structure.
    fn position(&self, spot: Spot, structure: u32) -> Position {
        let structure = &self.structures[structure as usize];
        let row_man = structure.row_man;
        let men = spot.placement.unpack();
        let men = men.with(spot.square, row_man.color(), row_man.role());
        let signature = &structure.signature;
        men.position(spot.turn, signature.castling(), signature.ep())
    }

    /// Whether White is proved unable to mate from whatever entered the structure.
    fn is_dead(&mut self) -> bool {
        let structure = &self.structures[self.here as usize];
        let signature = &structure.signature;
        if !self.shortcuts || signature.castling().any() || signature.ep().is_some() {
            return false;
        }
        let first = &structure.entries[0];
        let men = self.full(first.placement, first.row.first().expect("no row is empty"));
        if has_open_file(men.pieces_of(Color::White, Role::Pawn), men.occupied())
            || !self.relaxed.pays(30, 8)
        {
            return false;
        }
        let mut kinds = [Bitboard::EMPTY; 12];
        for entry in &structure.entries {
            let men = entry.placement.unpack();
            for color in Color::ALL {
                for kind in Kind::all_of(color) {
                    kinds[kind.number() as usize] |= men.kind(kind);
                }
            }
            kinds[structure.row_man.number() as usize] |= entry.row;
        }
        let pieces = Color::ALL
            .into_iter()
            .flat_map(Kind::all_of)
            .flat_map(|kind| {
                let squares = kinds[kind.number() as usize];
                let one = (kind.color(), kind.role(), squares);
                std::iter::repeat_n(one, signature.count(kind) as usize)
            });
        let pawns = Color::ALL.into_iter().flat_map(|color| {
            let pawns = men.pieces_of(color, Role::Pawn).into_iter();
            pawns.map(move |square| (color, Role::Pawn, square.into()))
        });
        let proof = Relaxation::saturate_sets(pieces.chain(pawns), 0)
            .filter(|relaxation| !relaxation.allows_mate());
        let Some(relaxation) = proof else {
            return false;
        };
        self.relaxed.hit();
        if self.meter.keeps_evidence() {
            self.dead.push(relaxation);
        }
        true
    }

    /// Another row man with which the rows that are known would be half as many or fewer.
    fn better_row_man(&self) -> Option<Kind> {
        if self.graph.len() < REVIEW_NODES.min(self.review_from) {
            return None;
        }
        let structure = &self.structures[self.here as usize];
        let (mut rows, mut count) = (0, 0);
        for (_, _, row) in self.graph.rows() {
            rows += usize::from(row.any());
            count += row.count();
        }
        // The positions, and the rows that they would make up.
        let each = size_of::<(Men, Color)>() + 2 * size_of::<(Placement, Color)>();
        if count > REVIEW_MOST || self.can_hold(count * each).is_err() {
            return None;
        }
        let mut positions = Vec::with_capacity(count);
        for (placement, turn, row) in self.graph.rows() {
            positions.extend(
                row.into_iter()
                    .map(|square| (self.full(placement, square), turn)),
            );
        }
        let mut best = (rows, None);
        for kind in candidates(&structure.signature) {
            let men = structure.signature.count(kind) as usize;
            if kind == structure.row_man
                || kind.role() == Role::King && structure.signature.castling().any()
            {
                continue;
            }
            let mut keys: FxHashSet<(Placement, Color)> = FxHashSet::default();
            for (full, turn) in &positions {
                let at = full.kind(kind).first().expect("it is counted");
                keys.insert((full.without(at).pack(), *turn));
                if keys.len() * men * 2 > best.0 {
                    break;
                }
            }
            let cost = keys.len() * men;
            if cost * 2 <= best.0 {
                best = (cost, Some(kind));
            }
        }
        best.1
    }

    /// Begins the structure that is being closed again with another row man.
    fn change_row_man(&mut self, row_man: Kind) -> Result<(), StopReason> {
        let here = self.here as usize;
        let signature = self.structures[here].signature;
        let old = std::mem::take(&mut self.structures[here].entries);
        self.entries -= old.capacity();
        // What it entered is found again.
        for structure in &mut self.structures {
            let before = structure.entries.len();
            structure.entries.retain(|entry| entry.origin != self.here);
            if before > 0
                && structure.entries.is_empty()
                && structure.signature.has_pieces_of(&signature)
            {
                structure.row_man = row_man;
            }
        }
        let mut entries = Vec::new();
        for entry in &old {
            for square in entry.row {
                entries.push(entry_of(
                    self.full(entry.placement, square),
                    row_man,
                    entry.turn,
                    entry.origin,
                ));
            }
        }
        self.entries += entries.capacity();
        let structure = &mut self.structures[here];
        structure.row_man = row_man;
        structure.entries = entries;
        self.load()
    }

    /// The number of the structure with this signature, new or not; `men` are those of any of its
    /// positions.
    fn structure(&mut self, signature: Signature, men: impl FnOnce() -> Men) -> u32 {
        if let Some(number) = self.by_signature.get(&signature) {
            return *number;
        }
        let fresh = self.structures.len() as u32;
        let inherited = self.structures.get(self.here as usize).filter(|here| {
            here.signature.has_pieces_of(&signature) && here.signature.castling().is_empty()
        });
        let row_man = match inherited {
            Some(here) => here.row_man,
            None => roomiest(&signature, &men()),
        };
        self.by_signature.insert(signature, fresh);
        self.structures.push(Structure::new(signature, row_man));
        fresh
    }

    /// Enters a structure by a row of the present row man; `men` are the others.
    fn enter(
        &mut self,
        men: &Men,
        signature: Signature,
        turn: Color,
        row: Bitboard,
    ) -> Result<(), StopReason> {
        let Some(square) = row.first() else {
            return Ok(());
        };
        let row_man = self.structures[self.here as usize].row_man;
        let full = |square| men.with(square, row_man.color(), row_man.role());
        let number = self.structure(signature, || full(square));
        if self.structures[number as usize].row_man == row_man {
            let entry = Entry {
                placement: men.pack(),
                row,
                turn,
                origin: self.here,
            };
            return self.push(number, entry);
        }
        for square in row {
            self.enter_at(number, &full(square), turn)?;
        }
        Ok(())
    }

    /// Enters a structure by one position.
    fn enter_position(
        &mut self,
        men: &Men,
        signature: Signature,
        turn: Color,
    ) -> Result<(), StopReason> {
        let number = self.structure(signature, || *men);
        self.enter_at(number, men, turn)
    }

    fn enter_at(&mut self, number: u32, men: &Men, turn: Color) -> Result<(), StopReason> {
        let row_man = self.structures[number as usize].row_man;
        self.push(number, entry_of(*men, row_man, turn, self.here))
    }

    fn push(&mut self, number: u32, entry: Entry) -> Result<(), StopReason> {
        if let Some(watch) = &mut self.watch {
            watch.meet(number, &entry, self.structures[number as usize].row_man);
            return Ok(());
        }
        let structure = &mut self.structures[number as usize];
        if structure.entered == 0 {
            self.waiting.push(Reverse((structure.progress, number)));
        }
        structure.entered += 1;
        let tried = structure.entered.is_power_of_two();
        let before = structure.entries.capacity();
        structure.entries.push(entry);
        self.entries += structure.entries.capacity() - before;
        if tried && entry.origin != number {
            self.try_rollout(number, &entry)?;
        }
        Ok(())
    }

    /// A rollout from where a structure was entered, if White looks strong there.
    fn try_rollout(&mut self, number: u32, entry: &Entry) -> Result<(), StopReason> {
        if !self.shortcuts
            || self.finish.is_some()
            || self.rolled > ROLLED_AHEAD + self.rows as u64 / ROWS_PER_ROLLED
        {
            return Ok(());
        }
        let spot = Spot {
            placement: entry.placement,
            square: entry.row.first().expect("no row is empty"),
            turn: entry.turn,
        };
        let position = self.position(spot, number);
        let heavy = position.with_role(Role::Queen) | position.with_role(Role::Rook);
        if !position.of(Color::White).intersects(heavy) && !features::has_free_pawn(&position) {
            return Ok(());
        }
        let before = self.meter.nodes();
        let found = rollout::first(&position, self.meter)?;
        self.rolled += self.meter.nodes() - before;
        self.finish = found.map(|rest| (position, rest));
        Ok(())
    }
}

/// The entry of one position.
fn entry_of(men: Men, row_man: Kind, turn: Color, origin: u32) -> Entry {
    let square = men
        .kind(row_man)
        .first()
        .expect("the row man is on the board");
    Entry {
        placement: men.without(square).pack(),
        row: square.into(),
        turn,
        origin,
    }
}

#[cfg(test)]
mod tests;
