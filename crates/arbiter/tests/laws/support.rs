//! Reading games, and saying in short what was found.

use stillmate_arbiter::{
    Arbiter, GameReport, Rules,
    pgn::{Chunk, Game, Games},
};
use stillmate_core::text::Leniency;

/// Gives each game of `text` to `look`.
pub(crate) fn each_game(text: &str, look: impl FnMut(&Game<'_>)) -> usize {
    each_game_in(text.as_bytes().to_vec(), look)
}

/// The same for text in any encoding.
pub(crate) fn each_game_in(text: Vec<u8>, mut look: impl FnMut(&Game<'_>)) -> usize {
    let chunk = Chunk {
        line: 1,
        text,
        ..Chunk::default()
    };
    let mut games = Games::new(&chunk, Leniency::Strict);
    let mut game = Game::default();
    let mut count = 0;
    while games.read(&mut game) {
        look(&game);
        count += 1;
    }
    count
}

pub(crate) fn arbiter(rules: Rules) -> Arbiter {
    Arbiter::new(stillmate_reach::Analyzer::default(), rules)
}

/// Claims and ends as articles with the plies before them, claims in positions that follow
/// each other put together; then the verdict on the result.
///
/// `9.2.1@7 9.2.2@8-10 ends 5.2.2@40; wrong 1/2-1/2 5.2.2`
pub(crate) fn summary(report: &GameReport) -> String {
    let mut words: Vec<String> = Vec::new();
    let claims = report
        .claims
        .chunk_by(|a, b| a.article() == b.article() && a.plies + 1 == b.plies);
    for run in claims {
        let (first, last) = (&run[0], &run[run.len() - 1]);
        let to = if run.len() > 1 {
            format!("-{}", last.plies)
        } else {
            String::new()
        };
        words.push(format!("{}@{}{to}", first.article(), first.plies));
    }
    for end in &report.ends {
        words.push(format!("ends {}@{}", end.rule.article(), end.plies));
    }
    let adjudication = &report.adjudication;
    let mut verdict = adjudication.verdict.name().to_owned();
    let should = adjudication.should.map(|should| should.to_string());
    let article = adjudication.basis.article().map(str::to_owned);
    for word in [should, article].into_iter().flatten() {
        verdict += " ";
        verdict += &word;
    }
    let separator = if words.is_empty() { "" } else { "; " };
    format!("{}{separator}{verdict}", words.join(" "))
}
