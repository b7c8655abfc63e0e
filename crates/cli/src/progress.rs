//! How far a run has got.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::input::Source;

/// A bar over the bytes of all sources, if somebody can see it, wants it, and no answers
/// are shown in its place.
pub(crate) fn bar(sources: &[Source], quiet: bool, answers: bool) -> ProgressBar {
    let answers_shown = answers && io::stdout().is_terminal();
    if quiet || answers_shown || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes: Option<Vec<u64>> = sources.iter().map(Source::size).collect();
    let (bar, template) = match sizes {
        Some(sizes) => (
            ProgressBar::new(sizes.iter().sum()),
            "{bar:40} {percent}% of {total_bytes}, {elapsed}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {bytes} read, {elapsed}",
        ),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
