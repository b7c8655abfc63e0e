//! What a written move means on the board.

use shakmaty::{
    Bitboard, CastlingSide, Color, File, Move as Play, Rank, Role, Square,
    attacks::{
        between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
        rook_attacks,
    },
};
use stillmate_core::{Move, Position};

use super::fault::PgnFaultKind;

/// A move as it is written: `Nbd7`, `exd8=Q+`, `O-O`, `e2-e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum San {
    /// A man goes to a square.
    Normal {
        /// `None` where only squares are given, as in `e2e4`.
        role: Option<Role>,
        /// Where it may come from: a square, a file, a rank, or anywhere.
        from: Bitboard,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
}

const fn file(byte: u8) -> Option<File> {
    match byte {
        b'a'..=b'h' => Some(File::new((byte - b'a') as u32)),
        _ => None,
    }
}

const fn rank(byte: u8) -> Option<Rank> {
    match byte {
        b'1'..=b'8' => Some(Rank::new((byte - b'1') as u32)),
        _ => None,
    }
}

const fn piece(byte: u8) -> Option<Role> {
    match byte {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// The man whose plain move begins with a byte; a pawn's begins with its file.
const ROLES: [Option<Role>; 256] = {
    let mut table = [None; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        table[index] = match (piece(byte), file(byte)) {
            (None, Some(_)) => Some(Role::Pawn),
            (piece, _) => piece,
        };
        index += 1;
    }
    table
};

/// The squares that a file or rank leaves; all if nothing, 0, is said, and none for nonsense.
const AMONG: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    table[0] = Bitboard::FULL;
    let mut index = 1;
    while index < 256 {
        let byte = index as u8;
        table[index] = match (file(byte), rank(byte)) {
            (Some(file), _) => Bitboard::from_file(file),
            (_, Some(rank)) => Bitboard::from_rank(rank),
            _ => Bitboard::EMPTY,
        };
        index += 1;
    }
    table
};

/// Where a man that goes to a square may come from on an empty board. The first rows are the
/// pawns' moves (White's, then Black's; straight on, then takes), the others the pieces' by role.
static SOURCES: [[Bitboard; 64]; 9] = {
    let mut table = [[Bitboard::EMPTY; 64]; 9];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        let one = Bitboard::from_square(square);
        let middle = match square.rank() {
            Rank::Fourth => (one.shift(-16), Bitboard::EMPTY),
            Rank::Fifth => (Bitboard::EMPTY, one.shift(16)),
            _ => (Bitboard::EMPTY, Bitboard::EMPTY),
        };
        table[0][index] = one.shift(-8).with_const(middle.0);
        table[1][index] = pawn_attacks(Color::Black, square);
        table[2][index] = one.shift(8).with_const(middle.1);
        table[3][index] = pawn_attacks(Color::White, square);
        table[4][index] = knight_attacks(square);
        table[5][index] = bishop_attacks(square, Bitboard::EMPTY);
        table[6][index] = rook_attacks(square, Bitboard::EMPTY);
        table[7][index] = queen_attacks(square, Bitboard::EMPTY);
        table[8][index] = king_attacks(square);
        index += 1;
    }
    table
};

/// Splits off the last byte if it means something.
fn last<T>(text: &[u8], meaning: impl Fn(u8) -> Option<T>) -> (&[u8], Option<T>) {
    match text.split_last() {
        Some((&byte, rest)) => match meaning(byte) {
            Some(value) => (rest, Some(value)),
            None => (text, None),
        },
        None => (text, None),
    }
}

