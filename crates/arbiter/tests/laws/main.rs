//! What the Laws say of games: those of `data/`, and others made for one question each.

mod broken;
mod data;
mod evidence;
mod live;
mod reading;
mod seventy_five;
mod support;
