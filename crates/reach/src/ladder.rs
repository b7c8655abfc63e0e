//! The order of attempts and their budgets. Nothing else decides what runs when.
//!
//! | rung | says | when | budget |
//! |---|---|---|---|
//! | terminal | both | no legal move | - |
//! | material | never | the men don't suffice | - |
//! | forced | both | few moves, or few white men | 4 plies, 120 positions |
//! | rollouts | can | always | 14 x 72 positions |
//! | forced | both | the rollouts failed | 7 plies, 400 positions |
//! | relaxation | never | the rollouts failed | - |
//! | best-first | can | the relaxation failed | 5 x 2,000 expansions |
//! | closure | both | always | a tenth of the nodes |
//! | best-first | can | the closure was too large | 5 x 50,000 expansions |
//! | closure | both | last | all that is left |
//!
//! White is the intended winner; the analyzer mirrors the board.

use stillmate_core::{Color, Move, Position, Square, insufficient_material};
use stillmate_proof::Step;

use crate::{
    Budget, Method, classes,
    closure::{self, Closed},
    forced::{self, Horizon, Outlook},
    meter::{Meter, Stopped},
    relax,
    search::{
        best_first::{self, Ended},
        patterns, rollout, tidy,
    },
};

/// How many classes the proof by classes may visit.
const MOST_CLASSES: usize = 3000;

/// What the ladder has settled, White being the intended winner.
#[derive(Debug)]
pub(crate) enum Settled {
    /// A line that mates.
    Can(Vec<Move>),
    /// The steps of a proof.
    Never(Vec<Step>),
}

/// Climbs until something settles the question.
pub(crate) fn climb(
    position: &Position,
    quick: bool,
    meter: &Meter<'_>,
) -> Result<(Method, Settled), Stopped> {
    let never = |method, step| Ok((method, Settled::Never(vec![step])));
    let can = |method, line: Vec<Move>| Ok((method, Settled::Can(tidy::tidy(position, &line))));
    if !position.has_legal_move() {
        let mated = position.turn() == Color::Black && position.checkers().any();
        return if mated {
            Ok((Method::Terminal, Settled::Can(Vec::new())))
        } else {
            never(Method::Terminal, Step::Terminal)
        };
    }
    if let Some(rule) = insufficient_material(position, Color::White) {
        return never(Method::Material, Step::Material(rule));
    }
    let look = |horizon| -> Result<Option<(Method, Settled)>, Stopped> {
        Ok(match forced::look(position, horizon, meter)? {
            Outlook::Never(steps) => Some((Method::Forced, Settled::Never(steps))),
            Outlook::Mate(line) => Some((Method::Forced, Settled::Can(line))),
            Outlook::Open => None,
        })
    };
    let smells = position.of(Color::White).count() <= 2 || position.checkers().any();
    if (smells || quick)
        && let Some(settled) = look(Horizon {
            plies: 4,
            nodes: 120,
        })?
    {
        return Ok(settled);
    }
    let lone_minor = patterns::lone_minor(position).is_some();
    if !quick
        && !lone_minor
        && let Some(line) = rollout::rollouts(position, meter)?
    {
        return can(Method::Rollout, line);
    }
    if let Some(settled) = look(Horizon {
        plies: 7,
        nodes: 400,
    })? {
        return Ok(settled);
    }
    if let Some(invariant) = relax::prove(position) {
        return never(Method::Invariant, Step::Invariant(invariant));
    }
    if quick {
        return Err(Stopped(Budget::Quick));
    }
    if let Some(proof) = classes::prove(position, MOST_CLASSES) {
        return Ok((Method::Classes, Settled::Never(proof.steps(0))));
    }
    if let Some(settled) = best_first(position, 2_000, meter)? {
        return Ok(settled);
    }
    let tenth = Meter::part_of(meter, meter.left() / 10);
    let mut closed = closure::enumerate(position, &tenth);
    meter.spend(tenth.nodes())?;
    if matches!(closed, Err(Stopped(Budget::Nodes))) {
        if let Some(settled) = best_first(position, 50_000, meter)? {
            return Ok(settled);
        }
        closed = closure::enumerate(position, meter);
    }
    match closed? {
        Closed::Mate(line) => Ok((Method::Closure, Settled::Can(line))),
        Closed::Never(positions) => never(
            Method::Closure,
            Step::Closed {
                positions,
                exits: Vec::new(),
            },
        ),
    }
}

fn best_first(
    position: &Position,
    limit: usize,
    meter: &Meter<'_>,
) -> Result<Option<(Method, Settled)>, Stopped> {
    let corners = [
        None,
        Some(Square::A8),
        Some(Square::H8),
        Some(Square::H1),
        Some(Square::A1),
    ];
    for corner in corners {
        match best_first::search(position, corner, limit, meter)? {
            Ended::Mate(line) => {
                return Ok(Some((
                    Method::BestFirst,
                    Settled::Can(tidy::tidy(position, &line)),
                )));
            }
            Ended::Never(steps) => return Ok(Some((Method::BestFirst, Settled::Never(steps)))),
            Ended::Limit => {}
        }
    }
    Ok(None)
}
