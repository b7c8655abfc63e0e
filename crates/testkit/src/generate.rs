//! Random positions, made to be near the border between "can" and "can never".
//!
//! Every maker takes a generator of random numbers and nothing else, so that a position can be
//! made again from its seed.

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Piece, Position, Rank, Role, Square};

use crate::set_up::SetUp;

/// The generator for the `number`-th try of a test that is known by `salt`.
pub fn rng(salt: u64, number: u64) -> Rng {
    Rng::with_seed((salt << 40) ^ number)
}

/// The position of a set-up, now and then with an en passant capture at hand or castling
/// rights.
fn decorated(rng: &mut Rng, setup: &SetUp) -> Option<Position> {
    let turn = color(rng);
    decorated_for(rng, setup, turn)
}

fn decorated_for(rng: &mut Rng, setup: &SetUp, turn: Color) -> Option<Position> {
    let position = setup.position(turn)?;
    if rng.u8(..4) == 0 {
        let variants: Vec<_> = position.en_passant_variants().collect();
        if let Some(variant) = choose(rng, &variants) {
            return Some(*variant);
        }
    }
    if rng.u8(..4) == 0 {
        return Some(with_castling(rng, &position));
    }
    Some(position)
}

/// A colour.
pub fn color(rng: &mut Rng) -> Color {
    Color::from_white(rng.bool())
}

/// One of `items`, if there are any.
pub fn choose<'a, T>(rng: &mut Rng, items: &'a [T]) -> Option<&'a T> {
    (!items.is_empty()).then(|| &items[rng.usize(..items.len())])
}

fn square(rng: &mut Rng) -> Square {
    Square::new(rng.u32(..64))
}

/// Kinds of men: pawns and minor pieces are what interesting positions are made of.
fn role(rng: &mut Rng) -> Role {
    match rng.u8(..20) {
        0..9 => Role::Pawn,
        9..14 => Role::Bishop,
        14..17 => Role::Knight,
        17..19 => Role::Rook,
        _ => Role::Queen,
    }
}

/// Kinds of men that don't end a lock at once.
fn quiet_role(rng: &mut Rng) -> Role {
    match rng.u8(..16) {
        0..11 => Role::Bishop,
        11..14 => Role::Knight,
        14 => Role::Rook,
        _ => Role::Queen,
    }
}

/// Gives each rook that stands beside its king on their first rank the right to castle, one in
/// two.
fn with_castling(rng: &mut Rng, position: &Position) -> Position {
    let mut setup = position.to_setup();
    for color in Color::ALL {
        let home = color.fold_wb(Rank::First, Rank::Eighth);
        let king = position.king(color);
        if king.rank() != home {
            continue;
        }
        let rooks = position.pieces_of(color, Role::Rook) & Bitboard::from_rank(home);
        let (left, right): (Vec<_>, Vec<_>) = rooks.into_iter().partition(|rook| *rook < king);
        for rook in [left.first(), right.last()].into_iter().flatten() {
            if rng.bool() {
                setup.castling_rights.add(*rook);
            }
        }
    }
    // Rights that Chess960 doesn't know, as with two rooks on one side, are left out.
    Position::from_setup(&setup).unwrap_or(*position)
}

/// 3 to 12 men of all kinds anywhere.
pub fn scattered(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    setup.put_missing_kings(rng);
    let white_share = rng.f32();
    for _ in 0..rng.usize(1..=10) {
        let color = Color::from_white(rng.f32() < white_share);
        let role = role(rng);
        setup.put_anywhere(rng, color, role);
    }
    decorated(rng, &setup)
}

/// Opposing pawns on most files, rammed and out of each other's way, with few pieces.
pub fn locked(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    chains(rng, &mut setup, 0, 8);
    for _ in 0..rng.usize(0..=4) {
        let (color, role) = (color(rng), quiet_role(rng));
        setup.put_anywhere(rng, color, role);
    }
    setup.put_missing_kings(rng);
    decorated(rng, &setup)
}

/// A wall of rammed pawns from edge to edge, sometimes with a flaw; what is below and above.
fn wall(rng: &mut Rng, setup: &mut SetUp) -> (Bitboard, Bitboard) {
    let flaw = if rng.u8(..3) == 0 { rng.u32(..8) } else { 8 };
    let mut rank = rng.u32(1..=5);
    let (mut below, mut above) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for file in 0..8 {
        rank = match (rank, rng.bool()) {
            (1, _) | (2..=4, true) => rank + 1,
            _ => rank - 1,
        };
        let (white, black) = (rank * 8 + file, (rank + 1) * 8 + file);
        let pawns = [(Color::White, white), (Color::Black, black)];
        if file == flaw {
            let (color, square) = pawns[rng.usize(..2)];
            match rng.u8(..4) {
                0 => {}
                1 => setup.put(color, Role::Pawn, Square::new(square)),
                2 => setup.put(color, Role::Bishop, Square::new(square)),
                _ => setup.put(color, Role::Knight, Square::new(square)),
            }
        } else {
            for (color, square) in pawns {
                setup.put(color, Role::Pawn, Square::new(square));
            }
        }
        for square in Square::ALL {
            if u32::from(square.file()) == file && u32::from(square) < white {
                below.add(square);
            } else if u32::from(square.file()) == file && u32::from(square) > black {
                above.add(square);
            }
        }
    }
    (below, above)
}

