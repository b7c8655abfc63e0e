//! The four fields of a position.

use std::convert::identity;

use shakmaty::{
    Bitboard, Castles, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Piece,
    PositionError, PositionErrorKinds as Kinds, Rank, Role, Setup, Square,
    fen::{Fen, ParseFenError},
};

use super::fault::{
    CastlingFault, EnPassantFault, Note, TextError, TextFault, clip, color_of_home,
};
use crate::Position;

/// What to do about a castling right or an en passant square that is impossible.
///
/// ```
/// use stillmate_core::text::{Leniency, Record};
///
/// let line = "4k3/8/8/8/8/8/8/4K3 w K -";
/// assert!(Record::parse(line, Leniency::Strict).is_err());
/// let record = Record::parse(line, Leniency::Lenient)?;
/// assert_eq!(record.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
/// assert!(record.notes()[0].is_repair());
/// # Ok::<(), stillmate_core::text::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Leniency {
    /// Reject the line.
    #[default]
    Strict,
    /// Drop the right or the square, and say so in a [`Note`].
    Lenient,
}

/// Reads board, side to move, castling and en passant square.
pub(super) fn read(
    fields: [&str; 4],
    leniency: Leniency,
) -> Result<(Position, Vec<Note>), TextError> {
    let mut setup = setup(fields)?;
    let [board, _, castling, _] = fields;
    let mut notes: Vec<Note> = Vec::new();
    notes.extend(split_squares(board).map(Note::SplitSquares));
    if castling != "-" && castling.len() > setup.castling_rights.count() {
        notes.push(Note::RepeatedCastling);
    }
    let stray = stray_rights(&setup);
    let right_faults = stray.into_iter().map(|rook| castling_fault(&setup, rook));
    let mut repairable: Vec<TextFault> = right_faults.collect();
    let dropped = stray.into_iter();
    notes.extend(dropped.map(|rook| Note::DroppedCastling { rook }));
    setup.castling_rights = setup.castling_rights.without(stray);

    let chess = Chess::from_setup(setup.clone(), CastlingMode::Chess960);
    let kinds = chess
        .as_ref()
        .map_or_else(PositionError::kinds, |_| Kinds::empty());
    if kinds.contains(Kinds::INVALID_EP_SQUARE)
        && let Some(square) = setup.ep_square
    {
        repairable.push(en_passant_fault(&setup, square));
        notes.push(Note::DroppedEnPassant(square));
    }
    let mut faults = board_faults(&setup, kinds);
    if faults.is_empty() && leniency == Leniency::Strict {
        faults = repairable;
    }
    if !faults.is_empty() {
        return Err(TextError::new(faults));
    }
    if kinds.contains(Kinds::TOO_MUCH_MATERIAL) {
        notes.push(Note::TooMuchMaterial);
    }
    let chess = chess
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| TextFault::Other(error.to_string()))?;
    let position = Position::from_chess(&chess);
    let passed = setup
        .ep_square
        .filter(|_| !kinds.contains(Kinds::INVALID_EP_SQUARE));
    if !has_last_move(&position, passed) {
        notes.push(if position.checkers().any() {
            Note::ImpossibleCheck
        } else {
            Note::NoLastMove
        });
    }
    Ok((position, notes))
}

/// Whether a game can have come to `position` by a move or begun there; `passed` is the en
/// passant square of the line.
///
/// In doubt the answer is yes. Many programs leave an en passant square out, so that a double
/// step counts as a last move though it could be answered. And a game with odds may begin
/// with any pieces at home.
fn has_last_move(position: &Position, passed: Option<Square>) -> bool {
    if passed.is_some() {
        // An en passant square tells the last move, whether or not a pawn can use it.
        let after = Position {
            ep: passed,
            ..*position
        };
        return after.has_predecessor();
    }
    let at_home = |color: Color| {
        let ranks = [Rank::First, Rank::Second].map(|rank| color.relative_rank(rank));
        let home = Bitboard::from_rank(ranks[0]) | Bitboard::from_rank(ranks[1]);
        position.of(color).is_subset(home)
    };
    position.has_predecessor()
        || position
            .en_passant_variants()
            .any(|variant| variant.has_predecessor())
        || position.turn() == Color::White
            && position.checkers().is_empty()
            && Color::ALL.into_iter().all(at_home)
}

