//! How JSON has what chess has.

use std::{fmt::Write as _, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, de::Visitor};
use stillmate_core::{Bitboard, Color, MaterialRule, Piece, Square};

/// Reads structs from objects only. Without it, serde also reads them from lists of their fields.
pub(crate) struct FromObject<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for FromObject<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Reads structs with `#[serde(remote = "Self")]` by way of [`FromObject`].
macro_rules! objects {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, to)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                $name::deserialize(fields::FromObject(from))
            }
        }
    )*};
}
pub(crate) use objects;

/// `"white"`, `"black"`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Color", rename_all = "lowercase")]
pub(crate) enum ColorText {
    White,
    Black,
}

/// `"bare-king"` and so on.
#[derive(Serialize, Deserialize)]
#[serde(remote = "MaterialRule", rename_all = "kebab-case")]
pub(crate) enum RuleText {
    BareKing,
    KnightAgainstQueens,
    BishopsOfOneColour,
}

/// A piece by its letter in a FEN.
pub(crate) mod piece {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        piece.char().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let letter = char::deserialize(from)?;
        Piece::from_char(letter).ok_or_else(|| D::Error::custom(format!("not a piece: {letter:?}")))
    }
}

/// A square by its name. The field is missing if there is no square.
pub(crate) mod square {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        square: &Option<Square>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        square.map(|square| square.to_string()).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Square>, D::Error> {
        parse(&String::deserialize(from)?).map(Some)
    }
}

/// A set of squares by their names, one space apart, such as `"a4 a5"`.
pub(crate) mod squares {
    use super::*;

    pub(crate) fn is_empty(squares: &Bitboard) -> bool {
        squares.is_empty()
    }

    pub(crate) fn serialize<S: Serializer>(squares: &Bitboard, to: S) -> Result<S::Ok, S::Error> {
        names(*squares).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bitboard, D::Error> {
        parse_set(&String::deserialize(from)?)
    }
}

/// Squares of one king with those of the other, such as `[["e1", "d8 e8"], …]`.
pub(crate) mod rows {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        rows: &[(Square, Bitboard)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            rows.iter()
                .map(|(square, row)| (square.to_string(), names(*row))),
        )
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(Square, Bitboard)>, D::Error> {
        let mut rows = Vec::new();
        let mut listed = Bitboard::EMPTY;
        for (name, row) in Vec::<(String, String)>::deserialize(from)? {
            let (square, row) = (parse::<D::Error>(&name)?, parse_set(&row)?);
            if !listed.insert(square) {
                return Err(D::Error::custom(format!("{name} is named twice")));
            }
            rows.push((square, row));
        }
        Ok(rows)
    }
}

fn names(squares: Bitboard) -> String {
    let mut names = String::with_capacity(3 * squares.count());
    for square in squares {
        let gap = if names.is_empty() { "" } else { " " };
        write!(names, "{gap}{square}").expect("strings take all text");
    }
    names
}

fn parse_set<E: serde::de::Error>(names: &str) -> Result<Bitboard, E> {
    let mut squares = Bitboard::EMPTY;
    for name in names.split(' ').filter(|_| !names.is_empty()) {
        if !squares.insert(parse(name)?) {
            return Err(E::custom(format!("{name} is named twice")));
        }
    }
    Ok(squares)
}

fn parse<E: serde::de::Error>(name: &str) -> Result<Square, E> {
    Square::from_str(name).map_err(|_| E::custom(format!("not a square: {name:?}")))
}
