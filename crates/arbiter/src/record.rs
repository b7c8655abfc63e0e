//! The record of a game: moves, positions, and how often each has been on the board.

use std::{iter, slice};

use shakmaty::{Chess, Color, san::SanPlus};
use stillmate_core::{Move, Position};

/// The moves of a game with all positions that they lead to.
///
/// A *ply* is the move of one player; "after `n` plies" names a position, 0 the first.
#[derive(Clone, Debug)]
pub struct GameRecord {
    moves: Vec<Move>,
    /// The positions that the moves were played in.
    before: Vec<Position>,
    last: Position,
    /// The halfmove clock of the first position.
    first_clock: u32,
    first_number: u32,
}

impl Default for GameRecord {
    /// A game from the usual position in which nothing has been played.
    fn default() -> GameRecord {
        let first = Position::from_chess(&Chess::default());
        GameRecord {
            moves: Vec::new(),
            before: Vec::new(),
            last: first,
            first_clock: 0,
            first_number: 1,
        }
    }
}

impl GameRecord {
    /// Forgets everything and begins with `position`, in which `clock` plies have been played
    /// since the last capture or pawn move and the next move has the number `number`.
    pub fn begin(&mut self, position: Position, clock: u32, number: u32) {
        self.moves.clear();
        self.before.clear();
        self.last = position;
        self.first_clock = clock;
        self.first_number = number;
    }

    /// Adds a move, which must be legal in the last position.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.before.extend_from_slice(slice::from_ref(&self.last));
        self.last.play(m);
        self.moves.push(m);
    }

    /// Forgets all moves.
    pub(crate) fn rewind(&mut self) {
        self.begin(*self.position(0), self.first_clock, self.first_number);
    }

    /// Whether no move has left the king of the player who made it attacked.
    pub(crate) fn is_safe(&self) -> bool {
        let reached = self.before.iter().skip(1);
        reached.chain([&self.last]).all(Position::is_safe_after)
    }

    /// How many plies have been played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after `plies` plies.
    ///
    /// # Panics
    ///
    /// If fewer were played.
    #[inline]
    pub fn position(&self, plies: usize) -> &Position {
        if plies == self.before.len() {
            &self.last
        } else {
            &self.before[plies]
        }
    }

    /// The last position.
    #[inline]
    pub fn last(&self) -> &Position {
        &self.last
    }

    /// The halfmove clock after `plies` plies: plies since the last capture or pawn move.
    ///
    /// # Panics
    ///
    /// If fewer were played.
    pub fn clock(&self, plies: usize) -> u32 {
        let before = self.moves[..plies].iter().rev();
        let quiet = before.take_while(|m| !m.is_zeroing()).count();
        let known = if quiet == plies { self.first_clock } else { 0 };
        known.saturating_add(quiet as u32)
    }

    /// The highest halfmove clock of the game.
    pub fn highest_clock(&self) -> u32 {
        self.clocks().fold(0, u32::max)
    }

    /// The halfmove clock of each position, see [`GameRecord::clock`].
    pub(crate) fn clocks(&self) -> impl Iterator<Item = u32> {
        let mut clock = self.first_clock;
        let after = self.moves.iter().map(move |m| {
            clock = if m.is_zeroing() {
                0
            } else {
                clock.saturating_add(1)
            };
            clock
        });
        iter::once(self.first_clock).chain(after)
    }

    /// For each position, how many times it has been on the board, in the sense of 9.2.3:
    /// with the same player to move and the same moves open to both, castling and en passant
    /// included. Positions before a set-up are not known and not counted.
    pub fn occurrences(&self) -> Vec<u32> {
        let mut counts = vec![1; self.plies() + 1];
        for (ply, clock) in self.clocks().enumerate() {
            if let Some(before) = earlier(ply, clock).find(|&at| self.repeats(at, ply)) {
                counts[ply] = counts[before] + 1;
            }
        }
        counts
    }

    /// Whether the position after `plies` plies was also there 4, 8 and so on plies before, as
    /// far as `back` plies.
    pub(crate) fn has_stood_still(&self, plies: usize, back: u32) -> bool {
        let back = back as usize;
        let mut before = (4..=back).step_by(4);
        plies >= back && before.all(|back| self.repeats(plies - back, plies))
    }

    /// When `position`, after `plies` plies or a move more, was on the board before; the first
    /// time first.
    pub fn earlier(&self, position: &Position, plies: usize) -> Vec<usize> {
        let first = plies.saturating_sub(self.clock(plies) as usize);
        (first..plies)
            .filter(|&at| self.position(at) == position)
            .collect()
    }

    #[inline]
    fn repeats(&self, before: usize, now: usize) -> bool {
        let (a, b) = (self.position(before), self.position(now));
        a.of(Color::White) == b.of(Color::White)
            && a.of(Color::Black) == b.of(Color::Black)
            && a == b
    }

    /// The number of the move that comes after `plies` plies, and whether it is Black's.
    pub fn number(&self, plies: usize) -> (u32, bool) {
        let first = usize::from(self.position(0).turn() == Color::Black);
        let number = u64::from(self.first_number) + (first + plies) as u64 / 2;
        (
            number.try_into().unwrap_or(u32::MAX),
            (first + plies) % 2 == 1,
        )
    }

    /// The last of `plies` plies with its number, such as `34. Qe2` or `121... Rb5+`; the
    /// words "the first position" for none.
    ///
    /// # Panics
    ///
    /// If fewer were played.
    pub fn label(&self, plies: usize) -> String {
        match plies.checked_sub(1) {
            None => "the first position".to_owned(),
            Some(before) => self.label_of(before, self.moves[before]),
        }
    }

    /// A move that is legal after `plies` plies with its number.
    pub fn label_of(&self, plies: usize, m: Move) -> String {
        let (number, black) = self.number(plies);
        let dots = if black { "... " } else { ". " };
        [&number.to_string(), dots, &self.san(plies, m)].concat()
    }

    /// A move that is legal after `plies` plies in standard algebraic notation.
    pub fn san(&self, plies: usize, m: Move) -> String {
        SanPlus::from_move(self.position(plies).to_chess(), m.to_shakmaty()).to_string()
    }

    /// The position after `plies` plies as a FEN with both counters.
    pub fn fen(&self, plies: usize) -> String {
        let fen = self.position(plies).fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        format!(
            "{} {} {}",
            fields.join(" "),
            self.clock(plies),
            self.number(plies).0
        )
    }
}

/// Earlier positions that the one after `plies` plies could be equal to, the last first: with
/// the same player to move, and no capture or pawn move between, which was `clock` plies
/// before. Two plies are too few, since the player who moved first isn't back.
#[inline]
fn earlier(plies: usize, clock: u32) -> impl Iterator<Item = usize> {
    let first = plies.saturating_sub(clock as usize);
    (first..(plies + 1).saturating_sub(4))
        .rev()
        .filter(move |at| (plies - at).is_multiple_of(2))
}