impl San {
    /// Reads a word.
    #[inline]
    pub(super) fn read(word: &[u8]) -> Option<San> {
        if word.contains(&FIGURINE[0]) && has_figurines(word) {
            return San::read(&letters(word));
        }
        let mut text = word;
        // Check, mate, and signs of evaluation written without a space.
        while let [rest @ .., b'+' | b'#' | b'-' | b'='] = text {
            text = rest;
        }
        // In passing: `exd6ep`, and what is left of `exd6e.p.` before its first dot.
        if let [rest @ .., b'1'..=b'8', b'e', b'p'] | [rest @ .., b'1'..=b'8', b'e'] = text {
            text = &text[..=rest.len()];
        }
        let (&first, rest) = text.split_first()?;
        if matches!(first, b'O' | b'0' | b'o') {
            return castle(text);
        }
        let mut role = piece(first);
        if role.is_some() {
            text = rest;
        } else if first == b'P' {
            role = Some(Role::Pawn);
            text = rest;
        }
        let bracketed = match text {
            [rest @ .., b'(', man, b')'] => piece(*man).map(|role| (rest, Some(role))),
            _ => None,
        };
        let (before, promotion) = bracketed.unwrap_or_else(|| {
            last(text, |byte| {
                piece(byte.to_ascii_uppercase()).filter(|_| text.len() > 2)
            })
        });
        text = before.strip_suffix(b"=").unwrap_or(before);
        let (text, to_rank) = last(text, rank);
        let (text, to_file) = last(text, file);
        let to = Square::from_coords(to_file?, to_rank?);
        let (text, _) = last(text, |byte| b"x-:".contains(&byte).then_some(()));
        let (text, from_rank) = last(text, rank);
        let (text, from_file) = last(text, file);
        if role.is_none() && (from_rank.is_none() || from_file.is_none()) {
            role = Some(Role::Pawn);
        }
        let on_file = from_file.map_or(Bitboard::FULL, Bitboard::from_file);
        let on_rank = from_rank.map_or(Bitboard::FULL, Bitboard::from_rank);
        text.is_empty().then_some(San::Normal {
            role,
            from: on_file & on_rank,
            to,
            promotion,
        })
    }

    /// Reads the word that `text` begins with, and its length, if it is written as most moves are:
    /// `e4`, `exd5+`, `Nf3`, `R1xd7#`. [`San::read`] says the same of it in several times the
    /// time: which form comes next can't be foreseen, so that nothing here branches on it.
    /// `None` for anything else, and within eight bytes of the end.
    #[inline(always)]
    pub(super) fn plain(text: &[u8]) -> Option<(San, usize)> {
        let word = u64::from_le_bytes(*text.first_chunk()?);
        let role = ROLES[word as usize % 256]?;
        // The lowest byte below 0x21, where the word ends. All lengths are in bits.
        let low = word.wrapping_sub(0x2121_2121_2121_2121) & !word & 0x8080_8080_8080_8080;
        let length = low.trailing_zeros() & !7;
        let ends = 1_u64 << b' ' | 1 << b'\n' | 1 << b'\r';
        let ends = ends >> (word.wrapping_shr(length) & 63) & 1 == 1;
        // The word without its end, the last byte on top; then without what is read.
        let word = word.wrapping_shl(64 - length);
        let signs = 8 * u32::from(matches!((word >> 56) as u8, b'+' | b'#'));
        let word = word << signs;
        // File and rank, in a byte each.
        let to = (word >> 48) as u32;
        let to = to.wrapping_sub(u32::from_le_bytes([b'a', b'1', 0, 0]));
        let piece = 8 * u32::from(role != Role::Pawn);
        let between = length.checked_sub(16 + signs + piece)?;
        let word = word << 16;
        let takes = 8 * u32::from((between > 0) & (word >> 56 == u64::from(b'x')));
        let told = between - takes;
        let word = word << takes;
        let from = AMONG[(word >> 56) as usize * (told as usize / 8) % 256];
        let fits = (told <= 8) & ((piece > 0) | (told == takes)) & from.any();
        let san = San::Normal {
            role: Some(role),
            from,
            to: Square::new((to >> 5 | to) & 63),
            promotion: None,
        };
        (length < 64 && ends && fits && to & !0x0707 == 0).then_some((san, length as usize / 8))
    }

