//! The check: going through the steps of a certificate.

use std::collections::{HashMap, HashSet};

use stillmate_core::{Color, Key, MaterialRule, Move, Position};

use crate::{
    certificate::{Certificate, Class, Invariant, Step},
    classes::ClassGraph,
    closed,
    invariant::{InductiveInvariant, size},
    lemmas::{Lemma, Lemmas},
    limits::{HASHED, Limits, Remaining},
    refusal::{Limit, Refusal, StepError, StepFault},
    rules::{self, LegalMoves},
};

/// What it took to check a certificate that proves its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Accepted {
    /// Number of different pairs of a step and a position.
    pub claims: usize,
    /// Number of different invariants.
    pub invariants: usize,
    /// Number of classes in all *classes* steps.
    pub classes: usize,
    /// Number of positions that all *closed* steps visited.
    pub positions: u64,
    /// Number of operations, as [`Limits::work`] counts them.
    pub work: u64,
}

/// Checks that `certificate` proves its claim: no series of legal moves from its position
/// ends with its colour giving checkmate.
///
/// The position and the claim say what is proved; nothing else in the certificate is trusted. The
/// check takes no more than `limits` allow and never panics.
///
/// # Errors
///
/// [`Refusal::Rejected`] when the certificate proves nothing, [`Refusal::Unchecked`] when a
/// limit ended the check.
pub fn verify(certificate: &Certificate, limits: &Limits) -> Result<Accepted, Refusal> {
    if certificate.steps.len() > limits.steps {
        return Err(StepError::from(Limit::Steps).at(0));
    }
    let mut checker = Checker {
        steps: &certificate.steps,
        winner: certificate.claim,
        lemmas: HashMap::new(),
        met: HashSet::new(),
        open: Vec::new(),
        remaining: Remaining::new(limits),
        accepted: Accepted::default(),
    };
    let taken = checker.remaining.take_memory(certificate.memory());
    taken.map_err(|limit| StepError::from(limit).at(0))?;
    checker.check_references()?;
    // Each pair of a step and a position that is met is checked in its turn. References lead to
    // later steps only, so the pairs form a graph without cycles, and each claim follows from those
    // after it.
    checker
        .meet(0, certificate.position)
        .map_err(|limit| StepError::from(limit).at(0))?;
    while let Some((number, position)) = checker.open.pop() {
        checker.check(number, &position)?;
    }
    checker.accepted.claims = checker.met.len();
    for exit in checker.lemmas.values() {
        match exit {
            Lemma::Invariant(_) => checker.accepted.invariants += 1,
            Lemma::Classes(graph) => checker.accepted.classes += graph.len(),
        }
    }
    checker.accepted.work = limits.work - checker.remaining.work();
    Ok(checker.accepted)
}

/// What a pair of a step and a position takes at most, in bytes.
const CLAIM: usize = 260;

/// What a proved invariant takes at most without its opposed pairs, in bytes.
const INVARIANT: usize = 2 * size_of::<(usize, Lemma)>();

/// What an opposed pair takes at most, in bytes.
const PAIR: usize = 100;

struct Checker<'c> {
    steps: &'c [Step],
    winner: Color,
    /// By step, the invariants and classes whose obligations have been checked, apart from those
    /// about a position.
    lemmas: HashMap<usize, Lemma<'c>>,
    /// The pairs of a step and a position that have been met, and those of them that are still to
    /// be checked.
    met: HashSet<(usize, Key)>,
    open: Vec<(usize, Position)>,
    remaining: Remaining,
    accepted: Accepted,
}

impl<'c> Checker<'c> {
    /// Checks of each step, even if nothing refers to it, that it refers to later steps only and
    /// names as exits only what may be one.
    fn check_references(&mut self) -> Result<(), Refusal> {
        let steps = self.steps;
        for (from, step) in steps.iter().enumerate() {
            let (moves, exits): (&[_], &[_]) = match step {
                Step::Terminal | Step::Material(_) | Step::Invariant(_) => (&[], &[]),
                Step::Moves(moves) => (moves, &[]),
                Step::Closed { exits, .. } | Step::Classes { exits, .. } => (&[], exits),
            };
            let work = self.remaining.spend_work(moves.len() + exits.len());
            work.map_err(|limit| StepError::from(limit).at(from))?;
            let is_later = |to: usize| from < to && to < steps.len();
            let mut named = moves.iter().map(|(_, to)| to).chain(exits);
            if let Some(&to) = named.find(|&&to| !is_later(to)) {
                return Err(StepError::from(StepFault::Reference(to)).at(from));
            }
            let may_be_exit = |to: usize| match &steps[to] {
                Step::Invariant(_) => true,
                Step::Classes { .. } => matches!(step, Step::Closed { .. }),
                _ => false,
            };
            if let Some(&to) = exits.iter().find(|&&to| !may_be_exit(to)) {
                return Err(StepError::from(StepFault::NotALemma).at(to));
            }
        }
        Ok(())
    }

    /// Notes that the step has to be checked for `position`.
    fn meet(&mut self, number: usize, position: Position) -> Result<(), Limit> {
        if self.met.insert((number, Key::new(&position))) {
            self.remaining.spend_position()?;
            self.remaining.take_memory(CLAIM)?;
            self.open.push((number, position));
        }
        Ok(())
    }

