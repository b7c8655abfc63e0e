//! Shortest mates, against tables and against trying every series of moves.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Key, Piece, Position, Role, Square};
use stillmate_proof::replay;
use stillmate_reach::{
    Analyzer, Budget, Length, Method, Shortest, StopReason, Verdict,
    retro::{Class, Distance, Indexing, Tables},
};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn analyzer(nodes: u64, tables: Tables) -> Analyzer {
    sharing(nodes, &Arc::new(tables))
}

fn sharing(nodes: u64, tables: &Arc<Tables>) -> Analyzer {
    let budget = Budget {
        nodes,
        ..Budget::default()
    };
    Analyzer::new(budget).with_tables(Arc::clone(tables))
}

/// The answer for `winner`; a line is replayed.
#[track_caller]
fn shortest(analyzer: &Analyzer, position: &Position, winner: Color, count: bool) -> Shortest {
    let finding = analyzer.decide(position, winner);
    let shortest = analyzer.shortest(position, winner, finding, analyzer.budget(), count);
    if let Verdict::Winnable(line) = &shortest.finding.verdict {
        replay(position, winner, &line.0).unwrap();
        assert!(line.0.len() >= shortest.at_least as usize, "{position:?}");
    }
    shortest
}

/// All series of exactly `plies` legal moves that end with mate by `winner`, one by one.
fn every_series(position: &Position, winner: Color, plies: u32) -> u128 {
    if plies == 0 {
        return u128::from(position.turn() != winner && position.is_checkmate());
    }
    let moves = position.legal_moves();
    let after = moves.iter().map(|&m| position.after(m));
    after
        .map(|next| every_series(&next, winner, plies - 1))
        .sum()
}

/// The least number of plies to a mate, up to `most`, and how many series have it.
fn by_trying(position: &Position, winner: Color, most: u32) -> Option<(u32, u128)> {
    (0..=most).find_map(|plies| {
        let series = every_series(position, winner, plies);
        (series > 0).then_some((plies, series))
    })
}

/// Searches without any tables, and with those of few men.
fn both() -> [Arc<Tables>; 2] {
    [Tables::empty(), Tables::builtin()].map(Arc::new)
}

/// Asserts that the search and trying everything up to `most` plies agree; whether there was a
/// mate.
#[track_caller]
fn assert_as_by_trying(both: &[Arc<Tables>; 2], position: &Position, most: u32) -> bool {
    let mut found = false;
    for winner in Color::ALL {
        let tried = by_trying(position, winner, most);
        found |= tried.is_some();
        let nodes = if tried.is_some() { 200_000 } else { 2_000 };
        for tables in both {
            let answer = shortest(&sharing(nodes, tables), position, winner, true);
            match tried {
                Some((plies, series)) => {
                    assert!(answer.is_proved(), "{winner}, {position:?}");
                    assert_eq!(answer.at_least, plies, "{winner}, {position:?}");
                    assert_eq!(answer.lines, Some(series), "{winner}, {position:?}");
                }
                None if answer.is_proved() => {
                    assert!(answer.at_least > most, "{winner}, {position:?}");
                }
                None => {}
            }
        }
    }
    found
}

#[test]
fn all_series_of_moves_are_counted() {
    for (fen, winner, plies, lines) in [
        // The mate is on the board.
        ("7k/6Q1/6K1/8/8/8/8/8 b - -", Color::White, 0, 1),
        // g4 or g3, f5 or f6, and the queen.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            Color::Black,
            4,
            8,
        ),
        // Castling is the only mate in one.
        ("8/8/8/3N4/8/1B2P3/3Q4/R3K1k1 w Q -", Color::White, 1, 1),
        // So is taking en passant here.
        ("8/8/R7/PpP5/8/5N2/1NK5/k7 w - b6", Color::White, 1, 1),
    ] {
        let position = position(fen);
        assert_eq!(
            by_trying(&position, winner, 4),
            Some((plies, lines)),
            "{fen}"
        );
        let answer = shortest(
            &analyzer(1_000_000, Tables::builtin()),
            &position,
            winner,
            true,
        );
        assert!(answer.is_proved());
        assert_eq!((answer.at_least, answer.lines), (plies, Some(lines)));
    }
}

