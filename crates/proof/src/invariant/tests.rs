//! Each rule where it just applies, and a twin where it must not. White is the colour that
//! is claimed unable to mate unless a test says otherwise.

mod opposed;
mod terminal_moves;

use stillmate_core::{Bitboard, Color, Piece, Position, Square};

use super::InductiveInvariant;
use crate::{
    certificate::{Invariant, Man},
    limits::{Limits, Remaining},
    refusal::{InvariantFault, StepError, StepFault},
};

/// An invariant from its men, separated by commas: a piece, its squares, `lost` and
/// `promotes`.
fn invariant(text: &str) -> Invariant {
    let man = |text: &str| {
        let mut words = text.split_whitespace();
        let piece = words.next().and_then(|word| word.parse::<char>().ok());
        let mut man = Man {
            piece: piece.and_then(Piece::from_char).expect("a piece"),
            squares: Default::default(),
            lost: false,
            promotes: false,
        };
        for word in words {
            match word {
                "lost" => man.lost = true,
                "promotes" => man.promotes = true,
                _ => man.squares.add(word.parse::<Square>().expect("a square")),
            }
        }
        man
    };
    Invariant {
        men: text.split(',').map(man).collect(),
        ..Invariant::default()
    }
}

fn opposed(text: &str, opposed: &[(usize, usize)]) -> Invariant {
    Invariant {
        opposed: opposed.to_vec(),
        ..invariant(text)
    }
}

fn passing(text: &str, square: Square) -> Invariant {
    Invariant {
        en_passant: Some(square),
        ..invariant(text)
    }
}

