//! A line's position with its verdicts, and what follows from them.

use std::time::Instant;

use stillmate_arbiter::{Article, FlagFall, Mates, PositionLaws, Rules, is_settled};
use stillmate_core::{Color, text::Record};
use stillmate_proof::Certificate;
use stillmate_reach::{Analyzer, Case, Finding, Shortest, StopReason, Verdict};

use crate::args::Colours;

/// A position with the verdict for each colour asked about.
pub(crate) struct Answer {
    pub(crate) record: Record,
    white: Option<Mates>,
    black: Option<Mates>,
    /// What is known of the shortest mates by White and by Black, where it was asked.
    least: [Option<Least>; 2],
    /// Whose Laws decide what a fallen flag means.
    rules: Rules,
    /// The row of the case table, where it is decided.
    pub(crate) case: Option<Case>,
}

/// What is proved of the shortest mate by a colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    /// No mate comes in fewer plies.
    pub(crate) at_least: u32,
    /// Whether the line of the answer has just so many.
    pub(crate) proved: bool,
    /// How many lines have, if that was asked and is known.
    pub(crate) lines: Option<u128>,
    /// What ended the search, or the count, too early.
    pub(crate) stopped: Option<StopReason>,
}

/// What is wanted of shortest helpmates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Whether they are to be counted.
    pub(crate) count: bool,
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// The colours asked about.
    pub(crate) winner: Colours,
    /// Whether the seventy-five-move rule counts.
    pub(crate) seventy_five: bool,
    /// Whose Laws decide what a fallen flag means.
    pub(crate) rules: Rules,
    /// Whether the helpmates are to be shortest.
    pub(crate) shortest: Option<Wanted>,
    /// Whether both colours may be worked on at the same time.
    pub(crate) at_once: bool,
}

impl Least {
    fn of(shortest: &Shortest) -> Least {
        Least {
            at_least: shortest.at_least,
            proved: shortest.is_proved(),
            lines: shortest.lines,
            stopped: shortest.stopped,
        }
    }

    /// Whether something of it stayed undecided.
    pub(crate) const fn is_open(&self) -> bool {
        !self.proved || self.stopped.is_some()
    }
}

impl Answer {
    /// Asks whether the colours asked about can mate in the position of `record`. Everything
    /// shares the time of the analyzer's budget; the verdicts come first.
    pub(crate) fn find(analyzer: &Analyzer, record: Record, question: &Question) -> Answer {
        let started = Instant::now();
        let (position, clock) = (record.position(), record.half_move());
        // Time can only be shared by questions that follow each other.
        let at_once = question.at_once && analyzer.budget().time.is_none();
        let share = |color: Color, open: [bool; 2]| {
            let [white, black] = parts(open);
            let parts = color.fold_wb(white, black);
            analyzer.budget().share(started.elapsed(), parts)
        };
        let asked = Color::ALL.map(|color| question.winner.contains(color));
        let findings = each(
            at_once,
            asked.map(|asked| asked.then_some(())),
            |color, ()| analyzer.decide_with(position, color, &share(color, asked)),
        );
        let case = match &findings {
            [Some(white), Some(black)] => {
                Case::of(position, white.verdict.can_mate(), black.verdict.can_mate())
            }
            _ => None,
        };
        let (mut findings, mut least) = (findings, [None; 2]);
        if let Some(wanted) = question.shortest {
            let possible = |finding: &Finding| !matches!(finding.verdict, Verdict::Unwinnable(_));
            let open = which(&findings, possible);
            let shortened = each(at_once, findings, |color, finding| {
                if !possible(&finding) {
                    return (finding, None);
                }
                let budget = share(color, open);
                let shortest = analyzer.shortest(position, color, finding, &budget, wanted.count);
                let least = Least::of(&shortest);
                (shortest.finding, Some(least))
            });
            least = shortened.each_ref().map(|answer| answer.as_ref()?.1);
            findings = shortened.map(|answer| answer.map(|(finding, _)| finding));
        }
        let open = which(&findings, |finding| !is_settled(&finding.verdict, clock));
        let [white, black] = each(at_once, findings, |color, finding| {
            if !question.seventy_five {
                return Mates::by_any_moves(finding);
            }
            let budget = share(color, open);
            Mates::in_time(finding, analyzer, position, clock, color, &budget)
        });
        let mut answer = Answer {
            record,
            white,
            black,
            least,
            rules: question.rules,
            case,
        };
        let is_plain = !question.seventy_five && question.shortest.is_none();
        if question.winner != Colours::Both || !is_plain {
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
        self.laws().too_late(color)
    }

    /// What the Laws say of the position.
    fn laws(&self) -> PositionLaws<'_> {
        PositionLaws {
            position: self.record.position(),
            white: self.white.as_ref(),
            black: self.black.as_ref(),
            rules: self.rules,
        }
    }

    /// The article that applies to the position, if one is known to.
    pub(crate) fn article(&self) -> Option<Article> {
        self.laws().article()
    }

    /// What becomes of the game if `flag`'s flag falls.
    pub(crate) fn fall(&self, flag: Color) -> FlagFall {
        self.laws().fall(flag)
    }

    /// What is proved of the shortest mate by `color`, if that was asked and there may be one.
    pub(crate) const fn least(&self, color: Color) -> Option<&Least> {
        match color {
            Color::White => self.least[0].as_ref(),
            Color::Black => self.least[1].as_ref(),
        }
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
    pub(crate) fn certificates(&self) -> impl Iterator<Item = &Certificate> {
        self.findings()
            .filter_map(|(_, finding)| match &finding.verdict {
                Verdict::Unwinnable(certificate) => Some(certificate),
                _ => None,
            })
    }

    /// Whether `color` can mate, as far as that is known.
    pub(crate) fn can_mate(&self, color: Color) -> Option<bool> {
        self.laws().can_mate(color)
    }

    /// Whether neither colour can mate, as far as that is known.
    pub(crate) fn dead(&self) -> Option<bool> {
        self.laws().dead()
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
            || self.least.iter().flatten().any(Least::is_open)
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

/// Does `work` for White and for Black, where there is something to do; at the same time, if the
/// threads of the current pool allow it, or one after the other.
fn each<T: Send, R: Send>(
    at_once: bool,
    [white, black]: [Option<T>; 2],
    work: impl Fn(Color, T) -> R + Sync,
) -> [Option<R>; 2] {
    let white = || white.map(|part| work(Color::White, part));
    let black = || black.map(|part| work(Color::Black, part));
    if at_once {
        rayon::join(white, black).into()
    } else {
        [white(), black()]
    }
}

/// For which colours a finding is `open`.
fn which(findings: &[Option<Finding>; 2], open: impl Fn(&Finding) -> bool) -> [bool; 2] {
    findings
        .each_ref()
        .map(|finding| finding.as_ref().is_some_and(&open))
}

/// Into how many parts the time that is left is divided when White's and when Black's turn comes,
/// of which it gets one: the last that has something to search for gets all of it.
const fn parts(open: [bool; 2]) -> [u32; 2] {
    let [white, black] = open;
    [if white && black { 2 } else { 1 }, 1]
}

/// `time` in whole microseconds.
pub(crate) fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_that_is_asked_alone_gets_the_whole_time() {
        assert_eq!(parts([true, false])[0], 1);
        assert_eq!(parts([false, true])[1], 1);
        assert_eq!(parts([true, true]), [2, 1]);
    }
}
