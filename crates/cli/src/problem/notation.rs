//! Moves as problemists write them.

use clap::ValueEnum;
use stillmate_core::{Color, Move, Position};

use super::args::Notation;
use crate::render::words;

/// Whose letters stand for the men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Letters {
    English,
    /// English with S for a knight.
    Problem,
    Figurines,
    German,
    French,
    Spanish,
    Italian,
    Dutch,
    Portuguese,
    Polish,
    Czech,
    Hungarian,
}

impl Letters {
    /// King, queen, rook, bishop and knight.
    const fn men(self) -> [char; 5] {
        match self {
            Letters::English => ['K', 'Q', 'R', 'B', 'N'],
            Letters::Problem => ['K', 'Q', 'R', 'B', 'S'],
            Letters::Figurines => ['♔', '♕', '♖', '♗', '♘'],
            Letters::German => ['K', 'D', 'T', 'L', 'S'],
            Letters::French => ['R', 'D', 'T', 'F', 'C'],
            Letters::Spanish | Letters::Italian => ['R', 'D', 'T', 'A', 'C'],
            Letters::Dutch => ['K', 'D', 'T', 'L', 'P'],
            Letters::Portuguese => ['R', 'D', 'T', 'B', 'C'],
            Letters::Polish => ['K', 'H', 'W', 'G', 'S'],
            Letters::Czech => ['K', 'D', 'V', 'S', 'J'],
            Letters::Hungarian => ['K', 'D', 'B', 'F', 'H'],
        }
    }

    fn translate(self, letter: char) -> char {
        match Letters::English.men().iter().position(|&man| man == letter) {
            Some(man) => self.men()[man],
            None => letter,
        }
    }
}

/// How moves are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) notation: Notation,
    pub(super) letters: Letters,
}

impl Style {
    /// The moves of a line, one by one and without numbers.
    pub(super) fn moves(self, position: &Position, line: &[Move]) -> Vec<String> {
        let san = words::san(position, line);
        san.iter()
            .zip(line)
            .map(|(san, m)| self.write(san, *m))
            .collect()
    }

    fn write(self, san: &str, m: Move) -> String {
        if m.is_castle() {
            return match self.notation {
                Notation::Problem => san.replace('O', "0"),
                Notation::San => san.to_owned(),
            };
        }
        let mut text: String = san.chars().map(|c| self.letters.translate(c)).collect();
        if m.is_en_passant() && self.notation == Notation::Problem {
            let end = text.find(['+', '#']).unwrap_or(text.len());
            text.insert_str(end, " ep");
        }
        text
    }

    /// Moves with their numbers. In problems the side to be mated has the first move of each
    /// number; if the other begins, its first move is written as an answer.
    pub(super) fn numbered(
        self,
        turn: Color,
        winner: Color,
        first: usize,
        moves: &[String],
    ) -> String {
        match self.notation {
            Notation::San => {
                // The numbers of a game that begins here.
                let shift = usize::from(turn == Color::Black) + first;
                let turn = if shift % 2 == 1 {
                    Color::Black
                } else {
                    Color::White
                };
                words::numbered(turn, shift as u32 / 2 + 1, moves).join(" ")
            }
            Notation::Problem => {
                let shift = usize::from(turn == winner) + first;
                let word = |(index, text): (usize, &String)| {
                    let ply = shift + index;
                    match (ply % 2, index) {
                        (0, _) => format!("{}.{text}", ply / 2 + 1),
                        (_, 0) => format!("{}...{text}", ply / 2 + 1),
                        _ => text.clone(),
                    }
                };
                let words: Vec<String> = moves.iter().enumerate().map(word).collect();
                words.join(" ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fen: &str, uci: &[&str], notation: Notation, letters: Letters) -> String {
        let position = Position::from_fen(fen).unwrap();
        let mut now = position;
        let mut line = Vec::new();
        for text in uci {
            let m = now
                .legal_moves()
                .into_iter()
                .find(|m| m.uci() == *text)
                .unwrap();
            now.play(m);
            line.push(m);
        }
        let style = Style { notation, letters };
        let moves = style.moves(&position, &line);
        style.numbered(position.turn(), Color::White, 0, &moves)
    }

    #[test]
    fn moves_are_written_as_in_problems() {
        let castling = "8/8/8/5n2/8/7k/5P2/R3K3 b Q -";
        let moves = ["f5d4", "e1c1", "d4e2"];
        let problem = |letters| written(castling, &moves, Notation::Problem, letters);
        assert_eq!(problem(Letters::English), "1.Nd4 0-0-0 2.Ne2+");
        assert_eq!(problem(Letters::Problem), "1.Sd4 0-0-0 2.Se2+");
        assert_eq!(problem(Letters::Figurines), "1.♘d4 0-0-0 2.♘e2+");
        assert_eq!(
            written(castling, &moves, Notation::San, Letters::English),
            "1... Nd4 2. O-O-O Ne2+"
        );
        let pawns = "8/P7/8/3pP3/8/8/8/k1K5 w - d6";
        assert_eq!(
            written(
                pawns,
                &["e5d6", "a1a2", "a7a8q"],
                Notation::Problem,
                Letters::German
            ),
            "1...exd6 ep 2.Ka2 a8=D#".replace('#', "+")
        );
    }
}
