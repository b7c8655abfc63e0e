//! Reads problem files written for Popeye: its English input language, as far as orthodox
//! helpmates need it. Whatever would make another problem of it is refused by name.

use shakmaty::{Bitboard, Board, Piece};
use stillmate_core::{Color, Role, Square};

use super::{
    args::Twin,
    setup::{Change, Diagram, role},
    stipulation::Stipulation,
};

/// A problem of a file.
#[derive(Debug)]
pub(super) struct Problem {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// The line in which it begins.
    pub(super) line: u64,
    pub(super) content: Result<Content, String>,
}

#[derive(Debug)]
pub(super) struct Content {
    pub(super) title: Option<String>,
    pub(super) diagram: Diagram,
    pub(super) stipulation: Stipulation,
    pub(super) set_play: bool,
    /// Whether it is to be solved as it is, and with the colours' parts exchanged.
    pub(super) as_it_is: bool,
    pub(super) exchanged: bool,
    pub(super) most: Option<usize>,
    /// Whether the first position isn't to be solved (zero position).
    pub(super) twins_only: bool,
    pub(super) twins: Vec<Twin>,
}

/// Words that begin a part of a problem. Any beginning of three letters or more stands for the
/// whole, as in Popeye.
const COMMANDS: [&str; 18] = [
    "beginproblem",
    "endproblem",
    "nextproblem",
    "title",
    "author",
    "origin",
    "award",
    "remark",
    "stipulation",
    "sstipulation",
    "condition",
    "option",
    "pieces",
    "forsyth",
    "twin",
    "zeroposition",
    "protocol",
    "latex",
];

/// Options that change nothing of what is printed here, with the number of words that follow.
const IGNORED: [(&str, usize); 16] = [
    ("intelligent", 0),
    ("maxtime", 1),
    ("noboard", 0),
    ("movenumbers", 0),
    ("startmovenumber", 1),
    ("beep", 0),
    ("variation", 0),
    ("try", 0),
    ("nothreat", 0),
    ("noshortvariations", 0),
    ("stoponshortsolutions", 0),
    ("writegrid", 0),
    ("suppressgrid", 0),
    ("lineformat", 0),
    ("defence", 1),
    ("quietdefence", 0),
];

/// Options that matter.
const OPTIONS: [&str; 6] = [
    "setplay",
    "duplex",
    "halfduplex",
    "maxsolutions",
    "nocastling",
    "enpassant",
];

const TWINNING: [&str; 13] = [
    "move",
    "exchange",
    "remove",
    "add",
    "continued",
    "substitute",
    "stipulation",
    "condition",
    "rotate",
    "mirror",
    "shift",
    "polishtype",
    "transformation",
];

/// The one of `names` that `word` stands for.
fn named<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let mut fitting = names
        .into_iter()
        .filter(|name| *name == word || word.len() >= 3 && name.starts_with(&word));
    let first = fitting.next()?;
    match fitting.next() {
        None => Some(first),
        Some(_) => None,
    }
}

/// The problems of a file.
pub(super) fn read(text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut open: Option<Draft> = None;
    let close = |draft: Option<Draft>, problems: &mut Vec<Problem>| {
        if let Some(draft) = draft.filter(|draft| draft.is_begun) {
            problems.push(Problem {
                number: problems.len() as u64 + 1,
                line: draft.line,
                content: draft.finish(),
            });
        }
    };
    'lines: for (number, line) in (1..).zip(text.lines()) {
        for word in line.split_whitespace() {
            let command = named(word, COMMANDS);
            match command {
                Some("beginproblem") => {
                    close(open.take(), &mut problems);
                    open = Some(Draft::new(number));
                    continue;
                }
                Some("nextproblem") => {
                    close(open.replace(Draft::new(number)), &mut problems);
                    continue;
                }
                Some("endproblem") => {
                    close(open.take(), &mut problems);
                    // Popeye reads no further.
                    break 'lines;
                }
                _ => {}
            }
            let draft = open.get_or_insert_with(|| Draft::new(number));
            // After what has gone wrong nothing means anything.
            if draft.fault.is_some() {
                continue;
            }
            let is_text = matches!(
                command,
                Some("title" | "author" | "origin" | "award" | "remark" | "protocol" | "latex")
            );
            if is_text {
                draft.command = None;
                if command == Some("title") {
                    let rest = line.split_once(word).map_or("", |(_, rest)| rest.trim());
                    draft.title = Some(rest.to_owned()).filter(|title| !title.is_empty());
                }
                continue 'lines;
            }
            draft.is_begun = true;
            if let Err(fault) = draft.word(word, command) {
                draft.fault = Some(fault);
            }
        }
    }
    close(open, &mut problems);
    problems
}