/// The fields as a set-up, sound or not.
fn setup(fields: [&str; 4]) -> Result<Setup, TextFault> {
    let [board, turn, castling, en_passant] = fields;
    // shakmaty also reads variants' fields and separators, which mean nothing here.
    let foreign = board.bytes().any(|byte| b"[]~_".contains(&byte));
    let ranks = board.bytes().filter(|&byte| byte == b'/').count() + 1;
    let fault = if foreign || ranks != 8 {
        TextFault::Other("the board can't be read".to_owned())
    } else if turn != "w" && turn != "b" {
        TextFault::Turn(clip(turn))
    } else if castling.contains('_') {
        TextFault::Castling(clip(castling))
    } else {
        match Fen::from_ascii(fields.join(" ").as_bytes()) {
            Ok(fen) => return Ok(fen.into_setup()),
            Err(ParseFenError::InvalidCastling) => TextFault::Castling(clip(castling)),
            Err(ParseFenError::InvalidEpSquare) => TextFault::EnPassant(clip(en_passant)),
            Err(other) => TextFault::Other(other.to_string()),
        }
    };
    // The board comes first: if it is none, the other fields mean nothing.
    Err(board_fault(board).unwrap_or(fault))
}

/// What is wrong with the text of the board, from the top.
pub(super) fn board_fault(board: &str) -> Option<TextFault> {
    let found = board.bytes().filter(|&byte| byte == b'/').count() + 1;
    if found != 8 {
        return Some(TextFault::RankCount { found });
    }
    (1..=8)
        .rev()
        .zip(board.split('/'))
        .find_map(|(rank, text)| {
            let is_known = |c: &char| matches!(c, '1'..='8') || Piece::from_char(*c).is_some();
            match squares(text) {
                Some(8) => None,
                Some(squares) => {
                    let text = clip(text);
                    Some(TextFault::RankWidth {
                        rank,
                        text,
                        squares,
                    })
                }
                None => {
                    let found = text.chars().find(|c| !is_known(c))?.to_string();
                    Some(TextFault::UnknownPiece { rank, found })
                }
            }
        })
}

/// How many squares the text of a rank describes, if it can be read.
pub(super) fn squares(rank: &str) -> Option<usize> {
    let squares = |c: char| match c {
        '1'..='8' => Some(c as usize - '0' as usize),
        _ => Piece::from_char(c).map(|_| 1),
    };
    rank.chars().map(squares).sum()
}

/// The uppermost rank in which two numbers follow each other.
fn split_squares(board: &str) -> Option<Rank> {
    let is_split = |rank: &str| {
        let bytes = rank.as_bytes();
        bytes
            .windows(2)
            .any(|pair| pair.iter().all(u8::is_ascii_digit))
    };
    let mut ranks = Rank::ALL.into_iter().rev().zip(board.split('/'));
    ranks.find_map(|(rank, text)| is_split(text).then_some(rank))
}

/// What makes the board and the turn impossible, of the `kinds` that shakmaty found.
fn board_faults(setup: &Setup, kinds: Kinds) -> Vec<TextFault> {
    let mut faults = Vec::new();
    let board = &setup.board;
    for color in Color::ALL {
        let own = board.by_color(color);
        let kings = (own & board.kings()).count();
        if kings != 1 {
            faults.push(TextFault::Kings {
                color,
                found: kings,
            });
        }
        if kinds.contains(Kinds::TOO_MUCH_MATERIAL) {
            if own.count() > 16 {
                let found = own.count();
                faults.push(TextFault::Pieces { color, found });
            }
            let found = (own & board.pawns()).count();
            if found > 8 {
                faults.push(TextFault::Pawns { color, found });
            }
        }
    }
    if kinds.contains(Kinds::PAWNS_ON_BACKRANK) {
        let pawns = board.pawns() & Bitboard::BACKRANKS;
        faults.push(TextFault::PawnsOnBackRank(pawns));
    }
    if faults.is_empty() && kinds.contains(Kinds::OPPOSITE_CHECK) {
        faults.push(TextFault::OpponentInCheck { turn: setup.turn });
    }
    faults
}

/// The square of `color`'s king if a game can have begun with it there: on the first rank
/// with room for a rook on either side.
fn king_at_home(setup: &Setup, color: Color) -> Option<Square> {
    let home = |king: &Square| {
        king.rank() == color.backrank() && !matches!(king.file(), File::A | File::H)
    };
    setup.board.king_of(color).filter(home)
}

