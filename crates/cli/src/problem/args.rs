//! The options of `check` that make positions problems.

use clap::{Args, ValueEnum};

use super::{notation::Letters, setup::Change, stipulation::Stipulation};

/// Helpmates as problems: all solutions, of a length that is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Helpmate problems")]
pub(crate) struct ProblemArgs {
    /// List all shortest helpmates, one on a line or as a tree.
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "lines"
    )]
    pub(super) all: Option<Form>,
    /// List all helpmates in exactly so many moves, such as 3 or 2.5, and say how many are
    /// shorter. With whole moves the side to move is mated, with half a move it mates.
    #[arg(long, value_name = "MOVES", conflicts_with = "stipulation")]
    length: Option<Stipulation>,
    /// The same, as written above problems: h#3, h#2.5.
    #[arg(long, value_name = "H#N")]
    stipulation: Option<Stipulation>,
    /// Also list the set play: what the other side, beginning, achieves half a move sooner.
    #[arg(long)]
    pub(super) set_play: bool,
    /// Also solve the position after these changes: e1-e2 moves a man, e1<->e2 exchanges two,
    /// +wNe1 adds one, -e1 takes one away, and e1=bB puts another in its place; commas between
    /// several. Begin with & to go on from the twin before.
    #[arg(long, value_name = "CHANGES", allow_hyphen_values = true)]
    pub(super) twin: Vec<Twin>,
    /// Helpmates that are listed at most, each time.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) most: usize,
    /// What to read: FENs, or files written for Popeye (named in the place of FENs).
    #[arg(long, value_name = "FORMAT", default_value = "fen")]
    pub(super) input: Input,
    /// How to write moves.
    #[arg(long, value_name = "STYLE", default_value = "problem")]
    pub(super) notation: Notation,
    /// Letters of the men in moves; `problem` writes S for a knight.
    #[arg(long, value_name = "LANGUAGE", default_value = "english")]
    pub(super) letters: Letters,
}

/// How solutions are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One on a line.
    Lines,
    /// What they have in common once.
    Tree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Input {
    Fen,
    Popeye,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Notation {
    /// As in problems: 1.Kf3 0-0, with the mated side's move first.
    Problem,
    /// As in games: 1... Kf3 2. O-O.
    San,
}

/// A change of the position that makes a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Twin {
    /// Whether it goes on from the twin before.
    pub(super) continued: bool,
    pub(super) changes: Vec<Change>,
    /// As it was written.
    pub(super) text: String,
}

impl std::str::FromStr for Twin {
    type Err = String;

    fn from_str(text: &str) -> Result<Twin, String> {
        let rest = text.trim().strip_prefix('&');
        let changes = rest.unwrap_or(text).split(',');
        Ok(Twin {
            continued: rest.is_some(),
            changes: changes
                .map(|change| change.trim().parse())
                .collect::<Result<_, _>>()?,
            text: text.trim().to_owned(),
        })
    }
}

impl ProblemArgs {
    /// Whether problems are to be solved, and not just positions decided.
    pub(crate) fn is_asked(&self) -> bool {
        self.all.is_some()
            || self.stipulation().is_some()
            || self.set_play
            || !self.twin.is_empty()
            || self.input == Input::Popeye
    }

    pub(super) fn stipulation(&self) -> Option<Stipulation> {
        self.stipulation.or(self.length)
    }
}
