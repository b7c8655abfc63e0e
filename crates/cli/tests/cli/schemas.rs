//! JSON Schemas in `docs/schema`, held against what the binary prints.

use std::collections::BTreeSet;

use jsonschema::{Registry, Validator};
use serde_json::Value;
use stillmate_core::{Bitboard, Color, MaterialRule, Position, Role, Square};
use stillmate_proof::{Certificate, Class, Invariant, Kings, Man, Step};

use crate::run::{
    BARE, BISHOP, MATED, QUEEN, Run, STALEMATE, file, repository, stillmate, stillmate_with,
};

/// The schemas refer to each other by names that are relative to this.
const BASE: &str = "file:///schema/";

struct Schema {
    document: Value,
    validator: Validator,
}

impl Schema {
    /// The schema of this name, where the repository is at hand.
    fn of(name: &str) -> Option<Schema> {
        let read = |name: &str| {
            let text = repository(&format!("docs/schema/{name}.json"))?;
            Some(serde_json::from_str::<Value>(&text).expect("a schema is JSON"))
        };
        let document = read(name)?;
        let certificate = read("certificate")?;
        let registry = Registry::new()
            .add(format!("{BASE}certificate.json"), certificate)
            .expect("its name is an address")
            .prepare()
            .expect("all references lead somewhere");
        let validator = jsonschema::draft202012::options()
            .with_registry(&registry)
            .with_base_uri(format!("{BASE}{name}.json"))
            .build(&document)
            .expect("a schema");
        Some(Schema {
            document,
            validator,
        })
    }

    #[track_caller]
    fn accepts(&self, objects: &[Value]) {
        for object in objects {
            let errors: Vec<String> = self
                .validator
                .iter_errors(object)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}\n{object}");
        }
    }

    /// Every key is needed and no other is allowed, with the type it has.
    fn is_strict(&self, objects: &[Value]) {
        for object in objects {
            for key in object.as_object().expect("an object").keys() {
                let mut less = object.clone();
                less.as_object_mut().unwrap().remove(key);
                assert!(!self.validator.is_valid(&less), "without {key}: {less}");
                let mut other = object.clone();
                other[key] = Value::from(vec![1.5]);
                assert!(!self.validator.is_valid(&other), "{key}: {other}");
            }
            let mut more = object.clone();
            more["surplus"] = Value::Null;
            assert!(!self.validator.is_valid(&more), "{more}");
        }
    }

    /// Each key of the schema has a value somewhere, so that none is described in vain.
    fn is_exhausted_by(&self, objects: &[Value]) {
        let mut described = BTreeSet::new();
        properties(&self.document, &mut described);
        let mut seen = BTreeSet::new();
        objects.iter().for_each(|object| keys(object, &mut seen));
        let unseen: Vec<_> = described.difference(&seen).collect();
        assert!(unseen.is_empty(), "without a value: {unseen:?}");
    }
}

/// The names of all properties in a schema.
fn properties(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                names.extend(properties.keys().cloned());
            }
            map.values().for_each(|value| properties(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| properties(value, names)),
        _ => {}
    }
}

/// The keys in a value that have one themselves.
fn keys(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if !value.is_null() {
                    names.insert(key.clone());
                }
                keys(value, names);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, names)),
        _ => {}
    }
}

/// The keys of all objects are the same, in the same order.
#[track_caller]
fn have_one_shape(printed: &[String]) {
    let shape = |line: &String| -> Vec<String> {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).expect("an object");
        object.keys().cloned().collect()
    };
    let first = shape(&printed[0]);
    for line in printed {
        assert_eq!(shape(line), first, "{line}");
    }
}

/// What the runs print, line by line, and as JSON.
fn printed(runs: &[Run]) -> (Vec<String>, Vec<Value>) {
    let lines = runs.iter().flat_map(|run| run.stdout.lines());
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    let objects = runs.iter().flat_map(Run::json).collect();
    (lines, objects)
}