/// Rooks of castling rights that can't be right: king or rook isn't there, or White and
/// Black castle from different files, so that they can't both be at home.
fn stray_rights(setup: &Setup) -> Bitboard {
    if setup.castling_rights.is_empty() {
        return Bitboard::EMPTY;
    }
    let castles = Castles::from_setup(setup, CastlingMode::Chess960).unwrap_or_else(identity);
    let mut good = castles.castling_rights();
    for color in Color::ALL {
        if king_at_home(setup, color).is_none() {
            good = good.without(Bitboard::from_rank(color.backrank()));
        }
    }
    // Where the two sides differ, the one on the orthodox file is believed.
    let [white, black] = Color::ALL.map(|color| good & color.backrank());
    let kings = Color::ALL.map(|color| king_at_home(setup, color));
    if let [Some(of_white), Some(of_black)] = kings
        && white.any()
        && black.any()
        && of_white.file() != of_black.file()
    {
        for (king, rights) in [(of_white, white), (of_black, black)] {
            if king.file() != File::E {
                good = good.without(rights);
            }
        }
    }
    for (side, usual) in [
        (CastlingSide::QueenSide, File::A),
        (CastlingSide::KingSide, File::H),
    ] {
        let rooks = Color::ALL.map(|color| {
            let rook = castles.rook(color, side);
            rook.filter(|&rook| good.contains(rook))
        });
        if let [Some(of_white), Some(of_black)] = rooks
            && of_white.file() != of_black.file()
        {
            for rook in [of_white, of_black] {
                if rook.file() != usual {
                    good.discard(rook);
                }
            }
        }
    }
    setup.castling_rights.without(good)
}

/// Why the right to castle with the rook on `rook` is a stray one.
fn castling_fault(setup: &Setup, rook: Square) -> TextFault {
    let color = color_of_home(rook);
    let expected = Piece {
        color,
        role: Role::Rook,
    };
    let castles = Castles::from_setup(setup, CastlingMode::Chess960).unwrap_or_else(identity);
    let missing = if setup.board.piece_at(rook) != Some(expected) {
        CastlingFault::NoRook
    } else if king_at_home(setup, color).is_none() {
        CastlingFault::KingAway
    } else if !castles.castling_rights().contains(rook) {
        CastlingFault::SecondRook
    } else {
        CastlingFault::OtherFiles
    };
    TextFault::CastlingRight { rook, missing }
}

