//! Tables on disk: one file a class, described in `docs/tables.md`.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use stillmate_core::Position;

use super::{class::Class, codes::Codes, index::Indexing, table::Table};

/// What every file begins with; the last byte is the version of the format.
const MAGIC: [u8; 8] = *b"STILLMT\x01";

/// Bytes before the planes: magic (8), class name (32, padded with zeros), size of a plane
/// (8), planes present (1, White's in bit 0 and Black's in bit 1), zeros (3), checksum of the
/// planes (4), checksum of all that precedes (4). Numbers are little-endian, checksums are
/// CRC-32.
const HEADER: usize = 60;
const NAME: std::ops::Range<usize> = 8..40;
const SIZE: std::ops::Range<usize> = 40..48;
const PRESENT: usize = 48;
const PLANES_SUM: std::ops::Range<usize> = 52..56;
const HEADER_SUM: std::ops::Range<usize> = 56..60;

/// Why a table can't be had.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file can't be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The file isn't a table that this version can use.
    #[error("{}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// What a file says can't be true, although its checksums are right: somebody made it up. It
    /// isn't used any more.
    #[error("the table {class} contradicts itself at {}", position.fen())]
    Contradiction {
        /// The class.
        class: Class,
        /// A position whose distance isn't what those of its moves make it.
        position: Position,
    },
    /// The class has too many men.
    #[error("{0}: tables are made for at most {MOST} men", MOST = super::MOST_MEN)]
    TooManyMen(Class),
}

/// What is wrong with a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It is a directory, a pipe or a device. Opening it might never end.
    #[error("not a regular file")]
    NoFile,
    /// It doesn't begin as a table of this version does.
    #[error("not a table of this version of stillmate")]
    Foreign,
    /// It is a table of another class than its name says.
    #[error("the table of another class")]
    OtherClass,
    /// It ends too early or too late.
    #[error("the length is not what the header says")]
    Length,
    /// Its contents don't fit the checksum.
    #[error("the checksum doesn't fit")]
    Checksum,
}

/// The file of `class` in `dir`.
pub(super) fn path(dir: &Path, class: Class) -> PathBuf {
    dir.join(format!("{class}.helpmates"))
}

/// Writes `table` to its file in `dir`, which is created if need be. The file gets its name
/// when it is complete, and nothing writes to it any more: each builder of the same table has a
/// file of its own until then. Files that builders have left behind are removed.
pub(super) fn save(dir: &Path, table: &Table) -> Result<(), TableError> {
    let path = path(dir, table.class);
    let failed = |source| TableError::Io {
        path: path.clone(),
        source,
    };
    fs::create_dir_all(dir).map_err(failed)?;
    remove_abandoned(dir);
    let (file, unfinished) = begin(&path).map_err(failed)?;
    // It stays open, and locked, until it has its name.
    write(&file, table)
        .and_then(|()| fs::rename(&unfinished, &path))
        .map_err(|source| {
            // What is left of it is of no use; that it can't be removed tells nothing new.
            let _ = fs::remove_file(&unfinished);
            failed(source)
        })
}

/// What the names of files end with that aren't complete yet.
const UNFINISHED: &str = "unfinished";

/// A new file for what will be the one at `path`, locked for as long as it is open.
fn begin(path: &Path) -> io::Result<(File, PathBuf)> {
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    loop {
        let nth = BEGUN.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{nth}.{UNFINISHED}", process::id());
        let unfinished = path.with_extension(name);
        let file = match File::create_new(&unfinished) {
            Ok(file) => file,
            // Of a process that had the same number, perhaps on another machine.
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(err) => return Err(err),
        };
        // Before it was locked, another builder may have thought it abandoned.
        let is_locked = match file.try_lock() {
            Err(TryLockError::WouldBlock) => false,
            // Where files can't be locked, none is removed either.
            Ok(()) | Err(TryLockError::Error(_)) => true,
        };
        if is_locked && unfinished.exists() {
            return Ok((file, unfinished));
        }
    }
}

