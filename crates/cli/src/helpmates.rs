//! Tables of helpmates for the commands that decide positions.

use std::{path::PathBuf, sync::Arc};

use anyhow::bail;
use directories::ProjectDirs;
use stillmate_reach::retro::{TableError, Tables};

use crate::{args::General, report};

/// Where tables are kept if no directory is named; `None` if there is no home directory.
pub(crate) fn default_dir() -> Option<PathBuf> {
    let dirs = ProjectDirs::from("", "", "stillmate")?;
    Some(dirs.data_dir().join("tables"))
}

/// The tables that are to be asked. Nothing is read yet, and none need be there.
pub(crate) fn open(general: &General) -> anyhow::Result<Arc<Tables>> {
    let dir = match &general.tables {
        Some(dir) if !dir.is_dir() => {
            bail!("there is no directory of tables {}", dir.display())
        }
        Some(dir) => Some(dir.clone()),
        None if general.no_tables => None,
        None => default_dir(),
    };
    Ok(Arc::new(dir.map_or_else(Tables::builtin, Tables::open)))
}

/// Reports which files couldn't be used; whether there were any.
pub(crate) fn report_faults(tables: &Tables) -> bool {
    let faults = tables.take_faults();
    for fault in &faults {
        report(&in_words(fault));
    }
    !faults.is_empty()
}

/// An error, and what can be done about it.
pub(crate) fn in_words(error: &TableError) -> String {
    match error {
        TableError::Damaged { .. } => format!("{error}; without the file it will be built anew"),
        _ => error.to_string(),
    }
}
