//! The order of attempts and their budgets. Nothing else decides what runs when.
//!
//! [`LADDER`] is the table: rungs are tried from top to bottom, each where its condition holds,
//! until one settles the question. Cheap rungs come first, and what most positions need before
//! what few do. [`QUICK`] is the same for `--quick`.
//!
//! White is the intended winner; the analyzer mirrors the board.

use stillmate_core::{Color, Move, Position, Role, insufficient_material};
use stillmate_proof::Step;

use crate::{
    budget::Meter,
    can::{lazy, minors, rollout, shorten},
    exact::{
        enumerate, explore,
        proof_tree::{self, Horizon},
        rows,
    },
    features,
    never::{classes, relaxation, wall},
    settled::Settled,
    statistics::Counters,
    verdict::{Method, StopReason},
};

/// One attempt.
pub(crate) enum Rung {
    /// Says both: is the game over on the board?
    Terminal,
    /// Says never: the men don't suffice.
    Material,
    /// Says never: kings and pawns, and no pawn will ever move.
    Wall,
    /// Says both: follow every line to its end.
    Forced(Horizon),
    /// Says can: play a mate by minor pieces out.
    Minors,
    /// Says can: play plans out.
    Rollouts,
    /// Says can: go on from where a plan looks nearest to its mate, one way after the other.
    Lazy(&'static [lazy::Way]),
    /// Says never: no mate fits what can ever happen.
    Relaxation,
    /// Says never: the same, class by class of pawns and men. At most so many classes.
    Classes(usize),
    /// Says both: explore by several choices in turn, at most so many positions.
    Explore(usize),
    /// Says both: visit every position, sets of them at once. At most so many sets.
    Rows(usize),
    /// Says both: visit every position.
    Closure,
}

/// When a rung is worth trying.
enum When {
    Always,
    /// White has at most one man beside its king, or somebody is in check, or Black has to
    /// move a bare king.
    Tight,
    /// White has no rook or queen and no pawn with a free way.
    Stuck,
    /// The contrary of [`When::Stuck`].
    Free,
    /// No rook or queen of White's attacks more than two squares.
    Caged,
    /// One side has few moves, its king's not counted, or is in check.
    Narrow,
    /// One side has a piece at most and hardly any moves, its king's not counted, or is in check.
    Cramped,
    /// There are only kings and pawns, and no white pawn has a free way.
    Pawns,
    /// Somebody is in check.
    Check,
    /// Two pieces or more may come to many squares while the pawns stay.
    Roaming,
    /// The contrary of [`When::Roaming`].
    Pent,
    /// White has nothing but minor pieces.
    Minors,
    /// White has more.
    Ordinary,
}

/// The next two moves of each side, where they are few.
const NEAR: Horizon = Horizon {
    plies: 4,
    nodes: 120,
    classes: None,
};

/// All lines that end soon.
pub(crate) const FAR: Horizon = Horizon {
    plies: 7,
    nodes: 400,
    classes: None,
};

/// At most so many moves, each put to the static proofs, with so many classes.
const fn replies(nodes: usize, classes: usize) -> Horizon {
    Horizon {
        plies: 1,
        nodes,
        classes: Some(classes),
    }
}

/// Cheap rungs first, and what most positions need before what few do.
const LADDER: &[(Rung, When)] = &[
    (Rung::Terminal, When::Always),
    (Rung::Material, When::Always),
    (Rung::Wall, When::Always),
    (Rung::Forced(NEAR), When::Tight),
    (Rung::Relaxation, When::Stuck),
    (Rung::Forced(FAR), When::Cramped),
    (Rung::Minors, When::Minors),
    (Rung::Rollouts, When::Ordinary),
    (Rung::Forced(FAR), When::Always),
    (Rung::Relaxation, When::Free),
    (Rung::Classes(100), When::Pawns),
    (Rung::Forced(replies(12, 100)), When::Pawns),
    (Rung::Forced(replies(3, 20)), When::Check),
    (Rung::Rows(1_000), When::Stuck),
    (Rung::Lazy(&lazy::Way::round(200)), When::Always),
    (Rung::Explore(1_000), When::Always),
    (Rung::Rows(10_000), When::Always),
    (Rung::Classes(3_000), When::Always),
    // Sets serve where play has few ways to go on, single positions where pieces roam.
    (Rung::Rows(300_000), When::Pent),
    (Rung::Explore(100_000), When::Roaming),
    (Rung::Rows(100_000), When::Roaming),
    (Rung::Explore(3_000_000), When::Always),
    (Rung::Rows(usize::MAX), When::Always),
];

/// The rungs of `--quick`, which only ever says never, and soon.
const QUICK: &[(Rung, When)] = &[
    (Rung::Terminal, When::Always),
    (Rung::Material, When::Always),
    (Rung::Wall, When::Always),
    (Rung::Forced(NEAR), When::Tight),
    (Rung::Relaxation, When::Caged),
    (Rung::Forced(FAR), When::Narrow),
    (Rung::Classes(8), When::Pawns),
    (Rung::Forced(replies(20, 8)), When::Pawns),
    (Rung::Forced(replies(3, 0)), When::Check),
];

impl lazy::Way {
    const fn round(limit: u64) -> [lazy::Way; 3] {
        [
            lazy::Way {
                limit,
                depth_weight: 1,
            },
            lazy::Way {
                limit,
                depth_weight: 4,
            },
            lazy::Way {
                limit,
                depth_weight: -1,
            },
        ]
    }
}

/// Climbs until something settles the question.
pub(crate) fn climb(
    position: &Position,
    quick: bool,
    meter: &Meter,
    counters: Option<&Counters>,
) -> Result<(Method, Settled), StopReason> {
    let mut stopped = if quick {
        StopReason::Quick
    } else {
        StopReason::Nodes
    };
    for (at, (rung, when)) in rungs(quick).iter().enumerate() {
        if !when.holds(position) {
            continue;
        }
        let attempt = || rung.attempt(position, meter);
        match counters.map_or_else(attempt, |counters| counters.watch(quick, at, attempt)) {
            Ok(Some(settled)) => return Ok((rung.method(), settled)),
            Ok(None) => {}
            // A rung's own share of the nodes may be used up while there are more.
            Err(StopReason::Nodes) if meter.left() > 0 => stopped = StopReason::Nodes,
            // What one rung held is free again, and another may get by with less.
            Err(StopReason::Memory) => stopped = StopReason::Memory,
            Err(stopped) => return Err(stopped),
        }
    }
    Err(stopped)
}

/// The rungs with their conditions, in their order.
const fn rungs(quick: bool) -> &'static [(Rung, When)] {
    if quick { QUICK } else { LADDER }
}