/// Kings and some men anywhere, often with castling rights or an en passant square.
fn random_position(rng: &mut Rng) -> Position {
    loop {
        let mut board = [None; 64];
        let rights = match rng.u8(..4) {
            0 => "KQ",
            1 => "kq",
            2 => "Kk",
            _ => "-",
        };
        for (right, king, rook, color) in [
            ('K', Square::E1, Square::H1, Color::White),
            ('Q', Square::E1, Square::A1, Color::White),
            ('k', Square::E8, Square::H8, Color::Black),
            ('q', Square::E8, Square::A8, Color::Black),
        ] {
            if rights.contains(right) {
                for (square, role) in [(king, Role::King), (rook, Role::Rook)] {
                    board[square as usize] = Some(Piece { color, role });
                }
            }
        }
        for color in Color::ALL {
            let king = Piece {
                color,
                role: Role::King,
            };
            while !board.contains(&Some(king)) {
                board[rng.usize(..64)].get_or_insert(king);
            }
        }
        for _ in 0..rng.usize(1..5) {
            let square = rng.usize(..64);
            let role = Role::ALL[rng.usize(..5)];
            if board[square].is_none() && (role != Role::Pawn || (8..56).contains(&square)) {
                let color = Color::from_white(rng.bool());
                board[square] = Some(Piece { color, role });
            }
        }
        let ranks: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let man = |piece: &Option<Piece>| piece.map_or('1', Piece::char);
                board[rank * 8..][..8].iter().map(man).collect()
            })
            .collect();
        let turn = if rng.bool() { 'w' } else { 'b' };
        let fen = format!("{} {turn} {rights} -", ranks.join("/"));
        if let Ok(position) = Position::from_fen(&fen) {
            let variants: Vec<Position> = position.en_passant_variants().collect();
            return variants.first().copied().unwrap_or(position);
        }
    }
}

#[test]
fn as_by_trying_everything_in_random_positions() {
    let (mut rng, both) = (Rng::with_seed(5), both());
    let mut mates = 0;
    for _ in 0..200 {
        mates += u32::from(assert_as_by_trying(&both, &random_position(&mut rng), 3));
    }
    assert!(mates > 20, "{mates} with a mate in three plies");
}

#[test]
#[ignore = "minutes: a million series of moves a position"]
fn as_by_trying_everything_deeper() {
    let (mut rng, both) = (Rng::with_seed(6), both());
    let mut mates = 0;
    for _ in 0..2_000 {
        mates += u32::from(assert_as_by_trying(&both, &random_position(&mut rng), 4));
    }
    assert!(mates > 500, "{mates} with a mate in four plies");
}

#[test]
fn castling_and_en_passant_are_as_by_trying() {
    let both = both();
    for fen in [
        // The only mate is to castle.
        "8/8/8/4b3/4bP2/8/3Q4/1k2K2R w K -",
        "8/8/8/3N4/8/1B2P3/3Q4/R3K1k1 w Q -",
        "8/8/R2r4/3P4/1B1P4/8/1Q6/R3K2k w Q -",
        "8/8/8/4b3/4bP2/8/3Q4/1k2K2R w - -",
        // The only mate is to take en passant.
        "8/8/R7/PpP5/8/5N2/1NK5/k7 w - b6",
        "3nB3/2k5/Q7/2Pp4/8/p6K/1R6/8 w - d6",
        "1Q6/3Nkp2/8/2pPK3/8/B7/N7/8 w - c6",
        "1Q6/3Nkp2/8/2pPK3/8/B7/N7/8 w - -",
    ] {
        let position = position(fen);
        for position in [position, position.mirrored()] {
            assert_as_by_trying(&both, &position, 3);
        }
    }
}

#[test]
fn a_problem_of_sixteen_plies_has_one_solution() {
    let problem = position("8/8/N7/8/8/6q1/3K2k1/3b4 b - -");
    for tables in [Tables::empty(), Tables::builtin()] {
        let answer = shortest(&analyzer(1_000_000, tables), &problem, Color::White, true);
        assert!(answer.is_proved());
        assert_eq!((answer.at_least, answer.lines), (16, Some(1)));
        assert_eq!(answer.finding.method, Method::Shortest);
    }
}

