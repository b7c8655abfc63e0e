//! Games that are still being played: what is new in a text that grows, or is written again and
//! again.
//!
//! A writer may be caught half-way. Then the text ends anywhere, and what is there is true but for
//! its last word, which is left alone until more follows or the text has [settled]. So whatever
//! parts of a text are seen, in whatever order, nothing is reported that isn't so, and nothing
//! twice.
//!
//! [settled]: Look::Settled

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};
use stillmate_core::text::Leniency;

use crate::{
    Arbiter, Claim, EndRule, GameEnd, Ground, Outcome,
    pgn::{Chunk, Game, Games, PgnFault},
};

/// How a text is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// For the first time: of games with a result nothing is reported.
    First,
    /// It may be half written.
    Growing,
    /// It hasn't changed for a while, so that its last word is whole.
    Settled,
}

/// What is new on a board.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A draw can be claimed, or could have been.
    Claim(&'a Claim),
    /// The game is drawn without a claim.
    Draw(&'a GameEnd),
    /// The record can't be read on.
    Fault(&'a PgnFault),
}

/// The boards of a text.
#[derive(Clone, Debug, Default)]
pub struct Boards(FxHashMap<String, Board>);

/// What was reported of a game.
#[derive(Clone, Debug, Default)]
struct Board {
    /// The moves that were last seen, in short.
    seen: Option<(usize, u64)>,
    /// What was reported.
    reported: Vec<Reported>,
}

/// Something that was reported after the moves with a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reported {
    what: What,
    plies: usize,
    moves: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Claim(&'static str),
    Draw(EndRule),
    Fault,
}

impl Boards {
    /// Looks at a text and reports what is new, with the game. A game is known by the names of
    /// its players, its event, round, date and board; of games that have all these in common the
    /// first, the second and so on are told apart.
    pub fn look(
        &mut self,
        arbiter: &Arbiter,
        text: &[u8],
        leniency: Leniency,
        look: Look,
        mut report: impl FnMut(&Game<'_>, News<'_>),
    ) {
        let whole = if look == Look::Settled {
            text
        } else {
            without_last_word(text)
        };
        let chunk = Chunk {
            line: 1,
            text: whole.to_vec(),
            ..Chunk::default()
        };
        let mut games = Games::new(&chunk, leniency);
        let mut game = Game::default();
        let mut same: FxHashMap<String, usize> = FxHashMap::default();
        while games.read(&mut game) {
            let name = name(&game);
            let count = same.entry(name.clone()).or_default();
            *count += 1;
            let board = self.0.entry(format!("{name}{count}")).or_default();
            board.look(arbiter, &game, look, &mut report);
        }
    }
}

/// The text without a last word that may go on. A result in a tag isn't a word.
fn without_last_word(text: &[u8]) -> &[u8] {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"*})]".contains(byte);
    let end = text.iter().rposition(ends).map_or(0, |at| at + 1);
    &text[..end]
}

/// What tells a game from others.
fn name(game: &Game<'_>) -> String {
    let tags = [
        "Event", "Site", "Date", "Round", "Board", "White", "Black", "FEN", "UTCTime",
    ];
    let values = tags
        .iter()
        .map(|tag| game.tags.get(tag).unwrap_or_default() + "\n");
    values.collect()
}

impl Board {
    fn look(
        &mut self,
        arbiter: &Arbiter,
        game: &Game<'_>,
        look: Look,
        report: &mut impl FnMut(&Game<'_>, News<'_>),
    ) {
        let record = &game.record;
        let hashes = hashes(game);
        let last = hashes[record.plies()];
        let fault = game.faults.iter().find(|fault| fault.kind.ends_moves());
        let fault = fault.filter(|_| look == Look::Settled);
        let unchanged = self.seen == Some((record.plies(), last));
        if unchanged && fault.is_none() {
            return;
        }
        let finished = game.result.is_some_and(|result| result != Outcome::Unknown);
        let silent = look == Look::First && finished;
        if !unchanged {
            let (end, claims) = arbiter.draws(game);
            for claim in becoming_possible(&claims) {
                let what = What::Claim(claim.article());
                if self.is_new(what, claim.plies, &hashes) && !silent {
                    report(game, News::Claim(claim));
                }
            }
            if let Some(end) = end.filter(|end| !matches!(end.rule, EndRule::Checkmate(_)))
                && self.is_new(What::Draw(end.rule), end.plies, &hashes)
                && !silent
            {
                report(game, News::Draw(&end));
            }
        }
        if let Some(fault) = fault
            && self.is_new(What::Fault, record.plies(), &hashes)
        {
            report(game, News::Fault(fault));
        }
        self.seen = Some((record.plies(), last));
    }

    /// Whether something hasn't been reported in this game, with these moves; from now on it has.
    fn is_new(&mut self, what: What, plies: usize, hashes: &[u64]) -> bool {
        // An end found later may be dated earlier.
        let same = |one: &Reported| {
            one.what == what
                && hashes.get(one.plies) == Some(&one.moves)
                && (one.plies == plies || matches!(what, What::Draw(_)))
        };
        if self.reported.iter().any(same) {
            return false;
        }
        let moves = hashes[plies];
        self.reported.push(Reported { what, plies, moves });
        true
    }
}

/// For each position a hash of the moves that led to it.
fn hashes(game: &Game<'_>) -> Vec<u64> {
    let mut hasher = FxHasher::default();
    let mut hashes = vec![hasher.finish()];
    for m in game.record.moves() {
        hasher.write(m.uci().as_bytes());
        hashes.push(hasher.finish());
    }
    hashes
}

/// The claims without those that go on being possible: of fifty moves on the board only the first
/// of each run.
fn becoming_possible(claims: &[Claim]) -> impl Iterator<Item = &Claim> {
    let fifty = |claim: &Claim| claim.ground == Ground::Fifty && claim.ahead.is_empty();
    claims.iter().filter(move |claim| {
        let before = |other: &Claim| fifty(other) && other.plies + 1 == claim.plies;
        !(fifty(claim) && claims.iter().any(before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_may_go_on() {
        for (text, whole) in [
            ("1. e4 e5 2. O-O", "1. e4 e5 2. "),
            ("1. e4 e5 2. O-O ", "1. e4 e5 2. O-O "),
            ("1. e4 e5 *", "1. e4 e5 *"),
            ("1. e4 {a}", "1. e4 {a}"),
            ("1", ""),
        ] {
            assert_eq!(without_last_word(text.as_bytes()), whole.as_bytes());
        }
    }
}