/// The names of the rungs, in their order.
pub(crate) fn names(quick: bool) -> impl Iterator<Item = String> {
    let rungs = rungs(quick).iter();
    rungs.map(|(rung, when)| format!("{}{}", rung.name(), when.name()))
}

impl When {
    /// What a rung's name ends with.
    const fn name(&self) -> &'static str {
        match self {
            When::Always | When::Ordinary | When::Minors => "",
            When::Tight => ", tight",
            When::Stuck => ", stuck",
            When::Free => ", free",
            When::Caged => ", caged",
            When::Narrow => ", narrow",
            When::Cramped => ", cramped",
            When::Pawns => ", pawns",
            When::Check => ", check",
            When::Roaming => ", roaming",
            When::Pent => ", pent",
        }
    }

    fn holds(&self, position: &Position) -> bool {
        match self {
            When::Always => true,
            When::Tight => {
                position.of(Color::White).count() <= 2
                    || position.checkers().any()
                    || position.turn() == Color::Black && position.of(Color::Black).count() == 1
            }
            When::Free => !When::Stuck.holds(position),
            When::Stuck => {
                let heavy = position.with_role(Role::Queen) | position.with_role(Role::Rook);
                !position.of(Color::White).intersects(heavy) && !features::has_free_pawn(position)
            }
            When::Caged => features::is_caged(position, Color::White),
            When::Narrow => features::is_narrow(position),
            When::Cramped => features::is_cramped(position),
            When::Pawns => features::is_pawn_ending(position) && !features::has_free_pawn(position),
            When::Check => position.checkers().any(),
            When::Roaming => features::has_roaming_pieces(position),
            When::Pent => !features::has_roaming_pieces(position),
            When::Minors => minors::only_minors(position),
            When::Ordinary => !minors::only_minors(position),
        }
    }
}

