//! First obligation: which pawns on the board are those of the opposed pairs.
//!
//! All squares of a pair are on one file, and one of its pawns is never lost. So each file is
//! looked at by itself: once the pawns that are never lost have their places on it, one that may
//! be lost has only those places that are in order with theirs, and the rest is pairing one to
//! one. A file has six squares for pawns, so there are few ways to do this.

use std::cmp::Reverse;

use stillmate_core::{Bitboard, File, Square};

use super::{Frame, fits::Candidates};
use crate::{certificate::Invariant, limits::Remaining, matching::bits, refusal::Limit};

/// The opposed pairs of one file.
pub(super) struct Lane {
    /// Their men, white and black.
    pairs: Vec<(usize, usize)>,
    /// Those of these men that are never lost, each with its partners as a set, in an order in
    /// which men that are alike are neighbours.
    staying: Vec<(usize, u64)>,
}

/// The men on the board that may be of a pair on some file, by their places, with what is left of
/// their candidates once it is settled which of them are the men that are never lost.
type Arrangement = Vec<(usize, u64)>;

/// The opposed pairs of `invariant` file by file.
pub(super) fn lanes(invariant: &Invariant) -> Vec<Lane> {
    let men = &invariant.men;
    let on_file = |file| {
        let squares = Bitboard::from_file(file);
        let on_it = |man: usize| men[man].squares.intersects(squares);
        let pairs = invariant.opposed.iter().copied();
        let pairs: Vec<_> = pairs.filter(|&(a, b)| on_it(a) || on_it(b)).collect();
        let partners = |man| {
            pairs.iter().fold(0, |set, &(white, black)| match man {
                _ if man == white => set | 1 << black,
                _ if man == black => set | 1 << white,
                _ => set,
            })
        };
        let staying = (0..men.len()).filter(|&man| !men[man].lost);
        let staying = staying.map(|man| (man, partners(man)));
        let mut staying: Vec<_> = staying.filter(|&(_, partners)| partners != 0).collect();
        staying.sort_by_key(|&(man, partners)| (u64::from(men[man].squares), partners));
        Lane { pairs, staying }
    };
    let lanes = File::ALL.map(on_file).into_iter();
    lanes.filter(|lane| !lane.pairs.is_empty()).collect()
}

impl Frame<'_> {
    /// Whether men on the board, which stand on `squares`, can be assigned to their candidates
    /// so that every opposed pair is in order, given that they can be if order doesn't matter.
    pub(super) fn tell_apart(
        &self,
        squares: &[Square],
        candidates: &Candidates,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let mut files = Vec::new();
        for lane in &self.lanes {
            remaining.spend_work(lane.pairs.len() * squares.len())?;
            if lane.may_be_out_of_order(squares, candidates) {
                files.push(self.arrangements(lane, squares, candidates, remaining)?);
            }
        }
        self.combine(files, candidates, squares.len(), remaining)
    }

    /// All that the candidates of the men on a file can become by settling which of them are the
    /// men that are never lost.
    fn arrangements(
        &self,
        lane: &Lane,
        squares: &[Square],
        candidates: &Candidates,
        remaining: &mut Remaining,
    ) -> Result<Vec<Arrangement>, Limit> {
        let men = &self.invariant.men;
        let all = lane.pairs.iter();
        let all = all.fold(0, |set, &(white, black)| set | 1 << white | 1 << black);
        let places = (0..squares.len()).filter(|&place| candidates[place] & all != 0);
        let places: Vec<usize> = places.collect();
        // Each way is the places of the first of these men, of one more in each turn.
        let mut ways = vec![Vec::new()];
        for (index, &(man, partners)) in lane.staying.iter().enumerate() {
            let mut longer = Vec::new();
            for way in &ways {
                remaining.spend_work(places.len() * (1 + index))?;
                // Men that are alike take their places from the first to the last.
                let last = index.checked_sub(1).filter(|&last| {
                    let (other, same) = lane.staying[last];
                    men[other] == men[man] && same == partners
                });
                let free = places.iter().filter(|&&place| {
                    candidates[place] >> man & 1 == 1
                        && last.is_none_or(|last| way[last] < place)
                        && !way.contains(&place)
                        && self.is_in_order(lane, way, squares, (man, place))
                });
                for &place in free {
                    longer.push([&way[..], &[place]].concat());
                }
            }
            ways = longer;
        }
        let staying = lane.staying.iter().fold(0, |set, (man, _)| set | 1 << man);
        let candidates_of = places
            .iter()
            .map(|&place| candidates[place].count_ones() as usize);
        let looked_at = candidates_of.sum::<usize>() * lane.staying.len();
        remaining.spend_work(ways.len() * looked_at)?;
        let left = |way: &Vec<usize>| {
            // Which of these men is where makes no difference to the others.
            let mut settled = lane.staying.iter();
            let left = places.iter().map(|&place| {
                if way.contains(&place) {
                    return (place, settled.next().map_or(0, |(man, _)| 1 << man));
                }
                let others = bits(candidates[place] & !staying);
                let others =
                    others.filter(|&man| self.is_in_order(lane, way, squares, (man, place)));
                (place, others.fold(0, |set, man| set | 1 << man))
            });
            left.collect()
        };
        let mut found: Vec<Arrangement> = ways.iter().map(left).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Whether a man of a pair is in order in its place on the board, with the first of the men
    /// that are never lost in the places of `way`.
    fn is_in_order(
        &self,
        lane: &Lane,
        way: &[usize],
        squares: &[Square],
        (man, place): (usize, usize),
    ) -> bool {
        let is_white = self.invariant.men[man].piece.color.is_white();
        let rank = squares[place].rank();
        let mut settled = lane.staying.iter().zip(way);
        settled.all(|(&(_, partners), &other)| {
            let its = squares[other].rank();
            partners >> man & 1 == 0 || if is_white { rank < its } else { its < rank }
        })
    }

    /// Whether the assignment can be completed with one of the arrangements of each file.
    fn combine(
        &self,
        mut files: Vec<Vec<Arrangement>>,
        candidates: &Candidates,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let narrowed = |arrangement: &Arrangement| {
            let mut narrowed = *candidates;
            for &(place, left) in arrangement {
                narrowed[place] = left;
            }
            narrowed
        };
        for file in &mut files {
            let mut possible = Vec::new();
            for arrangement in file.drain(..) {
                if self.is_complete(&narrowed(&arrangement), men, remaining)? {
                    possible.push(arrangement);
                }
            }
            *file = possible;
        }
        // One with few ways is settled first.
        files.sort_by_key(|file| Reverse(file.len()));
        let Some(file) = files.pop() else {
            return Ok(true);
        };
        for arrangement in &file {
            if self.combine(files.clone(), &narrowed(arrangement), men, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Lane {
    /// Whether there is a pair whose pawns may be two of the men on the board out of order.
    fn may_be_out_of_order(&self, squares: &[Square], candidates: &Candidates) -> bool {
        let ranks = |man: usize| {
            let all = squares.iter().zip(candidates);
            let its = all.filter(move |&(_, set)| set >> man & 1 == 1);
            its.map(|(square, _)| square.rank())
        };
        self.pairs.iter().any(|&(white, black)| {
            let worst = ranks(white).max().zip(ranks(black).min());
            worst.is_some_and(|(white, black)| white >= black)
        })
    }
}
