//! The static proofs as a test that a search puts to the positions it meets.
//!
//! A search need not go beyond a position in which White can't mate. The tests cost as much as
//! tens or hundreds of positions: where they rarely succeed, they are rarely made. What they
//! have proved is kept, to recognise other positions by and as exits of the certificate if the
//! search comes to an end.
//!
//! White is the intended winner; callers mirror the board.

use rustc_hash::{FxHashMap, FxHashSet};
use stillmate_core::Position;
use stillmate_proof::{Invariant, Man, Step};

use crate::{
    never::{classes, relaxation, throttle::Throttle},
    signature::Signature,
};

/// How many classes a test may visit.
const MOST_CLASSES: usize = 60;

/// What has been proved dead.
#[derive(Default)]
pub(crate) struct Pruner {
    /// Whether what is only needed for a certificate is thrown away.
    discards: bool,
    invariants: Vec<Invariant>,
    known: FxHashSet<Invariant>,
    proofs: Vec<classes::Proof>,
    /// Proved classes by signature: proof and place in it.
    proved: FxHashMap<Signature, Vec<(usize, usize)>>,
    /// How often a proof by classes has failed for a signature.
    failed: FxHashMap<Signature, u32>,
    relaxed: Throttle,
    /// Positions expanded by the search.
    expanded: usize,
    /// Classes visited by tests that failed.
    visited: usize,
    /// The memory that all this takes.
    bytes: u64,
}

/// Classes that may be visited before a search has expanded anything.
const CLASSES_AHEAD: usize = 40;
/// Expansions that pay for visiting one class in vain.
const EXPANSIONS_PER_CLASS: usize = 40;

/// The memory that an invariant takes.
fn bytes(invariant: &Invariant) -> u64 {
    let men = invariant.men.capacity() * size_of::<Man>();
    let opposed = invariant.opposed.capacity() * size_of::<(usize, usize)>();
    (size_of::<Invariant>() + men + opposed) as u64
}

impl Pruner {
    /// `evidence`: whether a certificate is wanted in the end.
    pub(crate) fn new(evidence: bool) -> Pruner {
        Pruner {
            discards: !evidence,
            ..Pruner::default()
        }
    }

    /// Notes that the search has expanded a position, which pays for tests.
    pub(crate) fn note_expansion(&mut self) {
        self.expanded += 1;
    }

    /// The memory that is taken by what has been proved, and by what is known not to be.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether White is proved unable to mate from `position`; the proof is kept.
    pub(crate) fn proves(&mut self, position: &Position) -> bool {
        let signature = Signature::new(position);
        let within =
            |&(proof, place): &(usize, usize)| self.proofs[proof].contains(place, position);
        if self
            .proved
            .get(&signature)
            .is_some_and(|places| places.iter().any(within))
        {
            return true;
        }
        self.by_relaxation(position) || self.by_classes(position, signature)
    }

    fn by_relaxation(&mut self, position: &Position) -> bool {
        if !self.relaxed.pays(300, 12) {
            return false;
        }
        let Some(relaxation) = relaxation::prove(position) else {
            return false;
        };
        self.relaxed.hit();
        if self.discards {
            return true;
        }
        let invariant = relaxation.invariant();
        if self.known.insert(invariant.clone()) {
            self.bytes += 2 * bytes(&invariant);
            self.invariants.push(invariant);
        }
        true
    }

    fn by_classes(&mut self, position: &Position, signature: Signature) -> bool {
        let failed = self.failed.entry(signature).or_insert_with(|| {
            self.bytes += 2 * size_of::<(Signature, u32)>() as u64;
            0
        });
        let paid = CLASSES_AHEAD + self.expanded / EXPANSIONS_PER_CLASS;
        if *failed > 1 || self.visited > paid {
            return false;
        }
        let (proof, visited) = classes::attempt(position, MOST_CLASSES);
        let Some(proof) = proof else {
            self.visited += visited;
            *failed += 1;
            return false;
        };
        self.bytes += size_of::<classes::Proof>() as u64 + proof.bytes();
        for (signature, place) in proof.signatures() {
            let places = self.proved.entry(signature).or_insert_with(|| {
                self.bytes += 2 * size_of::<(Signature, Vec<(usize, usize)>)>() as u64;
                Vec::new()
            });
            self.bytes += size_of::<(usize, usize)>() as u64;
            places.push((self.proofs.len(), place));
        }
        self.proofs.push(proof);
        true
    }

    /// The steps of a proof by `positions` visited positions and everything proved here.
    pub(crate) fn closed(self, positions: u64) -> Vec<Step> {
        if self.discards {
            return Vec::new();
        }
        let mut exits = Vec::new();
        let mut rest = Vec::new();
        for invariant in self.invariants {
            rest.push(Step::Invariant(invariant));
            exits.push(rest.len());
        }
        for proof in self.proofs {
            exits.push(rest.len() + 1);
            rest.extend(proof.steps(rest.len() + 1));
        }
        let mut steps = vec![Step::Closed { positions, exits }];
        steps.append(&mut rest);
        steps
    }
}
