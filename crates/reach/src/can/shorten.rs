//! Looking through a line before it is given out, and making it short: positions that come
//! twice, and moves that jump ahead.

use std::cell::RefCell;

use stillmate_core::{Color, Move, Position};

/// A line with the same start and end, from which every detour is removed that some single
/// move can cut: after each move, the latest position of the line that can be reached. `None`
/// unless each of its moves is legal and White mates at the end: whoever found it, and however,
/// nothing else is a proof.
pub(crate) fn shorten(start: &Position, line: &[Move]) -> Option<Vec<Move>> {
    SCRATCH.with_borrow_mut(|positions| {
        positions.clear();
        positions.push(*start);
        let mut last = *start;
        for m in line {
            last = last.after_if_legal(*m)?;
            positions.push(last);
        }
        let mates = last.turn() == Color::Black && last.is_checkmate();
        mates.then(|| shortened(positions, line))
    })
}

thread_local! {
    /// Kept: an allocation takes longer than most lines.
    static SCRATCH: RefCell<Vec<Position>> = RefCell::default();
}

/// The same, with the positions before, between and after the moves.
fn shortened(positions: &[Position], line: &[Move]) -> Vec<Move> {
    let mut short = Vec::with_capacity(line.len());
    let mut at = 0;
    while at < line.len() {
        let from = &positions[at];
        // The side to move alternates: only every second position can follow at once, and the
        // other side needs two moves to bring its men back to where they are.
        let mut next = line.len() - (line.len() - at + 1) % 2;
        let jump = loop {
            if next < at + 5 {
                break None;
            }
            let jump = leads(from, &positions[next]);
            if jump.is_some() {
                break jump;
            }
            next -= 2;
        };
        short.push(jump.unwrap_or(line[at]));
        at = jump.map_or(at + 1, |_| next);
    }
    short
}

/// The move from one position to another, if there is one. Castling and en passant, which are
/// no shortcuts, aren't looked for.
#[inline]
fn leads(from: &Position, to: &Position) -> Option<Move> {
    let (us, them) = (from.turn(), !from.turn());
    let taken = from.of(them) ^ to.of(them);
    if taken.more_than_one() {
        return None;
    }
    let moved = from.of(us) ^ to.of(us);
    if moved.count() != 2 || !taken.is_subset(to.of(us) & moved) {
        return None;
    }
    let mut found = None;
    from.for_each_legal_move(|m| {
        if moved.contains(m.from()) && moved.contains(m.to()) && from.after(m) == *to {
            found = Some(m);
        }
    });
    found
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
        let short = shorten(&start, &long).unwrap();
        assert!(short.len() < long.len());
        let end = short.iter().fold(start, |position, m| position.after(*m));
        assert!(end.is_checkmate());
        // A line that breaks off, one that mates nobody, and one that can't be played.
        assert_eq!(shorten(&start, &long[..8]), None);
        assert_eq!(shorten(&start, &[]), None);
        assert_eq!(shorten(&start, &long[1..]), None);
    }
}
