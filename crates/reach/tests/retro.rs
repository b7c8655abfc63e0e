//! Retrograde tables against plain forward reasoning, known totals and damaged files.

use std::{collections::HashMap, fs, path::PathBuf};

use stillmate_core::{Color, Key, Piece, Position, Role, insufficient_material};
use stillmate_proof::replay;
use stillmate_reach::retro::{Class, Distance, Fault, Indexing, TableError, Tables};
use stillmate_testkit::every;

const WINNERS: [Color; 2] = [Color::White, Color::Black];

fn class(name: &str) -> Class {
    name.parse().unwrap()
}

/// The men of a class, the stronger side's in `strong`'s colour.
fn men(name: &str, strong: Color) -> Vec<Piece> {
    let (one, other) = name.split_once('v').unwrap();
    let side = |letters: &str, color: Color| {
        let man = |letter| Piece {
            color,
            role: Role::from_char(letter).unwrap(),
        };
        letters.chars().map(man).collect::<Vec<_>>()
    };
    [side(one, strong), side(other, !strong)].concat()
}

/// Asserts that the table of a class is right, from the rules alone: a mate has distance 0
/// for who gave it; any other distance is one more than the least after a legal move. Only
/// the true distances have this property everywhere, by induction on either length.
fn assert_exact(tables: &Tables, name: &str) {
    tables.build(class(name), &|_| ()).unwrap();
    let mut looked_at = 0_u64;
    for strong in WINNERS {
        every::position(&men(name, strong), &[], &mut |position| {
            looked_at += 1;
            let moves = position.legal_moves();
            for winner in WINNERS {
                let mated = position.is_checkmate() && position.turn() != winner;
                let best = moves
                    .iter()
                    .map(|&m| tables.probe(&position.after(m), winner).unwrap())
                    .min()
                    .unwrap_or(Distance::Never);
                let expected = match best {
                    _ if mated => Distance::Plies(0),
                    Distance::Plies(plies) => Distance::Plies(plies + 1),
                    Distance::Never => Distance::Never,
                };
                assert_eq!(
                    tables.probe(position, winner),
                    Some(expected),
                    "{winner}, {position:?}"
                );
            }
        });
    }
    assert!(looked_at > 300_000, "{name}: {looked_at} positions");
}

#[test]
fn tables_of_three_men_are_exact() {
    let tables = Tables::builtin();
    for name in ["KQvK", "KRvK", "KPvK"] {
        assert_exact(&tables, name);
    }
}

#[test]
#[ignore = "minutes: tens of millions of positions a class"]
fn tables_with_en_passant_and_equal_men_are_exact() {
    let tables = Tables::builtin();
    for name in ["KPvKP", "KPPvK", "KRvKR", "KBBvK", "KQvKN"] {
        assert_exact(&tables, name);
    }
}

/// The same for KRvK in the plainest way: all values at once, again and again, until nothing
/// changes.
#[test]
fn value_iteration_agrees_on_rook_against_king() {
    let mut positions = Vec::new();
    every::position(&men("KRvK", Color::White), &[], &mut |position| {
        positions.push(*position);
    });
    let place: HashMap<Key, usize> = positions
        .iter()
        .enumerate()
        .map(|(index, position)| (Key::new(position), index))
        .collect();
    // A capture leaves two kings, from where nobody mates.
    let successors: Vec<Vec<usize>> = positions
        .iter()
        .map(|position| {
            let moves = position.legal_moves();
            moves
                .iter()
                .filter_map(|&m| place.get(&Key::new(&position.after(m))).copied())
                .collect()
        })
        .collect();
    let mut plies: Vec<Option<u16>> = positions
        .iter()
        .map(|position| position.is_checkmate().then_some(0))
        .collect();
    loop {
        let next: Vec<Option<u16>> = plies
            .iter()
            .zip(&successors)
            .map(|(now, after)| {
                now.or_else(|| Some(1 + after.iter().filter_map(|&s| plies[s]).min()?))
            })
            .collect();
        if next == plies {
            break;
        }
        plies = next;
    }
    assert_eq!(positions.len(), 399_112);
    let tables = Tables::builtin();
    for (position, plies) in positions.iter().zip(plies) {
        let expected = plies.map_or(Distance::Never, Distance::Plies);
        assert_eq!(
            tables.probe(position, Color::White),
            Some(expected),
            "{position:?}"
        );
        assert_eq!(
            tables.probe(position, Color::Black),
            Some(Distance::Never),
            "{position:?}"
        );
    }
}

/// For each side to move: positions, mates, stalemates, and for White's mates those without
/// any and the longest distance.
type Totals = [(u64, u64, u64, u64, Option<u16>); 2];

fn totals(tables: &Tables, name: &str) -> Totals {
    let statistics = tables.statistics(class(name)).unwrap();
    [statistics.strong, statistics.weak].map(|side| {
        let longest = side.white.longest.map(|(plies, _)| plies);
        (
            side.positions,
            side.mates,
            side.stalemates,
            side.white.never,
            longest,
        )
    })
}

