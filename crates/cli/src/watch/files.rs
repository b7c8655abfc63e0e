//! Files that change, and what is in them.
//!
//! The system's notices say when to look. Since some file systems give none, files are looked at
//! once in a while without.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    time::{Duration, Instant, SystemTime},
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use stillmate_arbiter::live::{Boards, Look};

use crate::input;

/// After this long without a change a text is taken for whole.
const QUIET: Duration = Duration::from_secs(1);
/// Notices that come within this time are one change.
const TOGETHER: Duration = Duration::from_millis(40);
/// Bytes of the largest file that is watched.
const LARGEST: u64 = 64 << 20;

/// Files and directories that are watched.
pub(super) struct Files {
    roots: Vec<PathBuf>,
    notices: Receiver<notify::Result<notify::Event>>,
    /// Gives notice as long as it lives; `None` where the system has none.
    _watcher: Option<RecommendedWatcher>,
    files: BTreeMap<PathBuf, Watched>,
    /// Whether something has changed, or may have.
    stirred: bool,
    started: bool,
}

/// A file as it was last seen.
struct Watched {
    name: String,
    boards: Boards,
    text: Vec<u8>,
    stamp: Option<(u64, SystemTime)>,
    changed: Instant,
    settled: bool,
    /// Why it couldn't be read, as was told.
    error: Option<String>,
}

/// What has become of a file.
pub(super) enum Change<'a> {
    /// Its text is new, or hasn't changed for a while.
    Text {
        name: &'a str,
        boards: &'a mut Boards,
        text: &'a [u8],
        look: Look,
    },
    /// It can't be read.
    Unreadable { name: &'a str, error: String },
}

impl Files {
    /// Watches files and directories.
    ///
    /// # Errors
    ///
    /// If one isn't there.
    pub(super) fn new(roots: &[PathBuf]) -> anyhow::Result<Files> {
        let (sender, notices) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender).ok();
        for root in roots {
            let metadata = fs::metadata(root).map_err(|error| {
                anyhow::anyhow!("{}: {}", root.display(), input::describe(&error))
            })?;
            // A file that is written anew under another name is only seen in its directory.
            let directory = match root.parent() {
                _ if metadata.is_dir() => root,
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            };
            if let Some(watching) = &mut watcher {
                // Without notices files are looked at once in a while.
                let _ = watching.watch(directory, RecursiveMode::NonRecursive);
            }
        }
        Ok(Files {
            roots: roots.to_vec(),
            notices,
            _watcher: watcher,
            files: BTreeMap::new(),
            stirred: true,
            started: false,
        })
    }

    /// Waits for a change, or for the time to look anyway.
    pub(super) fn wait(&mut self) {
        if self.notices.recv_timeout(QUIET).is_err() {
            return;
        }
        self.stirred = true;
        let until = Instant::now() + QUIET;
        while Instant::now() < until && self.notices.recv_timeout(TOGETHER).is_ok() {}
    }

    /// What has changed; all that there is the first time, taken for whole if that is the only
    /// one.
    pub(super) fn changes(&mut self, once: bool) -> impl Iterator<Item = Change<'_>> {
        for path in self.paths() {
            let watched = || Watched {
                name: path.display().to_string(),
                boards: Boards::default(),
                text: Vec::new(),
                stamp: None,
                changed: Instant::now(),
                settled: true,
                error: None,
            };
            self.files.entry(path.clone()).or_insert_with(watched);
        }
        let first = !std::mem::replace(&mut self.started, true);
        let stirred = std::mem::take(&mut self.stirred);
        let look = match (first, once) {
            (_, true) => Look::Settled,
            (true, false) => Look::First,
            (false, false) => Look::Growing,
        };
        let files = self.files.iter_mut();
        files.filter_map(move |(path, file)| file.change(path, stirred, look))
    }

    /// The files named, and those with games in the directories named.
    fn paths(&self) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for root in &self.roots {
            match fs::read_dir(root) {
                Ok(entries) => {
                    let files = entries.flatten().map(|entry| entry.path());
                    let pgn = |path: &PathBuf| {
                        path.extension()
                            .is_some_and(|e| e.eq_ignore_ascii_case("pgn"))
                    };
                    paths.extend(files.filter(pgn));
                }
                Err(_) => paths.push(root.clone()),
            }
        }
        paths
    }
}

impl Watched {
    fn change(&mut self, path: &Path, stirred: bool, look: Look) -> Option<Change<'_>> {
        let stamp =
            fs::metadata(path).and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
        let stamp = stamp.ok();
        if stirred || stamp != self.stamp {
            self.stamp = stamp;
            match self.read(path) {
                // It is being written anew.
                Ok(None) => return None,
                Ok(Some(text)) if text != self.text => {
                    self.text = text;
                    self.changed = Instant::now();
                    self.settled = look == Look::Settled;
                    self.error = None;
                    return Some(self.text(look));
                }
                Ok(Some(_)) => {}
                Err(error) if self.error.as_ref() == Some(&error) => return None,
                Err(error) => {
                    self.error = Some(error.clone());
                    let name = &self.name;
                    return Some(Change::Unreadable { name, error });
                }
            }
        }
        if self.settled || self.changed.elapsed() < QUIET {
            return None;
        }
        self.settled = true;
        Some(self.text(Look::Settled))
    }

    fn text(&mut self, look: Look) -> Change<'_> {
        Change::Text {
            name: &self.name,
            boards: &mut self.boards,
            text: &self.text,
            look,
        }
    }

    /// The text of the file; `None` if it isn't there at the moment.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        if self.stamp.is_some_and(|(length, _)| length > LARGEST) {
            return Err(
                "the file has more than 64 MiB; watch one of the games still played".to_owned(),
            );
        }
        match fs::read(path) {
            Ok(text) => input::decoded(text).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(input::describe(&error)),
        }
    }
}
