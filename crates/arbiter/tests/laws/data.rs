//! The games of `data/` carry what is to be found in their Expect tags.

use stillmate_arbiter::{Rules, pgn::Game};

use crate::support::{arbiter, each_game, summary};

const FAMOUS: &str = include_str!("../../../../data/draws.pgn");
const MADE: &str = include_str!("../../../../data/rules.pgn");

fn check(text: &str, tag: &str, rules: Rules) -> usize {
    let arbiter = arbiter(rules);
    let (mut checked, mut wrong) = (0, String::new());
    each_game(text, |game: &Game<'_>| {
        assert_eq!(game.faults, [], "line {}", game.line);
        let Some(expected) = game.tags.get(tag) else {
            return;
        };
        let report = arbiter.report(game);
        let found = summary(&report);
        checked += 1;
        if found != expected {
            let event = game.tags.get("Event").unwrap_or_default();
            wrong += &format!("{event}\n  expected {expected}\n  found    {found}\n");
        }
        // The quick way comes to the same.
        let alone = arbiter.adjudicate(game);
        assert_eq!(alone.verdict, report.adjudication.verdict);
        assert_eq!(alone.should, report.adjudication.should);
    });
    assert!(wrong.is_empty(), "\n{wrong}");
    checked
}

#[test]
fn famous_draws() {
    assert_eq!(check(FAMOUS, "Expect", Rules::Fide), 5);
}

#[test]
fn every_rule_and_its_edges() {
    assert_eq!(check(MADE, "Expect", Rules::Fide), 33);
}

#[test]
fn where_us_chess_differs() {
    assert_eq!(check(MADE, "ExpectUscf", Rules::Uscf), 5);
}
