//! Going through the steps of a certificate.

use std::collections::{HashMap, HashSet};

use stillmate_core::{Color, Key, MaterialRule, Move, Position};

use crate::{
    certificate::{Certificate, Class, Invariant, Step},
    classes::Family,
    closed,
    exit::{Exit, Exits},
    invariant::{Frame, size},
    limits::{HASHED, Limits, Remaining},
    refusal::{Fault, Limit, Refusal, Stop},
    rules::{self, Node},
};

/// What it took to check a certificate that proves its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Accepted {
    /// Different pairs of a step and a position that were checked.
    pub claims: usize,
    /// Different invariants that were checked.
    pub invariants: usize,
    /// Classes that were checked, of all *classes* steps together.
    pub classes: usize,
    /// Positions explored by all *closed* steps together.
    pub positions: u64,
    /// Operations, as [`Limits::work`] counts them.
    pub work: u64,
}

/// Checks that `certificate` proves its claim: no series of legal moves from its position
/// ends with its colour giving checkmate.
///
/// Nothing in the certificate is trusted but the position and the claim, which are what is
/// proved. Takes no more than `limits` allow and never panics.
///
/// # Errors
///
/// [`Refusal::Rejected`] when the certificate proves nothing, [`Refusal::Unchecked`] when a
/// limit ended the check.
pub fn verify(certificate: &Certificate, limits: &Limits) -> Result<Accepted, Refusal> {
    if certificate.steps.len() > limits.steps {
        return Err(Stop::from(Limit::Steps).at(0));
    }
    let mut check = Check {
        steps: &certificate.steps,
        winner: certificate.claim,
        exits: HashMap::new(),
        met: HashSet::new(),
        open: Vec::new(),
        remaining: Remaining::new(limits),
        accepted: Accepted::default(),
    };
    let taken = check.remaining.take_memory(certificate.memory());
    taken.map_err(|limit| Stop::from(limit).at(0))?;
    check.references()?;
    // Every pair that is met is checked in its turn. References lead to later steps only, so
    // the pairs form a graph without cycles and each claim follows from those after it.
    check
        .meet(0, certificate.position)
        .map_err(|limit| Stop::from(limit).at(0))?;
    while let Some((number, position)) = check.open.pop() {
        check.pair(number, &position)?;
    }
    check.accepted.claims = check.met.len();
    for exit in check.exits.values() {
        match exit {
            Exit::Invariant(_) => check.accepted.invariants += 1,
            Exit::Classes(family) => check.accepted.classes += family.len(),
        }
    }
    check.accepted.work = limits.work - check.remaining.work();
    Ok(check.accepted)
}

/// What a pair of a step and a position takes while it is to be checked, in bytes.
const CLAIM: usize = 260;

/// What an invariant that has been proved takes, in bytes.
const FRAME: usize = 2 * size_of::<(usize, Exit)>();

/// What one of its opposed pairs takes besides, in bytes.
const PAIR: usize = 100;

struct Check<'c> {
    steps: &'c [Step],
    winner: Color,
    /// Invariants and classes whose obligations have been checked, but for those about a
    /// position, by step.
    exits: HashMap<usize, Exit<'c>>,
    /// Pairs of a step and a position that have been or will be checked, and the latter.
    met: HashSet<(usize, Key)>,
    open: Vec<(usize, Position)>,
    remaining: Remaining,
    accepted: Accepted,
}

impl<'c> Check<'c> {
    /// Checks that every step, whether it is looked at or not, refers to later ones only and
    /// names as exits only what may be one.
    fn references(&mut self) -> Result<(), Refusal> {
        let steps = self.steps;
        for (from, step) in steps.iter().enumerate() {
            let (moves, exits): (&[_], &[_]) = match step {
                Step::Terminal | Step::Material(_) | Step::Invariant(_) => (&[], &[]),
                Step::Moves(moves) => (moves, &[]),
                Step::Closed { exits, .. } | Step::Classes { exits, .. } => (&[], exits),
            };
            let work = self.remaining.spend_work(moves.len() + exits.len());
            work.map_err(|limit| Stop::from(limit).at(from))?;
            let is_later = |to: usize| from < to && to < steps.len();
            let mut named = moves.iter().map(|(_, to)| to).chain(exits);
            if let Some(&to) = named.find(|&&to| !is_later(to)) {
                return Err(Stop::from(Fault::Reference(to)).at(from));
            }
            let may_be_exit = |to: usize| match &steps[to] {
                Step::Invariant(_) => true,
                Step::Classes { .. } => matches!(step, Step::Closed { .. }),
                _ => false,
            };
            if let Some(&to) = exits.iter().find(|&&to| !may_be_exit(to)) {
                return Err(Stop::from(Fault::NoExit).at(to));
            }
        }
        Ok(())
    }

    /// Sees to it that the step is checked for `position`.
    fn meet(&mut self, number: usize, position: Position) -> Result<(), Limit> {
        if self.met.insert((number, Key::new(&position))) {
            self.remaining.spend_position()?;
            self.remaining.take_memory(CLAIM)?;
            self.open.push((number, position));
        }
        Ok(())
    }

