//! Where games begin, and text that isn't quite PGN: read, with a note.

use std::io::Read;

use stillmate_arbiter::{
    GameRecord, Outcome,
    pgn::{Chunk, Chunks, Game, Games, PgnFaultKind, PgnNote},
};
use stillmate_core::{Color, text::Leniency};

use crate::support::each_game;

/// A game in short: its tags, moves, result, line, faults and notes.
fn short(game: &Game<'_>) -> String {
    let tags = ["Event", "White", "Black", "Result", "Annotator"];
    let tags: Vec<String> = tags
        .iter()
        .filter_map(|tag| Some(format!("{tag}={}", game.tags.get(tag)?)))
        .collect();
    let moves: Vec<String> = game.record.moves().iter().map(|m| m.uci()).collect();
    let result = game.result.map_or("none", Outcome::text);
    let faults: Vec<String> = game
        .faults
        .iter()
        .map(|one| format!("{}: {one}", one.line))
        .collect();
    format!(
        "line {} {} | {} | {result} | {} remarks | {faults:?} {:?}",
        game.line,
        tags.join(" "),
        moves.join(" "),
        game.remarks.len(),
        game.notes
    )
}

fn games(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_game(text, |game| found.push(short(game)));
    found
}

/// Hands out its bytes up to each of some places at a time.
struct Cut<'a>(&'a [u8], Vec<usize>, usize);

impl Read for Cut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let next = self.1.iter().find(|&&at| at > self.2).copied();
        let end = next.unwrap_or(self.0.len()).min(self.2 + buffer.len());
        let part = &self.0[self.2..end];
        buffer[..part.len()].copy_from_slice(part);
        self.2 = end;
        Ok(part.len())
    }
}

fn games_of(chunk: &Chunk) -> Vec<String> {
    let mut found = Vec::new();
    let mut games = Games::new(chunk, Leniency::Strict);
    let mut game = Game::default();
    while games.read(&mut game) {
        found.push(short(&game));
    }
    found
}

fn games_in_chunks(stream: impl Read) -> Vec<String> {
    let mut found = Vec::new();
    for chunk in Chunks::new(stream) {
        let chunk = chunk.expect("memory can be read");
        let whole = games_of(&chunk);
        // In parts as short as can be they are the same.
        let parts: Vec<String> = chunk.split(1).iter().flat_map(games_of).collect();
        assert_eq!(parts, whole);
        found.extend(whole);
    }
    found
}

#[test]
fn a_game_begins_where_its_tag_section_begins() {
    for (text, count) in [
        (
            "[White \"A\"]\n[Black \"B\"]\n[Event \"x\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
            1,
        ),
        (
            "[White \"A\"]\n[Event \"x\"]\n\n1. e4 *\n\n[White \"B\"]\n[Event \"y\"]\n\n1. d4 *\n",
            2,
        ),
        // Sections without moves.
        (
            "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n[Event \"c\"]\n",
            3,
        ),
        (
            "[Event \"a\"]\n[Result \"1-0\"]\n[Event \"b\"]\n[Result \"0-1\"]\n",
            2,
        ),
        (
            "[White \"a\"]\n[Result \"1-0\"]\n\n[Black \"c\"]\n[Result \"0-1\"]\n",
            2,
        ),
        // A blank line within a section.
        (
            "[Event \"a\"]\n[Site \"b\"]\n\n[White \"c\"]\n[Result \"*\"]\n\n1. e4 *\n",
            1,
        ),
        // Results without a game.
        ("[Event \"a\"]\n\n1. e4 * *\n", 1),
        (
            "[Event \"a\"]\n\n1. e4 1-0 ff\n\n[Event \"b\"]\n\n1. d4 *",
            2,
        ),
        ("1. e4 e5 0-1 0-1\n\n1. d4 *", 2),
        ("[Event \"a\"]\n\n1. e4 1-0\n\n*\n\n", 1),
        ("1. e4 *\n\n1. d4 *", 2),
        (
            "[A \"1\"] [B \"2\"]\n1. e4 *\n[A \"3\"] [B \"4\"]\n1. d4 *",
            2,
        ),
    ] {
        let found = games(text);
        assert_eq!(found.len(), count, "{text}\n{found:#?}");
        for step in 1..text.len() {
            let cuts = (0..text.len()).step_by(step).collect();
            let again = games_in_chunks(Cut(text.as_bytes(), cuts, 0));
            assert_eq!(again, found, "{text} in parts of {step}");
        }
    }
}

#[test]
fn many_games_whose_event_comes_last_are_as_many() {
    let game = "[White \"A\"]\n[Black \"B\"]\n[Event \"x\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let text = game.repeat(20_000);
    assert_eq!(games_in_chunks(text.as_bytes()).len(), 20_000);
    let headers = "[Site \"s\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n".repeat(20_000);
    let found = games_in_chunks(headers.as_bytes());
    assert_eq!(found.len(), 20_000);
    assert!(
        found
            .iter()
            .all(|game| game.contains("| 1-0 | 0 remarks | [] []"))
    );
    let indented = game
        .replace("[W", "  [W")
        .repeat(20_000)
        .replace("\n[", "\n  [");
    assert_eq!(games_in_chunks(indented.as_bytes()).len(), 20_000);
    let results = "1. e4 e5 1-0 1-0 ff\n\n".repeat(40_000);
    assert_eq!(games_in_chunks(results.as_bytes()).len(), 40_000);
}

