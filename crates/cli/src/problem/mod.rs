//! `stillmate check` as a solver of helpmate problems: all solutions, set play, twins.
//!
//! | module | its thought |
//! |---|---|
//! | `args` | the options |
//! | `stipulation` | h#3 and h#2.5 |
//! | `setup` | a diagram and the changes that make twins |
//! | `popeye` | files written for Popeye |
//! | `notation` | moves as problemists write them |
//! | `render` | solutions as text and JSON |

mod args;
mod notation;
mod popeye;
mod render;
mod setup;
mod stipulation;

use std::{
    fmt,
    io::{self, Read, Write},
    time::{Duration, Instant},
};

use anyhow::bail;
use stillmate_core::{Color, Position, text::Record};
use stillmate_reach::{Analyzer, Budget, Helpmates, Length};

pub(crate) use self::args::ProblemArgs;
use self::{
    args::{Input, Twin},
    notation::Style,
    setup::Diagram,
    stipulation::Stipulation,
};
use crate::{
    args::{CheckArgs, Colours},
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Line, Lines, Source},
    report,
};

/// A position to be solved, and why.
struct Task {
    heading: Heading,
    position: Position,
    winner: Color,
    length: Length,
}

/// What a task is within its problem.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Heading {
    /// The diagram as it is.
    Diagram,
    /// A twin, by its letter, and its changes in words.
    Twin(char, String),
    SetPlay,
    /// The colours exchange their parts.
    Duplex,
}

/// A task and what came of it.
struct Solved {
    task: Task,
    found: Helpmates,
    /// How many helpmates there are of lesser lengths, where there are any.
    shorter: Vec<(Stipulation, u128)>,
}

/// A problem as it is asked for.
struct Problem {
    title: Option<String>,
    /// Its FEN, as it was given.
    diagram: Diagram,
    winners: Vec<Color>,
    /// `None` for the shortest.
    stipulation: Option<Stipulation>,
    set_play: bool,
    as_it_is: bool,
    exchanged: bool,
    turn: Color,
    most: usize,
    twins: Vec<Twin>,
    twins_only: bool,
}

/// Solves all problems asked for and prints their solutions.
pub(crate) fn run(args: &CheckArgs, words: Vec<Option<String>>) -> anyhow::Result<Status> {
    if args.proof.is_some() || args.common.flag.is_some() {
        bail!("--proof and --flag are for verdicts, not for helpmate problems");
    }
    if args.common.quick || args.common.seventy_five {
        bail!("--quick and --75 are for verdicts, not for helpmate problems");
    }
    let general = &args.common.general;
    let tables = helpmates::open(general)?;
    let mut solver = Solver {
        analyzer: Analyzer::new(args.common.budget()).with_tables(std::sync::Arc::clone(&tables)),
        args,
        style: Style {
            notation: args.problem.notation,
            letters: args.problem.letters,
        },
        out: anstream::AutoStream::new(io::stdout(), args.common.color.into()),
        printed: 0,
        status: Status::default(),
    };
    match args.problem.input {
        Input::Fen => solver.fens(words)?,
        Input::Popeye => solver.popeye_files()?,
    }
    solver.out.flush()?;
    solver.status.bad_input |= helpmates::report_faults(&tables);
    Ok(solver.status)
}

/// Where a problem comes from.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// Nothing for an argument.
    file: Option<&'a str>,
    /// The line, or the place among the arguments.
    line: u64,
    /// Its number in a file of problems.
    problem: Option<u64>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            Some(file) => write!(f, "{file}:{}", self.line)?,
            None => write!(f, "position {}", self.line)?,
        }
        match self.problem {
            Some(problem) => write!(f, ": problem {problem}"),
            None => Ok(()),
        }
    }
}

struct Solver<'a> {
    analyzer: Analyzer,
    args: &'a CheckArgs,
    style: Style,
    out: anstream::AutoStream<io::Stdout>,
    printed: u64,
    status: Status,
}

