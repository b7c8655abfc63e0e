//! Where answers and certificates go: whole records, to standard output or to a file.
//!
//! A regular file is written under another name beside it, `FILE.partial`, and takes the
//! place of FILE when it is complete. Pipes and devices are written to directly.

use std::{
    error::Error,
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    os::fd::AsFd,
    path::{Path, PathBuf},
};

use anyhow::bail;
use same_file::Handle;

use crate::{input::Source, report};

/// Symbolic links that are followed in a row, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Whether `path` stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .map(Path::new)
        .contains(&path)
}

/// Records on their way to standard output or to a file.
pub(crate) struct Output {
    /// What is written where, for messages.
    name: String,
    file: File,
    /// The name it has, and the name it will have; none if it is written to directly.
    names: Option<Names>,
    waiting: Vec<u8>,
    /// Where records end in what is waiting.
    ends: Vec<usize>,
    /// Whether a record was written.
    begun: bool,
}

struct Names {
    partial: PathBuf,
    complete: PathBuf,
}

impl Output {
    /// An output of `what` at `path`, which may also [stand for standard output](is_stdout).
    ///
    /// # Errors
    ///
    /// [`Unwritten`] when it can't be opened; in words when it is one of the `inputs`, standard
    /// output under another name, or is being written by another run.
    pub(crate) fn create(what: &str, path: &Path, inputs: &Inputs) -> anyhow::Result<Output> {
        let name = |path: &Path| format!("{what} to {}", path.display());
        let unwritten = |path: &Path, source| Unwritten::new(name(path), source);
        if is_stdout(path) {
            return Output::stdout(what, inputs);
        }
        let Some(complete) = regular(path).map_err(|error| unwritten(path, error))? else {
            let file = OpenOptions::new().write(true).open(path);
            let file = file.map_err(|error| unwritten(path, error))?;
            return Ok(Output::new(name(path), file, None));
        };
        let permissions = match OpenOptions::new().write(true).open(&complete) {
            Ok(there) => {
                inputs.refuse(&there, path.display())?;
                if Handle::stdout()? == Handle::from_file(there.try_clone()?)? {
                    bail!(
                        "{} is also standard output; name another file",
                        path.display()
                    );
                }
                Some(there.metadata()?.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unwritten(path, error).into()),
        };
        let partial = partial(&complete);
        let file = claim(&partial).map_err(|error| unwritten(&partial, error))?;
        let Some(file) = file else {
            bail!("another run is writing {}", partial.display());
        };
        inputs.refuse(&file, partial.display())?;
        file.set_len(0)
            .map_err(|error| unwritten(&partial, error))?;
        if let Some(permissions) = permissions {
            // Those of another owner may be out of reach.
            let _ = file.set_permissions(permissions);
        }
        let names = Names {
            partial: partial.clone(),
            complete,
        };
        Ok(Output::new(name(&partial), file, Some(names)))
    }

    /// Standard output, for `what`.
    ///
    /// # Errors
    ///
    /// In words, when it is one of the `inputs`, which would then never end.
    pub(crate) fn stdout(what: &str, inputs: &Inputs) -> anyhow::Result<Output> {
        let name = format!("{what} to standard output");
        // A handle of its own, since the one of the library holds back what it couldn't write
        // and tries again at the end.
        let file = io::stdout().as_fd().try_clone_to_owned().map(File::from);
        let file = file.map_err(|error| Unwritten::new(name.clone(), error))?;
        inputs.refuse(&file, "standard output")?;
        Ok(Output::new(name, file, None))
    }

    fn new(name: String, file: File, names: Option<Names>) -> Output {
        Output {
            name,
            file,
            names,
            waiting: Vec::new(),
            ends: Vec::new(),
            begun: false,
        }
    }

    /// Adds what stands before the first record.
    pub(crate) fn heading(&mut self, text: &[u8]) {
        self.waiting.extend_from_slice(text);
    }

    /// Adds a record.
    pub(crate) fn record(&mut self, text: &[u8]) {
        self.waiting.extend_from_slice(text);
        self.ends.push(self.waiting.len());
    }

    /// Hands everything over to the system, so that the end of this process can't lose it.
    ///
    /// # Errors
    ///
    /// When that fails, with the number of records that were written. A torn one is cut off
    /// where that is possible.
    pub(crate) fn flush(&mut self) -> Result<(), Unwritten> {
        let mut written = 0;
        let fault = loop {
            if written == self.waiting.len() {
                break None;
            }
            match self.file.write(&self.waiting[written..]) {
                Ok(0) => break Some(io::ErrorKind::WriteZero.into()),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Some(error),
            }
        };
        let records = self.ends.partition_point(|&end| end <= written);
        let whole = self.ends[..records].last().copied().unwrap_or(0);
        self.begun |= records > 0;
        self.waiting.clear();
        self.ends.clear();
        let Some(source) = fault else {
            return Ok(());
        };
        // Where even that fails, the fault that is told is the first one.
        let _ = self.cut(written - whole);
        Err(Unwritten {
            records,
            ..Unwritten::new(self.name.clone(), source)
        })
    }

    /// Takes back the last bytes written, unless they are gone into a pipe, or something else
    /// was written behind them.
    fn cut(&mut self, bytes: usize) -> io::Result<()> {
        let metadata = self.file.metadata()?;
        if bytes > 0 && metadata.is_file() {
            let end = self.file.stream_position()?;
            if metadata.len() == end {
                let whole = end - bytes as u64;
                self.file.set_len(whole)?;
                self.file.seek(SeekFrom::Start(whole))?;
            }
        }
        Ok(())
    }

    /// Writes what is still waiting; a file then takes its place.
    pub(crate) fn finish(mut self) -> Result<(), Unwritten> {
        self.flush()?;
        if let Some(Names { partial, complete }) = &self.names {
            // A full disk may come to light only now.
            let renamed = self
                .file
                .sync_all()
                .and_then(|()| fs::rename(partial, complete));
            renamed.map_err(|error| Unwritten::new(self.name.clone(), error))?;
            self.names = None;
        }
        Ok(())
    }
}

/// A file that isn't finished keeps its name, unless there is nothing in it.
impl Drop for Output {
    fn drop(&mut self) {
        let Some(Names { partial, complete }) = &self.names else {
            return;
        };
        if self.begun {
            report(&format!(
                "stillmate: {} is not complete; what was written is in {}",
                complete.display(),
                partial.display()
            ));
        } else {
            // That it can't be removed harms nobody: the next run overwrites it.
            let _ = fs::remove_file(partial);
        }
    }
}

/// Files that are read, over which nothing may be written.
pub(crate) struct Inputs(Vec<(Source, Handle)>);

impl Inputs {
    /// The regular files among `sources`.
    pub(crate) fn of(sources: impl IntoIterator<Item = Source>) -> Inputs {
        let known = |source: Source| {
            let handle = match &source {
                Source::Stdin => Handle::stdin(),
                // To open a pipe would be to read from it.
                Source::File(path) if path.is_file() => Handle::from_path(path),
                Source::File(_) => return None,
            };
            Some((source, handle.ok().filter(is_file)?))
        };
        Inputs(sources.into_iter().filter_map(known).collect())
    }

