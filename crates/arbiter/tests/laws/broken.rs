//! Records with faults: each is told with its place, and the rest is read.

use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus, Visitor};
use stillmate_arbiter::{Outcome, ResultVerdict, Rules, pgn::PgnFaultKind};
use stillmate_core::Color;

use crate::support::{arbiter, each_game, each_game_in};

const SOUND: &str = "[Event \"after\"]\n\n1. e4 e5 *\n";

/// A fault as (line, ply, kind), and the plies read of the game.
type Found = (Vec<(u64, Option<usize>, PgnFaultKind)>, usize);

/// Reads one broken game with a sound one behind it.
fn read(text: &str) -> Found {
    let mut found = Vec::new();
    each_game(&format!("{text}\n{SOUND}"), |game| {
        let faults = game.faults.iter();
        let faults = faults.map(|fault| (fault.line, fault.ply, fault.kind));
        found.push((faults.collect::<Vec<_>>(), game.record.plies()));
    });
    let after = found.pop();
    assert_eq!(after, Some((Vec::new(), 2)), "the game behind {text:?}");
    assert_eq!(found.len(), 1, "{text:?}");
    found.remove(0)
}

#[test]
fn faults_have_their_line_and_ply() {
    use PgnFaultKind as Kind;
    let one = |line, ply, kind| vec![(line, Some(ply), kind)];
    for (text, faults, plies) in [
        (
            "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n",
            one(4, 3, Kind::Illegal),
            2,
        ),
        (
            "1. e4 e5 2. Nf3 Nf6\n3. Nc3 Nc6 4. Nd6 *",
            one(2, 7, Kind::Illegal),
            6,
        ),
        (
            "1. Nf3 d5 2. Nc3 e5\n3. Nd4 c5 4. Nb5 *",
            one(2, 7, Kind::Ambiguous),
            6,
        ),
        // Moves that leave the king attacked: pinned, in check, in passing, and the king's own.
        (
            "1. e4 e5 2. Qh5 {a\n} f6\n{b} 3. Qxe8# Kxe8 (3. a3) 4. O-O 1-0",
            one(2, 4, Kind::Illegal),
            3,
        ),
        (
            "1. e4 e5 2. Qh5 Nc6\n3. Qxf7+ a6 4. Qxe8 *",
            one(2, 6, Kind::Illegal),
            5,
        ),
        (
            "[FEN \"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1\"]\n\n1. exd6 Rxa5 *",
            one(3, 1, Kind::Illegal),
            0,
        ),
        (
            "1. e4 e5 2. Ke2 Qh4 3. Kf3\nNf6 4. Kg4 Nxg4 5. Ng3 *",
            one(2, 7, Kind::Illegal),
            6,
        ),
        ("1. e4 Sf6 *", one(1, 2, Kind::Unreadable), 1),
        ("1. e4 e5 2. \u{1}\u{2}x *", one(1, 3, Kind::Unreadable), 2),
        ("1. e4 -- 2. d4 *", one(1, 2, Kind::NullMove), 1),
        ("1. e4 e5\n\n", one(1, 3, Kind::NoResult), 2),
        (
            "[Result \"1-0\"]\n\n1. e4 e5 0-1",
            one(3, 3, Kind::TwoResults),
            2,
        ),
        ("1. e4 {open\n\n\n", one(1, 2, Kind::Comment), 1),
        ("1. e4 (1. d4 e5\n", one(1, 2, Kind::Variation), 1),
        (
            "[FEN \"8/8/8/8 w - -\"]\n\n1. e4 *",
            vec![(3, None, Kind::SetUp)],
            0,
        ),
        (
            "[Variant \"Atomic\"]\n\n1. e4 *",
            vec![(3, None, Kind::Variant)],
            0,
        ),
        (
            "[White \"A]\n[Black \"B\"]\n\n1. e4 *",
            vec![(1, None, Kind::Tag)],
            1,
        ),
        ("\u{0}\u{0}\u{7f}ELF", one(1, 1, Kind::Unreadable), 0),
    ] {
        let mut expected = faults;
        if expected[0].2 == Kind::Variation {
            // The moves end there, too.
            expected.push((1, Some(2), Kind::NoResult));
        }
        assert_eq!(read(text), (expected, plies), "{text:?}");
    }
}