#[test]
fn totals_of_small_classes() {
    let tables = Tables::builtin();
    let expected: [(&str, Totals); 3] = [
        (
            "KQvK",
            [
                (144_508, 0, 0, 0, Some(13)),
                (223_944, 364, 872, 3_292, Some(14)),
            ],
        ),
        (
            "KRvK",
            [
                (175_168, 0, 0, 0, Some(13)),
                (223_944, 216, 68, 480, Some(14)),
            ],
        ),
        (
            "KBBvK",
            [
                (5_082_028, 0, 0, 2_577_924, Some(15)),
                (6_830_292, 1_552, 10_204, 3_374_220, Some(16)),
            ],
        ),
    ];
    for (name, expected) in expected {
        assert_eq!(totals(&tables, name), expected, "{name}");
    }
    let rook = totals(&tables, "KRvK");
    assert_eq!(rook[0].0 + rook[1].0, 399_112);
}

#[test]
#[ignore = "seconds for each class"]
fn totals_of_larger_classes() {
    let tables = Tables::builtin();
    let expected: [(&str, Totals); 4] = [
        (
            "KBNvK",
            [
                (10_875_504, 0, 0, 120, Some(15)),
                (13_660_584, 464, 12_888, 21_844, Some(16)),
            ],
        ),
        (
            "KNNvK",
            [
                (5_749_652, 0, 0, 0, Some(15)),
                (6_830_292, 120, 3_864, 5_696, Some(16)),
            ],
        ),
        (
            "KRvKB",
            [
                (10_780_728, 0, 0, 0, Some(13)),
                (11_832_464, 6_528, 96, 7_576, Some(14)),
            ],
        ),
        (
            "KRvKN",
            [
                (10_780_728, 8, 0, 8, Some(13)),
                (12_535_256, 9_328, 48, 7_216, Some(14)),
            ],
        ),
    ];
    for (name, expected) in expected {
        assert_eq!(totals(&tables, name), expected, "{name}");
    }
}

#[test]
fn numbers_are_those_of_one_position_up_to_symmetry() {
    for (name, size) in [
        ("KvK", 2 * 462),
        ("KRvK", 2 * 462 * 64),
        ("KPvK", 2 * 1806 * 48),
        ("KNNvK", 2 * 462 * 2016),
    ] {
        let class = class(name);
        let indexing = Indexing::new(class).unwrap();
        assert_eq!(indexing.size(), size, "{name}");
        let mut images = 0;
        for number in 0..size {
            let Some(position) = indexing.position(number) else {
                continue;
            };
            assert_eq!(Class::of(&position), class);
            assert_eq!(indexing.number(&position), number, "{position:?}");
            let reflected = position.reflected().unwrap();
            assert_eq!(indexing.number(&reflected), number, "{position:?}");
            images += indexing.images(&position);
        }
        let mut total = 0;
        every::position(&men(name, Color::White), &[], &mut |_| total += 1);
        assert_eq!(images, total, "{name}");
    }
    assert!(Indexing::new(class("KQQvKQQ")).is_none());
}

#[test]
fn lines_are_helpmates_of_the_length_that_was_told() {
    let tables = Tables::builtin();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut longest = 0;
    for name in ["KQvK", "KRvK", "KPvK"] {
        let indexing = Indexing::new(class(name)).unwrap();
        for _ in 0..2_000 {
            let Some(position) = indexing.position(rng.usize(..indexing.size())) else {
                continue;
            };
            let (position, winner) = if rng.bool() {
                (position, Color::White)
            } else {
                (position.mirrored(), Color::Black)
            };
            let line = tables.line(&position, winner);
            match tables.probe(&position, winner).unwrap() {
                Distance::Never => assert_eq!(line, None, "{position:?}"),
                Distance::Plies(plies) => {
                    let line = line.unwrap();
                    assert_eq!(line.len(), usize::from(plies), "{position:?}");
                    assert_eq!(replay(&position, winner, &line), Ok(()), "{position:?}");
                    longest = longest.max(plies);
                }
            }
            assert_eq!(tables.line(&position, !winner), None);
        }
    }
    assert!(longest >= 15, "{longest}");
}

#[test]
fn tables_decline_what_they_do_not_know() {
    let tables = Tables::builtin();
    for unknown in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ] {
        let position = Position::from_fen(unknown).unwrap();
        assert_eq!(tables.probe(&position, Color::White), None);
        assert_eq!(tables.line(&position, Color::White), None);
    }
    let too_many = tables.build(class("KQQvKQQ"), &|_| ());
    assert!(matches!(too_many, Err(TableError::TooManyMen(_))));
}

