//! Answers as text: for people and for programs.
//!
//! | module | its format |
//! |---|---|
//! | `text` | a board and sentences |
//! | `json` | one object a line |
//! | `epd` | the line with operations added |
//! | `csv` | a row of a table |
//! | `counts` | what the rungs of the engine did |
//! | `game` | the same for whole games |
//! | `words` | phrases that several of them share |

pub(crate) mod counts;
pub(crate) mod csv;
pub(crate) mod epd;
pub(crate) mod game;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod words;
