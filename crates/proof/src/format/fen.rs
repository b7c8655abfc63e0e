//! The position of a certificate.

use stillmate_core::Position;

use super::FormatError;

/// Reads a FEN of four to six fields, and nothing that other readers are lenient about or that
/// only variants have.
///
/// # Errors
///
/// [`FormatError::Fen`] for what is no FEN, [`FormatError::Position`] for one without a position.
pub(super) fn read(fen: &str) -> Result<Position, FormatError> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let ([board, turn, castling, passed], counters) = match &fields[..] {
        [board, turn, castling, passed, counters @ ..] if counters.len() <= 2 => {
            ([board, turn, castling, passed], counters)
        }
        _ => return Err(FormatError::Fen("four to six fields, one space apart")),
    };
    let need = |holds, what| {
        if holds {
            Ok(())
        } else {
            Err(FormatError::Fen(what))
        }
    };
    need(is_board(board), "eight ranks of pieces and numbers")?;
    need(["w", "b"].contains(turn), "w or b for the side to move")?;
    need(
        is_castling(castling),
        "castling rights such as KQkq, HAha or -",
    )?;
    need(
        *passed == "-" || passed.len() == 2,
        "an en passant square or -",
    )?;
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    need(counters.iter().all(is_number), "counters in digits")?;
    let position = Position::from_fen(fen)?;
    // Each right named once: what is read is a set.
    let rights = castling.bytes().filter(u8::is_ascii_alphabetic).count();
    need(
        position.castling().count() == rights,
        "each castling right once",
    )?;
    Ok(position)
}

/// Whether `text` is eight ranks of nothing but pieces and numbers, no number beside another.
fn is_board(text: &str) -> bool {
    let is_part = |c: u8| b"12345678/PNBRQKpnbrqk".contains(&c);
    let numbers = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    text.bytes().all(is_part)
        && text.split('/').count() == 8
        && !text.as_bytes().windows(2).any(numbers)
}

/// Whether these are at most two rights of White and then at most two of Black.
fn is_castling(text: &str) -> bool {
    let black = text.trim_start_matches(|c| "KQABCDEFGH".contains(c));
    let white = text.len() - black.len();
    let rest = black.trim_start_matches(|c| "kqabcdefgh".contains(c));
    let rights = [white, black.len() - rest.len()];
    text == "-" || !text.is_empty() && rest.is_empty() && rights.iter().all(|&count| count <= 2)
}