#[test]
fn results_of_federations_are_results() {
    use Outcome::{BothLose, Draw, Half, Wins};
    let (white, black) = (Wins(Color::White), Wins(Color::Black));
    for (text, plies, result) in [
        ("[Result \"0-0\"]\n\n0-0", 0, BothLose),
        ("[Result \"0-0\"]\n\n1. e4 e5 0-0", 2, BothLose),
        (
            "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0",
            6,
            BothLose,
        ),
        (
            "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0 0-0",
            7,
            BothLose,
        ),
        (
            "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *",
            8,
            Outcome::Unknown,
        ),
        ("1. e4 e5 0-0", 2, BothLose),
        ("1. e4 1/2-0", 1, Half(Color::White)),
        ("1. e4 0-1/2", 1, Half(Color::Black)),
        ("1. e4 ½-0", 1, Half(Color::White)),
        ("1. e4 +:-", 1, white),
        ("1. e4 -:+", 1, black),
        ("1. e4 =:=", 1, Draw),
        ("1. e4 -:-", 1, BothLose),
        ("1. e4 (+)-(-)", 1, white),
        ("1. e4 (-)-(+)", 1, black),
        ("1. e4 1:0", 1, white),
        ("1. e4 0-1F", 1, black),
        ("[Result \"+-\"]\n", 0, white),
        ("[Result \"1-0 ff\"]\n\n", 0, white),
        ("[Result \"½-½\"]\n\n", 0, Draw),
    ] {
        let count = each_game(text, |game| {
            assert_eq!(game.record.plies(), plies, "{text}");
            assert_eq!(game.result, Some(result), "{text}");
            assert_eq!(game.faults, [], "{text}");
        });
        assert_eq!(count, 1, "{text}");
    }
}

#[test]
fn what_is_not_quite_pgn_is_read_with_a_note() {
    use PgnNote::{AfterResult, Blanks, BracketedPromotion, Figurines, Html, Quotes, Variant};
    let promotion = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    for (text, tag, value, plies, note) in [
        (
            "[White \"\"Mephisto\"\"]\n\n1. e4 *",
            "White",
            "\"Mephisto\"",
            1,
            Some(Quotes),
        ),
        (
            "[Event \"Tournament \\\"]\n[White \"A\"]\n\n1. e4 *",
            "Event",
            "Tournament \\",
            1,
            Some(Quotes),
        ),
        (
            "[Event \"The \"Open\" of C:\\\\\"] [White \"A\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            Some(Quotes),
        ),
        (
            "[White \"a \\\"b\\\" c\"]\n\n1. e4 *",
            "White",
            "a \"b\" c",
            1,
            None,
        ),
        (
            "  [White \"A\"]\n\t[Black \"B\"]\n\n  1. e4 *",
            "Black",
            "B",
            1,
            Some(Blanks),
        ),
        (
            "[White \"A\"]\n\n1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 *",
            "White",
            "A",
            5,
            Some(Figurines),
        ),
        (
            "<pre>\n[White \"A\"]\n\n1. e4 e5 *\n</pre>\n",
            "White",
            "A",
            2,
            Some(Html),
        ),
        (
            "<html><body>\n<h1>My games</h1>\n<p>[White \"A\"]<br>\n[Black \"B\"]<br>\n<br>\n1. e4 e5<br>\n2. Nf3 *</p>",
            "Black",
            "B",
            3,
            Some(Html),
        ),
        (
            "[White \"A\"]\n\n1. e4 * *",
            "White",
            "A",
            1,
            Some(AfterResult),
        ),
        (
            "[White \"A\"]\n[Variant \"Regular\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            Some(Variant),
        ),
        (
            "[White \"A\"]\n[Variant \"Standard chess\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            Some(Variant),
        ),
        (
            "[White \"A\"]\n[Variant \"960\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            Some(Variant),
        ),
        (
            "[White \"A\"]\n[Variant \"classical attack\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            Some(Variant),
        ),
        (
            "[White \"A\"]\n[Variant \"Standard\"]\n\n1. e4 *",
            "White",
            "A",
            1,
            None,
        ),
    ] {
        let count = each_game(text, |game| {
            assert_eq!(game.faults, [], "{text}");
            assert_eq!(game.tags.get(tag).as_deref(), Some(value), "{text}");
            assert_eq!(game.record.plies(), plies, "{text}");
            assert_eq!(game.notes, note.as_slice(), "{text}");
        });
        assert_eq!(count, 1, "{text}");
    }
    // A note belongs to its game and not to the one before.
    let mut notes = Vec::new();
    each_game(
        "[White \"A\"]\n\n1. e4 *\n\n[White \"\"B\"\"]\n\n1. d4 *\n",
        |game| {
            notes.push(game.notes.clone());
        },
    );
    assert_eq!(notes, [vec![], vec![Quotes]]);
    for word in ["a8(N)", "a8(N)+", "a8=♘", "a8♞", "a8=N"] {
        each_game(&format!("{promotion}1. {word} Kg7 *"), |game| {
            assert_eq!(game.faults, [], "{word}");
            assert_eq!(game.record.moves()[0].uci(), "a7a8n", "{word}");
            let bracketed = game.notes.contains(&BracketedPromotion);
            assert_eq!(bracketed, word.contains('('), "{word}");
        });
    }
    for variant in [
        "Atomic",
        "Crazyhouse",
        "Three-check",
        "King of the Hill",
        "Antichess",
        "Horde",
    ] {
        each_game(&format!("[Variant \"{variant}\"]\n\n1. e4 *"), |game| {
            assert_eq!(game.faults[0].kind, PgnFaultKind::Variant, "{variant}");
        });
    }
}

