//! Making a line short: positions that come twice, and moves that jump ahead.

use rustc_hash::FxHashMap;
use stillmate_core::{Key, Move, Position};

/// A line with the same start and end, from which every detour is removed that some single
/// move can cut: after each move, the latest position of the line that can be reached.
pub(crate) fn tidy(start: &Position, line: &[Move]) -> Vec<Move> {
    let mut positions = Vec::with_capacity(line.len() + 1);
    positions.push(*start);
    for m in line {
        let last = *positions.last().expect("starts with one");
        positions.push(last.after(*m));
    }
    let mut place: FxHashMap<Key, usize> = FxHashMap::default();
    for (index, position) in positions.iter().enumerate() {
        place.insert(Key::new(position), index);
    }
    let mut short = Vec::with_capacity(line.len());
    let mut at = place[&Key::new(start)];
    while at + 1 < positions.len() {
        let ahead = |m: &Move| place.get(&Key::new(&positions[at].after(*m))).copied();
        let (m, next) = positions[at]
            .legal_moves()
            .into_iter()
            .filter_map(|m| Some((m, ahead(&m)?)))
            .max_by_key(|&(_, index)| index)
            .expect("the line's own move leads on");
        short.push(m);
        at = next;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_detours_go() {
        let start = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - -").unwrap();
        let play = |words: &[&str]| {
            let mut position = start;
            let mut line = Vec::new();
            for word in words {
                let m = *position
                    .legal_moves()
                    .iter()
                    .find(|m| m.uci() == *word)
                    .unwrap();
                line.push(m);
                position.play(m);
            }
            line
        };
        let long = play(&[
            "a1a2", "h8g8", "a2a1", "g8h8", "a1a3", "h8g8", "f6g6", "g8h8", "a3a8",
        ]);
        let short = tidy(&start, &long);
        assert!(short.len() < long.len());
        let end = short.iter().fold(start, |position, m| position.after(*m));
        assert!(end.is_checkmate());
    }
}
