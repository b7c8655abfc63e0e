//! What a batch came to.

use std::{collections::BTreeMap, fmt, time::Duration};

use stillmate_core::{Color, color_name as name, text::Note};
use stillmate_reach::{Case, LadderStatistics};

use crate::{
    answer::Answer,
    exit::Status,
    expect::Comparison,
    render::{
        counts,
        words::{count, time},
    },
};

/// Counts over the lines of a batch; parts of it can be added up in any order.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    positions: u64,
    dead: u64,
    /// Unwinnable for White, for Black.
    unwinnable: [u64; 2],
    undetermined: u64,
    bad: u64,
    internal_errors: u64,
    impossible: u64,
    queries: u64,
    spent: Duration,
    slowest: Option<Slowest>,
    methods: BTreeMap<&'static str, u64>,
    cases: BTreeMap<Case, u64>,
    /// What the rungs of the engine did, where that is counted.
    counts: LadderStatistics,
    expected: Expected,
}

/// The query that took longest.
#[derive(Debug)]
struct Slowest {
    time: Duration,
    place: String,
    color: Color,
}

#[derive(Debug, Default)]
struct Expected {
    met: u64,
    contradicted: u64,
    open: u64,
    unlabelled: u64,
}

impl Tally {
    /// Counts a line or file that can't be read.
    pub(crate) fn bad(&mut self) {
        self.bad += 1;
    }

    /// Counts a line over which the program itself failed.
    pub(crate) fn internal_error(&mut self) {
        self.internal_errors += 1;
    }

    /// Counts an answer; `place` is where its line stands.
    pub(crate) fn answer(&mut self, answer: &Answer, place: impl Fn() -> String) {
        self.positions += 1;
        self.dead += u64::from(answer.dead() == Some(true));
        self.undetermined += u64::from(answer.undetermined());
        let impossible = |note: &Note| note.is_impossible();
        self.impossible += u64::from(answer.record.notes().iter().any(impossible));
        if let Some(case) = answer.case {
            *self.cases.entry(case).or_default() += 1;
        }
        for (color, finding) in answer.findings() {
            if answer.can_mate(color) == Some(false) {
                self.unwinnable[color.fold_wb(0, 1)] += 1;
            }
            self.queries += 1;
            self.spent += finding.elapsed;
            *self.methods.entry(finding.method.name()).or_default() += 1;
            let slowest = self.slowest.as_ref();
            if slowest.is_none_or(|slowest| slowest.time < finding.elapsed) {
                self.slowest = Some(Slowest {
                    time: finding.elapsed,
                    place: place(),
                    color,
                });
            }
        }
    }

    /// Counts what the rungs of the engine did.
    pub(crate) fn counts(&mut self, counts: &LadderStatistics) {
        self.counts.add(counts);
    }

    /// Counts how an answer compares with its label.
    pub(crate) fn comparison(&mut self, comparison: &Comparison) {
        let counter = match comparison {
            Comparison::Unlabelled => &mut self.expected.unlabelled,
            Comparison::Met => &mut self.expected.met,
            Comparison::Open(_) => &mut self.expected.open,
            Comparison::Contradicted(_) => &mut self.expected.contradicted,
        };
        *counter += 1;
    }

    /// Adds what another part came to.
    pub(crate) fn add(&mut self, other: Tally) {
        self.positions += other.positions;
        self.dead += other.dead;
        self.unwinnable[0] += other.unwinnable[0];
        self.unwinnable[1] += other.unwinnable[1];
        self.undetermined += other.undetermined;
        self.bad += other.bad;
        self.internal_errors += other.internal_errors;
        self.impossible += other.impossible;
        self.queries += other.queries;
        self.spent += other.spent;
        let time = |slowest: &Option<Slowest>| slowest.as_ref().map(|slowest| slowest.time);
        if time(&self.slowest) < time(&other.slowest) {
            self.slowest = other.slowest;
        }
        for (method, count) in other.methods {
            *self.methods.entry(method).or_default() += count;
        }
        for (case, count) in other.cases {
            *self.cases.entry(case).or_default() += count;
        }
        self.counts.add(&other.counts);
        self.expected.met += other.expected.met;
        self.expected.contradicted += other.expected.contradicted;
        self.expected.open += other.expected.open;
        self.expected.unlabelled += other.expected.unlabelled;
    }

    /// What it means for the exit status.
    pub(crate) fn status(&self) -> Status {
        Status {
            check_failed: self.expected.contradicted > 0,
            bad_input: self.bad + self.internal_errors > 0,
            undetermined: self.undetermined > 0 || self.expected.open > 0,
            ..Status::default()
        }
    }

    /// One line on the expectations.
    pub(crate) fn expectations(&self) -> String {
        let Expected {
            met,
            contradicted,
            open,
            unlabelled,
        } = self.expected;
        format!(
            "{}: {met} as expected, {contradicted} contradicted, {open} undetermined, \
             {unlabelled} without label",
            count(self.positions, "position")
        )
    }

    /// The summary, after `elapsed` by the clock on the wall.
    pub(crate) fn summary(&self, elapsed: Duration) -> impl fmt::Display {
        Summary {
            tally: self,
            elapsed,
        }
    }
}

struct Summary<'a> {
    tally: &'a Tally,
    elapsed: Duration,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = self.tally;
        let positions = count(tally.positions, "position");
        writeln!(f, "{positions} in {}", time(self.elapsed))?;
        let [white, black] = tally.unwinnable;
        writeln!(
            f,
            "  {} dead, {white} unwinnable for White, {black} unwinnable for Black, \
             {} undetermined, {}",
            tally.dead,
            tally.undetermined,
            count(tally.bad, "bad line")
        )?;
        if tally.internal_errors > 0 {
            writeln!(f, "  {}", count(tally.internal_errors, "internal error"))?;
        }
        if tally.impossible > 0 {
            let positions = count(tally.impossible, "position");
            writeln!(f, "  {positions} cannot arise in a game")?;
        }
        if tally.queries > 0 {
            let mean = tally.spent.as_secs_f64() / tally.queries as f64;
            let mean = time(Duration::from_secs_f64(mean));
            write!(f, "  {mean} per query")?;
            if let Some(slowest) = &tally.slowest {
                let Slowest {
                    time: most,
                    place,
                    color,
                } = slowest;
                write!(f, ", at most {} ({place}, {})", time(*most), name(*color))?;
            }
            writeln!(f)?;
        }
        let mut methods: Vec<_> = tally.methods.iter().collect();
        methods.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        list(f, "methods", methods)?;
        list(
            f,
            "cases",
            tally
                .cases
                .iter()
                .map(|(case, count)| (case.number(), count)),
        )?;
        f.write_str(&counts::table(&tally.counts))
    }
}

fn list<K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    counts: impl IntoIterator<Item = (K, impl fmt::Display)>,
) -> fmt::Result {
    let counts = counts
        .into_iter()
        .map(|(key, count)| format!("{key} {count}"));
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {name}: {}", counts.join(", "))
}