    /// The move that this means in `position`.
    ///
    /// # Errors
    ///
    /// When no legal move, or more than one, is meant.
    pub(super) fn find(self, position: &Position) -> Result<Move, PgnFaultKind> {
        let m = self.find_trusting(position)?;
        if position.after(m).is_safe_after() {
            Ok(m)
        } else {
            Err(PgnFaultKind::Illegal)
        }
    }

    /// The same, trusting that no king is left attacked: whether a move that only one man can
    /// make is legal in that respect is for the caller to see. Nor need `position` be.
    ///
    /// # Errors
    ///
    /// When no such move, or more than one, is meant.
    #[inline(always)]
    pub(super) fn find_trusting(self, position: &Position) -> Result<Move, PgnFaultKind> {
        match self {
            San::Normal {
                role,
                from,
                to,
                promotion,
            } => {
                let role = match role {
                    Some(role) => role,
                    None => {
                        let from = from & position.of(position.turn());
                        let from = from.first().ok_or(PgnFaultKind::Illegal)?;
                        // Squares alone can also mean castling: the king's way, or to the rook.
                        if let Some(castle) = castle_by_squares(position, from, to) {
                            return Ok(castle);
                        }
                        position.role_at(from).ok_or(PgnFaultKind::Illegal)?
                    }
                };
                man(position, role, from, to, promotion)
            }
            San::Castle(side) => position
                .castling_moves()
                .find(|m| CastlingSide::from_king_side(m.from() < m.to()) == side)
                .ok_or(PgnFaultKind::Illegal),
        }
    }
}

/// The bytes that the figurines of Unicode begin with.
const FIGURINE: [u8; 2] = [0xe2, 0x99];

/// Whether a man is drawn in a word.
pub(super) fn has_figurines(word: &[u8]) -> bool {
    let mut signs = word.windows(3);
    signs.any(|sign| sign[..2] == FIGURINE && matches!(sign[2], 0x94..=0x9f))
}

/// A word with letters in the place of figurines.
fn letters(word: &[u8]) -> Vec<u8> {
    let mut letters = Vec::new();
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == FIGURINE[0]
            && let [second, sign @ 0x94..=0x9f, after @ ..] = rest
            && *second == FIGURINE[1]
        {
            letters.push(b"KQRBNP"[usize::from(sign - 0x94) % 6]);
            // A selector of text or emoji may follow.
            rest = after.strip_prefix("\u{fe0e}".as_bytes()).unwrap_or(after);
        } else {
            letters.push(byte);
        }
    }
    letters
}

/// Castling with letters or zeros, with dashes of any kind or none.
fn castle(text: &[u8]) -> Option<San> {
    let signs = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let dashes = text
        .iter()
        .all(|byte| b"O0o-".contains(byte) || !byte.is_ascii());
    match (signs.count(), dashes) {
        (2, true) => Some(San::Castle(CastlingSide::KingSide)),
        (3, true) => Some(San::Castle(CastlingSide::QueenSide)),
        _ => None,
    }
}

fn castle_by_squares(position: &Position, king: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let onto_rook = (position.castling() & position.of(us)).contains(to);
    let steps = king.file().distance(to.file());
    if king != position.king(us) || king.rank() != to.rank() || !onto_rook && steps < 2 {
        return None;
    }
    position.castling_moves().find(|m| {
        let side = CastlingSide::from_king_side(m.from() < m.to());
        m.to() == to || !onto_rook && side.king_to(us) == to
    })
}

