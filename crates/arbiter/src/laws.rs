//! The Laws of the day: which rules were in force when a game was played.
//!
//! The dates, and how sure each is, are in `docs/laws.md`. Articles are always numbered as in the
//! Laws of today.

use std::fmt;

use shakmaty::Role;
use stillmate_core::{Color, Position};

use crate::pgn::Game;

/// A day: year, month and day of the month, compared in this order.
pub type Day = (u16, u8, u8);

/// By which Laws games are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LawsOf {
    /// Those of the Date tag; today's for a game without.
    #[default]
    TheGame,
    /// Today's.
    Today,
}

/// The Laws in force on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laws {
    /// The first and the last day that the date of the game allows; `None` for today.
    days: Option<(Day, Day)>,
}

/// The dates on which rules came into force.
mod since {
    use super::Day;

    /// The first code of FIDE.
    pub(super) const CODE: Day = (1929, 1, 1);
    /// Exceptions to fifty moves for listed endings, up to the day on which they were abolished.
    pub(super) const EXCEPTIONS: (Day, Day) = ((1928, 1, 1), (1992, 1, 1));
    /// Dead positions, and draws where the opponent of a fallen flag cannot mate by any series.
    pub(super) const DEAD: Day = (1997, 7, 1);
    /// A draw where the opponent of an illegal move cannot mate.
    pub(super) const ILLEGAL_DRAW: Day = (2009, 7, 1);
    /// Fivefold repetition, consecutive at first, and seventy-five moves.
    pub(super) const AUTOMATIC: Day = (2014, 7, 1);
    /// Fivefold repetition, consecutive or not.
    pub(super) const ANY_FIVEFOLD: Day = (2017, 7, 1);
    /// A draw where the opponent of a player who resigns cannot mate.
    pub(super) const RESIGNATION_DRAW: Day = (2023, 1, 1);

    pub(super) const ALL: [(Day, &str); 7] = [
        (CODE, "the first FIDE code"),
        (EXCEPTIONS.1, "the end of exceptions to fifty moves"),
        (DEAD, "5.2.2 and 6.9 as they are"),
        (ILLEGAL_DRAW, "the draw of 7.5.5"),
        (AUTOMATIC, "9.6"),
        (ANY_FIVEFOLD, "9.6.1 as it is"),
        (RESIGNATION_DRAW, "the draw of 5.1.2"),
    ];
}

/// Which repetitions end a game by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fivefold {
    No,
    /// Five times with each player's every second move.
    Consecutive,
    Any,
}

impl Laws {
    /// Those of today.
    pub const TODAY: Laws = Laws { days: None };

    /// Those of a day.
    pub const fn on(day: Day) -> Laws {
        Laws {
            days: Some((day, day)),
        }
    }

    /// The Laws by which `game` is judged.
    pub(crate) fn of(game: &Game<'_>, choice: LawsOf) -> Laws {
        let tags = ["Date", "UTCDate", "EventDate"];
        let date = || tags.iter().find_map(|tag| days(&game.tags.get(tag)?));
        Laws {
            days: match choice {
                LawsOf::TheGame => date(),
                LawsOf::Today => None,
            },
        }
    }

    /// Whether these are the Laws of today because the game has a date of today's Laws, or none.
    pub fn are_todays(self) -> bool {
        self.has(since::RESIGNATION_DRAW)
    }

    /// The first day that the date of the game allows; `None` for today.
    pub fn day(self) -> Option<Day> {
        self.days.map(|(first, _)| first)
    }

    /// What is uncertain: rules that came into force between the first and the last day that the
    /// date of the game allows, which is judged without them; and claims before there was a code.
    pub fn uncertain(self) -> Vec<&'static str> {
        let Some((first, last)) = self.days else {
            return Vec::new();
        };
        let between = since::ALL
            .iter()
            .filter(|(day, _)| first < *day && *day <= last);
        let uncodified =
            (!self.has(since::CODE)).then_some("9.2 and 9.3 before the first FIDE code");
        between.map(|(_, rule)| *rule).chain(uncodified).collect()
    }

    fn has(self, since: Day) -> bool {
        self.days.is_none_or(|(first, _)| first >= since)
    }

    /// Whether a position in which no series of moves mates ends the game, and draws it if a flag
    /// falls. Before, listed material ended it, and only a bare king couldn't win on time.
    pub(crate) fn know_dead_positions(self) -> bool {
        self.has(since::DEAD)
    }

    pub(crate) fn fivefold(self) -> Fivefold {
        if self.has(since::ANY_FIVEFOLD) {
            Fivefold::Any
        } else if self.has(since::AUTOMATIC) {
            Fivefold::Consecutive
        } else {
            Fivefold::No
        }
    }

    pub(crate) fn end_after_seventy_five(self) -> bool {
        self.has(since::AUTOMATIC)
    }

    pub(crate) fn draw_illegal_moves(self) -> bool {
        self.has(since::ILLEGAL_DRAW)
    }

    pub(crate) fn draw_resignations(self) -> bool {
        self.has(since::RESIGNATION_DRAW)
    }

    /// Whether more than fifty moves may have been allowed in `position`: the endings of the list
    /// of 1989, which is the only one that is known with certainty.
    pub(crate) fn may_except_from_fifty(self, position: &Position) -> bool {
        let (from, to) = since::EXCEPTIONS;
        let played = self
            .days
            .is_some_and(|(first, last)| last >= from && first < to);
        played
            && Color::ALL
                .into_iter()
                .any(|color| is_listed(position, color))
    }
}

