//! What a run over games came to.

use std::time::Duration;

use stillmate_arbiter::{Basis, ResultVerdict, pgn::Game};
use stillmate_reach::LadderStatistics;

use crate::{
    exit::Status,
    render::{
        counts,
        game::Ruled,
        words::{count, time},
    },
};

/// Counts over games; parts of a run can be added up in any order.
#[derive(Debug, Default)]
pub(crate) struct GameTally {
    games: u64,
    plies: u64,
    /// By [`VERDICTS`].
    verdicts: [u64; VERDICTS.len()],
    /// Games that the Laws ended before the last move.
    played_on: u64,
    undetermined: u64,
    broken: u64,
    bad_files: u64,
    internal_errors: u64,
    /// What the rungs of the engine did, where that is counted.
    counts: LadderStatistics,
}

const VERDICTS: [ResultVerdict; 5] = [
    ResultVerdict::Stands,
    ResultVerdict::Wrong,
    ResultVerdict::Unscored,
    ResultVerdict::Unjudged,
    ResultVerdict::Undetermined,
];

impl GameTally {
    /// Counts a file that can't be read to its end.
    pub(crate) fn bad_file(&mut self) {
        self.bad_files += 1;
    }

    /// Counts a game over which the program itself failed.
    pub(crate) fn internal_error(&mut self) {
        self.internal_errors += 1;
    }

    /// Counts what the rungs of the engine did.
    pub(crate) fn counts(&mut self, counts: &LadderStatistics) {
        self.counts.add(counts);
    }

    /// Counts a game.
    pub(crate) fn game(&mut self, game: &Game<'_>, ruled: &Ruled) {
        let adjudication = ruled.adjudication();
        self.games += 1;
        self.plies += game.record.plies() as u64;
        for (verdict, counter) in VERDICTS.iter().zip(&mut self.verdicts) {
            *counter += u64::from(*verdict == adjudication.verdict);
        }
        if let Basis::Ended(end, _) = adjudication.basis {
            self.played_on += u64::from(end.plies < game.record.plies());
        }
        self.undetermined += u64::from(ruled.is_undetermined());
        self.broken += u64::from(!game.faults.is_empty());
    }

    /// Adds what another part came to.
    pub(crate) fn add(&mut self, other: &GameTally) {
        self.games += other.games;
        self.plies += other.plies;
        for (counter, more) in self.verdicts.iter_mut().zip(other.verdicts) {
            *counter += more;
        }
        self.played_on += other.played_on;
        self.undetermined += other.undetermined;
        self.broken += other.broken;
        self.bad_files += other.bad_files;
        self.internal_errors += other.internal_errors;
        self.counts.add(&other.counts);
    }

    /// What it means for the exit status; whether a wrong result fails the run is asked for
    /// on the command line.
    pub(crate) fn status(&self, fail: bool) -> Status {
        let [_, wrong, ..] = self.verdicts;
        Status {
            check_failed: fail && wrong > 0,
            bad_input: self.broken + self.bad_files + self.internal_errors > 0,
            undetermined: self.undetermined > 0,
            ..Status::default()
        }
    }

    /// Some lines about everything, after `elapsed` by the clock on the wall.
    pub(crate) fn summary(&self, elapsed: Duration) -> String {
        let [stands, wrong, unscored, unjudged, _] = self.verdicts;
        let internal_errors = match self.internal_errors {
            0 => String::new(),
            errors => format!("  {}\n", count(errors, "internal error")),
        };
        format!(
            "{}, {} in {}\n  results: {stands} stand, {wrong} wrong, {unscored} missing, \
             {unjudged} not for the Laws to judge, {} undetermined\n  {} went on after the \
             end, {} with faults\n{internal_errors}{}",
            count(self.games, "game"),
            count(self.plies, "move"),
            time(elapsed),
            self.undetermined,
            count(self.played_on, "game"),
            count(self.broken, "game"),
            counts::table(&self.counts),
        )
    }
}
