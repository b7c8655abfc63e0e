//! Tables of helpmates for the commands that decide positions.

use std::{path::PathBuf, sync::Arc};

use anyhow::bail;
use directories::ProjectDirs;
use stillmate_reach::retro::{TableError, Tables};

use crate::{args::General, input::Source, report};

/// Where tables are kept if no directory is named; `None` if there is no home directory.
pub(crate) fn default_dir() -> Option<PathBuf> {
    let dirs = ProjectDirs::from("", "", "stillmate")?;
    Some(dirs.data_dir().join("tables"))
}

/// The directory of the tables that are to be asked, if there are to be any.
fn dir(general: &General) -> Option<PathBuf> {
    match &general.tables {
        Some(dir) => Some(dir.clone()),
        None if general.no_tables => None,
        None => default_dir(),
    }
}

/// The tables that are to be asked. Nothing is read yet, and none need be there.
pub(crate) fn open(general: &General) -> anyhow::Result<Arc<Tables>> {
    if let Some(dir) = general.tables.as_ref().filter(|dir| !dir.is_dir()) {
        bail!("there is no directory of tables {}", dir.display());
    }
    let dir = dir(general);
    Ok(Arc::new(dir.map_or_else(Tables::builtin, Tables::open)))
}

/// The files that may be read as tables.
pub(crate) fn files(general: &General) -> impl Iterator<Item = Source> {
    let entries = dir(general).and_then(|dir| dir.read_dir().ok());
    let entries = entries.into_iter().flatten().flatten();
    entries.map(|entry| Source::File(entry.path()))
}

/// Reports which files couldn't be used; whether there were any.
pub(crate) fn report_faults(tables: &Tables) -> bool {
    report_each(&tables.take_faults())
}

/// Reports faults of tables; whether there are any.
pub(crate) fn report_each(faults: &[TableError]) -> bool {
    for fault in faults {
        report(&in_words(fault));
    }
    !faults.is_empty()
}

/// An error, and what can be done about it.
pub(crate) fn in_words(error: &TableError) -> String {
    match error {
        TableError::Contradiction { .. } => {
            format!("{error}; it isn't used, and without its file it will be built anew")
        }
        TableError::Damaged { .. } => format!("{error}; without the file it will be built anew"),
        _ => error.to_string(),
    }
}
