//! Men on a board that is being set up, and the changes that make twins.

use std::str::FromStr;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, EnPassantMode, FromSetup, Piece, Position as _, Setup,
};
use stillmate_core::{Color, Position, Role, Square};

/// A position in the making.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    pub(super) board: Board,
    /// Rooks that may castle, as long as they and their king stand there.
    pub(super) castling: Bitboard,
    pub(super) en_passant: Option<Square>,
}

impl Diagram {
    pub(super) fn of(position: &Position) -> Diagram {
        let setup = position.to_setup();
        Diagram {
            board: setup.board,
            castling: setup.castling_rights,
            en_passant: setup.ep_square,
        }
    }

    /// The position with `turn` to move. Rights and an en passant square that don't fit it are
    /// dropped.
    pub(super) fn position(&self, turn: Color) -> Result<Position, String> {
        let mut setup = Setup::empty();
        setup.board = self.board.clone();
        setup.turn = turn;
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant;
        // shakmaty drops what doesn't fit; it rejects positions that are otherwise illegal.
        let chess = Chess::from_setup(setup.clone(), CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .map_err(|error| error.to_string())?;
        Position::from_setup(&chess.to_setup(EnPassantMode::Legal))
            .map_err(|error| error.to_string())
    }

    pub(super) fn change(&mut self, change: Change) -> Result<(), String> {
        let there = |board: &Board, square: Square| {
            board
                .piece_at(square)
                .ok_or_else(|| format!("no man stands on {square}"))
        };
        match change {
            Change::Move(from, to) => {
                let man = there(&self.board, from)?;
                self.board.discard_piece_at(from);
                self.board.set_piece_at(to, man);
            }
            Change::Exchange(one, other) => {
                let men = [there(&self.board, one)?, there(&self.board, other)?];
                self.board.set_piece_at(one, men[1]);
                self.board.set_piece_at(other, men[0]);
            }
            Change::Add(man, square) => {
                if self.board.piece_at(square).is_some() {
                    return Err(format!("a man stands on {square} already"));
                }
                self.board.set_piece_at(square, man);
            }
            Change::Remove(square) => {
                there(&self.board, square)?;
                self.board.discard_piece_at(square);
            }
            Change::Replace(square, man) => {
                there(&self.board, square)?;
                self.board.set_piece_at(square, man);
            }
        }
        self.en_passant = None;
        Ok(())
    }
}

/// A change of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Move(Square, Square),
    Exchange(Square, Square),
    Add(Piece, Square),
    Remove(Square),
    Replace(Square, Piece),
}

/// A role by an English letter; S is a knight, too.
pub(super) fn role(letter: char) -> Option<Role> {
    match letter.to_ascii_uppercase() {
        'S' => Some(Role::Knight),
        other => Role::from_char(other),
    }
}

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Change, String> {
        let wrong = || {
            format!(
                "\"{text}\" is no change; write e1-e2 to move a man, e1<->e2 to exchange two, \
                 +wNe1 to add one, -e1 to take one away, e1=bB to put another in its place"
            )
        };
        let square = |text: &str| text.parse::<Square>().map_err(|_| wrong());
        let man = |text: &str| -> Result<Piece, String> {
            let mut letters = text.chars();
            let color = match letters.next() {
                Some('w') => Color::White,
                Some('b') => Color::Black,
                _ => return Err(wrong()),
            };
            let role = letters.next().and_then(role).ok_or_else(wrong)?;
            match letters.next() {
                None => Ok(Piece { color, role }),
                Some(_) => Err(wrong()),
            }
        };
        if let Some(added) = text.strip_prefix('+') {
            let (added, on) = added.split_at_checked(2).ok_or_else(wrong)?;
            return Ok(Change::Add(man(added)?, square(on)?));
        }
        if let Some(removed) = text.strip_prefix('-') {
            return Ok(Change::Remove(square(removed)?));
        }
        if let Some((one, other)) = text.split_once("<->") {
            return Ok(Change::Exchange(square(one)?, square(other)?));
        }
        if let Some((from, to)) = text.split_once('-') {
            return Ok(Change::Move(square(from)?, square(to)?));
        }
        let (on, other) = text.split_once('=').ok_or_else(wrong)?;
        Ok(Change::Replace(square(on)?, man(other)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(fen: &str, changes: &[&str], turn: Color) -> Result<String, String> {
        let mut diagram = Diagram::of(&Position::from_fen(fen).unwrap());
        for change in changes {
            diagram.change(change.parse()?)?;
        }
        Ok(diagram.position(turn)?.fen())
    }

    #[test]
    fn twins_change_the_position() {
        let fen = "8/8/8/8/8/2k5/8/R3K3 w Q -";
        let ok = |fen: &str| Ok(fen.to_owned());
        for (changes, turn, expected) in [
            (
                &["c3-c4"][..],
                Color::White,
                ok("8/8/8/8/2k5/8/8/R3K3 w Q - 0 1"),
            ),
            (
                &["a1-b1"],
                Color::White,
                ok("8/8/8/8/8/2k5/8/1R2K3 w - - 0 1"),
            ),
            (
                &["a1<->c3"],
                Color::White,
                ok("8/8/8/8/8/2R5/8/k3K3 w - - 0 1"),
            ),
            (
                &["+bSd5", "-a1"],
                Color::Black,
                ok("8/8/8/3n4/8/2k5/8/4K3 b - - 0 1"),
            ),
            (
                &["a1=wB"],
                Color::Black,
                ok("8/8/8/8/8/2k5/8/B3K3 b - - 0 1"),
            ),
        ] {
            assert_eq!(changed(fen, changes, turn), expected, "{changes:?}");
        }
        for wrong in [
            "b1-b2", "+wRa1", "-b1", "b1=wR", "a1", "a9-a1", "+Ra2", "+wXa2", "a1=w", "c3-e2",
        ] {
            assert!(changed(fen, &[wrong], Color::Black).is_err(), "{wrong}");
        }
    }
}