    /// Fails if `file`, known as `name`, is one of them.
    fn refuse(&self, file: &File, name: impl fmt::Display) -> anyhow::Result<()> {
        let handle = Handle::from_file(file.try_clone()?)?;
        match self.0.iter().find(|(_, input)| *input == handle) {
            Some((input, _)) => {
                bail!("{name} is also the input {input}; name another file to write to")
            }
            None => Ok(()),
        }
    }
}

fn is_file(handle: &Handle) -> bool {
    let metadata = handle.as_file().metadata();
    metadata.is_ok_and(|metadata| metadata.is_file())
}

/// The regular file that `path` leads to, whether it is there yet or not; `None` if it leads
/// to something else.
fn regular(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // There an open file has a name that no other file can take.
        if fs::canonicalize(directory).is_ok_and(|directory| directory.starts_with("/proc")) {
            return Ok(None);
        }
        let Ok(link) = fs::read_link(&path) else {
            let metadata = fs::metadata(&path);
            let is_other = metadata.is_ok_and(|metadata| !metadata.is_file());
            return Ok((!is_other).then_some(path));
        };
        path = directory.join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The name of `path` until it is complete.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// Opens the file at `path` and locks it, so that no other run writes to it; `None` if another
/// one does. What is in it stays.
fn claim(path: &Path) -> io::Result<Option<File>> {
    loop {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other("it is there and no regular file"));
        }
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Not every file system can lock.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // Another run may have finished it, and given it its name, just before the lock.
        let locked = Handle::from_file(file.try_clone()?)?;
        if Handle::from_path(path).is_ok_and(|there| there == locked) {
            return Ok(Some(file));
        }
    }
}

/// How far a run got, at the end of a message.
pub(crate) fn until(last: Option<impl fmt::Display>) -> String {
    match last {
        Some(last) => format!("; answered up to {last}"),
        None => "; nothing was answered".to_owned(),
    }
}

/// An output couldn't be written.
#[derive(Debug)]
pub(crate) struct Unwritten {
    name: String,
    source: io::Error,
    /// How many of the last records are written all the same.
    pub(crate) records: usize,
    /// How far the run got.
    until: String,
}

impl Unwritten {
    fn new(name: String, source: io::Error) -> Unwritten {
        Unwritten {
            name,
            source,
            records: 0,
            until: String::new(),
        }
    }

    /// The same, saying that everything up to `last` was answered.
    pub(crate) fn after(self, last: Option<impl fmt::Display>) -> Unwritten {
        let until = until(last);
        Unwritten { until, ..self }
    }

    /// Whether the reader of a pipe has had enough.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.source.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unwritten {
            name,
            source,
            until,
            ..
        } = self;
        write!(f, "writing {name}: {source}{until}")
    }
}

impl Error for Unwritten {}
