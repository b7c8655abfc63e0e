//! `h#3` and `h#2.5`.

use std::{fmt, str::FromStr};

use stillmate_core::Color;

/// More moves than any search goes deep.
const MOST_MOVES: u16 = 250;

/// A helpmate of so many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stipulation {
    pub(super) plies: u16,
}

impl Stipulation {
    /// The side that begins if `winner` mates.
    pub(super) fn first(self, winner: Color) -> Color {
        if self.plies % 2 == 1 { winner } else { !winner }
    }

    /// The set play, half a move shorter; there is none of a mate on the board.
    pub(super) fn set_play(self) -> Option<Stipulation> {
        let plies = self.plies.checked_sub(1)?;
        Some(Stipulation { plies })
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.plies % 2 == 1 { ".5" } else { "" };
        write!(f, "h#{}{half}", self.plies / 2)
    }
}

impl FromStr for Stipulation {
    type Err = String;

    /// With or without `h#`.
    fn from_str(text: &str) -> Result<Stipulation, String> {
        let wrong = || format!("give a helpmate's length such as h#3 or h#2.5, not \"{text}\"");
        let text = text.trim();
        let number = text
            .strip_prefix("h#")
            .or_else(|| text.strip_prefix("H#"))
            .unwrap_or(text);
        let (moves, half) = match number.split_once('.') {
            None | Some((_, "0")) => (number.trim_end_matches(".0"), 0),
            Some((moves, "5")) => (moves, 1),
            Some(_) => return Err(wrong()),
        };
        let digits = !moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit());
        let moves: u16 = moves.parse().ok().filter(|_| digits).ok_or_else(wrong)?;
        if moves >= MOST_MOVES {
            return Err(format!(
                "helpmates of fewer than {MOST_MOVES} moves are looked for"
            ));
        }
        Ok(Stipulation {
            plies: moves * 2 + half,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_and_written() {
        for (text, plies, written) in [
            ("h#3", 6, "h#3"),
            ("H#2.5", 5, "h#2.5"),
            ("0.5", 1, "h#0.5"),
            ("4", 8, "h#4"),
            ("4.0", 8, "h#4"),
        ] {
            let stipulation: Stipulation = text.parse().unwrap();
            assert_eq!(stipulation.plies, plies);
            assert_eq!(stipulation.to_string(), written);
        }
        for wrong in [
            "", "h#", "#3", "h=3", "hs#3", "2.3", "-1", "+1", ".5", "1e3", "999",
        ] {
            assert!(wrong.parse::<Stipulation>().is_err(), "{wrong}");
        }
    }
}