#[test]
fn objects_of_positions_are_as_their_schema_says() {
    let Some(schema) = Schema::of("position") else {
        return;
    };
    let lines = format!(
        "{BARE} id \"kings\";\n{BISHOP}\n{STALEMATE}\n{MATED}\n{QUEEN} 148 90\nnonsense\n\
         4k3/8/8/8/8/8/8/4K2Q w K e6\n"
    );
    let batch = |args: &[&str]| {
        let all = [&["batch", "-q", "--format", "jsonl"], args].concat();
        stillmate_with(&all, lines.as_bytes())
    };
    let certificates = file("schema-certificates.json", "");
    let (printed, objects) = printed(&[
        batch(&[]),
        batch(&["--lenient", "--flag", "both"]),
        batch(&["--flag", "black", "--winner", "white"]),
        batch(&["--75"]),
        batch(&["--quick", "--nodes", "0"]),
        batch(&["--shortest", "--count", "--no-tables"]),
        stillmate(&[
            "check",
            "--json",
            "--proof",
            &certificates,
            BISHOP,
            QUEEN,
            "8/8",
        ]),
        stillmate_with(&["check", "--json", "-"], lines.as_bytes()),
    ]);
    assert!(printed.len() > 45, "{}", printed.len());
    have_one_shape(&printed);
    schema.accepts(&objects);
    schema.is_strict(&objects);
    schema.is_exhausted_by(&objects);
}