/// A move from one of the squares `from`; a pawn takes where that isn't the target's file.
///
/// Which man moves can't be foreseen, so that nothing branches on it.
#[inline(always)]
fn man(
    position: &Position,
    role: Role,
    from: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, PgnFaultKind> {
    let us = position.turn();
    let (own, theirs) = (position.of(us), position.of(!us));
    let is_pawn = role == Role::Pawn;
    let takes = is_pawn & !from.intersects(Bitboard::from_file(to.file()));
    if promotion == Some(Role::King) {
        return Err(PgnFaultKind::Illegal);
    }
    if takes & (position.ep_square() == Some(to)) {
        return in_passing(position, from, to);
    }
    let (ours_there, theirs_there) = (own.contains(to), theirs.contains(to));
    let open = theirs_there & (takes | !is_pawn) | !theirs_there & !takes;
    let promotes = is_pawn & Bitboard::BACKRANKS.contains(to);
    // No king can be taken, even if a move before has left it attacked.
    let king_there = position.with_role(Role::King).contains(to);
    if ours_there | king_there | !open | (promotes != promotion.is_some()) {
        return Err(PgnFaultKind::Illegal);
    }
    let pawns_row = 2 * usize::from(us.is_black()) + usize::from(takes);
    let row = role as usize + 2 - usize::from(is_pawn) * (3 - pawns_row);
    let from = from & own & position.with_role(role) & SOURCES[row][to as usize];
    only(position, from, to, |from| {
        position.move_of(role, from, to, promotion)
    })
}

/// A pawn's capture in passing, from one of the squares `from`.
#[cold]
fn in_passing(position: &Position, from: Bitboard, to: Square) -> Result<Move, PgnFaultKind> {
    let us = position.turn();
    let takers = pawn_attacks(!us, to) & position.pieces_of(us, Role::Pawn);
    only(position, from & takers, to, |from| {
        Move::from_shakmaty(Play::EnPassant { from, to })
    })
}

/// The only one of the moves from several squares to `to` that nothing bars. If there is more
/// than one, those count that don't leave the king attacked.
#[inline]
fn only(
    position: &Position,
    from: Bitboard,
    to: Square,
    m: impl Fn(Square) -> Move,
) -> Result<Move, PgnFaultKind> {
    let is_open = |from: &Square| !between(*from, to).intersects(position.occupied());
    if from.more_than_one() {
        return safe_one(position, from.into_iter().filter(is_open).map(m));
    }
    let from = from.first().filter(is_open);
    from.map(m).ok_or(PgnFaultKind::Illegal)
}

/// The only one of some moves that doesn't leave the king attacked.
#[inline(never)]
fn safe_one(position: &Position, moves: impl Iterator<Item = Move>) -> Result<Move, PgnFaultKind> {
    let mut safe = moves.filter(|m| position.after(*m).is_safe_after());
    match (safe.next(), safe.next()) {
        (Some(m), None) => Ok(m),
        (None, _) => Err(PgnFaultKind::Illegal),
        _ => Err(PgnFaultKind::Ambiguous),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(fen: &str, word: &str) -> Result<String, PgnFaultKind> {
        let position = Position::from_fen(fen).unwrap();
        let san = San::read(word.as_bytes()).ok_or(PgnFaultKind::Unreadable)?;
        san.find(&position).map(Move::uci)
    }

    /// The plain move that a text begins with.
    fn first_plain(word: &str) -> Option<(San, usize)> {
        San::plain(format!("{word} and some more").as_bytes())
    }

    /// Every legal move of random games is found by its SAN, its UCI form and its squares
    /// with a dash, and shakmaty's SAN is as good as a made-up one is bad.
    #[test]
    fn moves_are_found_however_they_are_written() {
        let mut rng = fastrand::Rng::with_seed(7);
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq -",
            "r3k2r/P1P5/8/2Pp4/4pP2/8/1p1p4/R3K2R w KQkq d6",
        ];
        let (mut found, mut plain) = (0, 0);
        for round in 0..60 {
            let mut position = Position::from_fen(starts[round % 3]).unwrap();
            for _ in 0..60 {
                let moves = position.legal_moves();
                let Some(&next) = moves.get(rng.usize(..moves.len().max(1))) else {
                    break;
                };
                let chess = position.to_chess();
                for &m in &moves {
                    let play = m.to_shakmaty();
                    let san = shakmaty::san::SanPlus::from_move(chess.clone(), play).to_string();
                    let long = m.uci();
                    let dashed = format!("{}-{}", &long[..2], &long[2..]);
                    for word in [san, long, dashed] {
                        if let Some((san, length)) = first_plain(&word) {
                            assert_eq!(San::read(word.as_bytes()), Some(san), "{word}");
                            assert_eq!(length, word.len());
                            plain += 1;
                        }
                        let meant = San::read(word.as_bytes()).map(|san| san.find(&position));
                        assert_eq!(meant, Some(Ok(m)), "{word} in {}", position.fen());
                        found += 1;
                    }
                }
                position.play(next);
            }
        }
        assert!(found > 100_000, "only {found} moves");
        // Nearly all that are in algebraic notation.
        assert!(4 * plain > found, "only {plain} of {found}");
    }

    #[test]
    fn nothing_illegal_is_found() {
        let mut rng = fastrand::Rng::with_seed(8);
        let mut refused = 0;
        for _ in 0..40 {
            let mut position =
                Position::from_fen("r1b1k2r/pp3ppp/2n5/1Bpp4/3Pn3/2N2N2/PPP2PPP/R1B1K2R w KQkq -")
                    .unwrap();
            for _ in 0..50 {
                let moves = position.legal_moves();
                for from in Square::ALL {
                    let to = Square::ALL[rng.usize(..64)];
                    let word = format!("{from}{to}");
                    let meant = San::read(word.as_bytes()).unwrap().find(&position);
                    match meant {
                        Ok(m) => assert!(moves.contains(&m), "{word} in {}", position.fen()),
                        Err(_) => refused += 1,
                    }
                }
                let Some(&next) = moves.get(rng.usize(..moves.len().max(1))) else {
                    break;
                };
                position.play(next);
            }
        }
        assert!(refused > 10_000);
    }

    #[test]
    fn forms_that_people_write() {
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        for word in [
            "O-O", "0-0", "OO", "o-o", "0–0", "O-O+", "e1g1", "e1h1", "Ke1-g1",
        ] {
            let expected = if word.starts_with('K') {
                "illegal"
            } else {
                "e1g1"
            };
            let found = uci(castle, word).unwrap_or("illegal".to_owned());
            assert_eq!(found, expected, "{word}");
        }
        assert_eq!(uci(castle, "0-0-0").as_deref(), Ok("e1c1"));
        let promote = "1n6/P7/8/8/8/8/8/k1K5 w - -";
        for word in ["a8=Q", "a8Q", "a8q", "a7a8q", "a7-a8=Q+", "Pa8=Q"] {
            assert_eq!(uci(promote, word).as_deref(), Ok("a7a8q"), "{word}");
        }
        assert_eq!(uci(promote, "axb8=N").as_deref(), Ok("a7b8n"));
        assert_eq!(uci(promote, "ab8N").as_deref(), Ok("a7b8n"));
        for word in ["a8", "a8=K", "b8=Q", "axb8", "Ka8=Q"] {
            assert_eq!(uci(promote, word), Err(PgnFaultKind::Illegal), "{word}");
        }
        let knights = "7k/8/8/8/8/2N3N1/8/K7 w - -";
        assert_eq!(uci(knights, "Ne4"), Err(PgnFaultKind::Ambiguous));
        assert_eq!(uci(knights, "Nc4"), Err(PgnFaultKind::Illegal));
        for word in ["Nce4", "N3e4x", "Zf3", "e9", "", "N", "x", "+", "\n"] {
            let readable = word == "Nce4";
            assert_eq!(San::read(word.as_bytes()).is_some(), readable, "{word}");
            assert_eq!(first_plain(word).is_some(), readable, "{word}");
        }
    }

    #[test]
    fn a_pinned_man_needs_no_disambiguation() {
        // The knight on e2 is pinned by the rook on e8.
        let fen = "k3r3/8/8/8/8/8/4N3/N3K3 w - -";
        assert_eq!(uci(fen, "Nc2"), Ok("a1c2".to_owned()));
        assert_eq!(uci(fen, "Nb3"), Ok("a1b3".to_owned()));
        assert_eq!(uci(fen, "Nd4"), Err(PgnFaultKind::Illegal));
    }
}