/// Why no pawn can have passed `square` with its last move.
fn en_passant_fault(setup: &Setup, square: Square) -> TextFault {
    let turn = setup.turn;
    let rank = turn.relative_rank(Rank::Sixth);
    let why = if square.rank() != rank {
        EnPassantFault::Rank(rank)
    } else {
        let behind = |steps: i32| square.offset(steps * turn.fold_wb(8, -8));
        let pawn = Piece {
            color: !turn,
            role: Role::Pawn,
        };
        let (to, from) = (behind(-1), behind(1));
        match to {
            Some(to) if setup.board.piece_at(to) != Some(pawn) => EnPassantFault::NoPawn(to),
            _ => {
                let occupied = |sq: &Square| setup.board.occupied().contains(*sq);
                let way = [Some(square), from].into_iter().flatten();
                EnPassantFault::Occupied(way.into_iter().find(occupied).unwrap_or(square))
            }
        }
    };
    TextFault::EnPassantSquare { square, turn, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str) -> String {
        match read_line(fen, Leniency::Strict) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    fn read_line(fen: &str, leniency: Leniency) -> Result<(Position, Vec<Note>), TextError> {
        let fields: Vec<&str> = fen.split(' ').collect();
        read(fields.try_into().expect("four fields"), leniency)
    }

    fn squares(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn all_faults_of_a_board_are_named() {
        assert_eq!(
            error("pppppppp/p7/8/8/8/8/8/KK6 w - -"),
            "White has 2 kings; each side has exactly one; Black has no king; each side has \
             exactly one; Black has 9 pawns; a side has at most 8; pawn on a8 and b8 and c8 and \
             d8 and e8 and f8 and g8 and h8; pawns stand on ranks 2 to 7"
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4K3 w Qk e6"),
            "castling right of White with the rook on a1, but there is no such rook; castling \
             right of Black with the rook on h8, but there is no such rook; en passant square e6 \
             with White to move, but no pawn of the other side stands on e5"
        );
    }

    #[test]
    fn the_kings_may_not_touch() {
        let fault = "Black is in check although it is White's turn; the game could not be here";
        assert_eq!(error("8/8/8/3kK3/8/8/8/8 w - -"), fault);
    }

    #[test]
    fn every_way_to_write_castling_is_read() {
        let rights = |fen: &str| {
            let (position, notes) = read_line(fen, Leniency::Strict).unwrap();
            assert_eq!(notes, [], "{fen}");
            position.castling()
        };
        let corners = Bitboard::CORNERS;
        for castling in ["KQkq", "qkQK", "HAha", "AHah", "KAhq"] {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {castling} -");
            assert_eq!(rights(&fen), corners, "{castling}");
        }
        // K is the outermost rook, a letter any rook: Chess960.
        let fen = "1r2k1rr/8/8/8/8/8/8/1R2K1RR w Gg -";
        assert_eq!(rights(fen), squares(&[Square::G1, Square::G8]));
        let fen = "1r2k1rr/8/8/8/8/8/8/1R2K1RR w KQkq -";
        let rooks = [Square::B1, Square::H1, Square::B8, Square::H8];
        assert_eq!(rights(fen), squares(&rooks));
    }

    #[test]
    fn where_the_sides_castle_from_other_files_the_orthodox_side_is_believed() {
        let dropped = |fen: &str| {
            let (position, notes) = read_line(fen, Leniency::Lenient).unwrap();
            assert!(notes.iter().all(|note| note.is_repair()), "{notes:?}");
            position.castling()
        };
        let whites = squares(&[Square::A1, Square::H1]);
        assert_eq!(dropped("r2k3r/8/8/8/8/8/8/R3K2R w KQkq -"), whites);
        assert_eq!(
            dropped("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq -"),
            whites | Square::A8
        );
        assert_eq!(dropped("r1k4r/8/8/8/8/8/8/R2K3R w KQkq -"), Bitboard::EMPTY);
    }

    #[test]
    fn notes_tell_what_cannot_arise() {
        let notes = |fen: &str| read_line(fen, Leniency::Strict).unwrap().1;
        assert_eq!(notes("4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - -"), []);
        let crowd = "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - -";
        assert_eq!(notes(crowd), [Note::TooMuchMaterial]);
        // The rook came from c6; it can't have come to e4 from in front of the bishop.
        assert_eq!(notes("4k3/8/4R3/1B6/8/8/8/4K3 b - -"), []);
        let double = "4k3/8/8/1B6/4R3/8/8/4K3 b - -";
        assert_eq!(notes(double), [Note::ImpossibleCheck]);
        let aligned = "R3k2R/8/8/8/8/8/8/4K3 b - -";
        assert_eq!(notes(aligned), [Note::ImpossibleCheck]);
    }

    #[test]
    fn odd_spellings_are_read_and_noted() {
        let read = |fen: &str| read_line(fen, Leniency::Strict).unwrap();
        let (position, notes) = read("r3k2r/8/8/8/17/8/8/R3K2R w KHQkq -");
        assert_eq!(
            notes,
            [Note::SplitSquares(Rank::Fourth), Note::RepeatedCastling]
        );
        assert_eq!(position, read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").0);
        for castling in ["KK", "KKQ", "KQKQkqkq"] {
            let (_, notes) = read(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {castling} -"));
            assert_eq!(notes, [Note::RepeatedCastling], "{castling}");
        }
    }

    #[test]
    fn the_board_is_judged_before_the_other_fields() {
        for (line, message) in [
            ("position fen 8/8/4k3/8/8/3K4/8/8 w", "a board has 8 ranks"),
            ("8/8/8/8/8/8/8/9 x y z", "unknown man \"9\" in rank 1"),
            (
                "8/8/8/8/8/8/8/7 x y z",
                "rank 1 (\"7\") describes 7 squares",
            ),
            ("8/8/8/8/8/8/8/8 x y z", "side to move is \"x\""),
            ("8/8/8/8/8/8/8/8 w y_ z", "castling is \"y_\""),
            ("8/8/8/8/8/8/8/8 w - z", "en passant square is \"z\""),
        ] {
            assert!(error(line).starts_with(message), "{line}: {}", error(line));
        }
    }

    /// Whatever is done to a line, it is read or its fault has words, and what is read is
    /// what shakmaty reads.
    #[test]
    fn damaged_lines_are_read_or_explained() {
        const LINES: [&str; 4] = [
            "rnbqkbnr/pp1ppppp/8/8/2pPP3/8/PPP2PPP/RNBQKBNR b KQkq d3",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
            "8/8/3k4/3pP3/8/8/3K4/8 w - d6",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -",
        ];
        const SIGNS: &[u8] = b"KQRBNPkqrbnp12345678/ w-abcdefgh36HAx~[_";
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut read_lines, mut explained) = (0, 0);
        for round in 0..60_000 {
            let mut line = LINES[round % LINES.len()].as_bytes().to_vec();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..line.len());
                let sign = SIGNS[rng.usize(..SIGNS.len())];
                match rng.u8(..3) {
                    0 => line[at] = sign,
                    1 => line.insert(at, sign),
                    _ => drop(line.remove(at)),
                }
            }
            let line = String::from_utf8(line).expect("the signs are ASCII");
            let fields: Vec<&str> = line.split_whitespace().collect();
            let Ok(fields) = fields.try_into() else {
                continue;
            };
            match read(fields, Leniency::Strict) {
                Ok((position, _)) => {
                    let theirs = Position::from_fen(&line);
                    assert_eq!(theirs.as_ref(), Ok(&position), "{line}");
                    read_lines += 1;
                }
                Err(error) => {
                    let vague = |fault: &TextFault| matches!(fault, TextFault::Other(_));
                    assert!(!error.faults().iter().any(vague), "{line}: {error}");
                    explained += 1;
                }
            }
        }
        assert!(
            read_lines > 500 && explained > 20_000,
            "{read_lines}, {explained}"
        );
    }
}
