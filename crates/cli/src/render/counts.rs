//! What the rungs of the engine's ladder did, as a table.

use std::fmt::Write;

use stillmate_reach::LadderStatistics;

use super::words::{grouped, time};

/// A heading and a line for each rung that was tried, in the order of the ladder; nothing if
/// there was none.
pub(crate) fn table(counts: &LadderStatistics) -> String {
    let mut text = String::new();
    for rung in counts.tried() {
        if text.is_empty() {
            text.push_str(
                "  rung                      tried         can       never        time\n",
            );
        }
        writeln!(
            text,
            "  {:<20} {:>10}  {:>10}  {:>10}  {:>10}",
            rung.rung,
            grouped(rung.tried),
            grouped(rung.can),
            grouped(rung.never),
            time(rung.time)
        )
        .expect("memory takes all");
    }
    text
}
