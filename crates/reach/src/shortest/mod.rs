//! Shortest helpmates, and the proof that none is shorter.
//!
//! Iterative deepening: is there a mate in exactly *n* plies, for each *n* from a lower bound
//! on, two by two, as the mating side makes the last move? A search for *n* tries every legal
//! move, but goes on only where a mate still fits into the plies that are left (`bound`) and
//! where nothing is known to lead nowhere in as many (`refuted`). The first *n* that has a mate
//! is the least. When a capture or promotion leads into a class of men that a table knows, the
//! table's distance ends the search there, exactly.
//!
//! Nothing here argues by hashes or likely moves: each *n* that is passed over was ruled out for
//! every series of legal moves.
//!
//! White mates; callers mirror the board.
//!
//! | file | its thought |
//! |---|---|
//! | `covers` | how many moves a man needs on an empty board |
//! | `bound`, `lone` | whether a mate still fits |
//! | `refuted` | what leads nowhere in time |

mod bound;
mod covers;
mod lone;
mod refuted;

use rustc_hash::FxHashMap;
use stillmate_core::{Color, Key, Move, Position, insufficient_material};

use self::{bound::Bound, refuted::Refuted};
use crate::{
    budget::Meter,
    retro::{Distance, Tables},
    verdict::StopReason,
};

/// No search goes deeper, so that the stack of a thread is deep enough.
const DEEPEST: u16 = 500;

/// What a search for the shortest mate has come to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// No mate comes in fewer plies.
    pub(crate) at_least: u16,
    /// A line of exactly so many plies.
    pub(crate) line: Option<Vec<Move>>,
    /// What ended the search before it was done.
    pub(crate) stopped: Option<StopReason>,
}

/// Searches for a mate by White in fewer than `below` plies, the shortest first.
///
/// If it comes to its end without a line, there is none, and `at_least` is `below`, or what the
/// search is limited to.
pub(crate) fn search(
    position: &Position,
    below: Option<u16>,
    tables: &Tables,
    meter: &Meter,
) -> Outcome {
    let mut search = Search::new(tables, meter);
    let below = below.unwrap_or(DEEPEST).min(DEEPEST);
    let first = position.turn().fold_wb(1, 0);
    let mut outcome = Outcome {
        at_least: first,
        line: None,
        stopped: None,
    };
    if first == 0 && position.is_checkmate() {
        outcome.line = Some(Vec::new());
        return outcome;
    }
    match search.known(position) {
        Some(Distance::Never) => outcome.at_least = below,
        Some(Distance::Plies(plies)) => {
            outcome.at_least = plies.min(below);
            outcome.line = tables.line(position, Color::White);
        }
        None => {
            while outcome.at_least < below {
                match search.mates_from_root(position, outcome.at_least) {
                    Ok(true) => {
                        search.line.reverse();
                        outcome.line = Some(search.line);
                        break;
                    }
                    Ok(false) => outcome.at_least += 2,
                    Err(stopped) => {
                        outcome.stopped = Some(stopped);
                        break;
                    }
                }
            }
        }
    }
    outcome
}

/// How many different series of `plies` legal moves end with a mate by White, given that none
/// is shorter. `None` if there are more than can be counted, 2^128.
pub(crate) fn count(
    position: &Position,
    plies: u16,
    tables: &Tables,
    meter: &Meter,
) -> Result<Option<u128>, StopReason> {
    if plies == 0 {
        return Ok(Some(u128::from(position.is_checkmate())));
    }
    let mut search = Search::new(tables, meter);
    let known = search.known(position);
    let lines = search.lines(position, plies, known.is_some())?;
    Ok((lines < u128::MAX).then_some(lines))
}

struct Search<'a> {
    tables: &'a Tables,
    meter: &'a Meter,
    bound: Bound,
    refuted: Refuted,
    /// The line found, its last move first.
    line: Vec<Move>,
    /// Lines from positions that have some, by the plies that are left: the same position met
    /// again after a lost tempo has others, or none.
    counted: FxHashMap<(Key, u16), u128>,
}

