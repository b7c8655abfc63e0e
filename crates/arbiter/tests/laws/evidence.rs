//! What words, clocks and dates in a record mean: little games with the right answer.

use stillmate_arbiter::{Adjudication, Arbiter, LawsOf, Rules, pgn::Game};
use stillmate_reach::Analyzer;

use crate::support::{arbiter, each_game};

/// The verdict in short, such as `wrong 1/2-1/2 6.9`.
fn short(adjudication: &Adjudication) -> String {
    let mut words = vec![adjudication.verdict.name().to_owned()];
    words.extend(adjudication.should.map(|should| should.to_string()));
    words.extend(adjudication.basis.article().map(str::to_owned));
    words.join(" ")
}

/// Judges the only game of `text`.
fn judged<T>(text: &str, arbiter: &Arbiter, look: impl Fn(&Game<'_>, &Adjudication) -> T) -> T {
    let mut found = None;
    let games = each_game(text, |game| {
        found = Some(look(game, &arbiter.adjudicate(game)));
    });
    assert_eq!(games, 1, "{text}");
    found.unwrap()
}

/// A row: the record, the verdict in short, and what the reason contains.
type Row = (&'static str, &'static str, &'static str);

fn check(rows: &[Row], arbiter: &Arbiter) {
    let mut wrong = String::new();
    for &(text, expected, why) in rows {
        let (found, reason) = judged(text, arbiter, |game, adjudication| {
            (short(adjudication), adjudication.reason(&game.record))
        });
        if found != expected || !reason.contains(why) {
            wrong +=
                &format!("{text}\n  expected {expected}: {why}\n  found    {found}: {reason}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Nothing is stated as a fact that the record doesn't say.
const WORDS: &[Row] = &[
    // Silence.
    (
        "1. e4 e5 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation of Black",
    ),
    (
        "1. e4 e5 0-1",
        "stands 0-1 5.1.2",
        "taken as a resignation of White",
    ),
    (
        "1. e4 e5 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "taken as agreed",
    ),
    (
        "[Termination \"Normal\"]\n\n1. e4 e5 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    (
        "[Termination \"normal\"]\n\n1. e4 e5 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "taken as agreed",
    ),
    (
        "1. e4 e5 {The game is a draw.} 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "taken as agreed",
    ),
    (
        "1. e4 e5 {White wins} 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    (
        "1. e4 e5 {[%clk 0:01:00]} 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    (
        "1. e4 e5 {+0.31/18 0.9s} 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    // What is said.
    (
        "1. e4 e5 {Black resigns} 1-0",
        "stands 1-0 5.1.2",
        "Black resigned",
    ),
    (
        "1. e4 e5 1-0 {Black resigns}",
        "stands 1-0 5.1.2",
        "Black resigned",
    ),
    (
        "[White \"Ann\"]\n[Black \"Bob\"]\n[Termination \"Ann won by resignation\"]\n\n1. e4 e5 1-0",
        "stands 1-0 5.1.2",
        "Black resigned",
    ),
    (
        "[White \"Doe, Ann\"]\n[Termination \"Normal\"]\n\n1. e4 e5 {Ann Doe resigns} 0-1",
        "stands 0-1 5.1.2",
        "White resigned",
    ),
    (
        "1. e4 e5 {Weiß gibt auf} 0-1",
        "stands 0-1 5.1.2",
        "White resigned",
    ),
    (
        "1. e4 e5 {Les Noirs abandonnent} 1-0",
        "stands 1-0 5.1.2",
        "Black resigned",
    ),
    (
        "1. e4 e5 {Белые сдались} 0-1",
        "stands 0-1 5.1.2",
        "White resigned",
    ),
    (
        "1. e4 e5 {Tablas de mutuo acuerdo} 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "the players agreed",
    ),
    (
        "1. e4 e5 {Game drawn by mutual agreement} 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "players agreed",
    ),
    (
        "1. e4 e5 {Black resigns} *",
        "unscored 1-0 5.1.2",
        "Black resigned",
    ),
    ("1. e4 e5 *", "unjudged", "not finished"),
    (
        "[Termination \"unterminated\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "not finished",
    ),
    // Words that aren't understood.
    (
        "[Termination \"the lights went out\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "'the lights went out'",
    ),
    (
        "1. e4 e5 {Black's phone rang} 1-0",
        "unjudged",
        "the record says 'Black's phone rang'",
    ),
    (
        "[Termination \"Unknown\"]\n\n1. e4 e5 1/2-1/2",
        "unjudged",
        "the record says 'Unknown'",
    ),
    (
        "[Termination \"Normal\"]\n\n1. e4 e5 {A fine game} 1-0",
        "stands 1-0 5.1.2",
        "taken as",
    ),
    (
        "1. e4 {Best by test} e5 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    // What moves don't show.
    (
        "1. e4 e5 {Black makes an illegal move} 1-0",
        "unjudged",
        "'Black makes an illegal move'",
    ),
    (
        "[Termination \"illegal move\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "'illegal move'",
    ),
    (
        "1. e4 e5 {Black left the game.} 1-0",
        "unjudged",
        "'Black left the game.'",
    ),
    (
        "[Termination \"Time forfeit\"]\n\n1. e4 e5 {Black left the game.} 1-0",
        "unjudged",
        "'Black left the game.'",
    ),
    (
        "1. e4 e5 {White disconnects} 0-1",
        "unjudged",
        "'White disconnects'",
    ),
    (
        "1. e4 e5 {White's connection stalls} 0-1",
        "unjudged",
        "'White's connection stalls'",
    ),
    (
        "1. e4 e5 {White wins by forfeit.} 0-1",
        "unjudged",
        "'White wins by forfeit.'",
    ),
    (
        "1. e4 e5 {Xboard adjudication: Trivial draw} 1/2-1/2",
        "unjudged",
        "Trivial draw",
    ),
    (
        "1. e4 e5 {0.00/9 1s, Draw by adjudication: maximal game length} 1/2-1/2",
        "unjudged",
        "maximal game length",
    ),
    (
        "[Termination \"adjudication\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "'adjudication'",
    ),
    (
        "[Termination \"abandoned\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "'abandoned'",
    ),
    (
        "[Termination \"default\"]\n\n1. e4 e5 1-0",
        "unjudged",
        "'default'",
    ),
    // Fallen flags.
    (
        "[Termination \"time\"]\n\n1. e4 e5 1-0",
        "stands 1-0 6.9",
        "Black's flag fell",
    ),
    (
        "[Termination \"Outoftime\"]\n\n1. e4 e5 0-1",
        "stands 0-1 6.9",
        "White's flag fell",
    ),
    (
        "1. e4 e5 {Black flagged} 1-0",
        "stands 1-0 6.9",
        "Black's flag fell",
    ),
    (
        "1. e4 e5 {Black overstepped the time limit} 1-0",
        "stands 1-0 6.9",
        "Black's flag fell",
    ),
    (
        "1. e4 e5 {Time forfeit} 1-0",
        "stands 1-0 6.9",
        "Black's flag fell",
    ),
    (
        "1. e4 e5 {Zeitüberschreitung} 1-0",
        "stands 1-0 6.9",
        "Black's flag fell",
    ),
    (
        "1. e4 e5 {-0.5/12 0.3s, White loses on time} 0-1",
        "stands 0-1 6.9",
        "White's flag fell",
    ),
    (
        "1. e4 e5 {Both flags down, order unknown} 1/2-1/2",
        "stands 1/2-1/2 III.3.1.2",
        "both flags",
    ),
    (
        "1. e4 e5 {Both flags down, order unknown} 1-0",
        "wrong 1/2-1/2 III.3.1.2",
        "both flags",
    ),
    // What the board must show.
    (
        "1. e4 e5 {White mates} 1-0",
        "wrong 5.1.1",
        "'White mates', and it is not checkmate",
    ),
    (
        "1. f3 e5 2. g4 Qh4# {Black mates} 0-1",
        "stands 0-1 5.1.1",
        "checkmate",
    ),
    (
        "1. e4 e5 {0.00/30 1.2s, Draw by 3-fold repetition} 1/2-1/2",
        "wrong 9.2",
        "third time",
    ),
    (
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 {0.00/30 1.2s, Draw by 3-fold repetition} 1/2-1/2",
        "stands 1/2-1/2 9.2.2",
        "threefold",
    ),
    (
        "[FEN \"7k/8/8/1r6/8/4K3/8/R7 b - - 97 140\"]\n[Termination \"Draw by fifty-move rule\"]\n\n\
         140... Kg7 1/2-1/2",
        "wrong 9.3",
        "only 98 moves",
    ),
    (
        "[FEN \"7k/8/8/1r6/8/4K3/8/R7 b - - 98 140\"]\n[Termination \"Draw by fifty-move rule\"]\n\n\
         140... Kg7 1/2-1/2",
        "stands 1/2-1/2 9.3.1",
        "fifty moves",
    ),
    (
        "1. e4 e5 {Stalemate} 1/2-1/2",
        "wrong 5.2.1",
        "it is not stalemate",
    ),
    (
        "1. e4 e5 {Insufficient material} 1/2-1/2",
        "wrong 5.2.2",
        "a player can still mate",
    ),
    // Contradictions within the record.
    (
        "1. e4 e5 {Black resigns} 0-1",
        "wrong",
        "the record says 'Black resigns', and the result is 0-1",
    ),
    (
        "[White \"Ann\"]\n[Black \"Bob\"]\n[Termination \"Bob won on time\"]\n\n1. e4 e5 1-0",
        "wrong",
        "the record says 'Bob won on time', and the result is 1-0",
    ),
    (
        "1. e4 e5 {White wins} 0-1",
        "wrong",
        "'White wins', and the result is 0-1",
    ),
    (
        "1. e4 e5 {Draw agreed} 1-0",
        "wrong",
        "'Draw agreed', and the result is 1-0",
    ),
    (
        "1. e4 e5 {White resigns} 1/2-1/2",
        "wrong 5.1.2",
        "'White resigns'",
    ),
    (
        "1. e4 e5 {Black makes an illegal move} 0-1",
        "wrong",
        "and the result is 0-1",
    ),
];

/// Games that weren't played, and results that only arbiters give.
const UNPLAYED: &[Row] = &[
    (
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0",
        "unjudged",
        "was not played",
    ),
    (
        "[White \"A\"]\n[Black \"bye\"]\n[Result \"1-0\"]\n\n1-0",
        "unjudged",
        "says 'bye'",
    ),
    (
        "[Termination \"Unplayed\"]\n[Result \"0-1\"]\n\n0-1",
        "unjudged",
        "says 'Unplayed'",
    ),
    (
        "[Termination \"default\"]\n[Result \"1-0\"]\n\n1-0",
        "unjudged",
        "says 'default'",
    ),
    (
        "[White \"A\"]\n[Result \"1-0\"]\n",
        "unjudged",
        "was not played",
    ),
    (
        "[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1\"]\n\n1-0",
        "unjudged",
        "was not played",
    ),
    ("1. e4 1-0 ff", "unjudged", "says 'ff'"),
    (
        "[Result \"1-0 ff\"]\n\n1. e4 1-0",
        "unjudged",
        "says '1-0 ff'",
    ),
    ("1. e4 1-0 (ff)", "unjudged", "says '(ff)'"),
    ("[Result \"+:-\"]\n\n+:-", "unjudged", "says '+:-'"),
    ("[Result \"-:+\"]\n\n-:+", "unjudged", "says '-:+'"),
    ("[Result \"+:-\"]\n\n*", "unjudged", "says '+:-'"),
    ("[White \"A\"]\n\n(+)-(-)", "unjudged", "says '(+)-(-)'"),
    ("[Result \"1-0F\"]\n\n1-0F", "unjudged", "says '1-0F'"),
    ("[Result \"0-0\"]\n\n0-0", "unjudged", "only an arbiter"),
    (
        "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0",
        "unjudged",
        "only an arbiter",
    ),
    (
        "[Result \"1/2-0\"]\n\n1. e4 e5 1/2-0",
        "unjudged",
        "only an arbiter",
    ),
    (
        "[Result \"0-1/2\"]\n\n1. e4 e5 0-½",
        "unjudged",
        "only an arbiter",
    ),
    (
        "[Result \"0-0\"]\n[Termination \"double forfeit\"]\n\n0-0",
        "unjudged",
        "'double forfeit'",
    ),
];

/// A clock of zero alone never makes a result wrong.
const CLOCKS: &[Row] = &[
    (
        "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:00:00]} Nc6 {[%clk 0:00:30]} 1-0",
        "unjudged 6.9",
        "if White's fell, 0-1: Black can still checkmate; if Black's fell, 1-0",
    ),
    (
        "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:00:00]} Nc6 {[%clk 0:00:30]} 0-1",
        "stands 0-1 6.9",
        "White's clock shows zero",
    ),
    (
        "[Termination \"Draw by agreement\"]\n\n\
         1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:00:00]} 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "the players agreed",
    ),
    (
        "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:00:00]} 1/2-1/2",
        "unjudged 6.9",
        "a clock comment shows zero",
    ),
    (
        "1. e4 {[%clk 00:10]} e5 {[%clk 00:10]} 2. Nf3 {[%clk 00:00]} Nc6 {[%clk 00:05]} 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    (
        "1. e4 {[%clk 0:00:00]} e5 {[%clk 0:00:00]} 2. Nf3 {[%clk 0:00:00]} 1/2-1/2",
        "stands 1/2-1/2 5.2.3",
        "taken as agreed",
    ),
    (
        "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:00:00.4]} 1-0",
        "stands 1-0 5.1.2",
        "taken as a resignation",
    ),
    (
        "1. f3 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. g4 {[%clk 0:00:00]} Qh4# {[%clk 0:00:30]} 0-1",
        "stands 0-1 5.1.1",
        "checkmate",
    ),
];

/// Draws on time.
const DRAWS: &[Row] = &[
    (
        "[FEN \"1n2k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         [Termination \"Game drawn by timeout vs insufficient material\"]\n\n1. Kd2 Kd7 1/2-1/2",
        "wrong 6.9",
        "whoever's flag fell, the opponent could win",
    ),
    (
        "[FEN \"1n2k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         [Termination \"Game drawn by timeout vs insufficient material\"]\n\n1. Kd2 Kd7 1/2-1/2",
        "wrong 6.9",
        "only by the rules of chess.com",
    ),
    (
        "[FEN \"4k3/7p/8/8/8/8/8/4K1N1 b - - 0 1\"]\n\n\
         1... Kd7 {Black ran out of time and White has no material to mate} 1/2-1/2",
        "wrong 1-0 6.9",
        "a draw only by the rules of US Chess (14E), chess.com",
    ),
    (
        "[FEN \"4k3/7p/8/8/8/8/8/4K3 b - - 0 1\"]\n\n\
         1... Kd7 {Black ran out of time and White has no material to mate} 1/2-1/2",
        "stands 1/2-1/2 6.9",
        "White cannot checkmate",
    ),
    (
        "1. e4 e5 {Draw by timeout} 1/2-1/2",
        "wrong 6.9",
        "whoever's flag fell",
    ),
    (
        "[Termination \"Time forfeit\"]\n\n1. e4 e5 1/2-1/2",
        "wrong 6.9",
        "whoever's flag fell",
    ),
    (
        "[FEN \"4k3/7p/8/8/8/8/8/4K3 b - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n\
         1... Kd7 2. Kd2 1/2-1/2",
        "stands 1/2-1/2 6.9",
        "Black to move",
    ),
    (
        "[FEN \"4k3/7p/8/8/8/8/8/4K3 b - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n1... Kd7 1/2-1/2",
        "unjudged 6.9",
        "if White's fell, 0-1",
    ),
    (
        "[FEN \"4k3/7p/8/8/8/8/8/4K3 b - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n1... Kd7 1-0",
        "wrong 1/2-1/2 6.9",
        "White cannot checkmate",
    ),
    // 7.5.5.
    (
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Termination \"rules infraction\"]\n\n1. Kd2 0-1",
        "wrong 1/2-1/2 7.5.5",
        "'rules infraction', and Black cannot checkmate",
    ),
    (
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Termination \"rules infraction\"]\n\n1. Kd2 1-0",
        "unjudged",
        "'rules infraction'",
    ),
    (
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 {White makes an illegal move} 1/2-1/2",
        "stands 1/2-1/2 7.5.5",
        "Black cannot checkmate",
    ),
    (
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 {White resigns} 1/2-1/2",
        "stands 1/2-1/2 5.1.2",
        "Black cannot checkmate",
    ),
];

const FIVEFOLD: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 \
                        7. Nf3 Nf6 8. Ng1 Ng8 9. e4 e5 1-0";
/// Five times, but not with every second move.
const SCATTERED: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nc3 Nc6 6. Nb1 Nb8 \
                         7. Nf3 Nc6 8. Nc3 Nf6 9. Ng1 Ng8 10. Nb1 Nb8 11. e4 e5 1-0";
const BARE: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 0-1";
const KNIGHT: &str =
    "[FEN \"4k1n1/8/8/8/8/8/R7/4K3 w - - 0 1\"]\n[Termination \"time\"]\n\n1. Kd2 Kd7 0-1";
const LONG: &str = "[FEN \"7k/8/8/8/8/4K3/1r6/R7 b - - 149 140\"]\n\n140... Kg7 141. Ke4 1-0";
/// No series of moves mates, but it isn't in the list of before 1997.
const BLOCKED: &str = "[FEN \"4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 Kd7 1-0";
const INFRACTION: &str =
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Termination \"illegal move\"]\n\n1. Kd2 0-1";

/// A game is judged by the Laws of its day: games with the year, and the verdict.
const DAYS: &[(&str, &str, &str)] = &[
    (FIVEFOLD, "1937.??.??", "stands 1-0 5.1.2"),
    (FIVEFOLD, "2014.06.30", "stands 1-0 5.1.2"),
    (FIVEFOLD, "2014.07.01", "wrong 1/2-1/2 9.6.1"),
    (FIVEFOLD, "????.??.??", "wrong 1/2-1/2 9.6.1"),
    (SCATTERED, "2017.06.30", "stands 1-0 5.1.2"),
    (SCATTERED, "2017.07.01", "wrong 1/2-1/2 9.6.1"),
    (LONG, "2014.06.30", "stands 1-0 5.1.2"),
    (LONG, "2014.07.01", "wrong 1/2-1/2 9.6.2"),
    (BARE, "2013.05.05", "stands 0-1 5.1.2"),
    (BARE, "2022.12.31", "stands 0-1 5.1.2"),
    (BARE, "2023.01.01", "wrong 1/2-1/2 5.1.2"),
    (KNIGHT, "1996.01.01", "stands 0-1 6.9"),
    (KNIGHT, "2020.01.01", "stands 0-1 6.9"),
    (BLOCKED, "1997.06.30", "stands 1-0 5.1.2"),
    (BLOCKED, "1997.07.01", "wrong 1/2-1/2 5.2.2"),
    (INFRACTION, "2009.06.30", "unjudged"),
    (INFRACTION, "2009.07.01", "wrong 1/2-1/2 7.5.5"),
];

#[test]
fn words_mean_what_they_say() {
    check(WORDS, &arbiter(Rules::Fide));
    check(UNPLAYED, &arbiter(Rules::Fide));
}

#[test]
fn clocks_corroborate_and_no_more() {
    check(CLOCKS, &arbiter(Rules::Fide));
}

#[test]
fn draws_on_time_are_fides_or_somebody_elses() {
    check(DRAWS, &arbiter(Rules::Fide));
}

#[test]
fn games_are_judged_by_the_laws_of_their_day() {
    let arbiter = arbiter(Rules::Fide);
    let today = Arbiter::new(Analyzer::default(), Rules::Fide).by_laws(LawsOf::Today);
    for &(game, date, expected) in DAYS {
        let text = format!(
            "[Date \"{date}\"]\n{}{game}",
            if game.starts_with('[') { "" } else { "\n" }
        );
        let found = judged(&text, &arbiter, |_, adjudication| short(adjudication));
        assert_eq!(found, expected, "{text}");
        // Without a date, and with today's Laws, the date doesn't matter.
        let now = judged(&text, &today, |_, adjudication| short(adjudication));
        let undated = judged(game, &arbiter, |_, adjudication| short(adjudication));
        assert_eq!(now, undated, "{text}");
    }
}

/// A year alone leaves open which rules were in force: the game is judged without the newer ones,
/// and the report says so.
#[test]
fn what_a_date_leaves_open_is_told() {
    let text = format!("[Date \"2014.??.??\"]\n\n{FIVEFOLD}");
    let found = judged(&text, &arbiter(Rules::Fide), |_, adjudication| {
        (short(adjudication), adjudication.laws.uncertain())
    });
    assert_eq!(found, ("stands 1-0 5.1.2".to_owned(), vec!["9.6"]));
}

#[test]
fn fifty_moves_may_have_been_excepted() {
    let text =
        "[Date \"1990.01.01\"]\n[FEN \"8/8/4k3/8/8/2BR4/3K4/7r w - - 100 90\"]\n\n90. Kc2 1-0";
    each_game(text, |game| {
        let claims = arbiter(Rules::Fide).report(game).claims;
        assert!(claims.iter().all(|claim| claim.doubtful) && !claims.is_empty());
    });
}

#[test]
fn the_table_is_large_enough() {
    let rows = WORDS.len() + UNPLAYED.len() + CLOCKS.len() + DRAWS.len() + DAYS.len();
    assert!(rows >= 110, "{rows}");
}
