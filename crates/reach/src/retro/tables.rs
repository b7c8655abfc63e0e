//! A set of tables: where they come from, and asking them.

use std::{
    fmt, fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, RwLock},
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
            classes.extend(named.filter(|&class| file::path(dir, class) == path));
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
    /// `None` when there is no such series or no table knows.
    pub fn line(&self, position: &Position, winner: Color) -> Option<Vec<Move>> {
        let Distance::Plies(mut plies) = self.probe(position, winner)? else {
            return None;
        };
        let mut position = *position;
        let mut line = Vec::with_capacity(plies.into());
        while plies > 0 {
            plies -= 1;
            let nearer = Some(Distance::Plies(plies));
            let moves = position.legal_moves();
            let m = moves
                .into_iter()
                .find(|&m| self.probe(&position.after(m), winner) == nearer)?;
            position.play(m);
            line.push(m);
        }
        Some(line)
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