#[test]
fn a_table_that_was_missed_can_be_built() {
    let tables = Tables::builtin();
    let position = Position::from_fen("8/8/8/8/8/1k6/8/K2BB3 b - - 0 1").unwrap();
    assert_eq!(tables.probe(&position, Color::White), None);
    tables.build(class("KBBvK"), &|_| ()).unwrap();
    assert!(matches!(
        tables.probe(&position, Color::White),
        Some(Distance::Plies(2..=16))
    ));
}

/// Who can't mate by the men on the board never mates, in any position without castling
/// rights, and hasn't mated either.
#[test]
#[ignore = "minutes: builds all classes of four men"]
fn material_rules_hold_on_every_position_of_up_to_four_men() {
    let tables = Tables::builtin();
    let mut ruled = 0_u64;
    for class in (2..=4).flat_map(Class::all) {
        tables.build(class, &|_| ()).unwrap();
        let indexing = Indexing::new(class).unwrap();
        for position in (0..indexing.size()).filter_map(|number| indexing.position(number)) {
            let variants = position.en_passant_variants();
            for position in variants.chain([position]) {
                for winner in WINNERS {
                    if insufficient_material(&position, winner).is_some() {
                        ruled += 1;
                        let found = tables.probe(&position, winner);
                        assert_eq!(found, Some(Distance::Never), "{winner}, {position:?}");
                    }
                }
            }
        }
    }
    assert!(ruled > 50_000_000, "{ruled}");
}

#[test]
#[ignore = "minutes: builds a class of five men"]
fn a_problem_of_sixteen_plies() {
    let tables = Tables::builtin();
    tables.build(class("KQBvKN"), &|_| ()).unwrap();
    let position = Position::from_fen("8/8/N7/8/8/6q1/3K2k1/3b4 b - - 0 1").unwrap();
    let line = tables.line(&position, Color::White).unwrap();
    assert_eq!(line.len(), 16);
    assert_eq!(replay(&position, Color::White, &line), Ok(()));
}

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("stillmate-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn tables_are_kept_in_files() {
    let scratch = Scratch::new("kept");
    let written = Tables::open(&scratch.0);
    written.build(class("KPvK"), &|_| ()).unwrap();
    let names: Vec<String> = written
        .classes()
        .unwrap()
        .iter()
        .map(Class::to_string)
        .collect();
    assert_eq!(names, ["KvK", "KBvK", "KNvK", "KPvK", "KQvK", "KRvK"]);

    let read = Tables::open(&scratch.0);
    read.build(class("KPvK"), &|progress| {
        panic!("{progress:?}, though there is a file")
    })
    .unwrap();
    assert_eq!(
        read.statistics(class("KPvK")).unwrap(),
        Tables::builtin().statistics(class("KPvK")).unwrap()
    );
    read.forget();
    let position = Position::from_fen("7k/8/8/8/8/8/P7/K7 w - - 0 1").unwrap();
    assert_eq!(
        read.probe(&position, Color::White),
        Some(Distance::Plies(17))
    );
}

#[test]
fn damaged_files_are_told_apart_and_never_believed() {
    let scratch = Scratch::new("damaged");
    Tables::open(&scratch.0)
        .build(class("KRvK"), &|_| ())
        .unwrap();
    let path = scratch.0.join("KRvK.helpmates");
    let sound = fs::read(&path).unwrap();
    let fault = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let tables = Tables::open(&scratch.0);
        let position = Position::from_fen("7k/8/8/8/8/8/8/K6R b - - 0 1").unwrap();
        // Of so few men the table is built anew, in memory, and the fault is told.
        assert_eq!(
            tables.probe(&position, Color::White),
            Some(Distance::Plies(12))
        );
        assert_eq!(tables.take_faults().len(), 1);
        match tables.build(class("KRvK"), &|_| ()) {
            Err(TableError::Damaged { fault, path: named }) => {
                assert_eq!(named, path);
                fault
            }
            other => panic!("{other:?}"),
        }
    };
    let changed = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert_eq!(fault(&[]), Fault::Foreign);
    assert_eq!(fault(&sound[..59]), Fault::Foreign);
    assert_eq!(fault(&changed(7)), Fault::Foreign, "another version");
    for at in 8..60 {
        assert_eq!(
            fault(&changed(at)),
            Fault::Checksum,
            "byte {at} of the header"
        );
    }
    assert_eq!(fault(&sound[..sound.len() - 1]), Fault::Length);
    assert_eq!(fault(&[&sound[..], b" "].concat()), Fault::Length);
    assert_eq!(fault(&changed(60)), Fault::Checksum);
    assert_eq!(fault(&changed(sound.len() - 1)), Fault::Checksum);
    let other = fs::read(scratch.0.join("KvK.helpmates")).unwrap();
    assert_eq!(fault(&other), Fault::OtherClass);

    fs::write(&path, &sound).unwrap();
    Tables::open(&scratch.0)
        .build(class("KRvK"), &|_| ())
        .unwrap();
}
