//! What is said of positions that cannot arise: never of one that a game came to.

use fastrand::Rng;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionErrorKinds, fen::Fen,
};
use stillmate_core::{
    Color, File, Position, Rank, Role, Square,
    text::{Leniency, Note, Record},
};
use stillmate_testkit::{position, walk};

fn notes(fen: &str) -> Vec<Note> {
    let record = Record::parse(fen, Leniency::Strict).unwrap_or_else(|e| panic!("{fen}: {e}"));
    record.notes().to_vec()
}

/// Whether nothing is said against a last move; one of the starts has too many queens.
fn has_last_move(fen: &str) -> bool {
    notes(fen).iter().all(|note| *note == Note::TooMuchMaterial)
}

#[test]
fn what_a_move_leads_to_gets_no_note() {
    let mut rng = Rng::with_seed(12);
    let (mut seen, mut checks, mut double_checks, mut passed) = (0, 0, 0, 0);
    while seen < 250_000 {
        for start in walk::STARTS {
            for before in walk::game(&mut rng, position(start), 100) {
                for m in before.legal_moves() {
                    let after = before.after(m);
                    let mut chess = before.to_chess();
                    chess.play_unchecked(m.to_shakmaty());
                    // The en passant square where a pawn can use it, after every double
                    // step, and never.
                    let [legal, always] = [EnPassantMode::Legal, EnPassantMode::Always]
                        .map(|mode| Fen::from_position(&chess, mode).to_string());
                    assert!(has_last_move(&legal), "{legal} after {m}");
                    if always != legal {
                        assert!(has_last_move(&always), "{always} after {m}");
                    }
                    if after.ep_square().is_some() {
                        let fields: Vec<&str> = legal.split(' ').take(3).collect();
                        let never = format!("{} -", fields.join(" "));
                        assert!(has_last_move(&never), "{never} after {m}");
                        passed += 1;
                    }
                    seen += 1;
                    checks += usize::from(after.checkers().any());
                    double_checks += usize::from(after.checkers().more_than_one());
                }
            }
        }
    }
    assert!(
        checks > 5_000 && double_checks > 30 && passed > 500,
        "{checks}, {double_checks}, {passed}"
    );
}

#[test]
fn arrays_that_a_game_begins_from_get_no_note() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "nbbqrkrn/pppppppp/8/8/8/8/PPPPPPPP/NBBQRKRN w KQkq - 0 1",
        // At odds: Black's knights, White's queen.
        "r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
    ] {
        assert_eq!(notes(fen), [], "{fen}");
    }
}

/// Each beside a twin that has a last move.
#[test]
fn a_position_without_a_last_move_gets_its_note() {
    for (impossible, note, twin) in [
        (
            "8/8/8/8/2N5/8/k1K5/1B6 b - -",
            Note::ImpossibleCheck,
            "8/8/8/8/2N5/2K5/k7/1B6 b - -",
        ),
        (
            "8/8/8/8/8/2b1k1b1/8/3RKR2 w - -",
            Note::ImpossibleCheck,
            "8/8/8/8/8/2b1k3/8/3RKR2 w - -",
        ),
        (
            "8/8/8/8/8/1k6/b1b5/RKR5 w - -",
            Note::ImpossibleCheck,
            "8/8/8/8/8/1k6/2b5/RKR5 w - -",
        ),
        (
            "5B2/7r/5K1k/7r/8/4B3/8/8 b - -",
            Note::ImpossibleCheck,
            "5B2/7r/5K1k/7r/8/8/8/8 b - -",
        ),
        // White's pawn has just made its double step, and the queen gave check before.
        (
            "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3",
            Note::ImpossibleCheck,
            "8/8/8/1k6/3Pp3/8/8/4KQ2 b - -",
        ),
        // The king came neither from b7, beside the other king, nor from a7 or b8.
        (
            "kB6/P7/1K6/8/8/8/8/8 w - -",
            Note::NoLastMove,
            "kB6/P7/8/2K5/8/8/8/8 w - -",
        ),
    ] {
        assert_eq!(notes(impossible), [note], "{impossible}");
        assert_eq!(notes(twin), [], "{twin}");
    }
}

/// Checks that shakmaty calls impossible have no last move, and no others get the note than
/// those without one.
#[test]
fn notes_on_random_positions_are_exact() {
    let mut rng = Rng::with_seed(13);
    let (mut seen, mut noted, mut theirs) = (0, 0, 0);
    while seen < 20_000 {
        let Some(position) = crowd(&mut rng) else {
            continue;
        };
        seen += 1;
        let fen = position.fen();
        let found = notes(&fen);
        let impossible = found.iter().any(|note| *note != Note::TooMuchMaterial);
        let variants = position.en_passant_variants();
        let by_moves = std::iter::once(position).chain(variants);
        let mut befores = by_moves.flat_map(|after| after.predecessors());
        assert_eq!(impossible, befores.next().is_none(), "{fen}: {found:?}");
        let setup = position.to_setup();
        if let Err(error) = Chess::from_setup(setup, CastlingMode::Chess960)
            && error.kinds().contains(PositionErrorKinds::IMPOSSIBLE_CHECK)
        {
            assert!(found.contains(&Note::ImpossibleCheck), "{fen}: {found:?}");
            theirs += 1;
        }
        noted += usize::from(impossible);
    }
    assert!(theirs > 200 && noted > theirs, "{noted}, {theirs}");
}

/// Both kings and up to six men, mostly White's, close together; Black is to move.
fn crowd(rng: &mut Rng) -> Option<Position> {
    let near = |square: &Square| square.file() < File::F && square.rank() < Rank::Sixth;
    let mut squares: Vec<Square> = Square::ALL.into_iter().filter(near).collect();
    rng.shuffle(&mut squares);
    let mut men = Color::ALL.map(|color| Role::King.of(color)).to_vec();
    for _ in 0..rng.usize(1..=6) {
        let color = Color::from_white(rng.u8(..4) > 0);
        men.push(rng.choice(Role::ALL)?.of(color));
    }
    let placed = men.into_iter().zip(squares);
    Position::from_pieces(
        placed.map(|(piece, square)| (piece, square.into())),
        Color::Black,
    )
}
