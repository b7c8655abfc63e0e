//! A set of tables: where they come from, and asking them.

use std::{
    fmt, fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustc_hash::FxHashMap;
use stillmate_core::{Color, Move, Position};

use super::{
    build::{self, OnProgress, Smaller},
    class::Class,
    file::{self, TableError},
    index::{Indexing, MOST_MEN},
    solutions::{Counter, Solutions},
    statistics::Statistics,
    table::{Distance, Table},
};

/// Classes of so many men are built when they are first asked for, if no file has them.
const BUILT_ON_DEMAND: usize = 3;

/// Tables of helpmates, from a directory or built in memory. Share one between threads.
///
/// Classes of two and three men are always there: they take milliseconds to build.
///
/// ```
/// use stillmate_core::{Color, Position};
/// use stillmate_reach::retro::{Distance, Tables};
///
/// let tables = Tables::builtin();
/// let position = Position::from_fen("8/8/8/8/8/2k5/8/1R2K3 b - -")?;
/// let line = tables.line(&position, Color::White).unwrap();
/// assert_eq!(tables.probe(&position, Color::White), Some(Distance::Plies(line.len() as u16)));
/// assert_eq!(tables.probe(&position, Color::Black), Some(Distance::Never));
/// # Ok::<(), stillmate_core::PositionError>(())
/// ```
pub struct Tables {
    dir: Option<PathBuf>,
    /// Classes of so many men are built when a probe wants them.
    built_on_demand: usize,
    /// What has been opened or built by [`Tables::build`]; `None` for what was looked
    /// for and isn't there.
    given: RwLock<FxHashMap<Class, Option<Arc<Table>>>>,
    /// What was built because a probe wanted it.
    on_demand: RwLock<FxHashMap<Class, Arc<Table>>>,
    /// Why files that a probe wanted can't be used.
    faults: Mutex<Vec<TableError>>,
    /// How many tables were found to contradict themselves.
    contradictions: AtomicUsize,
}

/// Why there is no line.
enum Lost {
    /// A table that a move leads into isn't there.
    NoTable,
    /// What the table says of this position isn't what it says of its moves.
    Contradiction(Position),
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}

impl Default for Tables {
    fn default() -> Tables {
        Tables::builtin()
    }
}

impl Tables {
    /// Only what is built on demand.
    pub fn builtin() -> Tables {
        Tables {
            built_on_demand: BUILT_ON_DEMAND,
            ..Tables::empty()
        }
    }

    /// No table at all, until one is built.
    pub fn empty() -> Tables {
        Tables {
            dir: None,
            built_on_demand: 0,
            given: RwLock::default(),
            on_demand: RwLock::default(),
            faults: Mutex::default(),
            contradictions: AtomicUsize::new(0),
        }
    }

    /// The tables in `dir`, which are opened and mapped when they are first asked for,
    /// and those that are built on demand. The directory needn't exist yet.
    pub fn open(dir: impl Into<PathBuf>) -> Tables {
        Tables {
            dir: Some(dir.into()),
            ..Tables::builtin()
        }
    }

    /// The classes that have a file in the directory, by name. Nothing is read yet.
    ///
    /// # Errors
    ///
    /// When the directory can't be read.
    pub fn classes(&self) -> Result<Vec<Class>, TableError> {
        let Some(dir) = &self.dir else {
            return Ok(Vec::new());
        };
        let failed = |source| TableError::Io {
            path: dir.clone(),
            source,
        };
        let mut classes = Vec::new();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let named = path
                .file_stem()
                .and_then(|stem| stem.to_str()?.parse().ok());
            classes.extend(named.filter(|&class| file::path(dir, class) == path && path.is_file()));
        }
        classes.sort_by_key(|class| (class.men(), class.to_string()));
        Ok(classes)
    }

    /// Puts the table of `class` at hand: reads it, or builds it, with all smaller ones that it
    /// needs, and writes them if there is a directory.
    ///
    /// # Errors
    ///
    /// When the class has too many men, or a file can't be read or written.
    pub fn build(&self, class: Class, progress: OnProgress<'_>) -> Result<(), TableError> {
        self.read_or_build(class, progress).map(|_| ())
    }

    /// Counts what is in the table of `class`, which is built if need be.
    ///
    /// # Errors
    ///
    /// As [`Tables::build`].
    pub fn statistics(&self, class: Class) -> Result<Statistics, TableError> {
        Ok(self.read_or_build(class, &|_| ())?.statistics())
    }

    /// Counts the shortest helpmates of every position of `class`, whose table is built if need
    /// be, and lists for each length at most `examples` positions that have one only.
    ///
    /// This takes four bytes for each number of the class and of those that it leads to.
    ///
    /// # Errors
    ///
    /// As [`Tables::build`].
    pub fn solutions(&self, class: Class, examples: usize) -> Result<Solutions, TableError> {
        let table = |class| self.read_or_build(class, &|_| ());
        Counter::new(&table).solutions(class, examples)
    }

    /// Drops from memory all tables that a file has, and looks again for those that had none.
    pub fn forget(&self) {
        if let Some(dir) = &self.dir {
            let mut given = self.given.write().unwrap_or_else(PoisonError::into_inner);
            given.retain(|&class, table| table.is_some() && !file::path(dir, class).exists());
        }
    }

    /// What was wrong with files that probes looked into since this was last asked. They aren't
    /// used.
    pub fn take_faults(&self) -> Vec<TableError> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *faults)
    }

    /// Whether the class of `position` has a file or was built by [`Tables::build`], so that
    /// nothing has to be built for an answer. Castling rights are left out.
    pub fn has(&self, position: &Position) -> bool {
        !position.castling().any()
            && position.occupied().count() <= MOST_MEN
            && self.given(Class::of(position)).is_some()
    }

    /// The distance to the nearest mate by `winner`.
    ///
    /// `None` when no table knows: castling rights, too many men, or a class that isn't there
    /// or whose file is damaged ([`Tables::build`] tells what is wrong).
    pub fn probe(&self, position: &Position, winner: Color) -> Option<Distance> {
        if position.castling().any() || position.occupied().count() > MOST_MEN {
            return None;
        }
        if position.ep_square().is_none() {
            let class = Class::of(position);
            return Some(self.table(class)?.distance(position, winner));
        }
        // The capture is legal, so that this is neither mate nor stalemate.
        position
            .legal_moves()
            .into_iter()
            .map(|m| Some(self.probe(&position.after(m), winner)?.earlier()))
            .try_fold(Distance::Never, |best, distance| Some(distance?.min(best)))
    }

    /// A shortest series of moves that ends with mate by `winner`; always the same one.
    ///
    /// `None` when there is no such series or no table knows. A table that contradicts itself
    /// along the way is not used any more, and is among the [faults](Tables::take_faults).
    pub fn line(&self, position: &Position, winner: Color) -> Option<Vec<Move>> {
        let Distance::Plies(plies) = self.probe(position, winner)? else {
            return None;
        };
        match self.walk(*position, winner, plies) {
            Ok(line) => Some(line),
            Err(Lost::NoTable) => None,
            Err(Lost::Contradiction(position)) => {
                self.contradicted(&position);
                None
            }
        }
    }

    /// Goes from each position to the nearest one, as long as all its moves agree with it.
    fn walk(&self, from: Position, winner: Color, plies: u16) -> Result<Vec<Move>, Lost> {
        let mut position = from;
        let mut line = Vec::with_capacity(plies.into());
        for left in (0..plies).rev() {
            let (mut nearest, mut all_known) = (None, true);
            for m in position.legal_moves() {
                match self.probe(&position.after(m), winner) {
                    None => all_known = false,
                    Some(distance) if distance < Distance::Plies(left) => {
                        return Err(Lost::Contradiction(position));
                    }
                    Some(distance) if distance == Distance::Plies(left) => {
                        nearest = nearest.or(Some(m));
                    }
                    Some(_) => {}
                }
            }
            match nearest {
                Some(m) => {
                    position.play(m);
                    line.push(m);
                }
                None if all_known => return Err(Lost::Contradiction(position)),
                None => return Err(Lost::NoTable),
            }
        }
        if position.turn() == winner || !position.is_checkmate() {
            return Err(Lost::Contradiction(position));
        }
        Ok(line)
    }

    /// Asks the tables about every position of `line`, which is legal and mates. One from which the
    /// mate can't be as far as its table says contradicts what the next one says.
    pub(crate) fn confront(&self, position: &Position, winner: Color, line: &[Move]) {
        let mut positions = vec![*position];
        for m in line {
            positions.push(positions[positions.len() - 1].after(*m));
        }
        let from_the_end = positions.iter().rev().zip(0..);
        let wrong = from_the_end
            .filter(|(position, _)| position.ep_square().is_none())
            .find(|(position, plies)| {
                let distance = self.probe(position, winner);
                distance.is_some_and(|distance| distance > Distance::Plies(*plies))
            });
        if let Some((position, _)) = wrong {
            self.contradicted(position);
        }
    }

    /// How many tables have been found to contradict themselves so far: what was concluded before
    /// another one was found may be wrong.
    pub(crate) fn contradictions(&self) -> usize {
        self.contradictions.load(Ordering::SeqCst)
    }

    /// Forgets a table for what it says of `position`.
    fn contradicted(&self, position: &Position) {
        let class = Class::of(position);
        let mut given = self.given.write().unwrap_or_else(PoisonError::into_inner);
        let was_given = given.insert(class, None).flatten().is_some();
        drop(given);
        let on_demand = self.on_demand.write();
        let mut on_demand = on_demand.unwrap_or_else(PoisonError::into_inner);
        let was_built = on_demand.remove(&class).is_some();
        drop(on_demand);
        if was_given || was_built {
            self.contradictions.fetch_add(1, Ordering::SeqCst);
        }
        // What is built on demand was misled by a file that has been reported itself.
        if was_given {
            let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
            let position = *position;
            faults.push(TableError::Contradiction { class, position });
        }
    }

    /// The table of `class` for a probe.
    fn table(&self, class: Class) -> Option<Arc<Table>> {
        self.given(class).or_else(|| {
            let is_small = class.men() <= self.built_on_demand;
            is_small.then(|| self.on_demand(class)).flatten()
        })
    }

    /// The table of `class` if it has been built or has a file, which is looked for only once.
    fn given(&self, class: Class) -> Option<Arc<Table>> {
        if let Some(known) = self.known(class) {
            return known;
        }
        let found = self.read(class).unwrap_or_else(|fault| {
            let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
            faults.push(fault);
            None
        });
        if found.is_none() {
            self.remember(class, None);
        }
        found
    }

    /// The table of a class of few men, built if need be and kept in memory alone.
    fn on_demand(&self, class: Class) -> Option<Arc<Table>> {
        let there = self.on_demand.read();
        let there = there
            .unwrap_or_else(PoisonError::into_inner)
            .get(&class)
            .cloned();
        if there.is_some() {
            return there;
        }
        let conversions = class.conversions().into_iter();
        let smaller: Option<Vec<_>> = conversions.map(|smaller| self.table(smaller)).collect();
        let table = Arc::new(assemble(class, Indexing::new(class)?, &smaller?, &|_| ()));
        let mut all = self
            .on_demand
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(all.entry(class).or_insert(table)))
    }

    fn known(&self, class: Class) -> Option<Option<Arc<Table>>> {
        let given = self.given.read().unwrap_or_else(PoisonError::into_inner);
        given.get(&class).cloned()
    }

    fn remember(&self, class: Class, table: Option<Arc<Table>>) {
        let mut given = self.given.write().unwrap_or_else(PoisonError::into_inner);
        let known = given.entry(class).or_default();
        *known = known.take().or(table);
    }

    fn keep(&self, table: Table) -> Arc<Table> {
        let table = Arc::new(table);
        self.remember(table.class, Some(Arc::clone(&table)));
        table
    }

    fn read(&self, class: Class) -> Result<Option<Arc<Table>>, TableError> {
        let (Some(dir), Some(indexing)) = (&self.dir, Indexing::new(class)) else {
            return Ok(None);
        };
        Ok(file::load(dir, class, indexing)?.map(|table| self.keep(table)))
    }

    /// No lock is held while a table is built: the threads that build it may meanwhile work
    /// on something else that wants a table. Two threads may build the same one, which does
    /// no harm.
    fn read_or_build(
        &self,
        class: Class,
        progress: OnProgress<'_>,
    ) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.known(class).flatten() {
            return Ok(table);
        }
        if let Some(table) = self.read(class)? {
            return Ok(table);
        }
        let indexing = Indexing::new(class).ok_or(TableError::TooManyMen(class))?;
        let smaller = class
            .conversions()
            .into_iter()
            .map(|smaller| self.read_or_build(smaller, progress))
            .collect::<Result<Vec<_>, _>>()?;
        let table = assemble(class, indexing, &smaller, progress);
        if let Some(dir) = &self.dir {
            file::save(dir, &table)?;
        }
        Ok(self.keep(table))
    }
}

