//! Soundness, by everything that can be thought of against it.
//!
//! "Can never mate" must never be said of a colour that can. The tests here ask each rung of
//! the ladder by itself, so that none hides behind another, and hold what it says against
//! games, against other methods, against exact exploration, and against positions made to trap
//! a rule.
//!
//! | module | what is held against the rungs |
//! |---|---|
//! | `playouts` | games that end in mate, played forwards and taken back from the mate |
//! | `mirrors` | the same position with colours changed, and with files exchanged |
//! | `successors` | verdicts on what follows |
//! | `exact` | all that can be reached, by shakmaty's rules alone |
//! | `tables` | retrograde tables |
//! | `sets` | games followed through the sets and classes that the static proofs rest on |
//! | `known` | positions of files, changed, and what comes before and on the way to their mates |
//! | `million` | all of this for random positions by the million |
//! | `traps` | for each rule a position where it just holds and a twin where it must not |
//!
//! Every line is replayed and every certificate is put to the checker on the way.
//!
//! The default run takes a minute. The long one takes hours for a million positions:
//!
//! ```text
//! STILLMATE_POSITIONS=1000000 cargo test --release -p stillmate-reach --test soundness -- --ignored --nocapture
//! ```
//!
//! Two more variables serve the long run: `STILLMATE_TABLES` names a directory with retrograde
//! tables of four men (built there if need be), `STILLMATE_SEEDS` a file of EPD lines with
//! hard positions, from which others are made by small changes (else `data/` serves).

mod claims;
mod exact;
mod known;
mod million;
mod mirrors;
mod playouts;
mod sets;
mod successors;
mod tables;
mod traps;

/// How many positions the long tests take.
fn positions() -> usize {
    match std::env::var("STILLMATE_POSITIONS") {
        Ok(text) => text
            .parse()
            .expect("STILLMATE_POSITIONS is a number of positions"),
        Err(_) => 10_000,
    }
}