/// Whether `strong` has the better side of an ending that was excepted from fifty moves.
fn is_listed(position: &Position, strong: Color) -> bool {
    let men = |color: Color| {
        let roles = [
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        roles.map(|role| position.pieces_of(color, role).count())
    };
    let listed = [
        // Queen, rook, bishop, knight, pawn.
        ([0, 1, 1, 0, 0], [0, 1, 0, 0, 0]),
        ([0, 0, 0, 2, 0], [0, 0, 0, 0, 1]),
        ([1, 0, 0, 0, 1], [1, 0, 0, 0, 0]),
        ([1, 0, 0, 0, 0], [0, 0, 0, 2, 0]),
        ([1, 0, 0, 0, 0], [0, 0, 2, 0, 0]),
        ([0, 0, 2, 0, 0], [0, 0, 0, 1, 0]),
        ([0, 1, 0, 0, 1], [0, 0, 1, 0, 1]),
    ];
    listed.contains(&(men(strong), men(!strong)))
}

/// The first and the last day that a date such as `1937.03.??` allows.
fn days(date: &str) -> Option<(Day, Day)> {
    let mut parts = date
        .split(['.', '-', '/'])
        .map(|part| part.trim().parse::<u16>().ok());
    let year = parts.next()?.filter(|year| (1000..=9999).contains(year))?;
    let mut part = |longest: u16| {
        let part = parts
            .next()
            .flatten()
            .filter(|part| (1..=longest).contains(part));
        part.map(|part| part as u8)
    };
    let (month, day) = (part(12), part(31));
    let day = day.filter(|_| month.is_some());
    let first = (year, month.unwrap_or(1), day.unwrap_or(1));
    let last = (year, month.unwrap_or(12), day.unwrap_or(31));
    Some((first, last))
}

/// In words that follow "by".
impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days {
            None => f.write_str("the Laws of today"),
            Some(((year, month, day), last)) if (year, month, day) == last => {
                write!(f, "the Laws of {year}-{month:02}-{day:02}")
            }
            Some(((year, ..), _)) => write!(f, "the Laws of {year}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_may_be_known_in_part() {
        for (date, expected) in [
            ("1937.03.14", Some(((1937, 3, 14), (1937, 3, 14)))),
            ("2014-07-01", Some(((2014, 7, 1), (2014, 7, 1)))),
            ("2014.07.??", Some(((2014, 7, 1), (2014, 7, 31)))),
            ("2014.??.??", Some(((2014, 1, 1), (2014, 12, 31)))),
            ("2014", Some(((2014, 1, 1), (2014, 12, 31)))),
            ("2014.??.05", Some(((2014, 1, 1), (2014, 12, 31)))),
            ("????.??.??", None),
            ("0.0.0", None),
            ("soon", None),
        ] {
            assert_eq!(days(date), expected, "{date}");
        }
    }

    #[test]
    fn each_rule_has_its_first_day() {
        let before = |(year, month, day): Day| match (month, day) {
            (1, 1) => (year - 1, 12, 31),
            _ => (year, month - 1, 28),
        };
        type Rule = fn(Laws) -> bool;
        let rules: [(Day, Rule); 6] = [
            (since::DEAD, Laws::know_dead_positions),
            (since::ILLEGAL_DRAW, Laws::draw_illegal_moves),
            (since::AUTOMATIC, Laws::end_after_seventy_five),
            (since::AUTOMATIC, |laws| laws.fivefold() != Fivefold::No),
            (since::ANY_FIVEFOLD, |laws| laws.fivefold() == Fivefold::Any),
            (since::RESIGNATION_DRAW, Laws::draw_resignations),
        ];
        for (day, rule) in rules {
            assert!(rule(Laws::on(day)) && rule(Laws::TODAY), "{day:?}");
            assert!(!rule(Laws::on(before(day))), "{day:?}");
        }
        let year = Laws {
            days: days("2014.??.??"),
        };
        assert_eq!(year.uncertain(), ["9.6"]);
        assert!(!year.end_after_seventy_five());
        assert_eq!(Laws::TODAY.uncertain(), [""; 0]);
    }

    #[test]
    fn exceptions_to_fifty_moves_end_in_1992() {
        let position = Position::from_fen("8/8/4k3/8/8/2BR4/3K4/7r w - -").unwrap();
        assert!(Laws::on((1991, 12, 31)).may_except_from_fifty(&position));
        assert!(!Laws::on((1992, 1, 1)).may_except_from_fifty(&position));
        assert!(!Laws::TODAY.may_except_from_fifty(&position));
    }
}