/// A problem being read.
struct Draft {
    line: u64,
    is_begun: bool,
    fault: Option<String>,
    command: Option<&'static str>,
    title: Option<String>,
    board: Board,
    /// The colour of the men that follow.
    color: Option<Color>,
    stipulation: Option<Stipulation>,
    /// The option, or the twin's change, that takes the words that follow.
    taking: Option<&'static str>,
    /// How many more words are passed over.
    passed_over: usize,
    no_castling: Bitboard,
    en_passant: Option<Square>,
    set_play: bool,
    as_it_is: bool,
    exchanged: bool,
    most: Option<usize>,
    twins_only: bool,
    twins: Vec<Twin>,
    /// Squares that a twin's change has been given.
    squares: Vec<Square>,
}

impl Draft {
    fn new(line: u64) -> Draft {
        Draft {
            line,
            is_begun: false,
            fault: None,
            command: None,
            title: None,
            board: Board::empty(),
            color: None,
            stipulation: None,
            taking: None,
            passed_over: 0,
            no_castling: Bitboard::EMPTY,
            en_passant: None,
            set_play: false,
            as_it_is: true,
            exchanged: false,
            most: None,
            twins_only: false,
            twins: Vec::new(),
            squares: Vec::new(),
        }
    }

    fn word(&mut self, word: &str, command: Option<&'static str>) -> Result<(), String> {
        let in_twin = matches!(self.command, Some("twin" | "zeroposition"));
        // A twin may have a stipulation or a condition of its own.
        if in_twin && matches!(command, Some("stipulation" | "condition")) {
            return Err(format!("the twinning {word} isn't read here"));
        }
        if let Some(command) = command {
            self.end_of_change()?;
            self.command = Some(command);
            (self.taking, self.color) = (None, None);
            match command {
                "twin" => self.begin_twin(),
                "zeroposition" => {
                    self.twins_only = true;
                    self.begin_twin();
                }
                "sstipulation" => return Err("a structured stipulation isn't read here".to_owned()),
                _ => {}
            }
            return Ok(());
        }
        match self.command {
            Some("stipulation") if self.stipulation.is_none() => {
                let stipulation = word.parse().map_err(|_| {
                    format!(
                        "the stipulation {word} isn't read here; only helpmates such as h#3 are"
                    )
                })?;
                self.stipulation = Some(stipulation);
                Ok(())
            }
            Some("condition") => Err(format!("the condition {word} isn't orthodox chess")),
            Some("option") => self.option(word),
            Some("pieces") => self.piece(word),
            Some("forsyth") => {
                self.board = Board::from_ascii_board_fen(word.as_bytes())
                    .map_err(|error| format!("{word} is no board: {error}"))?;
                Ok(())
            }
            Some("twin" | "zeroposition") => self.twinning(word),
            _ => Err(format!("\"{word}\" isn't understood")),
        }
    }

    fn piece(&mut self, word: &str) -> Result<(), String> {
        match named(word, ["white", "black", "neutral", "halfneutral", "royal"]) {
            Some("white") => self.color = Some(Color::White),
            Some("black") => self.color = Some(Color::Black),
            Some(other) => return Err(format!("{other} men aren't orthodox chess")),
            None => {
                let color = self
                    .color
                    .ok_or_else(|| format!("White or Black is missing before {word}"))?;
                let (name, squares) = name_and_squares(word)?;
                let piece = Piece {
                    color,
                    role: orthodox(name, word)?,
                };
                for square in squares {
                    if self.board.piece_at(square).is_some() {
                        return Err(format!("there are two men on {square}"));
                    }
                    self.board.set_piece_at(square, piece);
                }
            }
        }
        Ok(())
    }