#[test]
fn messages_keep_their_remedy() {
    let text = "[FEN \"r3k2r/8/8/8/8/8/8/4K1R1 w Gkq - 0 1\"]\n\n1. Kd2 *";
    each_game(text, |game| {
        let fault = &game.faults[0];
        assert_eq!(
            fault.short(),
            "the FEN tag is no position: castling right of White with the rook on g1, but the other \
             side castles from other files, so one of them is not at home; --lenient drops that"
        );
        assert_eq!(fault.short(), fault.to_string());
    });
    let long = "x".repeat(300);
    each_game(&format!("1. e4 {long} *"), |game| {
        assert!(game.faults[0].to_string().contains(&long));
        assert!(game.faults[0].short().len() < 120);
    });
}

/// Games with tags in any order, comments over several lines, sections without moves, results of
/// all kinds, cut into chunks at every byte, are the games that they are as a whole.
#[test]
fn games_are_the_same_wherever_the_stream_is_cut() {
    let mut rng = fastrand::Rng::with_seed(17);
    for round in 0..12 {
        let text = random_file(&mut rng, 4);
        let whole = games(&text);
        assert!(whole.len() >= 4, "{text}");
        for at in 0..=text.len() {
            let found = games_in_chunks(Cut(text.as_bytes(), vec![at], 0));
            assert_eq!(found, whole, "round {round}, cut at {at} of\n{text}");
        }
    }
    // Longer files, cut at random.
    for round in 0..200 {
        let count = rng.usize(1..20);
        let text = random_file(&mut rng, count);
        let mut cuts: Vec<usize> = (0..rng.usize(1..40))
            .map(|_| rng.usize(..text.len()))
            .collect();
        cuts.sort_unstable();
        let found = games_in_chunks(Cut(text.as_bytes(), cuts, 0));
        assert_eq!(found, games(&text), "round {round}:\n{text}");
    }
}

fn random_file(rng: &mut fastrand::Rng, count: usize) -> String {
    let newline = ["\n", "\n", "\r\n"][rng.usize(..3)];
    let mut text = String::new();
    for _ in 0..count {
        text += &random_game(rng);
    }
    text.replace('\n', newline)
}

fn random_game(rng: &mut fastrand::Rng) -> String {
    let results = [
        "1-0", "0-1", "1/2-1/2", "*", "0-0", "+:-", "1/2-0", "1-0 ff",
    ];
    let result = results[rng.usize(..results.len())];
    let mut tags = Vec::new();
    for tag in ["Event", "Site", "White", "Black", "Annotator", "ECO"] {
        let values = ["a", "b \\\"c\\\"", "\"d\"", ""];
        if rng.u8(..4) > 0 {
            tags.push(format!("[{tag} \"{}\"]\n", values[rng.usize(..4)]));
        }
    }
    tags.push(format!("[Result \"{result}\"]\n"));
    rng.shuffle(&mut tags);
    let mut text = tags.concat();
    if rng.u8(..6) == 0 {
        // A section without moves.
        return text + "\n";
    }
    text.push('\n');
    let extras = [
        "{a comment}",
        "{\n[%clk 0:01:02]}",
        "{see\n[Site \"x\"]\n}",
        "{two\n\nparagraphs [and brackets]}",
        "$5",
        "(1. e4 {in} (1. d4 *) 1-0)",
        "; rest [White \"x\"]\n",
        "\n% escape\n",
    ];
    let mut record = GameRecord::default();
    for ply in 0..rng.usize(0..12) {
        let moves = record.last().legal_moves();
        let Some(&m) = moves.get(rng.usize(..moves.len().max(1))) else {
            break;
        };
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{} ", record.san(ply, m));
        if rng.u8(..6) == 0 {
            text += extras[rng.usize(..extras.len())];
            text.push(' ');
        }
        record.play(m);
    }
    text + result + ["\n\n", "\n", "\n\n\n", " {White resigns}\n\n"][rng.usize(..4)]
}