#[test]
fn every_cut_of_a_file_is_told() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Bc4 Nc6 \
                3. Qh5 Nf6 4. Qxf7# 1-0";
    for end in 1..text.len() {
        let mut faults = 0;
        let games = each_game(&text[..end], |game| faults += game.faults.len());
        // Tags alone are a game without moves.
        let header = text[..end].trim_end().ends_with(']');
        assert!(
            games == 1 && (faults > 0) != header,
            "nothing said of {:?}",
            &text[..end]
        );
    }
    assert_eq!(each_game(text, |game| assert_eq!(game.faults, [])), 1);
}

#[test]
fn what_does_no_harm_is_forgiven() {
    let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.0-0 *",
        "\u{feff}1. e4! e5?! 2. Nf3 $1 Nc6 $14 3. Bb5+- a6 N 4. O-O ± 1–0",
        "1. e4 e5\n\n2. Nf3 Nc6\r\n\r\n3. Bb5 a6 4. O-O ½-½",
        "1. e4 1... e5 2. Nf3 2... Nc6 3. Bb5 3... a6 4. O-O 1/2",
        "{before} 1. e4 (1. d4 d5 (1... Nf6 2. c4 {no 1-0} *)) 1... e5 {a (b} 2. Nf3 ; c ) {\nNc6 3. Bb5 a6 4. O-O *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. e1g1 *",
        "% a line for programs\n[A \"1\"] [B \"2\"]\n[C \"a \\\" b\"]\n1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 O-O *",
        "1. Pe4 Pe5 2. Nf3 Nc6 3. Bb5 a6 4. O-O! *",
    ] {
        let count = each_game(text, |game| {
            assert_eq!(game.faults, [], "{text:?}");
            let found: Vec<String> = game.record.moves().iter().map(|m| m.uci()).collect();
            assert_eq!(found.join(" "), moves, "{text:?}");
        });
        assert_eq!(count, 1, "{text:?}");
    }
}

#[test]
fn names_in_latin_1_are_read() {
    let text = b"[White \"M\xfcller\"]\n[Black \"Bj\xc3\xb6rn \\\"B\\\"\"]\n\n*\n";
    let count = each_game_in(text.to_vec(), |game| {
        assert_eq!(game.tags.get("White").as_deref(), Some("Müller"));
        assert_eq!(game.tags.get("Black").as_deref(), Some("Björn \"B\""));
        assert_eq!(game.tags.get("Event"), None);
    });
    assert_eq!(count, 1);
}

#[test]
fn games_without_tags_follow_each_other() {
    let mut plies = Vec::new();
    each_game(
        "1. e4 e5 1-0 1. d4 *\n\n1. c4 c5 2. b3\n\n1. f4 f5 0-1\n",
        |game| {
            plies.push((game.record.plies(), game.result));
        },
    );
    let wins = |color| Some(Outcome::Wins(color));
    let expected = [
        (2, wins(Color::White)),
        (1, Some(Outcome::Unknown)),
        (3, None),
        (2, wins(Color::Black)),
    ];
    assert_eq!(plies, expected);
}

#[test]
fn what_was_decided_before_a_fault_stands() {
    let text = "[FEN \"8/8/8/8/3k4/3P4/8/6K1 b - - 0 60\"]\n\n60... Kxd3 61. Kf2 Kxd9 1-0\n\
                \n[Event \"b\"]\n\n1. e4 e6 2. Ke3 1-0";
    let mut verdicts = Vec::new();
    each_game(text, |game| {
        assert!(game.is_broken());
        verdicts.push(arbiter(Rules::Fide).adjudicate(game).verdict);
    });
    assert_eq!(verdicts, [ResultVerdict::Wrong, ResultVerdict::Unjudged]);
}