    fn option(&mut self, word: &str) -> Result<(), String> {
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return Ok(());
        }
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        match self.taking {
            Some("maxsolutions") if number => {
                self.most = Some(word.parse().map_err(|_| format!("{word} is too large"))?);
                self.taking = None;
                return Ok(());
            }
            Some("nocastling") => {
                if let Ok((_, squares)) = name_and_squares(word) {
                    self.no_castling.extend(squares);
                    return Ok(());
                }
            }
            Some("enpassant") => {
                if let Ok((_, squares)) = name_and_squares(word) {
                    let [square] = squares[..] else {
                        return Err(format!("one square is captured on en passant, not {word}"));
                    };
                    self.en_passant = Some(square);
                    return Ok(());
                }
            }
            // How far Intelligent goes.
            Some("intelligent") if number => return Ok(()),
            _ => {}
        }
        let ignored = IGNORED.iter().map(|(name, _)| *name);
        let option = named(word, OPTIONS.into_iter().chain(ignored))
            .ok_or_else(|| format!("the option {word} isn't read here"))?;
        self.taking = OPTIONS
            .into_iter()
            .chain(["intelligent"])
            .find(|name| *name == option);
        match option {
            "setplay" => self.set_play = true,
            "duplex" => self.exchanged = true,
            "halfduplex" => (self.as_it_is, self.exchanged) = (false, true),
            _ => {
                let following = IGNORED.iter().find(|(name, _)| *name == option);
                self.passed_over = following.map_or(0, |(_, words)| *words);
            }
        }
        Ok(())
    }

    fn begin_twin(&mut self) {
        self.twins.push(Twin {
            continued: false,
            changes: Vec::new(),
            text: String::new(),
        });
    }

    fn twinning(&mut self, word: &str) -> Result<(), String> {
        if let Some(twinning) = named(word, TWINNING) {
            self.end_of_change()?;
            self.taking = match twinning {
                "continued" => {
                    if let Some(twin) = self.twins.last_mut() {
                        twin.continued = true;
                    }
                    None
                }
                "move" => Some("move"),
                "exchange" => Some("exchange"),
                "remove" => Some("remove"),
                "add" => Some("add"),
                other => return Err(format!("the twinning {other} isn't read here")),
            };
            self.note(word);
            return Ok(());
        }
        self.note(word);
        match self.taking {
            Some("add") => match named(word, ["white", "black", "neutral"]) {
                Some("white") => self.color = Some(Color::White),
                Some("black") => self.color = Some(Color::Black),
                Some(other) => return Err(format!("{other} men aren't orthodox chess")),
                None => {
                    let color = self
                        .color
                        .ok_or_else(|| format!("White or Black is missing before {word}"))?;
                    let (name, squares) = name_and_squares(word)?;
                    let role = orthodox(name, word)?;
                    for square in squares {
                        self.push(Change::Add(Piece { color, role }, square));
                    }
                }
            },
            Some("remove") => {
                for square in name_and_squares(word)?.1 {
                    self.push(Change::Remove(square));
                }
            }
            Some("move" | "exchange") => {
                self.squares.extend(name_and_squares(word)?.1);
                if let [one, other] = self.squares[..] {
                    let is_move = self.taking == Some("move");
                    self.squares.clear();
                    self.push(if is_move {
                        Change::Move(one, other)
                    } else {
                        Change::Exchange(one, other)
                    });
                }
            }
            _ => return Err(format!("the twinning {word} isn't read here")),
        }
        Ok(())
    }

    fn push(&mut self, change: Change) {
        if let Some(twin) = self.twins.last_mut() {
            twin.changes.push(change);
        }
    }

    /// What is said of a twin.
    fn note(&mut self, word: &str) {
        if let Some(twin) = self.twins.last_mut() {
            if !twin.text.is_empty() {
                twin.text.push(' ');
            }
            twin.text.push_str(word);
        }
    }

    fn end_of_change(&self) -> Result<(), String> {
        match self.squares.first() {
            None => Ok(()),
            Some(square) => Err(format!(
                "the other square after {square} is missing in a twin"
            )),
        }
    }

    fn finish(self) -> Result<Content, String> {
        self.end_of_change()?;
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.twins.iter().any(|twin| twin.changes.is_empty()) {
            return Err("a twin has no change".to_owned());
        }
        let stipulation = self.stipulation.ok_or("there is no stipulation")?;
        let mut castling = Bitboard::EMPTY;
        for (color, king, rooks) in [
            (Color::White, Square::E1, [Square::A1, Square::H1]),
            (Color::Black, Square::E8, [Square::A8, Square::H8]),
        ] {
            let stands = |role, square| self.board.piece_at(square) == Some(Piece { color, role });
            if stands(Role::King, king) && !self.no_castling.contains(king) {
                let may =
                    |rook: &Square| stands(Role::Rook, *rook) && !self.no_castling.contains(*rook);
                castling.extend(rooks.into_iter().filter(may));
            }
        }
        Ok(Content {
            title: self.title,
            diagram: Diagram {
                board: self.board,
                castling,
                en_passant: self.en_passant,
            },
            stipulation,
            set_play: self.set_play,
            as_it_is: self.as_it_is,
            exchanged: self.exchanged,
            most: self.most,
            twins_only: self.twins_only,
            twins: self.twins,
        })
    }
}