impl Solver<'_> {
    /// Positions of the command line, and of standard input where there is `None`.
    fn fens(&mut self, words: Vec<Option<String>>) -> anyhow::Result<()> {
        let mut number = 0;
        for word in words {
            if let Some(text) = word {
                number += 1;
                let text = Ok(text);
                self.fen(None, Line { number, text })?;
                continue;
            }
            match Lines::open(&Source::Stdin, &std::sync::Arc::default()) {
                Ok(lines) => {
                    let file = Source::Stdin.to_string();
                    for line in lines.filter(|line| !line.is_silent()) {
                        self.fen(Some(&file), line)?;
                    }
                }
                Err(error) => {
                    self.status.bad_input = true;
                    report(&format!("{}: {error}", Source::Stdin));
                }
            }
        }
        Ok(())
    }

    fn fen(&mut self, file: Option<&str>, line: Line) -> anyhow::Result<()> {
        let leniency = self.args.common.general.leniency();
        let problem = line
            .text
            .and_then(|text| input::record(&text, leniency))
            .and_then(|record| self.problem_of(&record));
        let place = Place {
            file,
            line: line.number,
            problem: None,
        };
        self.solve(place, problem)
    }

    /// The problem that the options make of a position.
    fn problem_of(&self, record: &Record) -> Result<Problem, String> {
        let position = record.position();
        let asked = &self.args.problem;
        let winner = self.args.common.winner;
        let stipulation = asked.stipulation();
        let winners = match stipulation {
            None => winner.all().to_vec(),
            Some(stipulation) => {
                let turn = position.turn();
                let mates = if stipulation.plies % 2 == 1 {
                    turn
                } else {
                    !turn
                };
                if winner != Colours::Both && !winner.contains(mates) {
                    return Err(format!(
                        "a {stipulation} by {} begins with {}, and {} is to move here",
                        name(!mates),
                        name(!turn),
                        name(turn)
                    ));
                }
                vec![mates]
            }
        };
        Ok(Problem {
            title: record.value("id").map(String::from),
            diagram: Diagram::of(position),
            winners,
            stipulation,
            set_play: asked.set_play,
            as_it_is: true,
            exchanged: false,
            turn: position.turn(),
            most: asked.most,
            twins: asked.twin.clone(),
            twins_only: false,
        })
    }

    fn popeye_files(&mut self) -> anyhow::Result<()> {
        let asked = &self.args.problem;
        if asked.stipulation().is_some() || !asked.twin.is_empty() {
            bail!("a Popeye file has its own stipulation and twins");
        }
        let stdin = ["-".to_owned()];
        let files = if self.args.words.is_empty() {
            &stdin[..]
        } else {
            &self.args.words[..]
        };
        for file in files {
            let text = if file == "-" {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes).map(|_| bytes)
            } else {
                std::fs::read(file)
            };
            let name = if file == "-" { "standard input" } else { file };
            let text = match text {
                // Names in old files are often in Latin-1.
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) => {
                    self.status.bad_input = true;
                    report(&format!("{name}: {error}"));
                    continue;
                }
            };
            let problems = popeye::read(&text);
            if problems.is_empty() {
                self.status.bad_input = true;
                report(&format!("{name}: there is no problem in it"));
            }
            for problem in problems {
                let place = Place {
                    file: Some(name),
                    line: problem.line,
                    problem: Some(problem.number),
                };
                let problem = problem.content.map(|content| self.problem_of_file(content));
                self.solve(place, problem)?;
            }
        }
        Ok(())
    }

    fn problem_of_file(&self, content: popeye::Content) -> Problem {
        let most = content.most.unwrap_or(self.args.problem.most);
        Problem {
            title: content.title,
            winners: vec![Color::White],
            stipulation: Some(content.stipulation),
            set_play: content.set_play || self.args.problem.set_play,
            as_it_is: content.as_it_is,
            exchanged: content.exchanged,
            turn: content.stipulation.first(Color::White),
            most: most.min(self.args.problem.most),
            diagram: content.diagram,
            twins: content.twins,
            twins_only: content.twins_only,
        }
    }

    /// Solves a problem and prints what came of it; `place` says where it comes from.
    fn solve(&mut self, place: Place<'_>, problem: Result<Problem, String>) -> anyhow::Result<()> {
        let solved = problem.and_then(|problem| {
            let tasks = guarded(|| self.tasks(&problem)).and_then(|tasks| tasks)?;
            Ok((problem, tasks))
        });
        let (problem, solved) = match solved {
            Ok(solved) => solved,
            Err(error) => {
                self.status.bad_input = true;
                report(&format!("{place}: {error}"));
                if self.args.json {
                    let failed = render::failed(place, &error);
                    self.out.write_all(failed.as_bytes())?;
                }
                return Ok(());
            }
        };
        self.status.undetermined |= solved.iter().any(|solved| solved.found.stopped.is_some());
        let general = &self.args.common.general;
        let text = if self.args.json {
            render::json(place, &problem, &solved, self.style)
        } else {
            let gap = if self.printed > 0 && !general.quiet {
                "\n"
            } else {
                ""
            };
            let form = self.args.problem.all.unwrap_or(args::Form::Lines);
            let text = render::text(&problem, &solved, self.style, form, general.quiet);
            format!("{gap}{text}")
        };
        self.printed += 1;
        self.out.write_all(text.as_bytes())?;
        self.out.flush()?;
        Ok(())
    }

    /// Solves the diagram, its set play and its twins, within the time for a position.
    fn tasks(&self, problem: &Problem) -> Result<Vec<Solved>, String> {
        let begun = Instant::now();
        let mut solved = Vec::new();
        let mut diagrams = vec![(Heading::Diagram, problem.diagram.clone())];
        let (mut before, mut letter) = (problem.diagram.clone(), 'b');
        if problem.twins_only {
            diagrams.clear();
            letter = 'a';
        }
        for twin in &problem.twins {
            let mut diagram = if twin.continued {
                before
            } else {
                problem.diagram.clone()
            };
            for change in &twin.changes {
                let changed = diagram.change(*change);
                changed.map_err(|error| format!("twin {letter}, {}: {error}", twin.text))?;
            }
            before = diagram.clone();
            diagrams.push((Heading::Twin(letter, twin.text.clone()), diagram));
            letter = char::from_u32(letter as u32 + 1).unwrap_or(letter);
        }
        let mut asked = Vec::new();
        for (heading, diagram) in diagrams {
            for &winner in &problem.winners {
                if problem.as_it_is {
                    asked.push((heading.clone(), diagram.clone(), winner, problem.turn));
                }
                if problem.exchanged {
                    let turn = !problem.turn;
                    asked.push((Heading::Duplex, diagram.clone(), !winner, turn));
                }
            }
        }
        let parts = asked.len() as u32;
        for (index, (heading, diagram, winner, turn)) in asked.into_iter().enumerate() {
            let position = diagram.position(turn).map_err(|error| match &heading {
                Heading::Twin(letter, text) => format!("twin {letter}, {text}: {error}"),
                _ => error,
            })?;
            let length = match problem.stipulation {
                Some(stipulation) => Length::Exactly(stipulation.plies),
                None => Length::Shortest,
            };
            let time = self
                .args
                .common
                .general
                .time
                .map(|time| time.saturating_sub(begun.elapsed()) / (parts - index as u32));
            let task = Task {
                heading,
                position,
                winner,
                length,
            };
            let main = self.solve_one(task, problem.most, time);
            let plies = main.found.plies.or(match length {
                Length::Exactly(plies) => Some(plies.into()),
                Length::Shortest => None,
            });
            solved.push(main);
            let set_play = plies
                .filter(|_| problem.set_play)
                .and_then(|plies| u16::try_from(plies).ok())
                .and_then(|plies| Stipulation { plies }.set_play());
            // Without a move for the side that is in check there is no set play.
            let other = set_play.and_then(|play| Some((play, diagram.position(!turn).ok()?)));
            if let Some((play, position)) = other {
                let task = Task {
                    heading: Heading::SetPlay,
                    position,
                    winner,
                    length: Length::Exactly(play.plies),
                };
                let time = self.args.common.general.time;
                let time = time.map(|time| time.saturating_sub(begun.elapsed()));
                solved.push(self.solve_one(task, problem.most, time));
            }
        }
        Ok(solved)
    }

    fn solve_one(&self, task: Task, most: usize, time: Option<Duration>) -> Solved {
        let begun = Instant::now();
        let budget = || Budget {
            time: time.map(|time| time.saturating_sub(begun.elapsed())),
            ..self.analyzer.budget().clone()
        };
        let ask = |length, most| {
            let Task {
                position, winner, ..
            } = &task;
            self.analyzer
                .helpmates(position, *winner, length, most, &budget())
        };
        let mut shorter = Vec::new();
        let mut found = None;
        if let Length::Exactly(plies) = task.length
            && task.heading != Heading::SetPlay
        {
            let stipulation = Stipulation { plies };
            let first = u16::from(stipulation.first(task.winner) == task.winner);
            for plies in (first..plies).step_by(2) {
                let cooks = ask(Length::Exactly(plies), 0);
                if cooks.stopped.is_some() {
                    found = Some(cooks);
                    break;
                }
                if let Some(count) = cooks.count.filter(|&count| count > 0) {
                    shorter.push((Stipulation { plies }, count));
                }
            }
        }
        let mut found = match found {
            // What is left would not be known any better.
            Some(stopped) => Helpmates {
                plies: None,
                count: None,
                lines: Vec::new(),
                ..stopped
            },
            None => ask(task.length, most),
        };
        found.elapsed = begun.elapsed();
        Solved {
            task,
            found,
            shorter,
        }
    }
}

/// A colour's name.
const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