impl Rung {
    const fn method(&self) -> Method {
        match self {
            Rung::Terminal => Method::Terminal,
            Rung::Material => Method::Material,
            Rung::Forced(_) => Method::Forced,
            Rung::Minors | Rung::Rollouts => Method::Rollout,
            Rung::Wall | Rung::Relaxation => Method::Invariant,
            Rung::Classes(_) => Method::Classes,
            Rung::Lazy(_) | Rung::Explore(_) => Method::BestFirst,
            Rung::Rows(_) | Rung::Closure => Method::Closure,
        }
    }

    /// The method with its budget.
    fn name(&self) -> String {
        let method = self.method().name();
        match self {
            Rung::Minors => "minors".to_owned(),
            Rung::Wall => "wall".to_owned(),
            Rung::Terminal | Rung::Material | Rung::Rollouts | Rung::Relaxation | Rung::Closure => {
                method.to_owned()
            }
            Rung::Forced(horizon) => {
                let proofs = if horizon.classes.is_some() { "+" } else { "" };
                format!("{method} {}{proofs}", horizon.plies)
            }
            Rung::Classes(most) => format!("{method} {most}"),
            Rung::Lazy(ways) => {
                let nodes: u64 = ways.iter().map(|way| way.limit).sum();
                format!("lazy {nodes}")
            }
            Rung::Explore(limit) => format!("explore {limit}"),
            Rung::Rows(usize::MAX) => "rows".to_owned(),
            Rung::Rows(limit) => format!("rows {limit}"),
        }
    }

    /// Tries to settle the question; `None` if it's open still.
    pub(crate) fn attempt(
        &self,
        position: &Position,
        meter: &Meter,
    ) -> Result<Option<Settled>, StopReason> {
        let can = |line: Vec<Move>| {
            let shortened = shorten::shorten(position, &line);
            debug_assert!(shortened.is_some(), "{line:?} in {position:?}");
            shortened.map(Settled::Can)
        };
        let settled = |steps: &dyn Fn() -> Vec<Step>| {
            let steps = if meter.keeps_evidence() {
                steps()
            } else {
                Vec::new()
            };
            Some(Settled::Never(steps))
        };
        let never = |step| Some(Settled::Never(vec![step]));
        let settle = |settled| match settled {
            Some(Settled::Can(line)) => can(line),
            other => other,
        };
        Ok(match *self {
            Rung::Terminal if position.has_legal_move() => None,
            Rung::Terminal => {
                let mated = position.turn() == Color::Black && position.checkers().any();
                if mated {
                    Some(Settled::Can(Vec::new()))
                } else {
                    never(Step::Terminal)
                }
            }
            Rung::Material => insufficient_material(position, Color::White)
                .and_then(|rule| never(Step::Material(rule))),
            Rung::Forced(horizon) => settle(proof_tree::expand(position, horizon, meter)?),
            Rung::Minors => minors::search(position, meter)?.and_then(can),
            Rung::Rollouts => rollout::rollouts(position, meter)?.and_then(can),
            Rung::Lazy(ways) => {
                for way in ways {
                    if let Some(line) = lazy::search(position, *way, meter)? {
                        return Ok(can(line));
                    }
                }
                None
            }
            Rung::Wall => wall::prove(position)
                .and_then(|wall| settled(&|| vec![Step::Invariant(wall.invariant(position))])),
            Rung::Relaxation => relaxation::prove(position)
                .and_then(|relaxation| settled(&|| vec![Step::Invariant(relaxation.invariant())])),
            Rung::Classes(most) => {
                classes::prove(position, most).and_then(|proof| settled(&|| proof.steps(0)))
            }
            Rung::Explore(limit) => settle(explore::explore(position, limit, meter)?),
            Rung::Rows(limit) => settle(rows::search(position, limit, meter)?),
            Rung::Closure => settle(Some(enumerate::enumerate(position, meter)?)),
        })
    }
}