/// What is to be thought of a position before anything is tried in it.
enum Outlook {
    /// A mate in so many plies is ruled out.
    TooFar,
    /// There is one, says a table.
    Certain,
    Open,
}

impl<'a> Search<'a> {
    fn new(tables: &'a Tables, meter: &'a Meter) -> Search<'a> {
        Search {
            tables,
            meter,
            bound: Bound::new(),
            refuted: Refuted::new(),
            line: Vec::new(),
            counted: FxHashMap::default(),
        }
    }

    fn known(&self, position: &Position) -> Option<Distance> {
        self.tables.probe(position, Color::White)
    }

    /// Whether a mate in exactly `plies` can come from `position`; `fresh` if a table may know
    /// it although none knew the position before.
    fn outlook(&mut self, position: &Position, plies: u16, fresh: bool) -> Outlook {
        if fresh {
            if insufficient_material(position, Color::White).is_some() {
                return Outlook::TooFar;
            }
            match self.known(position) {
                Some(Distance::Plies(distance)) if distance == plies => return Outlook::Certain,
                Some(_) => return Outlook::TooFar,
                None => {}
            }
        }
        if self.bound.fits(position, plies) {
            Outlook::Open
        } else {
            Outlook::TooFar
        }
    }

    fn mates_from_root(&mut self, position: &Position, plies: u16) -> Result<bool, StopReason> {
        if plies == 0 || !self.bound.fits(position, plies) {
            return Ok(false);
        }
        self.mates(position, plies)
    }

    /// Whether there is a mate after exactly `plies`, at least one; puts it into `line`.
    fn mates(&mut self, position: &Position, plies: u16) -> Result<bool, StopReason> {
        self.meter.spend(1)?;
        let moves = position.legal_moves();
        if plies == 1 {
            let mate = moves.iter().find(|&&m| gives_mate(&position.after(m)));
            self.line.extend(mate);
            return Ok(mate.is_some());
        }
        let key = Key::new(position);
        if self.refuted.knows(&key, plies) {
            return Ok(false);
        }
        for &m in &moves {
            let next = position.after(m);
            let found = match self.outlook(&next, plies - 1, m.is_zeroing()) {
                Outlook::TooFar => false,
                Outlook::Certain => match self.tables.line(&next, Color::White) {
                    Some(rest) => {
                        self.line.extend(rest.into_iter().rev());
                        true
                    }
                    None => false,
                },
                Outlook::Open => self.mates(&next, plies - 1)?,
            };
            if found {
                self.line.push(m);
                return Ok(true);
            }
        }
        self.refuted.add(key, plies);
        Ok(false)
    }

    /// How many series of exactly `plies` moves, at least one, end with mate, if none is
    /// shorter; `u128::MAX` if so many or more. `in_table`: a table knows the position.
    fn lines(
        &mut self,
        position: &Position,
        plies: u16,
        in_table: bool,
    ) -> Result<u128, StopReason> {
        self.meter.spend(1)?;
        let moves = position.legal_moves();
        if plies == 1 {
            let mates = moves.iter().filter(|&&m| gives_mate(&position.after(m)));
            return Ok(mates.count() as u128);
        }
        let key = Key::new(position);
        if self.refuted.knows(&key, plies) {
            return Ok(0);
        }
        if let Some(&lines) = self.counted.get(&(key, plies)) {
            return Ok(lines);
        }
        let mut lines = 0_u128;
        for &m in &moves {
            let next = position.after(m);
            let more = match self.outlook(&next, plies - 1, in_table || m.is_zeroing()) {
                Outlook::TooFar => 0,
                Outlook::Certain => self.lines(&next, plies - 1, true)?,
                Outlook::Open => self.lines(&next, plies - 1, false)?,
            };
            lines = lines.saturating_add(more);
        }
        if lines == 0 {
            self.refuted.add(key, plies);
        } else {
            self.counted.insert((key, plies), lines);
        }
        Ok(lines)
    }
}

/// Whether Black, to move, is mated.
fn gives_mate(position: &Position) -> bool {
    position.checkers().any() && !position.has_legal_move()
}
