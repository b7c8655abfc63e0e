//! The four fields of a position.

use std::convert::identity;

use shakmaty::{
    Bitboard, Castles, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Piece,
    PositionError, PositionErrorKinds as Kinds, Role, Setup, Square,
    fen::{Fen, ParseFenError},
};

use super::fault::{CastlingFault, EnPassantFault, Fault, Note, TextError, clip, color_of_home};
use crate::Position;

/// What to do about a castling right or an en passant square that is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mending {
    /// Reject the line.
    #[default]
    Strict,
    /// Drop the right or the square, and say so in a [`Note`].
    Lenient,
}

/// Reads men, side to move, castling and en passant square.
pub(super) fn read(
    fields: [&str; 4],
    mending: Mending,
) -> Result<(Position, Vec<Note>), TextError> {
    let mut setup = setup(fields)?;
    let stray = stray_rights(&setup);
    let right_faults = stray.into_iter().map(|rook| castling_fault(&setup, rook));
    let mut mendable: Vec<Fault> = right_faults.collect();
    let mut notes: Vec<Note> = stray
        .into_iter()
        .map(|rook| Note::DroppedCastling { rook })
        .collect();
    setup.castling_rights = setup.castling_rights.without(stray);

    let chess = Chess::from_setup(setup.clone(), CastlingMode::Chess960);
    let kinds = chess
        .as_ref()
        .map_or_else(PositionError::kinds, |_| Kinds::empty());
    if kinds.contains(Kinds::INVALID_EP_SQUARE)
        && let Some(square) = setup.ep_square
    {
        mendable.push(en_passant_fault(&setup, square));
        notes.push(Note::DroppedEnPassant(square));
    }
    let mut faults = board_faults(&setup, kinds);
    if faults.is_empty() && mending == Mending::Strict {
        faults = mendable;
    }
    if !faults.is_empty() {
        return Err(TextError::new(faults));
    }
    if kinds.contains(Kinds::TOO_MUCH_MATERIAL) {
        notes.push(Note::TooMuchMaterial);
    }
    if kinds.contains(Kinds::IMPOSSIBLE_CHECK) {
        notes.push(Note::ImpossibleCheck);
    }
    let chess = chess
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| Fault::Other(error.to_string()))?;
    Ok((Position::from_chess(&chess), notes))
}

/// The fields as a set-up, sound or not.
fn setup([men, turn, castling, en_passant]: [&str; 4]) -> Result<Setup, Fault> {
    // shakmaty also reads variants' fields and separators, which mean nothing here.
    let foreign = men.bytes().any(|byte| b"[]~_".contains(&byte));
    if foreign || men.bytes().filter(|&byte| byte == b'/').count() != 7 {
        return Err(men_fault(men));
    }
    if turn != "w" && turn != "b" {
        return Err(Fault::Turn(clip(turn)));
    }
    if castling.contains('_') {
        return Err(Fault::Castling(clip(castling)));
    }
    let text = [men, turn, castling, en_passant].join(" ");
    match Fen::from_ascii(text.as_bytes()) {
        Ok(fen) => Ok(fen.into_setup()),
        Err(ParseFenError::InvalidBoard) => Err(men_fault(men)),
        Err(ParseFenError::InvalidCastling) => Err(Fault::Castling(clip(castling))),
        Err(ParseFenError::InvalidEpSquare) => Err(Fault::EnPassant(clip(en_passant))),
        Err(other) => Err(Fault::Other(other.to_string())),
    }
}

/// What is wrong with the text of the board, from the top.
fn men_fault(men: &str) -> Fault {
    let ranks: Vec<&str> = men.split('/').collect();
    if ranks.len() != 8 {
        return Fault::RankCount { found: ranks.len() };
    }
    for (rank, text) in (1..=8).rev().zip(ranks) {
        let mut squares = 0;
        for man in text.chars() {
            match man {
                '1'..='8' => squares += man as usize - '0' as usize,
                _ if Piece::from_char(man).is_some() => squares += 1,
                _ => {
                    let found = man.to_string();
                    return Fault::UnknownMan { rank, found };
                }
            }
        }
        if squares != 8 {
            let text = clip(text);
            return Fault::RankWidth {
                rank,
                text,
                squares,
            };
        }
    }
    Fault::Other("the board can't be read".to_owned())
}

/// What makes the men and the turn impossible, of the `kinds` that shakmaty found.
fn board_faults(setup: &Setup, kinds: Kinds) -> Vec<Fault> {
    let mut faults = Vec::new();
    let board = &setup.board;
    for color in Color::ALL {
        let men = board.by_color(color);
        let kings = (men & board.kings()).count();
        if kings != 1 {
            faults.push(Fault::Kings {
                color,
                found: kings,
            });
        }
        if kinds.contains(Kinds::TOO_MUCH_MATERIAL) {
            if men.count() > 16 {
                let found = men.count();
                faults.push(Fault::Men { color, found });
            }
            let found = (men & board.pawns()).count();
            if found > 8 {
                faults.push(Fault::Pawns { color, found });
            }
        }
    }
    if kinds.contains(Kinds::PAWNS_ON_BACKRANK) {
        let pawns = board.pawns() & Bitboard::BACKRANKS;
        faults.push(Fault::PawnsOnBackRank(pawns));
    }
    if faults.is_empty() && kinds.contains(Kinds::OPPOSITE_CHECK) {
        faults.push(Fault::OpponentInCheck { turn: setup.turn });
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
fn castling_fault(setup: &Setup, rook: Square) -> Fault {
    let color = color_of_home(rook);
    let man = Piece {
        color,
        role: Role::Rook,
    };
    let castles = Castles::from_setup(setup, CastlingMode::Chess960).unwrap_or_else(identity);
    let missing = if setup.board.piece_at(rook) != Some(man) {
        CastlingFault::NoRook
    } else if king_at_home(setup, color).is_none() {
        CastlingFault::KingAway
    } else if !castles.castling_rights().contains(rook) {
        CastlingFault::SecondRook
    } else {
        CastlingFault::OtherFiles
    };
    Fault::CastlingRight { rook, missing }
}

/// Why no pawn can have passed `square` with its last move.
fn en_passant_fault(setup: &Setup, square: Square) -> Fault {
    let turn = setup.turn;
    let rank = turn.relative_rank(shakmaty::Rank::Sixth);
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
    Fault::EnPassantSquare { square, turn, why }
}