/// A lost tempo leads to a position that a shortest line met earlier, with two plies more left.
#[test]
fn a_position_met_again_with_fewer_plies_left_is_counted_anew() {
    for (fen, winner, plies, lines) in [
        ("8/6N1/8/8/8/2B5/8/K2k4 b - -", Color::White, 12, 1),
        ("1k6/6p1/8/8/8/7p/7P/7K b - -", Color::White, 18, 1),
        (
            "8/1B3k2/p7/8/1p6/p2PP3/2P1K3/1Q6 b - -",
            Color::White,
            6,
            951,
        ),
        ("r3k2r/8/8/8/1K6/8/8/2b5 w kq -", Color::Black, 6, 532),
        (
            "2rR2BK/p1n1q1pp/1nPrb3/3kb3/8/1p1p4/3PP3/8 b - -",
            Color::White,
            6,
            2,
        ),
    ] {
        let problem = position(fen);
        for tables in [Tables::empty(), Tables::builtin()] {
            let answer = shortest(&analyzer(4_000_000, tables), &problem, winner, true);
            assert_eq!(
                (answer.at_least, answer.lines),
                (plies, Some(lines)),
                "{fen}"
            );
        }
    }
}

#[test]
fn what_a_budget_ends_claims_no_more_than_is_true() {
    let problem = position("8/8/N7/8/8/6q1/3K2k1/3b4 b - -");
    let mut claims = Vec::new();
    for nodes in [1, 10, 100, 1_000, 10_000, 100_000] {
        let mut answer = shortest(
            &analyzer(nodes, Tables::empty()),
            &problem,
            Color::White,
            false,
        );
        assert!(answer.at_least <= 16);
        if !answer.is_proved() {
            assert_eq!(answer.stopped.take(), Some(StopReason::Nodes));
        }
        claims.push(answer.at_least);
    }
    assert!(claims.is_sorted(), "{claims:?}");
    assert_eq!(claims.last(), Some(&16));
}

#[test]
fn never_stays_never() {
    let dead = position("8/8/4k3/8/8/3KB3/8/8 b - -");
    let analyzer = analyzer(1000, Tables::builtin());
    for winner in Color::ALL {
        let answer = shortest(&analyzer, &dead, winner, true);
        assert!(matches!(answer.finding.verdict, Verdict::Unwinnable(_)));
        assert_eq!(answer.lines, None);
    }
}

/// A position of the class, of every kind that is symmetrical to others.
fn draw(indexing: &Indexing, rng: &mut Rng) -> Position {
    let mut position = loop {
        if let Some(position) = indexing.position(rng.usize(..indexing.size())) {
            break position;
        }
    };
    if rng.bool() {
        position = position.mirrored();
    }
    if rng.bool() {
        position = position.reflected().unwrap_or(position);
    }
    if position.with_role(Role::Pawn).is_empty() && rng.bool() {
        let turned = position
            .pieces()
            .map(|(square, piece)| (piece, Bitboard::from(square).flip_diagonal()));
        position = Position::from_pieces(turned, position.turn()).unwrap_or(position);
    }
    position
}

/// The example `shortest` does the same by the ten thousand and for five men.
#[test]
fn as_in_the_tables_of_three_and_four_men() {
    let tables = Tables::builtin();
    let analyzer = analyzer(100_000, Tables::empty());
    let mut rng = Rng::with_seed(7);
    for (name, positions) in [("KQvK", 150), ("KRvK", 150), ("KPvK", 300), ("KBvKN", 60)] {
        let class: Class = name.parse().unwrap();
        tables.build(class, &|_| ()).unwrap();
        let indexing = Indexing::new(class).unwrap();
        let mut proved = 0;
        for _ in 0..positions {
            let position = draw(&indexing, &mut rng);
            for winner in Color::ALL {
                let answer = shortest(&analyzer, &position, winner, false);
                let known = tables.probe(&position, winner).unwrap();
                match (&answer.finding.verdict, known) {
                    (Verdict::Unwinnable(_), Distance::Never) => {}
                    (_, Distance::Plies(plies)) if answer.is_proved() => {
                        assert_eq!(answer.at_least, u32::from(plies), "{winner}, {position:?}");
                        proved += 1;
                    }
                    (_, Distance::Plies(plies)) => {
                        assert!(answer.at_least <= plies.into(), "{winner}, {position:?}");
                    }
                    (verdict, _) => panic!("{verdict:?}, {winner}, {position:?}"),
                }
            }
        }
        assert!(proved * 2 > positions, "{name}: {proved} of {positions}");
    }
}

