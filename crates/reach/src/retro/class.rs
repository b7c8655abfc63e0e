//! Material classes: which men are on the board.

use std::{cmp::Reverse, fmt, str::FromStr};

use stillmate_core::{Color, Position, Role};

/// The men that a side can have beside its king, the strongest first.
pub(super) const MEN: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

const PAWN: usize = 4;
const LETTERS: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

/// How many of each of [`MEN`] one side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
struct Army([u8; 5]);

impl Army {
    fn of(position: &Position, color: Color) -> Army {
        Army(MEN.map(|role| position.pieces_of(color, role).count() as u8))
    }

    fn size(self) -> usize {
        self.0.iter().map(|&count| usize::from(count)).sum()
    }

    /// The side with more men is the stronger; among equals, that with the strongest men.
    fn strength(self) -> impl Ord {
        (self.size(), self)
    }

    fn plus(mut self, man: usize) -> Army {
        self.0[man] += 1;
        self
    }

    fn minus(mut self, man: usize) -> Option<Army> {
        self.0[man] = self.0[man].checked_sub(1)?;
        Some(self)
    }

    /// What it can become by a promotion.
    fn promoted(self) -> impl Iterator<Item = Army> {
        let without = self.minus(PAWN);
        (0..PAWN).filter_map(move |man| Some(without?.plus(man)))
    }

    /// What it can become by the loss of a man.
    fn reduced(self) -> impl Iterator<Item = Army> {
        (0..MEN.len()).filter_map(move |man| self.minus(man))
    }

    fn letters(self) -> String {
        LETTERS
            .iter()
            .zip(self.0)
            .flat_map(|(&letter, count)| (0..count).map(move |_| letter))
            .collect()
    }
}

/// The men on the board, as in `KRvK` or `KBNvKP`: the stronger side first, its men from the
/// strongest down.
///
/// In the tables the stronger side is White. The side with more men is the stronger, and if
/// both have as many, the one with more queens, then rooks, and so on. Any order is read;
/// `KNvKQ` is the class `KQvKN`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Class {
    strong: Army,
    weak: Army,
}

impl Class {
    fn new(one: Army, other: Army) -> Class {
        if one.strength() >= other.strength() {
            Class {
                strong: one,
                weak: other,
            }
        } else {
            Class {
                strong: other,
                weak: one,
            }
        }
    }

    /// The class of a position.
    pub fn of(position: &Position) -> Class {
        Class::new(
            Army::of(position, Color::White),
            Army::of(position, Color::Black),
        )
    }

    /// Whether Black is the stronger side of `position`, which belongs to this class.
    pub(super) fn is_turned(&self, position: &Position) -> bool {
        Army::of(position, Color::White) != self.strong
    }

    /// How many men are on the board, both kings included.
    pub fn men(&self) -> usize {
        2 + self.strong.size() + self.weak.size()
    }

    /// Whether there is a pawn on the board.
    pub fn has_pawns(&self) -> bool {
        self.strong.0[PAWN] + self.weak.0[PAWN] > 0
    }

    /// Whether both sides have pawns, so that en passant captures are possible.
    pub(super) fn has_pawns_on_both_sides(&self) -> bool {
        self.strong.0[PAWN] > 0 && self.weak.0[PAWN] > 0
    }

    /// How many men of `role` the stronger (White) or weaker (Black) side has.
    pub fn count(&self, color: Color, role: Role) -> usize {
        let army = color.fold_wb(self.strong, self.weak);
        MEN.iter()
            .position(|&man| man == role)
            .map_or(1, |man| usize::from(army.0[man]))
    }

    /// The other classes that one capture or promotion can lead to, each once.
    pub fn conversions(&self) -> Vec<Class> {
        let mut found = Vec::new();
        let mut add = |one, other| {
            let class = Class::new(one, other);
            if !found.contains(&class) {
                found.push(class);
            }
        };
        for (mover, other) in [(self.strong, self.weak), (self.weak, self.strong)] {
            for reduced in other.reduced() {
                add(mover, reduced);
            }
            for promoted in mover.promoted() {
                add(promoted, other);
                for reduced in other.reduced() {
                    add(promoted, reduced);
                }
            }
        }
        found
    }

    /// All classes of `men` men, kings included, the strongest first.
    pub fn all(men: usize) -> Vec<Class> {
        let mut classes = vec![Class::new(Army::default(), Army::default())];
        for _ in 2..men {
            let mut larger = Vec::new();
            for class in classes {
                for man in 0..MEN.len() {
                    larger.push(Class::new(class.strong.plus(man), class.weak));
                    larger.push(Class::new(class.strong, class.weak.plus(man)));
                }
            }
            larger.sort_by_key(|class| Reverse((class.strong.strength(), class.weak)));
            larger.dedup();
            classes = larger;
        }
        classes
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "K{}vK{}",
            self.strong.letters(),
            self.weak.letters()
        ))
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text names no material class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no material class; write both sides from the king on, as in KRvK or KBNvKP")]
pub struct ClassError(String);

impl FromStr for Class {
    type Err = ClassError;

    fn from_str(text: &str) -> Result<Class, ClassError> {
        let army = |side: &str| {
            let mut army = Army::default();
            for letter in side.strip_prefix('K')?.chars() {
                let man = LETTERS.iter().position(|&known| known == letter)?;
                army = army.plus(man);
            }
            (army.size() < 16).then_some(army)
        };
        text.split_once('v')
            .and_then(|(one, other)| Some(Class::new(army(one)?, army(other)?)))
            .ok_or_else(|| ClassError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> Class {
        name.parse().unwrap()
    }

    #[test]
    fn names_are_canonical() {
        for (written, name) in [
            ("KvK", "KvK"),
            ("KvKR", "KRvK"),
            ("KNvKQ", "KQvKN"),
            ("KNBvK", "KBNvK"),
            ("KQvKPP", "KPPvKQ"),
            ("KBvKQR", "KQRvKB"),
        ] {
            assert_eq!(class(written).to_string(), name);
        }
        for wrong in [
            "",
            "K",
            "Kv",
            "KRK",
            "RvK",
            "KRvKv",
            "kRvk",
            "KR v K",
            "KKvK",
            "KQQQQQQQQQQQQQQQQvK",
        ] {
            assert!(wrong.parse::<Class>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn conversions_are_what_a_capture_or_promotion_leaves() {
        let names = |name| {
            let mut names: Vec<String> = class(name)
                .conversions()
                .iter()
                .map(Class::to_string)
                .collect();
            names.sort();
            names
        };
        assert_eq!(names("KvK"), [""; 0]);
        assert_eq!(names("KRvK"), ["KvK"]);
        assert_eq!(names("KPvK"), ["KBvK", "KNvK", "KQvK", "KRvK", "KvK"]);
        assert_eq!(
            names("KPvKN"),
            [
                "KBvK", "KBvKN", "KNvK", "KNvKN", "KPvK", "KQvK", "KQvKN", "KRvK", "KRvKN"
            ]
        );
    }

    #[test]
    fn there_are_so_many_classes() {
        let counts: Vec<usize> = (2..=5).map(|men| Class::all(men).len()).collect();
        assert_eq!(counts, [1, 5, 30, 110]);
    }
}