    /// Checks that the step proves that no mate can follow from `position`, given the pairs
    /// that it adds to the open ones.
    fn pair(&mut self, number: usize, position: &Position) -> Result<(), Refusal> {
        let at = |stop: Stop| stop.at(number);
        match self.steps.get(number) {
            None => Err(at(Fault::Missing.into())),
            Some(Step::Terminal) => self.terminal(position).map_err(at),
            Some(Step::Material(rule)) => self.material(position, *rule).map_err(at),
            Some(Step::Moves(listed)) => self.moves(position, listed).map_err(at),
            Some(Step::Closed { positions, exits }) => {
                for &exit in exits {
                    self.remaining
                        .spend_work(HASHED)
                        .map_err(|limit| at(limit.into()))?;
                    self.prove(exit)?;
                }
                self.closed(position, *positions, exits).map_err(at)
            }
            Some(Step::Invariant(_) | Step::Classes { .. }) => {
                self.prove(number)?;
                self.begins(number, position).map_err(at)
            }
        }
    }

    fn terminal(&mut self, position: &Position) -> Result<(), Stop> {
        match self.node(position)?.moves.first() {
            None => Ok(()),
            Some(&play) => Err(Fault::NotTerminal {
                uci: Move::from_shakmaty(play).uci(),
            })?,
        }
    }

    fn material(&mut self, position: &Position, rule: MaterialRule) -> Result<(), Stop> {
        if rules::is_insufficient(&self.node(position)?.chess, self.winner, rule) {
            Ok(())
        } else {
            Err(Fault::Material(rule))?
        }
    }

    fn moves(&mut self, position: &Position, listed: &[(Move, usize)]) -> Result<(), Stop> {
        let node = self.node(position)?;
        let mut unlisted: Vec<_> = node.moves.iter().copied().collect();
        for &(m, next) in listed {
            self.remaining.spend_work(unlisted.len())?;
            let place = unlisted
                .iter()
                .position(|&play| Move::from_shakmaty(play) == m)
                .ok_or_else(|| Fault::Move { uci: m.uci() })?;
            let after = node.after(unlisted.swap_remove(place))?;
            self.meet(next, Position::from_chess(&after))?;
        }
        match unlisted.first() {
            None => Ok(()),
            Some(&play) => Err(Fault::MissingMove {
                uci: Move::from_shakmaty(play).uci(),
            })?,
        }
    }

    fn closed(&mut self, position: &Position, at_most: u64, exits: &[usize]) -> Result<(), Stop> {
        let exits = Exits::new(exits.iter().map(|exit| &self.exits[exit]).collect());
        let before = self.remaining.memory();
        let explored = closed::explore(position, self.winner, at_most, exits, &mut self.remaining)?;
        self.remaining.give_memory(before - self.remaining.memory());
        self.accepted.positions += explored;
        Ok(())
    }

    /// Checks that `position` fits the invariant that has been proved or belongs to the first
    /// of the classes.
    fn begins(&mut self, number: usize, position: &Position) -> Result<(), Stop> {
        if let Some(Step::Classes { .. }) = self.steps.get(number) {
            // Classes exclude only those mates that a move leads to.
            self.node(position)?;
        }
        match &self.exits[&number] {
            Exit::Invariant(frame) if frame.fits(position, &mut self.remaining)? => Ok(()),
            Exit::Invariant(_) => Err(Fault::Fit)?,
            Exit::Classes(family) => family.begins_with(position, &mut self.remaining),
        }
    }

    /// The moves of `position`, which is not mate by the colour of the claim.
    fn node(&mut self, position: &Position) -> Result<Node, Stop> {
        let node = Node::new(position.to_chess(), &mut self.remaining)?;
        if node.is_mate_by(self.winner) {
            let fen = position.fen();
            return Err(Fault::Mate { fen }.into());
        }
        Ok(node)
    }

    /// Checks, once, the obligations of the invariant or the classes at `number` that don't
    /// depend on a position; afterwards it is among the exits.
    fn prove(&mut self, number: usize) -> Result<(), Refusal> {
        if self.exits.contains_key(&number) {
            return Ok(());
        }
        let at = |stop: Stop| stop.at(number);
        let proved = match self.steps.get(number) {
            Some(Step::Invariant(invariant)) => {
                Exit::Invariant(self.prove_invariant(invariant).map_err(at)?)
            }
            Some(Step::Classes { classes, exits }) => {
                for &exit in exits {
                    self.remaining
                        .spend_work(HASHED)
                        .map_err(|limit| at(limit.into()))?;
                    self.prove(exit)?;
                }
                Exit::Classes(self.prove_classes(classes, exits).map_err(at)?)
            }
            _ => return Err(at(Fault::NoExit.into())),
        };
        self.exits.insert(number, proved);
        Ok(())
    }

    fn prove_invariant(&mut self, invariant: &'c Invariant) -> Result<Frame<'c>, Stop> {
        let (listed, pairs) = (size(&invariant.men), invariant.opposed.len());
        self.remaining.spend_work(2 * listed + 10 * pairs)?;
        self.remaining.take_memory(FRAME + PAIR * pairs)?;
        let frame = Frame::new(invariant, self.winner)?;
        frame.is_kept(&mut self.remaining)?;
        frame.excludes_mate(&mut self.remaining)?;
        Ok(frame)
    }

    /// `exits` are the numbers of invariants that have been proved.
    fn prove_classes(&mut self, classes: &[Class], exits: &[usize]) -> Result<Family, Stop> {
        let family = Family::new(classes, self.winner, &mut self.remaining)?;
        let frames = exits.iter().filter_map(|exit| match &self.exits[exit] {
            Exit::Invariant(frame) => Some(frame),
            Exit::Classes(_) => None,
        });
        family.prove(&frames.collect::<Vec<_>>(), &mut self.remaining)?;
        Ok(family)
    }
}
