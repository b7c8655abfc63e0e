//! Files of labelled positions.

use std::{fs, path::PathBuf};

use stillmate_core::{
    Color, Position,
    text::{Leniency, Record},
};

/// A line of a file with its label, the operation `winnable "W-"`: the first character is `W`
/// or `-` for White, the second `B` or `-` for Black, and `?` says nothing.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The line.
    pub record: Record,
    /// The label; empty if there is none.
    label: String,
}

impl Labelled {
    /// The position.
    pub fn position(&self) -> Position {
        *self.record.position()
    }

    /// Whether `color` can mate, if the label says so.
    pub fn can_mate(&self, color: Color) -> Option<bool> {
        match self.label.chars().nth(color.fold_wb(0, 1))? {
            '?' => None,
            letter => Some(letter != '-'),
        }
    }

    /// The case of the label, if it has one.
    pub fn case(&self) -> Option<u8> {
        let case = self.record.value("case")?;
        Some(case.parse().expect("a row of the case table"))
    }
}

/// The lines of a text of EPD or FEN, without comments and empty lines.
///
/// # Panics
///
/// If one can't be read.
pub fn labelled(text: &str) -> impl Iterator<Item = Labelled> + '_ {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let record = Record::parse(line, Leniency::Strict);
        let record = record.unwrap_or_else(|error| panic!("{line}: {error}"));
        let label = record.value("winnable").unwrap_or_default().into_owned();
        Labelled { record, label }
    })
}

/// The lines of a file; see [`labelled`].
///
/// # Panics
///
/// If the file, or a line in it, can't be read.
pub fn file(path: &str) -> Vec<Labelled> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    labelled(&text).collect()
}

/// The project's own examples, each of them labelled for both colours and with its case.
pub fn seed_examples() -> Vec<Labelled> {
    file(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/seed-examples.epd"
    ))
}

/// The lines of a corpus that lives beside the repository; where it doesn't, that is told on
/// standard error. Others have made it, so lines that are no position are left out.
pub fn corpus(name: &str) -> Option<Vec<Labelled>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("../shared/corpus").join(name);
    let text = fs::read_to_string(&path)
        .inspect_err(|error| eprintln!("skipped: {}: {error}", path.display()));
    let text = text.ok()?;
    let is_position = |line: &&str| Record::parse(line, Leniency::Strict).is_ok();
    Some(
        text.lines()
            .filter(is_position)
            .flat_map(labelled)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_has_labelled_all_its_examples() {
        let examples = seed_examples();
        assert!(examples.len() > 50, "{}", examples.len());
        for example in examples {
            let line = &example.record;
            assert!(
                Color::ALL
                    .iter()
                    .all(|color| example.can_mate(*color).is_some()),
                "{line}"
            );
            let dead = Color::ALL
                .iter()
                .all(|color| example.can_mate(*color) == Some(false));
            assert_eq!(example.case().map(|case| case < 8), Some(dead), "{line}");
        }
    }

    #[test]
    fn labels_may_say_nothing() {
        let text =
            "# kings\n\n8/8/4k3/8/8/3K4/8/8 w - - winnable \"?-\";\n 8/8/4k3/8/8/3K4/8/8 b - -";
        let lines: Vec<Labelled> = labelled(text).collect();
        let said = lines
            .iter()
            .map(|line| Color::ALL.map(|color| line.can_mate(color)));
        assert!(said.eq([[None, Some(false)], [None, None]]));
        assert_eq!(lines[0].case(), None);
    }
}