#[test]
fn objects_of_games_are_as_their_schema_says() {
    let Some(schema) = Schema::of("game") else {
        return;
    };
    let files = ["data/rules.pgn", "data/draws.pgn"]
        .map(|path| format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR")));
    let broken = file(
        "schema-broken.pgn",
        "[White \"Ann\"]\n[Termination \"normal\"]\n\n1. e4 e5 2. Ke3\n",
    );
    let [rules, draws] = &files;
    let game = |args: &[&str]| {
        let all = [&["game", "-q", "--format", "jsonl"], args].concat();
        stillmate(&[&all[..], &[rules, draws, &broken]].concat())
    };
    let (printed, objects) = printed(&[game(&[]), game(&["--adjudicate"])]);
    have_one_shape(&printed);
    schema.accepts(&objects);
    schema.is_strict(&objects);
    schema.is_exhausted_by(&objects);
}

#[test]
fn objects_of_problems_are_as_their_schema_says() {
    let Some(schema) = Schema::of("problem") else {
        return;
    };
    let file = file(
        "schema-popeye.inp",
        "BeginProblem\nTitle Rook endings\nstipulation h#1 option setplay\n\
         pieces white kg6 ra1 black kh8\ntwin move a1 b1\nEndProblem\n",
    );
    let two = "8/3N4/8/B1p2p2/3np3/3pk3/8/7K b - -";
    let check = |args: &[&str]| stillmate(&[&["check", "--json"], args].concat());
    let (printed, objects) = printed(&[
        check(&["--stipulation", "h#3", "--set-play", two, "8/8"]),
        check(&["--length", "4", "--nodes", "100", two]),
        check(&["--length", "4", "--winner", "white", two]),
        check(&["--all", two, QUEEN, BARE]),
        check(&["--input", "popeye", &file]),
        stillmate_with(&["check", "--json", "--all"], QUEEN.as_bytes()),
    ]);
    have_one_shape(&printed);
    schema.accepts(&objects);
    schema.is_strict(&objects);
    schema.is_exhausted_by(&objects);
}

#[test]
fn objects_of_news_are_as_their_schema_says() {
    let Some(schema) = Schema::of("watch") else {
        return;
    };
    let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let tags = "[Event \"live\"]\n[Round \"1\"]\n[Board \"2\"]\n[White \"A\"]\n[Black \"B\"]";
    let text = format!(
        "{tags}\n\n{repeated} *\n\n[FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"]\n\n1. Qf7 *\n\n\
         [FEN \"8/8/8/8/8/8/1k6/3QK3 w - - 98 100\"]\n\n1. Ke2 Kc3 *\n"
    );
    let file = file("schema-news.pgn", text);
    let (printed, objects) = printed(&[stillmate(&["watch", "--once", "--jsonl", &file])]);
    have_one_shape(&printed);
    schema.accepts(&objects);
    schema.is_strict(&objects);
    schema.is_exhausted_by(&objects);
}

/// A certificate in which every key of the format is written. It proves nothing.
fn of_all_kinds() -> Certificate {
    let rook = Man {
        piece: Role::Rook.of(Color::White),
        squares: Bitboard::FULL,
        lost: true,
        promotes: true,
    };
    let invariant = Invariant {
        men: vec![rook],
        opposed: vec![(0, 1)],
        castling: Square::H1.into(),
        en_passant: Some(Square::D3),
    };
    let row = [Bitboard::FULL; 64];
    let kings = Kings {
        claim_to_move: row,
        other_to_move: row,
        after_king: row,
    };
    let class = Class {
        men: vec![rook],
        kings: Box::new(kings),
    };
    let position = Position::from_fen(QUEEN).expect("a position");
    let moves = position.legal_moves();
    Certificate {
        claim: Color::Black,
        steps: vec![
            Step::Terminal,
            Step::Material(MaterialRule::BareKing),
            Step::Moves(moves.iter().map(|&m| (m, 1)).collect()),
            Step::Closed {
                positions: 7,
                exits: vec![4],
            },
            Step::Invariant(invariant),
            Step::Classes {
                classes: vec![class],
                exits: vec![6],
            },
        ],
        position,
    }
}

#[test]
fn certificates_and_what_is_said_of_them_are_as_their_schemas_say() {
    let (Some(certificate), Some(verify)) = (Schema::of("certificate"), Schema::of("verify"))
    else {
        return;
    };
    let positions = [
        BISHOP,
        STALEMATE,
        "6Qk/8/8/8/8/8/8/4K3 b - -",
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -",
        "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - -",
        "1kbK4/1p1p4/1P1P4/8/8/8/8/8 w - -",
    ];
    let args = [&["check", "--proof", "-"], &positions[..]].concat();
    let proofs = stillmate(&args);
    let mut certificates = proofs.exits(0).json();
    let everything = serde_json::to_value(of_all_kinds()).expect("JSON");
    certificates.push(everything);
    certificate.accepts(&certificates);
    certificate.is_strict(&certificates);
    certificate.is_exhausted_by(&certificates);

    let text = format!(
        "{}{}\n{{\"format\":1}}\n",
        proofs.stdout,
        proofs.stdout.lines().next().unwrap().replace("B3", "Q3")
    );
    let written = file("schema-proofs.json", text);
    let (printed, objects) = printed(&[
        stillmate(&["verify", "--json", "-v", &written, "no-such-file"]),
        stillmate(&["verify", "--json", "--max-steps", "0", &written]),
        stillmate(&["verify", "--json", "--max-work", "0", &written]),
    ]);
    have_one_shape(&printed);
    verify.accepts(&objects);
    verify.is_strict(&objects);
    verify.is_exhausted_by(&objects);
}

#[test]
fn the_pages_explain_every_key() {
    for (name, page) in [
        ("position", "docs/cli.md"),
        ("game", "docs/cli.md"),
        ("watch", "docs/cli.md"),
        ("problem", "docs/cli.md"),
        ("verify", "docs/cli.md"),
        ("certificate", "docs/certificates.md"),
    ] {
        let (Some(schema), Some(page)) = (Schema::of(name), repository(page)) else {
            return;
        };
        let mut keys = BTreeSet::new();
        properties(&schema.document, &mut keys);
        let explained = |key: &String| [format!("`{key}`"), format!("\"{key}\"")];
        let missing = |key: &&String| !explained(key).iter().any(|text| page.contains(text));
        let missing: Vec<_> = keys.iter().filter(missing).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}
