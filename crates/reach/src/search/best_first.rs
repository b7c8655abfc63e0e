//! Best-first search: expand whatever position looks nearest to a mate.
//!
//! White mates; callers mirror the board.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashSet;
use shakmaty::attacks::king_attacks;
use stillmate_core::{Color, Key, Move, Position, Role, Square, insufficient_material};

use crate::{
    meter::{Meter, Stopped},
    search::plan,
};

/// How a search has ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// With a mate.
    Mate(Vec<Move>),
    /// Its own limit of expanded positions was reached.
    Limit,
}

struct Node {
    key: Key,
    parent: u32,
    by: Option<Move>,
    plies: u32,
}

/// Searches from `position` with at most `limit` expansions, drawing Black's king to
/// `corner` (`None`: to whatever edge is near).
pub(crate) fn search(
    position: &Position,
    corner: Option<Square>,
    limit: usize,
    meter: &Meter<'_>,
) -> Result<Ended, Stopped> {
    let root = Key::new(position);
    let mut nodes = vec![Node {
        key: root,
        parent: 0,
        by: None,
        plies: 0,
    }];
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    seen.insert(root);
    let mut queue = BinaryHeap::new();
    queue.push((Reverse(0), Reverse(0_u32)));
    for _ in 0..limit {
        let Some((_, Reverse(index))) = queue.pop() else {
            break;
        };
        meter.spend(1)?;
        let position = nodes[index as usize].key.position();
        let plies = nodes[index as usize].plies + 1;
        for m in position.legal_moves() {
            let next = position.after(m);
            let key = Key::new(&next);
            if !seen.insert(key) {
                continue;
            }
            let place = u32::try_from(nodes.len()).expect("the limit is far below 2^32");
            if next.turn() == Color::Black && next.checkers().any() && !next.has_legal_move() {
                nodes.push(Node {
                    key,
                    parent: index,
                    by: Some(m),
                    plies,
                });
                return Ok(Ended::Mate(line(&nodes, place)));
            }
            if m.is_zeroing() && insufficient_material(&next, Color::White).is_some() {
                continue;
            }
            nodes.push(Node {
                key,
                parent: index,
                by: Some(m),
                plies,
            });
            let estimate = estimate(&next, corner) * 4 + plies;
            queue.push((Reverse(estimate), Reverse(place)));
        }
    }
    Ok(Ended::Limit)
}

fn line(nodes: &[Node], mut place: u32) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some(m) = nodes[place as usize].by {
        line.push(m);
        place = nodes[place as usize].parent;
    }
    line.reverse();
    line
}

fn apart(a: Square, b: Square) -> u32 {
    a.distance(b)
}

/// Roughly how far from a mate the position is, in quarter moves. Not admissible.
fn estimate(position: &Position, corner: Option<Square>) -> u32 {
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let (black_moves, white_moves) = match corner {
        Some(corner) => (apart(black, corner), apart(white, corner).saturating_sub(2)),
        None => {
            let file = u32::from(black.file()).min(7 - u32::from(black.file()));
            let rank = u32::from(black.rank()).min(7 - u32::from(black.rank()));
            (file.min(rank), apart(white, black).saturating_sub(2))
        }
    };
    let mut estimate = 4 * black_moves.max(white_moves) + black_moves.min(white_moves);
    let men = |role| position.men_of(Color::White, role);
    if men(Role::Queen).is_empty() && men(Role::Rook).is_empty() {
        if let Some((_, moves)) = plan::cheapest_runner(position) {
            estimate += 6 + 3 * u32::try_from(moves).unwrap_or(24);
        } else if men(Role::Pawn).any() {
            let rams = position.men_of(Color::Black, Role::Pawn);
            let near = rams
                .into_iter()
                .map(|sq| apart(white, sq))
                .min()
                .unwrap_or(7);
            estimate += 40 + 3 * near;
        }
    }
    let occupied = position.occupied().without(black);
    let flights = king_attacks(black) & !position.of(Color::Black);
    let open = flights
        .into_iter()
        .filter(|&sq| position.attackers(sq, Color::White, occupied).is_empty())
        .count();
    estimate + 2 * u32::try_from(open).unwrap_or(0)
}