fn assemble(
    class: Class,
    indexing: Indexing,
    smaller: &[Arc<Table>],
    progress: OnProgress<'_>,
) -> Table {
    let smaller = Smaller(smaller.iter().map(Arc::as_ref).collect());
    build::build(class, indexing, &smaller, progress)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::{
        Analyzer, Budget, Method, Verdict,
        retro::{codes::Codes, table::Code},
    };

    /// A directory whose table of `class` is forged: right checksums, and codes as `forge` makes
    /// them, for White's mates.
    fn forged(class: &str, forge: impl Fn(Code) -> Code) -> (PathBuf, Class) {
        static NTH: AtomicU64 = AtomicU64::new(0);
        let nth = NTH.fetch_add(1, Ordering::Relaxed);
        let name = format!("stillmate-forged-{}-{nth}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let class: Class = class.parse().unwrap();
        let tables = Tables::empty();
        tables.build(class, &|_| ()).unwrap();
        let table = tables.known(class).flatten().unwrap();
        let [white, _] = &table.planes;
        let codes = white.as_ref().unwrap().iter().map(|&code| forge(code));
        let forged = Table {
            class,
            indexing: Indexing::new(class).unwrap(),
            planes: [Some(Codes::Built(codes.collect())), None],
        };
        file::save(&dir, &forged).unwrap();
        (dir, class)
    }

    const ROOK: &str = "8/8/8/8/8/2k5/8/1R2K3 b - -";

    #[test]
    fn forged_distances_are_told_and_not_used() {
        let forgeries: [fn(Code) -> Code; 5] = [
            // No mates at all.
            |code| if code == 0 { 0 } else { 255 },
            // All mates nearer than they are, or farther.
            |code| code.saturating_sub(2).max(u8::from(code > 0)),
            |code| {
                if code == 0 || code > 250 {
                    code
                } else {
                    code + 4
                }
            },
            // No mates on the board.
            |code| if code == 1 { 255 } else { code },
            // All at one distance.
            |code| if code == 0 { 0 } else { 7 },
        ];
        let position = Position::from_fen(ROOK).unwrap();
        for (nth, forge) in forgeries.into_iter().enumerate() {
            let (dir, class) = forged("KRvK", forge);
            let tables = Arc::new(Tables::open(&dir));
            let analyzer = Analyzer::default().with_tables(Arc::clone(&tables));
            let finding = analyzer.decide(&position, Color::White);
            assert!(matches!(finding.verdict, Verdict::Winnable(_)), "{nth}");
            let budget = Budget::default();
            let shortest = analyzer.shortest(&position, Color::White, finding, &budget, true);
            assert_eq!(
                (shortest.is_proved(), shortest.at_least, shortest.lines),
                (true, 8, Some(54)),
                "{nth}"
            );
            assert_eq!(shortest.finding.method, Method::Shortest);
            let faults = tables.take_faults();
            let [fault @ TableError::Contradiction { position: at, .. }] = &faults[..] else {
                panic!("{nth}: {faults:?}");
            };
            let told = format!("the table {class} contradicts itself at {}", at.fen());
            assert_eq!(fault.to_string(), told);
            // Built anew in memory, it is asked again.
            assert_eq!(tables.line(&position, Color::White).unwrap().len(), 8);
            assert!(tables.take_faults().is_empty());
            fs::remove_dir_all(&dir).unwrap();
        }
    }

    #[test]
    fn true_tables_do_not_contradict_themselves() {
        let tables = Tables::builtin();
        for class in ["KQvK", "KRvK", "KPvK"] {
            let indexing = Indexing::new(class.parse().unwrap()).unwrap();
            for number in (0..indexing.size()).step_by(7) {
                let Some(position) = indexing.position(number) else {
                    continue;
                };
                let line = tables.line(&position, Color::White);
                if let Some(line) = line {
                    tables.confront(&position, Color::White, &line);
                }
            }
        }
        assert_eq!(tables.contradictions(), 0);
    }
}