fn castling(text: &str, rook: Square) -> Invariant {
    Invariant {
        castling: rook.into(),
        ..invariant(text)
    }
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn leaves(man: usize, from: &str, to: &str) -> InvariantFault {
    InvariantFault::Leaves {
        man,
        from: square(from),
        to: square(to),
    }
}

fn takes(man: usize, from: &str, to: &str, victim: usize) -> InvariantFault {
    InvariantFault::Takes {
        man,
        from: square(from),
        to: square(to),
        victim,
    }
}

/// What is wrong with the steps of the first man from `from`, if anything.
fn steps(invariant: &Invariant, from: &str) -> Option<InvariantFault> {
    let inductive = InductiveInvariant::new(invariant, Color::White).expect("well formed");
    let terminal_moves = terminal_moves(&inductive, 0, &invariant.men[0]);
    inductive.steps(0, square(from), terminal_moves).err()
}

/// The squares to which the man at `place` may step without further obligations.
fn terminal_moves(inductive: &InductiveInvariant, place: usize, man: &Man) -> Bitboard {
    let mut remaining = Remaining::new(&Limits::default());
    let terminal_moves = inductive.terminal_moves(place, man, &mut remaining);
    terminal_moves.expect("within limits")
}

fn form(invariant: &Invariant) -> Option<InvariantFault> {
    InductiveInvariant::new(invariant, Color::White).err()
}

fn fits(invariant: &Invariant, fen: &str) -> bool {
    let inductive = InductiveInvariant::new(invariant, Color::White).expect("well formed");
    let position = Position::from_fen(fen).expect("a position");
    let mut remaining = Remaining::new(&Limits::default());
    inductive
        .fits(&position, &mut remaining)
        .expect("within limits")
}

/// Whether mate by White is excluded.
fn no_mate(text: &str) -> bool {
    let invariant = invariant(text);
    let inductive = InductiveInvariant::new(&invariant, Color::White).expect("well formed");
    let mut remaining = Remaining::new(&Limits::default());
    inductive.check_safety(&mut remaining).is_ok()
}

// Form

#[test]
fn there_is_one_king_of_each_colour_and_it_stays() {
    assert_eq!(form(&invariant("K a1, k a8")), None);
    for text in [
        "K a1",
        "k a8",
        "K a1, K a2, k a8",
        "K a1 lost, k a8",
        "K a1, k a8 lost",
    ] {
        assert_eq!(
            form(&invariant(text)),
            Some(InvariantFault::Kings),
            "{text}"
        );
    }
    let king = "K a1, k a8 promotes lost";
    assert_eq!(form(&invariant(king)), Some(InvariantFault::Kings));
}

#[test]
fn nothing_is_endless() {
    let mut crowd = invariant("K a1, k a8, P a4, p a5");
    crowd.opposed = vec![(2, 3); 64];
    crowd.men.resize(64, crowd.men[2]);
    assert_eq!(form(&crowd), None);
    crowd.opposed.push((2, 3));
    assert_eq!(form(&crowd), Some(InvariantFault::Crowd));
    crowd.opposed.clear();
    crowd.men.push(crowd.men[2]);
    assert_eq!(form(&crowd), Some(InvariantFault::Crowd));
}

#[test]
fn pawns_stand_between_the_outer_ranks() {
    assert_eq!(form(&invariant("K a1, k a8, P b2 b7")), None);
    for text in ["K a1, k a8, P b2 b1", "K a1, k a8, P b8"] {
        assert_eq!(form(&invariant(text)), Some(InvariantFault::PawnRank(2)));
    }
}

#[test]
fn only_lost_pawns_of_the_other_side_promote() {
    assert_eq!(form(&invariant("K a1, k a8, p b2 promotes lost")), None);
    for text in [
        "K a1, k a8, p b2 promotes",
        "K a1, k a8, n b2 promotes lost",
        "K a1, k a8, P b7 promotes lost",
    ] {
        assert_eq!(form(&invariant(text)), Some(InvariantFault::Promotes(2)));
    }
}

#[test]
fn what_faces_a_promoted_man_may_be_lost() {
    let form = |text| form(&invariant(text));
    assert_eq!(
        form("K a1, k a8, p b2 promotes lost, P c2 lost, P d2 lost"),
        None
    );
    let exposed = "K a1, k a8, p b2 promotes lost, P c2, P d2 lost";
    assert_eq!(form(exposed), Some(InvariantFault::Exposed(3)));
    // The last man beside the king needn't: without it there is no mate.
    assert_eq!(form("K a1, k a8, p b2 promotes lost, P c2"), None);
}

#[test]
fn opposed_pawns_stay_on_a_file() {
    assert_eq!(
        form(&opposed("K a1, k a8, P b2 b3, p b4 b5", &[(2, 3)])),
        None
    );
    for lost in ["K a1, k a8, P b2 lost, p b4", "K a1, k a8, P b2, p b4 lost"] {
        assert_eq!(form(&opposed(lost, &[(2, 3)])), None);
    }
    let fault = Some(InvariantFault::Opposed(0));
    for text in [
        "K a1, k a8, P b2 lost, p b4 lost",
        "K a1, k a8, P b2, p b4 promotes lost",
        "K a1, k a8, P b2 lost, p b4 c3",
        "K a1, k a8, P b2, p c4",
        "K a1, k a8, P b2 c3, p b4",
        "K a1, k a8, N b2, p b4",
        "K a1, k a8, p b4, P b2",
    ] {
        assert_eq!(form(&opposed(text, &[(2, 3)])), fault, "{text}");
    }
    let text = "K a1, k a8, P b2, p b4";
    assert_eq!(form(&opposed(text, &[(2, 4)])), fault);
    assert_eq!(form(&opposed(text, &[(usize::MAX, 3)])), fault);
}

#[test]
fn rights_and_en_passant_squares_are_where_they_can_be() {
    let kings = "K e1, k e8";
    assert_eq!(form(&castling(kings, Square::H8)), None);
    assert_eq!(
        form(&castling(kings, Square::H7)),
        Some(InvariantFault::Castling)
    );
    assert_eq!(form(&passing(kings, Square::E6)), None);
    assert_eq!(
        form(&passing(kings, Square::E4)),
        Some(InvariantFault::EnPassant)
    );
}

// First obligation: fits

#[test]
fn every_man_has_its_own_place() {
    let locked = invariant("K a1 b1, k a8, P b4, p b5");
    assert!(fits(&locked, "k7/8/8/1p6/1P6/8/8/1K6 w - -"));
    for fen in [
        // The king, a pawn, a pawn of the other colour or a bishop elsewhere or too many.
        "k7/8/8/1p6/1P6/8/8/2K5 w - -",
        "k7/8/8/2p5/1P6/8/8/1K6 w - -",
        "k7/8/8/1P6/1p6/8/8/1K6 w - -",
        "k7/8/8/1p6/1P6/8/8/1K1B4 w - -",
        "k7/8/8/1p6/1PP5/8/8/1K6 w - -",
    ] {
        assert!(!fits(&locked, fen), "{fen}");
    }
}

#[test]
fn only_lost_men_are_missing() {
    let bare = "k7/8/8/8/8/8/8/K7 w - -";
    assert!(fits(&invariant("K a1, k a8, P b4 lost"), bare));
    assert!(!fits(&invariant("K a1, k a8, P b4"), bare));
    let squareless = invariant("K a1, k a8, P");
    assert!(!fits(&squareless, bare));
}

#[test]
fn alike_men_exchange_places() {
    // The bishop on c1 must be the first, so that on e3 is the second.
    let bishops = invariant("K a1, k a8, B c1 e3, B e3 g5");
    assert!(fits(&bishops, "k7/8/8/8/8/4B3/8/K1B5 w - -"));
    assert!(!fits(&bishops, "k7/8/8/6B1/8/8/8/K7 w - -"));
    // The one that is never lost must be there, whichever it is.
    let pawns = "k7/8/8/8/8/2P5/8/K7 w - -";
    assert!(fits(&invariant("K a1, k a8, P c2 c3 lost, P c3 c4"), pawns));
    assert!(!fits(&invariant("K a1, k a8, P c2 c3 lost, P c4"), pawns));
}

#[test]
fn a_promoted_man_is_any_piece_anywhere() {
    let pawn = invariant("K a1, k a8, p b3 b2 promotes lost");
    assert!(fits(&pawn, "k7/8/8/8/8/8/1p6/K7 w - -"));
    assert!(fits(&pawn, "k7/8/8/7n/8/8/8/K7 w - -"));
    assert!(fits(&pawn, "k7/8/8/8/8/8/8/K7 w - -"));
    // A pawn elsewhere, a man of the other colour, one too many.
    assert!(!fits(&pawn, "k7/1p6/8/8/8/8/8/K7 w - -"));
    assert!(!fits(&pawn, "k7/8/8/7N/8/8/8/K7 w - -"));
    assert!(!fits(&pawn, "k7/8/8/7n/7n/8/8/K7 w - -"));
    let other = invariant("K a1, k a8, p b3 b2 lost");
    assert!(!fits(&other, "k7/8/8/7n/8/8/8/K7 w - -"));
}

#[test]
fn opposed_pawns_are_in_order_however_alike() {
    let men = "K a1, k a8, P e2 e3 e4 e5, p e3 e4 e5 e6";
    let pair = opposed(men, &[(2, 3)]);
    assert!(fits(&pair, "k7/8/4p3/4P3/8/8/8/K7 w - -"));
    assert!(!fits(&pair, "k7/8/8/4P3/4p3/8/8/K7 w - -"));
    assert!(fits(&invariant(men), "k7/8/8/4P3/4p3/8/8/K7 w - -"));
    // White pawns on both sides of the black one: the lower one must be that of the pair,
    // though the first assignment that comes to mind may be the other.
    let fen = "k7/8/8/4P3/4p3/4P3/8/K7 w - -";
    let men = "K a1, k a8, P e3 e5, P e3 e5, p e4";
    assert!(fits(&opposed(men, &[(2, 4)]), fen));
    assert!(fits(&opposed(men, &[(3, 4)]), fen));
    assert!(!fits(&opposed(men, &[(2, 4), (3, 4)]), fen));
    // The man chosen for a pair is no longer free for others.
    let men = "K a1, k a8, P e3, P e3 e5, p e4";
    assert!(!fits(&opposed(men, &[(3, 4)]), fen));
}

#[test]
fn an_opposed_pawn_that_is_lost_is_in_order() {
    let men = |upper: &str| format!("K a1, k a8, P e2 e3 e4, p e3 e4 {upper}");
    let gone = "k7/8/8/8/4P3/8/8/K7 w - -";
    let lost = opposed(&men("lost"), &[(2, 3)]);
    assert!(fits(&lost, gone));
    assert!(!fits(&opposed(&men(""), &[(2, 3)]), gone));
    // As long as it is on the board it is in order.
    assert!(fits(&lost, "k7/8/8/8/4p3/4P3/8/K7 w - -"));
    assert!(!fits(&lost, "k7/8/8/8/4P3/4p3/8/K7 w - -"));
    // That it is another one, which is in no pair, helps.
    let two = opposed(&(men("lost") + ", p e3 lost"), &[(2, 3)]);
    assert!(fits(&two, "k7/8/8/8/4P3/4p3/8/K7 w - -"));
    // The white pawn may be the one that is lost.
    let white = opposed("K a1, k a8, P e2 e3 lost, p e4 e3 e2", &[(2, 3)]);
    assert!(fits(&white, "k7/8/8/8/8/8/4p3/K7 w - -"));
    assert!(!fits(&white, "k7/8/8/8/8/4P3/4p3/K7 w - -"));
}

/// What it costs grows with the men, and not with the ways to tell them apart.
#[test]
fn pawns_that_are_alike_are_not_told_apart() {
    // On each of four files a white pawn that is never lost, and twelve black ones that may be.
    let (mut men, mut pairs) = (vec!["K h1".to_owned(), "k h8".to_owned()], Vec::new());
    for file in ["a", "b", "c", "d"] {
        let white = men.len();
        let squares = |ranks: &str| ranks.chars().map(|rank| format!(" {file}{rank}")).collect();
        let (white_squares, black_squares): (String, String) = (squares("2345"), squares("34567"));
        men.push(format!("P{white_squares}"));
        for black in 1..=12 {
            men.push(format!("p{black_squares} lost"));
            pairs.push((white, white + black));
        }
    }
    let walled = opposed(&men.join(", "), &pairs);
    let spent = |fen: &str| {
        let inductive = InductiveInvariant::new(&walled, Color::White).expect("well formed");
        let position = Position::from_fen(fen).expect("a position");
        let mut remaining = Remaining::new(&Limits::default());
        let fits = inductive.fits(&position, &mut remaining);
        (
            fits.expect("within limits"),
            Limits::default().work - remaining.work(),
        )
    };
    let (fits, in_order) = spent("7k/pppp4/pppp4/8/8/8/PPPP4/7K w - -");
    assert!(fits);
    let (fits, out_of_order) = spent("7k/pppp4/ppp5/3P4/3p4/8/PPP5/7K w - -");
    assert!(!fits);
    assert!(out_of_order < 2 * in_order, "{out_of_order}, {in_order}");
}

#[test]
fn rights_are_granted() {
    let men = "K e1, R h1, k a8";
    let fen = "k7/8/8/8/8/8/8/4K2R w K -";
    assert!(fits(&castling(men, Square::H1), fen));
    assert!(!fits(&castling(men, Square::A1), fen));
    assert!(!fits(&invariant(men), fen));
}

#[test]
fn a_pawn_that_can_be_taken_en_passant_has_stepped() {
    let fen = "k7/8/8/3pP3/8/8/8/K7 w - d6";
    assert!(fits(&passing("K a1, k a8, P e5, p d5", Square::D6), fen));
    assert!(fits(&invariant("K a1, k a8, P e5, p d5 d7"), fen));
    assert!(!fits(&invariant("K a1, k a8, P e5, p d5 d6"), fen));
    assert!(!fits(&passing("K a1, k a8, P e5, p d5", Square::D3), fen));
    // Not by another pawn that could have: the one on d5 must be the second.
    let men = "K a1, k a8, P e5, p d5, p d7 d5 c5";
    let fen = "k7/8/8/2ppP3/8/8/8/K7 w - d6";
    assert!(!fits(&invariant(men), fen));
    assert!(fits(&passing(men, Square::D6), fen));
}

// Second obligation: kept

#[test]
fn men_stop_at_fixed_ones_of_their_colour_and_at_kings() {
    assert_eq!(steps(&invariant("R a1, P a2, K b1, k a8"), "a1"), None);
    let moving = invariant("R a1, P a2 a3, K b1, k a8");
    assert_eq!(steps(&moving, "a1"), Some(leaves(0, "a1", "a2")));
    assert_eq!(steps(&invariant("N a1, K b3, k c2"), "a1"), None);
    let kings = invariant("N a1, K b3, k c2 d2");
    assert_eq!(steps(&kings, "a1"), Some(leaves(0, "a1", "c2")));
}

#[test]
fn lines_go_through_men_that_may_be_away() {
    let fixed = invariant("B a1 b2, P c3, K h1, k h8");
    assert_eq!(steps(&fixed, "a1"), None);
    let lost = invariant("B a1 b2, P c3 lost, K h1, k h8");
    assert_eq!(steps(&lost, "a1"), Some(leaves(0, "a1", "c3")));
    let mut open = lost;
    open.men[0].squares.add(Square::C3);
    assert_eq!(steps(&open, "a1"), Some(leaves(0, "a1", "d4")));
}

#[test]
fn captured_men_are_lost() {
    let men = |pawn: &str| invariant(&format!("N a1 b3 c2, {pawn}, K h1, k h8"));
    assert_eq!(steps(&men("p b3"), "a1"), Some(takes(0, "a1", "b3", 1)));
    assert_eq!(steps(&men("p b3 lost"), "a1"), None);
    assert_eq!(steps(&men("p b4"), "a1"), None);
    // A man of the same colour isn't captured, nor one that can't be there.
    assert_eq!(steps(&men("P b3 b4"), "a1"), None);
}

#[test]
fn the_last_man_needs_no_mark() {
    let last = "k b2 a1 a2 a3 b1 b3 c1 c2 c3, B a1, K h8";
    assert_eq!(steps(&invariant(last), "b2"), None);
    let two = invariant(&format!("{last}, P h7"));
    assert_eq!(steps(&two, "b2"), Some(takes(0, "b2", "a1", 1)));
    // Even if it can be lost itself, the other may be the last.
    let two = invariant(&format!("{last}, P h7 lost"));
    assert_eq!(steps(&two, "b2"), Some(takes(0, "b2", "a1", 1)));
    // It is about the side that is claimed unable to mate only.
    let other = invariant("K b2 a1 a2 a3 b1 b3 c1 c2 c3, b a1, k h8");
    assert_eq!(steps(&other, "b2"), Some(takes(0, "b2", "a1", 1)));
}

#[test]
fn a_pawn_that_takes_the_last_man_may_go_anywhere() {
    let last = "p b4 b3 b2 promotes lost, B a3 c3 c1, K h8, k h1";
    for from in ["b4", "b3", "b2"] {
        assert_eq!(steps(&invariant(last), from), None);
    }
    let two = invariant("p b4 b3 b2 promotes lost, B a3 c3 c1 lost, P h7 lost, K h8, k h1");
    assert_eq!(steps(&two, "b4"), Some(leaves(0, "b4", "a3")));
    // In passing, too.
    let passing = "p b4 b3 b2 promotes lost, P c2 c4 lost, K h8, k h1";
    assert_eq!(steps(&invariant(passing), "b4"), None);
    let two = invariant(&format!("{passing}, P h7 lost"));
    assert_eq!(steps(&two, "b4"), Some(leaves(0, "b4", "c3")));
}

#[test]
fn kings_avoid_what_is_certainly_attacked() {
    let men = |pawn: &str| invariant(&format!("k e8 d8 f8 d7 f7, {pawn}, K a1"));
    assert_eq!(steps(&men("P d6"), "e8"), None);
    let e7 = Some(leaves(0, "e8", "e7"));
    for pawn in ["P d6 lost", "P d6 d5", "P d5", "p d6", "P"] {
        assert_eq!(steps(&men(pawn), "e8"), e7, "{pawn}");
    }
    // Other men may go there.
    let queen = invariant("q e8 d8 f8 d7 f7, P d6, K a1, k h1");
    assert!(steps(&queen, "e8").is_some());
}

#[test]
fn certain_attacks_come_from_every_square_of_a_man() {
    let men = |knight: &str| invariant(&format!("k e8 d8 f8 d7 f7, {knight}, K a1"));
    assert_eq!(steps(&men("N d5 f5"), "e8"), None);
    assert_eq!(steps(&men("N d5 e5"), "e8"), Some(leaves(0, "e8", "e7")));
    // On its own squares the attacker may be taken.
    let near = invariant("k e8 d8 f8, B d7 f7, K a1, n e7");
    assert_eq!(steps(&near, "e8"), Some(leaves(0, "e8", "d7")));
}

#[test]
fn certain_lines_stop_where_any_man_may_stand() {
    let men = |other: &str| invariant(&format!("k e8 d8 f8, R a7, K {other}"));
    assert_eq!(steps(&men("a1"), "e8"), None);
    assert_eq!(steps(&men("a1 b7"), "e8"), Some(leaves(0, "e8", "d7")));
    // The king itself may stand in the line: behind it nothing is certain.
    let xray = invariant("k e7 e8 f8 d8 d7 d6 e6 f6, R a7, K a1");
    assert_eq!(steps(&xray, "e7"), Some(leaves(0, "e7", "f7")));
    // A man that promotes may stand anywhere.
    let promotes = invariant("k e8 d8 f8, R a7, K a1, p h2 promotes lost");
    assert_eq!(steps(&promotes, "e8"), Some(leaves(0, "e8", "d7")));
}

#[test]
fn kings_keep_apart() {
    assert_eq!(steps(&invariant("K e1 d1 f1, k e3"), "e1"), None);
    let moving = invariant("K e1 d1 f1, k e3 e4");
    assert_eq!(steps(&moving, "e1"), Some(leaves(0, "e1", "d2")));
}

#[test]
fn pawns_push_up_to_fixed_men() {
    assert_eq!(steps(&invariant("P e2, k e3, K a1"), "e2"), None);
    let one = invariant("P e2, k e3 d3, K a1");
    assert_eq!(steps(&one, "e2"), Some(leaves(0, "e2", "e3")));
    assert_eq!(steps(&invariant("P e2 e3, k e4, K a1"), "e2"), None);
    let two = invariant("P e2 e3, k e4 d4, K a1");
    assert_eq!(steps(&two, "e2"), Some(leaves(0, "e2", "e4")));
    // Only from their second rank two squares.
    assert_eq!(steps(&invariant("P e3 e4, k a8, K a1"), "e3"), None);
    let black = invariant("p e7 e6, k a8, K a1");
    assert_eq!(steps(&black, "e7"), Some(leaves(0, "e7", "e5")));
    assert_eq!(steps(&invariant("p e6 e5, k a8, K a1"), "e6"), None);
}

#[test]
fn opposed_pawns_do_not_pass() {
    let men = "P e4 e5, p e6 e5, K a1, k a8";
    assert_eq!(steps(&invariant(men), "e5"), Some(leaves(0, "e5", "e6")));
    assert_eq!(steps(&opposed(men, &[(0, 1)]), "e5"), None);
    let below = opposed("P e4, p e6 e5, K a1, k a8", &[(0, 1)]);
    assert_eq!(steps(&below, "e4"), Some(leaves(0, "e4", "e5")));
    let men = "p e6 e5, P e4 e5, K a1, k a8";
    assert_eq!(steps(&invariant(men), "e5"), Some(leaves(0, "e5", "e4")));
    assert_eq!(steps(&opposed(men, &[(1, 0)]), "e5"), None);
    // A double step neither.
    let men = "P e2 e3, p e4 e3, K a1, k a8";
    assert_eq!(steps(&invariant(men), "e2"), Some(leaves(0, "e2", "e4")));
    assert_eq!(steps(&opposed(men, &[(0, 1)]), "e2"), None);
}

#[test]
fn only_an_opposed_pawn_that_stays_holds_its_partner_up() {
    let (up, down) = ("P e4 e5", "p e6 e5");
    let men = |first: &str, second: &str| format!("{first}, {second}, K a1, k a8");
    let lost = |man: &str| format!("{man} lost");
    let white = |first: &str, second: &str| steps(&opposed(&men(first, second), &[(0, 1)]), "e5");
    let black = |first: &str, second: &str| steps(&opposed(&men(first, second), &[(1, 0)]), "e5");
    assert_eq!(white(&lost(up), down), None);
    assert_eq!(white(up, &lost(down)), Some(leaves(0, "e5", "e6")));
    assert_eq!(black(&lost(down), up), None);
    assert_eq!(black(down, &lost(up)), Some(leaves(0, "e5", "e4")));
}

#[test]
fn pawns_capture_what_may_be_there() {
    let men = |other: &str| invariant(&format!("P e4 e5 f5, {other}, K a1"));
    assert_eq!(steps(&men("k d5"), "e4"), None);
    assert_eq!(steps(&men("n d4, k a8"), "e4"), None);
    let left = Some(leaves(0, "e4", "d5"));
    assert_eq!(steps(&men("n d5 lost, k a8"), "e4"), left);
    assert_eq!(steps(&men("p h3 promotes lost, k a8"), "e4"), left);
    assert_eq!(steps(&men("n f5 lost, k a8"), "e4"), None);
    assert_eq!(
        steps(&men("n f5, k a8"), "e4"),
        Some(takes(0, "e4", "f5", 1))
    );
    // Not onto a fixed man of their own, or a king.
    assert_eq!(steps(&men("n d5 lost, N d5, k a8"), "e4"), None);
    let king = invariant("P e4 e5, n d5 lost, k d5, K a1");
    assert_eq!(steps(&king, "e4"), None);
}

#[test]
fn pawns_capture_en_passant() {
    let men = |own: &str, other: &str| format!("P {own}, {other}, K a1, k a8");
    let taking = |own, other| steps(&invariant(&men(own, other)), "e5");
    assert_eq!(taking("e5 e6 d6", "p d7 d5 lost"), None);
    assert_eq!(taking("e5 e6", "p d7 d5 lost"), Some(leaves(0, "e5", "d6")));
    assert_eq!(taking("e5 e6 d6", "p d7 d5"), Some(takes(0, "e5", "d6", 1)));
    // Not one that hasn't come by its double step, nor what isn't a pawn or isn't beside.
    for other in ["p d5", "n d7 d5", "p c7 c5", "P d7 d5", "p d7 d4"] {
        assert_eq!(taking("e5 e6", other), None, "{other}");
    }
    // Not over a man that is always there.
    assert_eq!(
        taking("e5 e6", "p d7 d5, n d6"),
        Some(leaves(0, "e5", "d6"))
    );
    assert_eq!(taking("e5 e6", "p d7 d5, R d6"), None);
    // Only from the fifth rank.
    let fourth = invariant(&men("e4 e5", "p d7 d5 d4"));
    assert_eq!(steps(&fourth, "e4"), Some(leaves(0, "e4", "d5")));
}

#[test]
fn a_granted_en_passant_square_counts() {
    let men = "P e5 e6, p d5, K a1, k a8";
    let d6 = Some(leaves(0, "e5", "d6"));
    assert_eq!(steps(&passing(men, Square::D6), "e5"), d6);
    for other in [Square::F6, Square::D3] {
        assert_eq!(steps(&passing(men, other), "e5"), None);
    }
    let black = passing("p e4 e3 d3, P d4, K a1, k a8, N h1", Square::D3);
    assert_eq!(steps(&black, "e4"), Some(takes(0, "e4", "d3", 1)));
}

#[test]
fn pawns_on_the_last_rank_promote() {
    let men = |marks: &str| invariant(&format!("p b2 {marks}, K h1, k h8"));
    assert_eq!(steps(&men("promotes lost"), "b2"), None);
    assert_eq!(steps(&men("lost"), "b2"), Some(leaves(0, "b2", "b1")));
    let blocked = "p b2, K b1, k h8, R a1 lost, N h2";
    assert_eq!(
        steps(&invariant(blocked), "b2"),
        Some(leaves(0, "b2", "a1"))
    );
    assert_eq!(steps(&invariant("p b2, K b1, k h8"), "b2"), None);
}

#[test]
fn castling_moves_king_and_rook() {
    let kept = |invariant: &Invariant| {
        let inductive = InductiveInvariant::new(invariant, Color::White).expect("well formed");
        inductive.castling().err()
    };
    let king = |to| Some(leaves(0, "e1", to));
    let men = "K e1 g1, R h1 f1, k a8";
    assert_eq!(kept(&castling(men, Square::H1)), None);
    assert_eq!(
        kept(&castling("K e1, R h1 f1, k a8", Square::H1)),
        king("g1")
    );
    let rook = castling("K e1 g1, R h1, k a8", Square::H1);
    assert_eq!(kept(&rook), Some(leaves(1, "h1", "f1")));
    // To the other side, and of the other colour.
    assert_eq!(kept(&castling(men, Square::A1)), king("c1"));
    let black = "k e8, r a8 d8, K a1";
    assert_eq!(
        kept(&castling(black, Square::A8)),
        Some(leaves(0, "e8", "c8"))
    );
    // Every rook that may be on the square may be the one; a man elsewhere isn't.
    let two = castling("K e1 g1, R h1 f1, R h1 h2, R a1, k a8", Square::H1);
    assert_eq!(kept(&two), Some(leaves(2, "h1", "f1")));
    // Kings and rooks beside their targets, as in Chess960.
    assert_eq!(
        kept(&castling("K f1, R g1, k a8", Square::G1)),
        Some(leaves(0, "f1", "g1"))
    );
    assert_eq!(kept(&castling("K g1, R h1 f1, k a8", Square::H1)), None);
    // A king that has left its rank has no right.
    assert_eq!(kept(&castling("K e2, R h1, k a8", Square::H1)), None);
}

/// On a board full of White's men nothing moves, but a right to castle would still count.
#[test]
fn castling_is_among_the_moves() {
    let man = |square: Square| match square {
        Square::A8 => "k",
        Square::E1 => "K",
        _ if Bitboard::BACKRANKS.contains(square) => "R",
        _ => "P",
    };
    let men = Square::ALL.map(|square| format!("{} {square}", man(square)));
    let men = men.join(",");
    let kept = |invariant: &Invariant| {
        let inductive = InductiveInvariant::new(invariant, Color::White).expect("well formed");
        match inductive.check_consecution(&mut Remaining::new(&Limits::default())) {
            Ok(()) => None,
            Err(StepError::Fault(StepFault::Invariant(fault))) => Some(fault),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(kept(&invariant(&men)), None);
    let king = u32::from(Square::E1) as usize;
    let leaves = leaves(king, "e1", "g1");
    assert_eq!(kept(&castling(&men, Square::H1)), Some(leaves));
}

// Third obligation: mate

#[test]
fn a_mate_needs_a_check() {
    assert!(no_mate("K f1, k h1, p h2, b g1"));
    assert!(!no_mate("K f1, k h1, p h2, b g1, N f2"));
    // The knight on e2 checks nobody on h1.
    assert!(no_mate("K f1, k h1, p h2, b g1, N e2"));
}

#[test]
fn squares_around_a_mated_king_are_covered_or_blocked() {
    // Smothered in the corner: g8, g7 and h7 blocked.
    assert!(!no_mate("K a1, k h8, r g8, p g7, p h7, N f7"));
    assert!(no_mate("K a1, k h8, r g8, p g7, p h6, N f7"));
    // Or covered by the king.
    assert!(!no_mate("K h6, k h8, r g8, p g3, p h3, N f7"));
    // Or by another man, from one of its squares.
    assert!(!no_mate("K a1, k h8, r g8, p g7, N f7, B a1 b1"));
    assert!(no_mate("K a1, k h8, r g8, p g7, N f7, B a1 b2"));
}

#[test]
fn blocking_men_are_different() {
    assert!(no_mate("K a1, k h8, r g8, n g7 h7, N f7"));
    assert!(!no_mate("K a1, k h8, r g8, n g7 h7, n g7 h7, N f7"));
    // A promoted man may stand anywhere; W's men and the king itself don't block.
    assert!(!no_mate(
        "K a1, k h8, r g8, n g7 h7, p a3 promotes lost, N f7 lost"
    ));
    assert!(no_mate("K a1, k h8 g7 h7, r g8, N g7 h7, N f7"));
}

#[test]
fn lines_reach_through_the_mated_king() {
    // Rook and king mate at the edge; h3 is covered through h4, where the king is fixed.
    assert!(!no_mate("K f4, k h4, R h8"));
    // A man that is always between stops the line.
    assert!(no_mate("K f4, k h4, R h8, p h5"));
    assert!(!no_mate("K f4, k h4, R h8, p h5 lost"));
}

#[test]
fn kings_of_both_sides_are_apart() {
    assert!(!no_mate("K f4 g4, k h4, R h8"));
    assert!(no_mate("K g4, k h4, R h8"));
    // Elsewhere the mating side's king covers too little.
    assert!(no_mate("K e4, k h4, R h8"));
}

#[test]
fn the_checking_man_covers_from_where_it_checks() {
    // Of the squares around h7 only g8 is left by a rook that checks on the file; on the
    // eighth rank it would cover that, but then it doesn't check.
    assert!(no_mate("K f6, k h7, R h1 a8"));
    assert!(!no_mate("K f6, k h7, R h1, R a8"));
}