/// Shortest helpmates by the distances of a table alone.
fn count_in_table(
    tables: &Tables,
    position: &Position,
    winner: Color,
    memory: &mut HashMap<Key, u128>,
) -> u128 {
    let Some(Distance::Plies(plies)) = tables.probe(position, winner) else {
        return 0;
    };
    if plies == 0 {
        return 1;
    }
    let key = Key::new(position);
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let nearer = Some(Distance::Plies(plies - 1));
    let moves = position.legal_moves();
    let next = moves.iter().map(|&m| position.after(m));
    let lines = next
        .filter(|next| tables.probe(next, winner) == nearer)
        .map(|next| count_in_table(tables, &next, winner, memory))
        .sum();
    memory.insert(key, lines);
    lines
}

/// Asserts that as many helpmates are counted as the table has, in `positions` positions of the
/// classes; the search has no table.
#[track_caller]
fn assert_counts_of_tables(tables: &Tables, classes: &[Class], positions: usize, seed: u64) {
    let analyzer = analyzer(20_000_000, Tables::empty());
    let mut rng = Rng::with_seed(seed);
    let indexings: Vec<Indexing> = classes
        .iter()
        .map(|&class| {
            tables.build(class, &|_| ()).unwrap();
            Indexing::new(class).unwrap()
        })
        .collect();
    let mut proved = 0;
    for _ in 0..positions {
        let position = draw(&indexings[rng.usize(..indexings.len())], &mut rng);
        let variants: Vec<Position> = position.en_passant_variants().collect();
        let position = variants.first().copied().unwrap_or(position);
        for winner in Color::ALL {
            let known = tables.probe(&position, winner).unwrap();
            let Distance::Plies(plies) = known else {
                continue;
            };
            let expected = count_in_table(tables, &position, winner, &mut HashMap::new());
            let answer = analyzer.helpmates(
                &position,
                winner,
                Length::Exactly(plies),
                2,
                analyzer.budget(),
            );
            assert_eq!(answer.count, Some(expected), "{winner}, {position:?}");
            assert_eq!(answer.lines.len() as u128, expected.min(2), "{position:?}");
            for line in answer.lines {
                replay(&position, winner, &line.0).unwrap();
                assert_eq!(line.0.len(), usize::from(plies));
            }
            proved += 1;
        }
    }
    assert!(proved > positions / 2, "{proved} of {positions}");
}

#[test]
fn counts_are_those_of_the_tables() {
    let classes = ["KQvK", "KRvK", "KPvK"].map(|name| name.parse().unwrap());
    assert_counts_of_tables(&Tables::builtin(), &classes, 100, 21);
}

/// Every class of three and four men, and some of five.
#[test]
#[ignore = "an hour: 20,000 positions, and tables of five men"]
fn counts_are_those_of_the_tables_in_many_positions() {
    let tables = Tables::builtin();
    let five = ["KBNvKN", "KPPvKP", "KRvKPP", "KNvKRP"].map(|name| name.parse().unwrap());
    assert_counts_of_tables(&tables, &five, 4_000, 22);
    assert_counts_of_tables(&tables, &Class::all(4), 14_000, 23);
    assert_counts_of_tables(&tables, &Class::all(3), 2_000, 24);
}

