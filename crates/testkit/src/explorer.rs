//! The plainest oracle: what play can reach, by shakmaty's rules alone.

use std::collections::HashMap;

use shakmaty::{Chess, Position as _};
use stillmate_core::Color;

/// Positions that can be reached from the first.
#[derive(Debug)]
pub struct Graph {
    /// Each of them once, the first first.
    pub positions: Vec<Chess>,
    /// Whether there are no others.
    complete: bool,
    /// For White and Black, whether a mate by them among the positions can be reached.
    wins: [Vec<bool>; 2],
    /// For White and Black, where that is so, those nearest to a mate first.
    winning: [Vec<usize>; 2],
}

impl Graph {
    /// Whether `winner` can mate from the `index`-th position, as far as the graph tells.
    pub fn can_mate(&self, index: usize, winner: Color) -> Option<bool> {
        if self.wins[winner.fold_wb(0, 1)][index] {
            Some(true)
        } else {
            self.complete.then_some(false)
        }
    }

    /// Positions from which `winner` can mate, those nearest to a mate first.
    pub fn winning(&self, winner: Color) -> &[usize] {
        &self.winning[winner.fold_wb(0, 1)]
    }

    /// Whether the graph holds all that can be reached.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// Explores what play can reach from `start`, breadth first, until there are `limit` positions
/// or no more.
pub fn explore(start: &Chess, limit: usize) -> Graph {
    let mut numbers = HashMap::from([(start.clone(), 0_usize)]);
    let mut positions = vec![start.clone()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut mates: [Vec<usize>; 2] = Default::default();
    let mut next = 0;
    while next < positions.len() && positions.len() < limit {
        let here = positions[next].clone();
        if here.is_checkmate() {
            mates[here.turn().fold_wb(1, 0)].push(next);
        }
        for play in here.legal_moves() {
            let after = here.clone().play(play).expect("the move is legal");
            let number = *numbers.entry(after).or_insert_with_key(|after| {
                positions.push(after.clone());
                before.push(Vec::new());
                positions.len() - 1
            });
            before[number].push(next);
        }
        next += 1;
    }
    let winning = mates.map(|mates| {
        let mut near = vec![false; positions.len()];
        let mut winning = mates;
        winning.iter().for_each(|&mate| near[mate] = true);
        let mut next = 0;
        while let Some(&number) = winning.get(next) {
            for &number in &before[number] {
                if !near[number] {
                    near[number] = true;
                    winning.push(number);
                }
            }
            next += 1;
        }
        winning
    });
    let wins = [0, 1].map(|winner| {
        let mut wins = vec![false; positions.len()];
        winning[winner]
            .iter()
            .for_each(|&number| wins[number] = true);
        wins
    });
    Graph {
        complete: next == positions.len(),
        positions,
        wins,
        winning,
    }
}