/// Splits `Pa2b3` into the name and the squares.
fn name_and_squares(word: &str) -> Result<(&str, Vec<Square>), String> {
    let mut name = word;
    let mut squares = Vec::new();
    while let Some((rest, square)) = name
        .len()
        .checked_sub(2)
        .and_then(|at| name.split_at_checked(at))
    {
        match square.to_ascii_lowercase().parse() {
            Ok(square) => squares.push(square),
            Err(_) => break,
        }
        name = rest;
    }
    squares.reverse();
    if squares.is_empty() {
        return Err(format!("\"{word}\" names no square"));
    }
    Ok((name, squares))
}

/// The man that Popeye calls `name`.
fn orthodox(name: &str, word: &str) -> Result<Role, String> {
    let mut letters = name.chars();
    let one = letters.next().filter(|_| letters.next().is_none());
    match one {
        // Popeye's N is a nightrider.
        Some('n' | 'N') => Err(format!(
            "the nightrider {word} isn't orthodox; a knight is S"
        )),
        None if name.is_empty() => Err(format!("{word} doesn't say which man stands there")),
        _ => one
            .and_then(role)
            .ok_or_else(|| format!("the man {word} isn't orthodox")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_read() {
        let problems = read(
            "BeginProblem\n\
             Title A twin, or two\n\
             Author Somebody, pieces white\n\
             Stipulation h#2 Option MaxSol 3 SetPlay Intelligent NoCastling a1\n\
             Pieces White Ke1 Ra1h1 Black kd4 sh2 Pa2b3\n\
             Twin Move a2 a3\n\
             twin continued remove b3 add black Sb3\n\
             NextProblem\nstip h#1.5\npieces white Kc1 rd1 black ka1\nzero exchange c1 d1\n\
             EndProblem\nrubbish",
        );
        assert_eq!(problems.len(), 2);
        let first = problems[0].content.as_ref().unwrap();
        assert_eq!(problems[1].line, 8);
        assert_eq!(first.title.as_deref(), Some("A twin, or two"));
        assert_eq!((first.stipulation.plies, first.most), (4, Some(3)));
        assert!(first.set_play && first.as_it_is && !first.exchanged && !first.twins_only);
        assert_eq!(
            first.diagram.position(Color::Black).unwrap().fen(),
            "8/8/8/8/3k4/1p6/p6n/R3K2R b K - 0 1"
        );
        assert_eq!(first.twins[0].changes, ["a2-a3".parse().unwrap()]);
        assert!(first.twins[1].continued);
        assert_eq!(first.twins[1].changes.len(), 2);
        let second = problems[1].content.as_ref().unwrap();
        assert_eq!(second.stipulation.plies, 3);
        assert!(second.twins_only);
        assert_eq!(second.twins[0].text, "exchange c1 d1");
    }

    #[test]
    fn what_is_not_orthodox_is_refused_by_name() {
        let men = "pieces white Kc1 black Ka1";
        for (text, fault) in [
            (
                format!("stip h#2 cond circe {men}"),
                "the condition circe isn't orthodox chess",
            ),
            (
                format!("stip #2 {men}"),
                "the stipulation #2 isn't read here",
            ),
            (format!("stip h#2 {men} Gd4"), "the man Gd4 isn't orthodox"),
            (format!("stip h#2 {men} Nd4"), "a knight is S"),
            (
                format!("stip h#2 {men} neutral Qd4"),
                "neutral men aren't orthodox chess",
            ),
            (format!("stip h#2 {men} Qa1"), "there are two men on a1"),
            (
                format!("stip h#2 {men} option whitetoplay"),
                "the option whitetoplay isn't read here",
            ),
            (
                format!("stip h#2 {men} twin rotate 90"),
                "the twinning rotate isn't read here",
            ),
            (
                format!("stip h#2 {men} twin move a1"),
                "the other square after a1 is missing",
            ),
            (men.to_owned(), "there is no stipulation"),
            (
                "stip h#2 pieces Kc1".to_owned(),
                "White or Black is missing before Kc1",
            ),
        ] {
            let problems = read(&format!("begin {text} end"));
            let found = problems[0].content.as_ref().unwrap_err();
            assert!(found.contains(fault), "{found}\n{fault}");
        }
    }
}