/// The statistics of a class against counting in each of its positions.
#[test]
fn solutions_of_a_class_are_those_of_its_positions() {
    let tables = Tables::builtin();
    for name in ["KQvK", "KPvK", "KRvK"] {
        let class: Class = name.parse().unwrap();
        let solutions = tables.solutions(class, 3).unwrap();
        let indexing = Indexing::new(class).unwrap();
        let mut memories = [HashMap::new(), HashMap::new()];
        let mut expected: HashMap<(Color, Color, u16), (u64, u64, u128)> = HashMap::new();
        for number in 0..indexing.size() {
            let Some(position) = indexing.position(number) else {
                continue;
            };
            for (winner, memory) in Color::ALL.into_iter().zip(&mut memories) {
                if let Some(Distance::Plies(plies)) = tables.probe(&position, winner) {
                    let lines = count_in_table(&tables, &position, winner, memory);
                    let images = indexing.images(&position);
                    let key = (winner, position.turn(), plies);
                    let (positions, unique, most) = expected.entry(key).or_default();
                    *positions += images;
                    *unique += if lines == 1 { images } else { 0 };
                    *most = lines.max(*most);
                }
            }
        }
        assert_eq!(solutions.lengths.len(), expected.len(), "{name}");
        for length in solutions.lengths {
            let key = (length.winner, length.turn, length.plies);
            let found = (length.positions, length.unique, u128::from(length.most));
            assert_eq!(found, expected[&key], "{name}, {key:?}");
            assert_eq!(length.examples.is_empty(), length.unique == 0);
            let analyzer = analyzer(1_000_000, Tables::empty());
            for example in length.examples {
                let asked = Length::Shortest;
                let found =
                    analyzer.helpmates(&example, length.winner, asked, 1, analyzer.budget());
                let plies = u32::from(length.plies);
                assert_eq!(
                    (found.plies, found.count),
                    (Some(plies), Some(1)),
                    "{example:?}"
                );
            }
        }
    }
}

/// With a table the engine gives its shortest line; without, or for "never", it works by itself.
#[test]
fn the_engine_takes_lines_from_tables() {
    let tables = Tables::builtin();
    let class: Class = "KRvK".parse().unwrap();
    tables.build(class, &|_| ()).unwrap();
    let position = position("8/8/8/8/8/2k5/8/1R2K3 b - -");
    let with = analyzer(1_000_000, tables);
    let finding = with.decide(&position, Color::White);
    assert_eq!(finding.method, Method::Table);
    let Verdict::Winnable(line) = &finding.verdict else {
        panic!("{finding:?}");
    };
    replay(&position, Color::White, &line.0).unwrap();
    assert_eq!(line.0.len(), 8);
    let never = with.decide(&position, Color::Black);
    assert_ne!(never.method, Method::Table);
    assert!(matches!(never.verdict, Verdict::Unwinnable(_)));
    // Nothing is built for a verdict alone.
    let without = analyzer(1_000_000, Tables::builtin());
    assert_ne!(
        without.decide(&position, Color::White).method,
        Method::Table
    );
    // Castling is in no table.
    let castling = Position::from_fen("8/8/8/8/8/2k5/8/R3K3 w Q -").unwrap();
    assert_ne!(with.decide(&castling, Color::White).method, Method::Table);
}

/// A file whose checksums are right and whose distances are not: lines that it claims don't
/// stand a replay, and the engine goes its own way.
#[test]
fn a_false_table_misleads_nobody_to_a_false_line() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("false-table");
    let _ = fs::remove_dir_all(&dir);
    let class: Class = "KQvK".parse().unwrap();
    Tables::open(&dir).build(class, &|_| ()).unwrap();
    let file = dir.join("KQvK.helpmates");
    let mut bytes = fs::read(&file).unwrap();
    // All that is farther than mate in one is said to be as far as that.
    for code in &mut bytes[60..] {
        if *code > 2 {
            *code = 2;
        }
    }
    let sum = crc32fast::hash(&bytes[60..]);
    bytes[52..56].copy_from_slice(&sum.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..56]);
    bytes[56..60].copy_from_slice(&sum.to_le_bytes());
    fs::write(&file, bytes).unwrap();
    let analyzer = analyzer(1_000_000, Tables::open(&dir));
    let far = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    let finding = analyzer.decide(&far, Color::White);
    assert_ne!(finding.method, Method::Table);
    assert!(matches!(finding.verdict, Verdict::Winnable(_)));
}