/// Whatever is done to a file, reading it ends, and something is known of each game.
#[test]
fn damaged_files_are_read_to_their_end() {
    const SIGNS: &[u8] = b"[]{}();%\"\\\n\r $*-+#=0123/xaehNKQRO.\x00\xc2\xbd\xe2\x80\x93";
    let mut rng = fastrand::Rng::with_seed(11);
    let sound = random_games(12);
    let (mut games, mut faults) = (0, 0);
    for _ in 0..300 {
        let mut text = sound.clone().into_bytes();
        for _ in 0..rng.usize(1..30) {
            let at = rng.usize(..text.len());
            match rng.u8(..4) {
                0 => text[at] = SIGNS[rng.usize(..SIGNS.len())],
                1 => text.insert(at, SIGNS[rng.usize(..SIGNS.len())]),
                2 => drop(text.drain(at..(at + rng.usize(..200)).min(text.len()))),
                _ => text.truncate(text.len() - rng.usize(..50).min(at)),
            }
        }
        let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let mut last = 0;
        games += each_game_in(text, |game| {
            assert!(last <= game.line && game.line <= lines);
            last = game.line;
            assert_eq!(game.record.moves().len(), game.record.plies());
            assert!(game.result.is_some() || !game.faults.is_empty());
            assert!(game.faults.iter().all(|fault| fault.line <= lines));
            faults += game.faults.len();
        });
    }
    assert!(
        games > 3000 && faults > 1000,
        "{games} games, {faults} faults"
    );
}

/// On sound files pgn-reader, which passes over what it doesn't understand, reads the same.
#[test]
fn sound_games_are_read_as_by_pgn_reader() {
    #[derive(Default)]
    struct Collect;
    impl Visitor for Collect {
        type Tags = ();
        type Movetext = Vec<String>;
        type Output = Vec<String>;
        fn begin_tags(&mut self) -> ControlFlow<Vec<String>, ()> {
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<String>, Vec<String>> {
            ControlFlow::Continue(Vec::new())
        }
        fn san(&mut self, moves: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
            moves.push(san.to_string());
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, moves: Vec<String>) -> Vec<String> {
            moves
        }
    }
    let text = random_games(200);
    let theirs: Vec<Vec<String>> = Reader::new(text.as_bytes())
        .read_games(&mut Collect)
        .collect::<Result<_, _>>()
        .unwrap();
    let mut ours = Vec::new();
    each_game(&text, |game| {
        assert_eq!(game.faults, []);
        let record = &game.record;
        let moves = record.moves().iter().enumerate();
        ours.push(
            moves
                .map(|(plies, &m)| record.san(plies, m))
                .collect::<Vec<_>>(),
        );
    });
    assert_eq!(ours, theirs);
}

fn random_games(count: usize) -> String {
    use std::fmt::Write as _;
    let mut rng = fastrand::Rng::with_seed(5);
    let extras = [
        "{a comment}",
        "$5",
        "(1. e4 {in} (1. d4))",
        "{\n[%clk 0:01:02]}",
        "; rest\n",
        "!?",
    ];
    let mut text = String::new();
    for number in 0..count {
        let mut record = stillmate_arbiter::GameRecord::default();
        write!(text, "[Event \"{number}\"]\n[White \"a\"]\n\n").unwrap();
        for ply in 0..rng.usize(1..150) {
            let moves = record.last().legal_moves();
            let Some(&m) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            if ply % 2 == 0 {
                write!(text, "{}. ", ply / 2 + 1).unwrap();
            }
            write!(text, "{} ", record.san(ply, m)).unwrap();
            if rng.u8(..10) == 0 {
                let extra = extras[rng.usize(..extras.len())];
                text.truncate(text.trim_end().len());
                write!(text, " {extra} ").unwrap();
            }
            if rng.u8(..8) == 0 {
                text.push('\n');
            }
            record.play(m);
        }
        text.push_str("1/2-1/2\n\n");
    }
    text
}
