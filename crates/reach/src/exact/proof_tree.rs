//! Positions in which play soon ends: every line is followed to its end.
//!
//! After a check that must be answered by a capture, or with both kings shut in, a handful of
//! positions is all that can happen. The tree of all legal moves is then the proof, one that
//! a person can follow on the board.
//!
//! White is the intended winner; callers mirror the board.

use stillmate_core::{Color, Move, Position, insufficient_material};
use stillmate_proof::Step;

use crate::{
    budget::Meter,
    never::{classes, relaxation},
    settled::Settled,
    verdict::StopReason,
};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// Longest line, in plies.
    pub(crate) plies: usize,
    /// Most positions to look at.
    pub(crate) nodes: usize,
    /// Where the horizon ends a line, try the static proofs, with so many classes at most.
    pub(crate) classes: Option<usize>,
}

/// Follows all lines from `position`, which has a legal move, within `horizon`.
pub(crate) fn expand(
    position: &Position,
    horizon: Horizon,
    meter: &Meter,
) -> Result<Option<Settled>, StopReason> {
    let mut tree = Tree {
        steps: Vec::new(),
        path: Vec::new(),
        nodes: horizon.nodes,
        most: horizon.nodes,
        classes: horizon.classes,
        evidence: meter.keeps_evidence(),
    };
    let end = tree.expand(position, horizon.plies, 1);
    meter.spend((horizon.nodes - tree.nodes) as u64)?;
    Ok(match end {
        End::Never(_) => Some(Settled::Never(tree.steps)),
        End::Mate => Some(Settled::Can(tree.path)),
        End::Open => None,
    })
}

enum End {
    /// Proved by the step with this number.
    Never(usize),
    Mate,
    Open,
}

struct Tree {
    steps: Vec<Step>,
    path: Vec<Move>,
    /// Positions that may still be looked at.
    nodes: usize,
    /// Lines that a tree may have.
    most: usize,
    classes: Option<usize>,
    /// Whether the steps are wanted.
    evidence: bool,
}

impl Tree {
    /// `lines` is how many lines the tree would have if there were as many moves everywhere as
    /// on the way to `position`: one that would be too large is given up soon.
    fn follow(&mut self, position: &Position, plies: usize, lines: usize) -> End {
        if !position.has_legal_move() {
            if position.turn() == Color::Black && position.checkers().any() {
                return End::Mate;
            }
            return End::Never(self.settle(|| Step::Terminal));
        }
        if let Some(rule) = insufficient_material(position, Color::White) {
            return End::Never(self.settle(|| Step::Material(rule)));
        }
        self.expand(position, plies, lines)
    }

    /// The same for a position in which play goes on.
    fn expand(&mut self, position: &Position, plies: usize, lines: usize) -> End {
        if plies == 0 {
            return self.prove(position);
        }
        let moves = position.legal_moves();
        let lines = lines * moves.len();
        if self.nodes < moves.len() || lines > self.most {
            return self.prove(position);
        }
        self.nodes -= moves.len();
        // The place is taken first, so that steps refer to later ones only.
        let place = self.settle(|| Step::Terminal);
        let mut replies = Vec::new();
        for &m in &moves {
            self.path.push(m);
            match self.follow(&position.after(m), plies - 1, lines) {
                End::Never(step) if self.evidence => replies.push((m, step)),
                End::Never(_) => {}
                other => return other,
            }
            self.path.pop();
        }
        if let Some(step) = self.steps.get_mut(place) {
            *step = Step::Moves(replies);
        }
        End::Never(place)
    }

    /// Where the horizon ends a line.
    fn prove(&mut self, position: &Position) -> End {
        // The root is for other rungs.
        let Some(most) = self.classes.filter(|_| !self.path.is_empty()) else {
            return End::Open;
        };
        if let Some(relaxation) = relaxation::prove(position) {
            return End::Never(self.settle(|| Step::Invariant(relaxation.invariant())));
        }
        let place = self.steps.len();
        let proof = (most > 0).then(|| classes::prove(position, most));
        match proof.flatten() {
            Some(proof) if self.evidence => self.steps.extend(proof.steps(place)),
            Some(_) => {}
            None => return End::Open,
        }
        End::Never(place)
    }

    /// Adds a step; its number.
    fn settle(&mut self, step: impl FnOnce() -> Step) -> usize {
        let place = self.steps.len();
        if self.evidence {
            self.steps.push(step());
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use stillmate_proof::{Certificate, Limits, verify};

    use super::*;

    fn expand_within(fen: &str, horizon: Horizon) -> Option<Settled> {
        let meter = Meter::of_nodes(10_000);
        expand(&Position::from_fen(fen).unwrap(), horizon, &meter).unwrap()
    }

    fn expand_near(fen: &str) -> Option<Settled> {
        let horizon = Horizon {
            plies: 4,
            nodes: 100,
            classes: None,
        };
        expand_within(fen, horizon)
    }

    #[test]
    fn a_forced_check_that_ends_in_stalemate_or_a_lone_knight_is_never() {
        let Some(Settled::Never(steps)) = expand_near("8/8/8/8/1K6/Q7/3N4/k1n5 b - -") else {
            panic!()
        };
        assert!(matches!(&steps[0], Step::Moves(moves) if moves.len() == 1));
    }

    #[test]
    fn its_twin_with_a_free_knight_is_not() {
        let twin = expand_near("8/8/8/8/1K6/Q7/3N4/kn6 b - -");
        assert!(!matches!(twin, Some(Settled::Never(_))));
    }

    #[test]
    fn a_forced_capture_that_ends_in_a_wall_is_never_and_with_a_rook_it_is_not() {
        let horizon = Horizon {
            plies: 1,
            nodes: 3,
            classes: Some(100),
        };
        let wall = "8/1Q6/2kb1p1p/p1p1pP1P/P1PpP1B1/3P4/6K1/8 b - -";
        let Some(Settled::Never(steps)) = expand_within(wall, horizon) else {
            panic!()
        };
        let position = Position::from_fen(wall).unwrap();
        let certificate = Certificate {
            position,
            claim: Color::White,
            steps,
        };
        verify(&certificate, &Limits::default()).unwrap();
        let twin = "8/1Q6/2kb1p1p/p1p1pP1P/P1PpP1B1/3P4/6K1/R7 b - -";
        assert!(!matches!(
            expand_within(twin, horizon),
            Some(Settled::Never(_))
        ));
    }
}