/// A wall from edge to edge, most often with the kings on their own sides, and up to three
/// pieces: play has few ways to go on, often none out of the lock.
pub fn walled(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    let (below, above) = wall(rng, &mut setup);
    let (white, black) = match rng.u8(..8) {
        0 => (above, below),
        1 => (below, below),
        _ => (below, above),
    };
    setup.put_among(rng, Color::White, Role::King, white);
    setup.put_among(rng, Color::Black, Role::King, black);
    for _ in 0..rng.usize(0..=3) {
        let (color, role) = (color(rng), quiet_role(rng));
        setup.put_anywhere(rng, color, role);
    }
    setup.put_missing_kings(rng);
    setup.position(color(rng))
}

/// A mate by few pieces behind a wall, or on either side of it.
pub fn mate_at_a_wall(rng: &mut Rng) -> Position {
    loop {
        let mut setup = SetUp::empty();
        let (below, above) = wall(rng, &mut setup);
        let loser = color(rng);
        let side = if rng.bool() { below } else { above };
        setup.put_among(rng, loser, Role::King, side);
        let Some(king) = setup.king(loser) else {
            continue;
        };
        for square in shakmaty::attacks::king_attacks(king) {
            if rng.u8(..5) == 0 {
                let role = quiet_role(rng);
                setup.put(loser, role, square);
            }
        }
        for _ in 0..rng.usize(1..=2) {
            let role = quiet_role(rng);
            setup.put_anywhere(rng, !loser, role);
        }
        let near = Square::ALL
            .into_iter()
            .filter(|square| square.distance(king) == 2)
            .collect();
        let place = if rng.bool() { near } else { Bitboard::FULL };
        setup.put_among(rng, !loser, Role::King, place);
        setup.put_missing_kings(rng);
        if let Some(position) = setup.position(loser).filter(is_given_mate) {
            return position;
        }
    }
}

/// The same on some files only, so that there are at most 12 men.
pub fn half_locked(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    let files = rng.u32(1..=4);
    let first = rng.u32(0..=8 - files);
    chains(rng, &mut setup, first, files);
    for _ in 0..rng.usize(0..=2) {
        let (color, role) = (color(rng), quiet_role(rng));
        setup.put_anywhere(rng, color, role);
    }
    setup.put_missing_kings(rng);
    decorated(rng, &setup)
}

/// Pawns rammed file by file. Neighbouring pairs on different ranks can't take each other.
fn chains(rng: &mut Rng, setup: &mut SetUp, first: u32, files: u32) {
    let mut rank = rng.u32(1..=5);
    let gaps = rng.f32() * 0.4;
    for file in first..first + files {
        let up = rng.bool();
        rank = match (rank, up) {
            (1, _) | (2..=4, true) => rank + 1,
            _ => rank - 1,
        };
        if rng.f32() < 0.08 {
            rank = rng.u32(1..=5);
        }
        if rng.f32() < gaps {
            match rng.u8(..4) {
                0 => setup.put(Color::White, Role::Pawn, Square::new(rank * 8 + file)),
                1 => setup.put(Color::Black, Role::Pawn, Square::new(rank * 8 + 8 + file)),
                _ => {}
            }
            continue;
        }
        let apart = if rng.f32() < 0.1 { 2 } else { 1 };
        setup.put(Color::White, Role::Pawn, Square::new(rank * 8 + file));
        setup.put(
            Color::Black,
            Role::Pawn,
            Square::new((rank + apart).min(6) * 8 + file),
        );
    }
}

/// Men crowded into a corner, with one or both kings among them.
pub fn huddled(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    let (wide, high) = (rng.u32(2..=4), rng.u32(2..=5));
    let corner = Square::ALL
        .into_iter()
        .filter(|square| u32::from(square.file()) < wide && u32::from(square.rank()) < high)
        .collect::<Bitboard>();
    let corner = if rng.bool() {
        corner
    } else {
        corner.flip_vertical()
    };
    let corner = if rng.bool() {
        corner
    } else {
        corner.flip_horizontal()
    };
    let inside = color(rng);
    setup.put_among(rng, inside, Role::King, corner);
    if rng.u8(..4) == 0 {
        setup.put_among(rng, !inside, Role::King, corner);
    }
    for _ in 0..rng.usize(3..=11) {
        let color = color(rng);
        let role = if rng.bool() {
            Role::Pawn
        } else {
            quiet_role(rng)
        };
        setup.put_among(rng, color, role, corner);
    }
    for _ in 0..rng.usize(0..=2) {
        let (color, role) = (color(rng), quiet_role(rng));
        setup.put_anywhere(rng, color, role);
    }
    setup.put_missing_kings(rng);
    decorated(rng, &setup)
}

