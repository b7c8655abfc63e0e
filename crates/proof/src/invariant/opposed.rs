//! Initiation: which pawns on the board are those of the opposed pairs.
//!
//! All squares of a pair are on one file, and one of its pawns can't be captured. So each file can
//! be looked at on its own. Assign the pawns that can't be captured; then a pawn that can be
//! captured may only be one that is in order with them, and the rest is a matching. A file has six
//! squares for pawns, so there are few ways to do this.

use std::cmp::Reverse;

use stillmate_core::{Bitboard, File, Square};

use super::{InductiveInvariant, initiation::Candidates};
use crate::{certificate::Invariant, limits::Remaining, matching::bits, refusal::Limit};

/// The opposed pairs of one file.
pub(super) struct OpposedFile {
    /// Each pair as the places of its men in the invariant, white and black.
    pairs: Vec<(usize, usize)>,
    /// Those of its men that can't be captured, each with the set of its partners. Men that are
    /// alike are next to each other.
    staying: Vec<(usize, u64)>,
}

/// What remains of the candidates of some men on the board, each by its place, when the men that
/// can't be captured have been assigned on one file.
type FileAssignment = Vec<(usize, u64)>;

/// The opposed pairs of `invariant`, file by file.
pub(super) fn opposed_files(invariant: &Invariant) -> Vec<OpposedFile> {
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
        OpposedFile { pairs, staying }
    };
    let opposed_files = File::ALL.map(on_file).into_iter();
    opposed_files
        .filter(|file| !file.pairs.is_empty())
        .collect()
}

impl InductiveInvariant<'_> {
    /// Whether men on the board, which stand on `squares`, can be assigned to their candidates
    /// so that every opposed pair is in order, given that they can be if order doesn't matter.
    pub(super) fn tell_apart(
        &self,
        squares: &[Square],
        candidates: &Candidates,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let mut files = Vec::new();
        for file in &self.opposed_files {
            remaining.spend_work(file.pairs.len() * squares.len())?;
            if file.may_be_out_of_order(squares, candidates) {
                files.push(self.file_assignments(file, squares, candidates, remaining)?);
            }
        }
        self.combine(files, candidates, squares.len(), remaining)
    }

    /// All ways to assign the men of `file` that can't be captured.
    fn file_assignments(
        &self,
        file: &OpposedFile,
        squares: &[Square],
        candidates: &Candidates,
        remaining: &mut Remaining,
    ) -> Result<Vec<FileAssignment>, Limit> {
        let men = &self.invariant.men;
        let all = file.pairs.iter();
        let all = all.fold(0, |set, &(white, black)| set | 1 << white | 1 << black);
        let places = (0..squares.len()).filter(|&place| candidates[place] & all != 0);
        let places: Vec<usize> = places.collect();
        // A way is a list of the places of the first men, one longer in each turn.
        let mut ways = vec![Vec::new()];
        for (index, &(man, partners)) in file.staying.iter().enumerate() {
            let mut longer = Vec::new();
            for way in &ways {
                remaining.spend_work(places.len() * (1 + index))?;
                // Men that are alike take their places in ascending order.
                let last = index.checked_sub(1).filter(|&last| {
                    let (other, same) = file.staying[last];
                    men[other] == men[man] && same == partners
                });
                let free = places.iter().filter(|&&place| {
                    candidates[place] >> man & 1 == 1
                        && last.is_none_or(|last| way[last] < place)
                        && !way.contains(&place)
                        && self.is_in_order(file, way, squares, (man, place))
                });
                for &place in free {
                    longer.push([&way[..], &[place]].concat());
                }
            }
            ways = longer;
        }
        let staying = file.staying.iter().fold(0, |set, (man, _)| set | 1 << man);
        let candidates_of = places
            .iter()
            .map(|&place| candidates[place].count_ones() as usize);
        let looked_at = candidates_of.sum::<usize>() * file.staying.len();
        remaining.spend_work(ways.len() * looked_at)?;
        let left = |way: &Vec<usize>| {
            // Which of these men is where makes no difference to the others.
            let mut settled = file.staying.iter();
            let left = places.iter().map(|&place| {
                if way.contains(&place) {
                    return (place, settled.next().map_or(0, |(man, _)| 1 << man));
                }
                let others = bits(candidates[place] & !staying);
                let others =
                    others.filter(|&man| self.is_in_order(file, way, squares, (man, place)));
                (place, others.fold(0, |set, man| set | 1 << man))
            });
            left.collect()
        };
        let mut found: Vec<FileAssignment> = ways.iter().map(left).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Whether a man of a pair is in order in its place on the board when the first men that can't
    /// be captured are in the places of `way`.
    fn is_in_order(
        &self,
        file: &OpposedFile,
        way: &[usize],
        squares: &[Square],
        (man, place): (usize, usize),
    ) -> bool {
        let is_white = self.invariant.men[man].piece.color.is_white();
        let rank = squares[place].rank();
        let mut settled = file.staying.iter().zip(way);
        settled.all(|(&(_, partners), &other)| {
            let its = squares[other].rank();
            partners >> man & 1 == 0 || if is_white { rank < its } else { its < rank }
        })
    }

    /// Whether the whole assignment can be completed with one way for each file.
    fn combine(
        &self,
        mut files: Vec<Vec<FileAssignment>>,
        candidates: &Candidates,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let narrowed = |way: &FileAssignment| {
            let mut narrowed = *candidates;
            for &(place, left) in way {
                narrowed[place] = left;
            }
            narrowed
        };
        for file in &mut files {
            let mut possible = Vec::new();
            for way in file.drain(..) {
                if self.is_complete(&narrowed(&way), men, remaining)? {
                    possible.push(way);
                }
            }
            *file = possible;
        }
        // The file with the fewest ways comes first.
        files.sort_by_key(|file| Reverse(file.len()));
        let Some(file) = files.pop() else {
            return Ok(true);
        };
        for way in &file {
            if self.combine(files.clone(), &narrowed(way), men, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl OpposedFile {
    /// Whether any pair may be two of the men on the board that are out of order.
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