    /// Checks that the step proves that `position` can't lead to a mate, given the pairs that it
    /// adds to the open ones.
    fn check(&mut self, number: usize, position: &Position) -> Result<(), Refusal> {
        let at = |error: StepError| error.at(number);
        match self.steps.get(number) {
            None => Err(at(StepFault::Missing.into())),
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
                self.initiation(number, position).map_err(at)
            }
        }
    }

    fn terminal(&mut self, position: &Position) -> Result<(), StepError> {
        match self.legal_moves(position)?.moves.first() {
            None => Ok(()),
            Some(&play) => Err(StepFault::NotTerminal {
                uci: Move::from_shakmaty(play).uci(),
            })?,
        }
    }

    fn material(&mut self, position: &Position, rule: MaterialRule) -> Result<(), StepError> {
        if rules::is_insufficient(&self.legal_moves(position)?.chess, self.winner, rule) {
            Ok(())
        } else {
            Err(StepFault::Material(rule))?
        }
    }

    fn moves(&mut self, position: &Position, listed: &[(Move, usize)]) -> Result<(), StepError> {
        let legal = self.legal_moves(position)?;
        let mut unlisted: Vec<_> = legal.moves.iter().copied().collect();
        for &(m, next) in listed {
            self.remaining.spend_work(unlisted.len())?;
            let place = unlisted
                .iter()
                .position(|&play| Move::from_shakmaty(play) == m)
                .ok_or_else(|| StepFault::Move { uci: m.uci() })?;
            let after = legal.after(unlisted.swap_remove(place))?;
            self.meet(next, Position::from_chess(&after))?;
        }
        match unlisted.first() {
            None => Ok(()),
            Some(&play) => Err(StepFault::MissingMove {
                uci: Move::from_shakmaty(play).uci(),
            })?,
        }
    }

    fn closed(
        &mut self,
        position: &Position,
        at_most: u64,
        exits: &[usize],
    ) -> Result<(), StepError> {
        let exits = Lemmas::new(exits.iter().map(|exit| &self.lemmas[exit]).collect());
        let before = self.remaining.memory();
        let explored = closed::explore(position, self.winner, at_most, exits, &mut self.remaining)?;
        self.remaining.give_memory(before - self.remaining.memory());
        self.accepted.positions += explored;
        Ok(())
    }

    /// Checks that `position` fits the proved invariant or belongs to the first of the proved
    /// classes.
    fn initiation(&mut self, number: usize, position: &Position) -> Result<(), StepError> {
        if let Some(Step::Classes { .. }) = self.steps.get(number) {
            // Classes exclude only the mates that a move leads to.
            self.legal_moves(position)?;
        }
        match &self.lemmas[&number] {
            Lemma::Invariant(inductive) if inductive.fits(position, &mut self.remaining)? => Ok(()),
            Lemma::Invariant(_) => Err(StepFault::DoesNotFit)?,
            Lemma::Classes(graph) => graph.begins_with(position, &mut self.remaining),
        }
    }

    /// The legal moves of `position`, if it isn't mate by W.
    fn legal_moves(&mut self, position: &Position) -> Result<LegalMoves, StepError> {
        let legal = LegalMoves::new(position.to_chess(), &mut self.remaining)?;
        if legal.is_mate_by(self.winner) {
            let fen = position.fen();
            return Err(StepFault::Mate { fen }.into());
        }
        Ok(legal)
    }

    /// Checks once the obligations of the invariant or the classes at `number` that don't depend on
    /// a position, and adds it to the lemmas.
    fn prove(&mut self, number: usize) -> Result<(), Refusal> {
        if self.lemmas.contains_key(&number) {
            return Ok(());
        }
        let at = |error: StepError| error.at(number);
        let proved = match self.steps.get(number) {
            Some(Step::Invariant(invariant)) => {
                Lemma::Invariant(self.prove_invariant(invariant).map_err(at)?)
            }
            Some(Step::Classes { classes, exits }) => {
                for &exit in exits {
                    self.remaining
                        .spend_work(HASHED)
                        .map_err(|limit| at(limit.into()))?;
                    self.prove(exit)?;
                }
                Lemma::Classes(self.prove_classes(classes, exits).map_err(at)?)
            }
            _ => return Err(at(StepFault::NotALemma.into())),
        };
        self.lemmas.insert(number, proved);
        Ok(())
    }

    fn prove_invariant(
        &mut self,
        invariant: &'c Invariant,
    ) -> Result<InductiveInvariant<'c>, StepError> {
        let (listed, pairs) = (size(&invariant.men), invariant.opposed.len());
        self.remaining.spend_work(2 * listed + 10 * pairs)?;
        self.remaining.take_memory(INVARIANT + PAIR * pairs)?;
        let inductive = InductiveInvariant::new(invariant, self.winner)?;
        inductive.check_consecution(&mut self.remaining)?;
        inductive.check_safety(&mut self.remaining)?;
        Ok(inductive)
    }

    /// `exits` are the numbers of invariants that have been proved.
    fn prove_classes(
        &mut self,
        classes: &[Class],
        exits: &[usize],
    ) -> Result<ClassGraph, StepError> {
        let graph = ClassGraph::new(classes, self.winner, &mut self.remaining)?;
        let inductive = exits.iter().filter_map(|exit| match &self.lemmas[exit] {
            Lemma::Invariant(inductive) => Some(inductive),
            Lemma::Classes(_) => None,
        });
        graph.prove(&inductive.collect::<Vec<_>>(), &mut self.remaining)?;
        Ok(graph)
    }
}
