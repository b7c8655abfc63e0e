//! A line's position with its verdicts, and what follows from them.

use stillmate_arbiter::Mates;
use stillmate_core::{Color, text::Record};
use stillmate_proof::Certificate;
use stillmate_reach::{Analyzer, Case, Finding, Limits, Report, Verdict};

use crate::args::Colours;

/// A position with the verdict for each colour asked about.
pub(crate) struct Answer {
    pub(crate) record: Record,
    white: Option<Mates>,
    black: Option<Mates>,
    /// The row of the case table, where it is decided.
    pub(crate) case: Option<Case>,
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// The colours asked about.
    pub(crate) winner: Colours,
    /// Whether the seventy-five-move rule counts, and what finding out may cost.
    pub(crate) seventy_five: Option<Limits>,
}

impl Answer {
    /// Asks whether the colours asked about can mate in the position of `record`.
    pub(crate) fn find(analyzer: &Analyzer, record: Record, question: &Question) -> Answer {
        let winner = question.winner;
        let position = record.position();
        let (white, black, case) = if winner == Colours::Both {
            let Report { white, black, case } = analyzer.report(position);
            (Some(white), Some(black), case)
        } else {
            let ask = |color| {
                let asked = winner.contains(color);
                asked.then(|| analyzer.decide(position, color))
            };
            (ask(Color::White), ask(Color::Black), None)
        };
        let clock = record.half_move();
        let mates = |finding: Finding, color| match &question.seventy_five {
            Some(limits) => Mates::in_time(finding, analyzer, position, clock, color, limits),
            None => Mates::by_any_moves(finding),
        };
        let white = white.map(|finding| mates(finding, Color::White));
        let black = black.map(|finding| mates(finding, Color::Black));
        let mut answer = Answer {
            record,
            white,
            black,
            case,
        };
        if winner != Colours::Both || question.seventy_five.is_some() {
            match answer.dead() {
                Some(true) if answer.case != Some(Case::Alive) => {}
                Some(false) => answer.case = Some(Case::Alive),
                _ => answer.case = None,
            }
        }
        answer
    }

    /// Whether `color` could mate if the seventy-five-move rule didn't end the game first.
    pub(crate) fn too_late(&self, color: Color) -> bool {
        self.mates(color).is_some_and(|mates| mates.too_late)
    }

    /// What was found out about `color`, if it was asked about.
    pub(crate) fn finding(&self, color: Color) -> Option<&Finding> {
        Some(&self.mates(color)?.finding)
    }

    fn mates(&self, color: Color) -> Option<&Mates> {
        color.fold_wb(self.white.as_ref(), self.black.as_ref())
    }

    /// The findings of the colours asked about, White first.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (Color, &Finding)> {
        Color::ALL
            .into_iter()
            .filter_map(|color| Some((color, self.finding(color)?)))
    }

    /// The certificates of all that can't be won, White's first.
    pub(crate) fn into_certificates(self) -> impl Iterator<Item = Certificate> {
        [self.white, self.black]
            .into_iter()
            .flatten()
            .filter_map(|mates| match mates.finding.verdict {
                Verdict::Unwinnable(certificate) => Some(certificate),
                _ => None,
            })
    }

    /// Whether `color` can mate, as far as that is known.
    pub(crate) fn can_mate(&self, color: Color) -> Option<bool> {
        self.mates(color)?.possible()
    }

    /// Whether neither colour can mate, as far as that is known.
    pub(crate) fn dead(&self) -> Option<bool> {
        match (self.can_mate(Color::White), self.can_mate(Color::Black)) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether a colour asked about can't mate.
    pub(crate) fn unwinnable(&self) -> bool {
        Color::ALL
            .into_iter()
            .any(|color| self.can_mate(color) == Some(false))
    }

    /// Whether something that was asked stayed undecided.
    pub(crate) fn undetermined(&self) -> bool {
        self.findings()
            .any(|(_, finding)| matches!(finding.verdict, Verdict::Undetermined(_)))
    }

    /// The label of two characters: who can mate.
    pub(crate) fn label(&self) -> String {
        Color::ALL
            .map(|color| match self.can_mate(color) {
                Some(true) => color.fold_wb('W', 'B'),
                Some(false) => '-',
                None => '?',
            })
            .iter()
            .collect()
    }

    /// Positions visited for all that was asked.
    pub(crate) fn nodes(&self) -> u64 {
        self.findings().map(|(_, finding)| finding.nodes).sum()
    }

    /// Time spent on all that was asked, in microseconds.
    pub(crate) fn micros(&self) -> u64 {
        let spent = self.findings().map(|(_, finding)| finding.elapsed).sum();
        micros(spent)
    }
}

/// `time` in whole microseconds.
pub(crate) fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