/// Removes files that were begun by builders which came to no end. Theirs is locked by nobody.
fn remove_abandoned(dir: &Path) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    for path in paths.filter(|path| is_unfinished(path)) {
        // What can't be opened, locked or removed is left to its owner.
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether a path is one that [`begin`] gives.
fn is_unfinished(path: &Path) -> bool {
    let parts = || {
        let name = path.file_name()?.to_str()?.strip_suffix(UNFINISHED)?;
        let (class, builder) = name.strip_suffix('.')?.split_once('.')?;
        let (process, nth) = builder.split_once('-')?;
        let is_number = |text: &str| text.parse::<u64>().is_ok();
        Some(class.parse::<Class>().is_ok() && is_number(process) && is_number(nth))
    };
    parts() == Some(true) && path.is_file()
}

fn write(mut file: &File, table: &Table) -> io::Result<()> {
    let mut sum = crc32fast::Hasher::new();
    let mut present = 0;
    for (bit, plane) in table.planes.iter().enumerate() {
        if let Some(plane) = plane {
            sum.update(plane);
            present |= 1 << bit;
        }
    }
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    let name = table.class.to_string();
    header[NAME][..name.len()].copy_from_slice(name.as_bytes());
    header[SIZE].copy_from_slice(&(table.indexing.size() as u64).to_le_bytes());
    header[PRESENT] = present;
    header[PLANES_SUM].copy_from_slice(&sum.finalize().to_le_bytes());
    let header_sum = crc32fast::hash(&header[..HEADER_SUM.start]);
    header[HEADER_SUM].copy_from_slice(&header_sum.to_le_bytes());

    file.write_all(&header)?;
    for plane in table.planes.iter().flatten() {
        file.write_all(plane)?;
    }
    file.sync_all()
}

/// Opens the table of `class` in its file in `dir`; `None` if there is no file.
pub(super) fn load(
    dir: &Path,
    class: Class,
    indexing: Indexing,
) -> Result<Option<Table>, TableError> {
    let path = path(dir, class);
    let opened = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => File::open(&path),
        Ok(_) => {
            let fault = Fault::NoFile;
            return Err(TableError::Damaged { path, fault });
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => Err(source),
    };
    match opened.and_then(|file| open(file, class, &indexing)) {
        Ok(Ok(planes)) => Ok(Some(Table {
            class,
            indexing,
            planes,
        })),
        Ok(Err(fault)) => Err(TableError::Damaged { path, fault }),
        Err(source) => Err(TableError::Io { path, source }),
    }
}

type Planes = [Option<Codes>; 2];

/// Bytes that are read at once for the checksum.
const PORTION: usize = 1 << 16;

/// The planes of a file, mapped when all has been found right. Everything is read once for
/// the checksum, piece by piece, so that nothing of it stays in this process's memory.
fn open(mut file: File, class: Class, indexing: &Indexing) -> io::Result<Result<Planes, Fault>> {
    let length = file.metadata()?.len();
    if length < HEADER as u64 {
        return Ok(Err(Fault::Foreign));
    }
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    if header[..MAGIC.len()] != MAGIC {
        return Ok(Err(Fault::Foreign));
    }
    if header[HEADER_SUM] != crc32fast::hash(&header[..HEADER_SUM.start]).to_le_bytes() {
        return Ok(Err(Fault::Checksum));
    }
    let name = class.to_string();
    let (same, padding) = header[NAME].split_at(name.len());
    if same != name.as_bytes() || padding.iter().any(|&byte| byte != 0) {
        return Ok(Err(Fault::OtherClass));
    }
    let size = indexing.size();
    let present = header[PRESENT];
    let planes_length = size as u64 * u64::from(present.count_ones());
    if header[SIZE] != (size as u64).to_le_bytes() || length != HEADER as u64 + planes_length {
        return Ok(Err(Fault::Length));
    }
    if header[PLANES_SUM] != checksum(&mut file)?.to_le_bytes() {
        return Ok(Err(Fault::Checksum));
    }
    let mut planes = [None, None];
    let mut offset = HEADER as u64;
    for (bit, plane) in planes.iter_mut().enumerate() {
        if present >> bit & 1 == 1 {
            *plane = Some(Codes::map(&file, offset, size)?);
            offset += size as u64;
        }
    }
    Ok(Ok(planes))
}

/// The checksum of all that is left of `file`.
fn checksum(file: &mut File) -> io::Result<u32> {
    let mut sum = crc32fast::Hasher::new();
    let mut portion = [0; PORTION];
    loop {
        match file.read(&mut portion) {
            Ok(0) => return Ok(sum.finalize()),
            Ok(read) => sum.update(&portion[..read]),
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retro::table::Code;

    /// A table with made-up codes in these planes.
    fn table(planes: [Option<Code>; 2]) -> Table {
        let class: Class = "KvK".parse().unwrap();
        let indexing = Indexing::new(class).unwrap();
        let size = indexing.size();
        let codes = |first: Code| (0..size).map(|at| first.wrapping_add(at as Code)).collect();
        Table {
            class,
            indexing,
            planes: planes.map(|first| first.map(|first| Codes::Built(codes(first)))),
        }
    }

    fn reload(dir: &Path, like: &Table) -> Table {
        let indexing = Indexing::new(like.class).unwrap();
        load(dir, like.class, indexing).unwrap().unwrap()
    }

    fn agree(one: &Table, other: &Table) -> bool {
        let mut planes = one.planes.iter().zip(&other.planes);
        planes.all(|(one, other)| one.as_deref() == other.as_deref())
    }

    #[test]
    fn planes_come_back_and_outlast_the_file() {
        let dir = std::env::temp_dir().join(format!("stillmate-planes-{}", process::id()));
        let planes = [
            [None, None],
            [Some(3), None],
            [None, Some(5)],
            [Some(7), Some(100)],
        ];
        let mut before = None;
        for planes in planes {
            let table = table(planes);
            save(&dir, &table).unwrap();
            let loaded = reload(&dir, &table);
            assert!(agree(&loaded, &table), "{planes:?}");
            // What was opened before the file was replaced is still what it was.
            if let Some((loaded, table)) = before.replace((loaded, table)) {
                assert!(agree(&loaded, &table));
                assert!(!agree(&loaded, &before.as_ref().unwrap().0));
            }
        }
        drop(before);
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn what_dead_builders_have_left_is_removed_and_no_more() {
        let dir = std::env::temp_dir().join(format!("stillmate-abandoned-{}", process::id()));
        fs::create_dir_all(&dir).unwrap();
        let put = |name: &str| File::create(dir.join(name)).unwrap();
        let (abandoned, alive) = ("KRvK.4000000-7.unfinished", "KvK.1-0.unfinished");
        put(abandoned);
        let builder = put(alive);
        builder.lock().unwrap();
        let others = [
            "unfinished",
            "KvK.unfinished",
            "KRvK.1-x.unfinished",
            "K.1-0.unfinished",
        ];
        let _ = others.map(put);
        save(&dir, &table([Some(3), None])).unwrap();
        assert!(!dir.join(abandoned).exists());
        for name in others.into_iter().chain([alive, "KvK.helpmates"]) {
            assert!(dir.join(name).exists(), "{name}");
        }
        // Its builder has died since.
        drop(builder);
        save(&dir, &table([Some(3), None])).unwrap();
        assert!(!dir.join(alive).exists());
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn nothing_unfinished_is_left() {
        let dir = std::env::temp_dir().join(format!("stillmate-unfinished-{}", process::id()));
        let names = || fs::read_dir(&dir).unwrap().count();
        save(&dir, &table([Some(3), None])).unwrap();
        assert_eq!(names(), 1);
        // The file's name is taken by something that can't be replaced.
        let taken = path(&dir, "KvK".parse().unwrap());
        fs::remove_file(&taken).unwrap();
        fs::create_dir(&taken).unwrap();
        assert!(save(&dir, &table([Some(3), None])).is_err());
        assert_eq!(names(), 1);
        fs::remove_dir_all(&dir).unwrap();
    }
}