/// A king shut in by its own men, on a side of the board that pawns have locked or anywhere, the
/// other one not far, and one man that can give check: what checks must often be taken, or the
/// other king is mated first.
pub fn caged(rng: &mut Rng) -> Option<Position> {
    let mut setup = SetUp::empty();
    let caged = color(rng);
    let king = square(rng);
    setup.put(caged, Role::King, king);
    let away = |least, most| {
        let squares = Square::ALL.into_iter();
        squares
            .filter(move |square| (least..=most).contains(&square.distance(king)))
            .collect::<Bitboard>()
    };
    setup.put_among(rng, !caged, Role::King, away(2, 3));
    for square in away(1, 1) {
        let role = match rng.u8(..10) {
            0..6 => Role::Pawn,
            6..9 => quiet_role(rng),
            _ => continue,
        };
        setup.put(caged, role, square);
    }
    let role = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop][rng.usize(..4)];
    setup.put_anywhere(rng, !caged, role);
    for _ in 0..rng.usize(0..=3) {
        let role = role_or_pawn(rng);
        setup.put_among(rng, caged, role, away(1, 3));
    }
    if rng.u8(..4) == 0 {
        let role = role_or_pawn(rng);
        setup.put_among(rng, !caged, role, away(1, 3));
    }
    decorated(rng, &setup)
}

fn role_or_pawn(rng: &mut Rng) -> Role {
    if rng.bool() {
        Role::Pawn
    } else {
        quiet_role(rng)
    }
}

/// One of the above.
pub fn any(rng: &mut Rng) -> Option<Position> {
    match rng.u8(..12) {
        0 | 1 => scattered(rng),
        2 | 3 => half_locked(rng),
        4 => locked(rng),
        5 | 6 => huddled(rng),
        7 | 8 => caged(rng),
        _ => walled(rng),
    }
}

/// A position with one to three things changed: men moved, removed, added, replaced, or the
/// other side to move.
pub fn changed(rng: &mut Rng, position: &Position) -> Option<Position> {
    let changes = rng.usize(1..=3);
    changed_by(rng, position, changes)
}

fn changed_by(rng: &mut Rng, position: &Position, changes: usize) -> Option<Position> {
    let mut men: Vec<(Square, Piece)> = position.pieces().collect();
    let mut turn = position.turn();
    for _ in 0..changes {
        let one = rng.usize(..men.len());
        let is_king = men[one].1.role == Role::King;
        match rng.u8(..8) {
            0 => turn = !turn,
            1 if !is_king => {
                men.swap_remove(one);
            }
            2 => {
                let (color, role) = (color(rng), role(rng));
                men.push((square(rng), role.of(color)));
            }
            3 if !is_king => men[one].1.role = role(rng),
            4 if !is_king => men[one].1.color = !men[one].1.color,
            // A step of one square, or anywhere.
            5 => men[one].0 = square(rng),
            _ => {
                let near = shakmaty::attacks::king_attacks(men[one].0);
                men[one].0 = near.into_iter().nth(rng.usize(..near.count()))?;
            }
        }
    }
    let mut setup = SetUp::empty();
    for (square, piece) in men {
        let full = piece.role == Role::Pawn && setup.count(piece) >= 8;
        if setup.occupied().contains(square) || full {
            return None;
        }
        setup.put(piece.color, piece.role, square);
    }
    decorated_for(rng, &setup, turn)
}

/// One of the above, again and again until it is a position in which something can move.
pub fn some(rng: &mut Rng, maker: fn(&mut Rng) -> Option<Position>) -> Position {
    loop {
        if let Some(position) = maker(rng).filter(Position::has_legal_move) {
            return position;
        }
    }
}

/// Whether the position is a mate that some move can have given.
fn is_given_mate(position: &Position) -> bool {
    position.is_checkmate() && !position.predecessors().is_empty()
}

/// A position with a mate on the board, whose mated king is often shut in by its own men.
pub fn mate(rng: &mut Rng) -> Position {
    loop {
        let mut setup = SetUp::empty();
        let (loser, winner) = if rng.bool() {
            (Color::Black, Color::White)
        } else {
            (Color::White, Color::Black)
        };
        let king = square(rng);
        setup.put(loser, Role::King, king);
        if rng.bool() {
            let (first, files) = (rng.u32(..4), rng.u32(2..=4));
            chains(rng, &mut setup, first, files);
        }
        let (own, empty) = (rng.f32() * 0.7, rng.f32() * 0.5);
        for square in shakmaty::attacks::king_attacks(king) {
            let dice = rng.f32();
            if dice < own {
                let role = role(rng);
                setup.put(loser, role, square);
            } else if dice > own + empty {
                let role = role(rng);
                setup.put(winner, role, square);
            }
        }
        for _ in 0..rng.usize(1..=3) {
            let role = role(rng);
            setup.put_anywhere(rng, winner, role);
        }
        for _ in 0..rng.usize(0..=2) {
            let role = role(rng);
            setup.put_anywhere(rng, loser, role);
        }
        if rng.bool() {
            let near = Square::ALL
                .into_iter()
                .filter(|square| square.distance(king) == 2)
                .collect();
            setup.put_among(rng, winner, Role::King, near);
        }
        setup.put_missing_kings(rng);
        if let Some(position) = setup.position(loser).filter(is_given_mate) {
            return position;
        }
    }
}
