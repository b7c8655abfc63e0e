//! How `--help` ends: with examples, and the exit status.

use crate::exit;

/// Examples for the program as a whole: one for each command.
pub(crate) const PROGRAM: &[&str] = &[
    "stillmate check '8/8/4k3/8/8/3KB3/8/8 b - -'",
    "stillmate batch --format csv positions.epd",
    "stillmate game --adjudicate games.pgn",
    "stillmate batch --proofs proofs.bin positions.epd",
    "stillmate verify proofs.bin",
    "stillmate watch --once games.pgn",
    "stillmate table --probe '8/8/8/8/8/2k5/8/1R2K3 b - -'",
];

pub(crate) const CHECK: &[&str] = &[
    "stillmate check '8/8/4k3/8/8/3KB3/8/8 b - -'",
    "stillmate check --flag white 5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - -",
    "stillmate check --shortest --count '7k/8/5K2/6Q1/8/8/8/8 w - -'",
    "stillmate check --json - < positions.epd",
    "stillmate check --stipulation h#3 '8/3N4/8/B1p2p2/3np3/3pk3/8/7K b - -'",
];

pub(crate) const BATCH: &[&str] = &[
    "stillmate batch positions.epd",
    "stillmate batch --format jsonl --only unwinnable positions.epd.zst > answers.jsonl",
    "stillmate batch --expect labelled.epd",
    "stillmate batch --proofs proofs.bin positions.epd",
];

pub(crate) const GAME: &[&str] = &[
    "stillmate game games.pgn",
    "stillmate game --adjudicate --only wrong games.pgn",
    "stillmate game --format jsonl games.pgn > games.jsonl",
];

pub(crate) const WATCH: &[&str] = &[
    "stillmate watch broadcast",
    "stillmate watch --once --jsonl games.pgn",
];

pub(crate) const VERIFY: &[&str] = &[
    "stillmate verify proofs.bin",
    "stillmate check --proof - '8/8/4k3/8/8/3KB3/8/8 b - -' | stillmate verify -v -",
];

pub(crate) const TABLE: &[&str] = &[
    "stillmate table KRvK",
    "stillmate table --probe '8/8/8/8/8/2k5/8/1R2K3 b - -'",
    "stillmate table --list",
];

/// What follows the options.
pub(crate) fn after(examples: &[&str]) -> String {
    let examples: String = examples.iter().map(|line| format!("  {line}\n")).collect();
    format!("Examples:\n{examples}\n{}", exit::LEGEND)
}
