//! Certificates as bytes, and batches of them.

use std::io::{self, Read, Write};

use stillmate_core::{Bitboard, Color, MaterialRule, Move, Piece, Role, Square};

use super::{
    FormatError, PROGRAM, VERSION, Written, check_classes, check_length, check_steps, fen, resolve,
};
use crate::{
    certificate::{Certificate, Class, Invariant, Kings, Man, Step},
    limits::{Limits, Remaining},
};

const MAGIC: &[u8; 4] = b"STMC";

/// Stands for no square.
const NO_SQUARE: u8 = 64;

const LOST: u8 = 0x10;
const PROMOTES: u8 = 0x20;

const RULES: [MaterialRule; 3] = [
    MaterialRule::BareKing,
    MaterialRule::KnightAgainstQueens,
    MaterialRule::BishopsOfOneColour,
];

/// Writes certificates one after another.
#[derive(Debug)]
pub struct BatchWriter<W> {
    out: W,
}

impl<W: Write> BatchWriter<W> {
    /// Starts a batch. `out` should be buffered.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn new(mut out: W) -> io::Result<BatchWriter<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION, PROGRAM.len() as u8])?;
        out.write_all(PROGRAM.as_bytes())?;
        Ok(BatchWriter { out })
    }

    /// Goes on with a batch that has its heading already.
    pub fn resume(out: W) -> BatchWriter<W> {
        BatchWriter { out }
    }

    /// Writes one certificate.
    ///
    /// # Errors
    ///
    /// If writing fails, or if the certificate takes 4 GiB or more.
    pub fn write(&mut self, certificate: &Certificate) -> io::Result<()> {
        let bytes = certificate.to_bytes();
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&bytes)
    }

    /// Gives back the writer. It isn't flushed.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Reads certificates one after another, as an iterator.
///
/// Certificates after a malformed one are still read. A failure to read or a length beyond the limit
/// ends the iteration.
#[derive(Debug)]
pub struct BatchReader<R> {
    from: R,
    limits: Limits,
    program: String,
    ended: bool,
}

impl<R: Read> BatchReader<R> {
    /// Starts reading. `from` should be buffered. The `limits` are for each certificate.
    ///
    /// # Errors
    ///
    /// If the heading isn't that of a batch of this version.
    pub fn new(mut from: R, limits: Limits) -> Result<BatchReader<R>, FormatError> {
        let mut heading = [0; 6];
        from.read_exact(&mut heading)?;
        let [magic @ .., version, program] = heading;
        if magic != *MAGIC || version != VERSION {
            return Err(FormatError::Version);
        }
        let program = read_block(&mut from, program.into())?;
        Ok(BatchReader {
            from,
            limits,
            program: String::from_utf8_lossy(&program).into_owned(),
            ended: false,
        })
    }

    /// The name of the program that wrote the batch.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The bytes of the next certificate, or `None` at the end.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, FormatError> {
        let mut length = Vec::new();
        (&mut self.from).take(4).read_to_end(&mut length)?;
        if length.is_empty() {
            return Ok(None);
        }
        let length: [u8; 4] = length.try_into().map_err(|_| cut_short())?;
        let length = u32::from_le_bytes(length).into();
        check_length(length, &self.limits)?;
        Ok(Some(read_block(&mut self.from, length)?))
    }
}

impl<R: Read> Iterator for BatchReader<R> {
    type Item = Result<Certificate, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let bytes = self.next_bytes();
        self.ended = !matches!(bytes, Ok(Some(_)));
        let bytes = bytes.transpose()?;
        Some(bytes.and_then(|bytes| Certificate::from_bytes(&bytes, &self.limits)))
    }
}

/// Reads so many bytes. Memory grows with what is there, not with what is announced.
fn read_block(from: impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(cut_short());
    }
    Ok(bytes)
}

fn cut_short() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

impl Certificate {
    /// This certificate as bytes, without the heading of a batch.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let fen = self.position.fen();
        put_number(&mut out, fen.len());
        out.extend_from_slice(fen.as_bytes());
        out.push(self.claim.fold_wb(0, 1));
        put_number(&mut out, self.steps.len());
        for step in &self.steps {
            put_step(&mut out, step);
        }
        out
    }

    /// The certificate that `bytes` hold.
    ///
    /// # Errors
    ///
    /// [`FormatError`] says what is wrong, or which limit was reached.
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Certificate, FormatError> {
        check_length(bytes.len() as u64, limits)?;
        let mut remaining = Remaining::new(limits);
        remaining.spend_work(bytes.len())?;
        let mut from = Bytes {
            bytes,
            offset: 0,
            classes: 0,
            limits,
            remaining,
        };
        let length = from.number()?;
        let fen = std::str::from_utf8(from.take(length)?).map_err(|_| from.fault("a FEN"))?;
        let position = fen::read(fen)?;
        let claim = from.choice("a colour", &[Color::White, Color::Black])?;
        let count = from.number()?;
        check_steps(count as u64, limits)?;
        let steps = from.list_of(count, Bytes::step)?;
        if from.offset < bytes.len() {
            return Err(from.fault("the end"));
        }
        let write = |m: Move| (m.from(), m.to(), m.promotion());
        Ok(Certificate {
            position,
            claim,
            steps: resolve(position, steps, write, &mut from.remaining)?,
        })
    }
}

/// The squares from which and to which a move leads (for castling, those of king and rook), and the
/// kind of piece to which a pawn promotes.
type MoveBytes = (Square, Square, Option<Role>);

/// Writes seven bits to a byte, the lowest first. All bytes but the last have the highest bit set.
fn put_number(out: &mut Vec<u8>, number: impl TryInto<u64>) {
    let mut rest = number.try_into().unwrap_or(u64::MAX);
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn put_step(out: &mut Vec<u8>, step: &Step) {
    match step {
        Step::Terminal => out.push(0),
        Step::Material(rule) => {
            out.push(1);
            out.extend(
                RULES
                    .iter()
                    .position(|named| named == rule)
                    .map(|place| place as u8),
            );
        }
        Step::Moves(moves) => {
            out.push(2);
            put_number(out, moves.len());
            for &(m, next) in moves {
                let promotion = m.promotion().map_or(0, |role| role as u8);
                out.extend([m.from() as u8, m.to() as u8, promotion]);
                put_number(out, next);
            }
        }
        Step::Closed { positions, exits } => {
            out.push(3);
            put_number(out, *positions);
            put_references(out, exits);
        }
        Step::Invariant(invariant) => {
            out.push(4);
            put_men(out, &invariant.men);
            put_number(out, invariant.opposed.len());
            for &(white, black) in &invariant.opposed {
                put_number(out, white);
                put_number(out, black);
            }
            put_squares(out, invariant.castling);
            out.push(
                invariant
                    .en_passant
                    .map_or(NO_SQUARE, |square| square as u8),
            );
        }
        Step::Classes { classes, exits } => {
            out.push(5);
            put_number(out, classes.len());
            for class in classes {
                put_men(out, &class.men);
                put_pairs(out, &class.kings.claim_to_move);
                put_pairs(out, &class.kings.other_to_move);
                put_pairs(out, &class.kings.after_king);
            }
            put_references(out, exits);
        }
    }
}

fn put_references(out: &mut Vec<u8>, steps: &[usize]) {
    put_number(out, steps.len());
    steps.iter().for_each(|&step| put_number(out, step));
}

fn put_men(out: &mut Vec<u8>, men: &[Man]) {
    put_number(out, men.len());
    for man in men {
        let color = man.piece.color.fold_wb(0, 8);
        let marks = if man.lost { LOST } else { 0 } | if man.promotes { PROMOTES } else { 0 };
        out.push(man.piece.role as u8 | color | marks);
        put_squares(out, man.squares);
    }
}

fn put_squares(out: &mut Vec<u8>, squares: Bitboard) {
    out.extend(u64::from(squares).to_le_bytes());
}

/// Writes the set of squares with a row that isn't empty, and those rows.
fn put_pairs(out: &mut Vec<u8>, rows: &[Bitboard; 64]) {
    let related = Square::ALL.into_iter().zip(rows);
    let related = related.filter(|(_, row)| row.any());
    put_squares(out, related.map(|(square, _)| square).collect());
    for row in rows.iter().filter(|row| row.any()) {
        put_squares(out, *row);
    }
}

/// The bytes of a certificate, as they are read.
struct Bytes<'b> {
    bytes: &'b [u8],
    offset: usize,
    /// The number of classes read so far.
    classes: u64,
    limits: &'b Limits,
    remaining: Remaining,
}

impl<'b> Bytes<'b> {
    fn fault(&self, expected: &'static str) -> FormatError {
        let offset = self.offset;
        FormatError::Bytes { offset, expected }
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], FormatError> {
        let rest = &self.bytes[self.offset..];
        let taken = rest
            .get(..length)
            .ok_or_else(|| self.fault("long enough"))?;
        self.offset += length;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        Ok(self.take(1)?[0])
    }

    fn squares(&mut self) -> Result<Bitboard, FormatError> {
        let bytes = self.take(8)?.try_into();
        let bytes = bytes.map_err(|_| self.fault("eight bytes"))?;
        Ok(Bitboard(u64::from_le_bytes(bytes)))
    }

    fn u64_number(&mut self) -> Result<u64, FormatError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                // Written as short as can be: the last byte isn't for nothing.
                if byte == 0 && shift > 0 {
                    break;
                }
                return Ok(number);
            }
        }
        Err(self.fault("a number below 2^64 in as few bytes as possible"))
    }

    fn number(&mut self) -> Result<usize, FormatError> {
        let number = self.u64_number()?;
        usize::try_from(number).map_err(|_| self.fault("a number of this machine"))
    }

    /// A number and a list of so many things. Memory grows with what is there, not with what is
    /// announced. It is counted twice, because moves and steps are copied once.
    fn list<T>(
        &mut self,
        read: impl Fn(&mut Bytes<'b>) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let count = self.number()?;
        self.list_of(count, read)
    }

    fn list_of<T>(
        &mut self,
        count: usize,
        read: impl Fn(&mut Bytes<'b>) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let mut list = Vec::new();
        for _ in 0..count {
            self.remaining.take_memory(2 * size_of::<T>())?;
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn choice<T: Copy>(&mut self, expected: &'static str, of: &[T]) -> Result<T, FormatError> {
        let place = usize::from(self.byte()?);
        of.get(place).copied().ok_or_else(|| self.fault(expected))
    }

    fn square(&mut self) -> Result<Square, FormatError> {
        self.choice("a square", &Square::ALL)
    }

    fn step(&mut self) -> Result<Written<MoveBytes>, FormatError> {
        Ok(Written::Other(match self.byte()? {
            0 => Step::Terminal,
            1 => Step::Material(self.choice("a rule of material", &RULES)?),
            2 => {
                return Ok(Written::Moves(self.list(Bytes::listed_move)?));
            }
            3 => {
                let positions = self.u64_number()?;
                let exits = self.list(Bytes::number)?;
                Step::Closed { positions, exits }
            }
            4 => Step::Invariant(self.invariant()?),
            5 => {
                let classes = self.list(Bytes::class)?;
                let exits = self.list(Bytes::number)?;
                Step::Classes { classes, exits }
            }
            _ => return Err(self.fault("a kind of step")),
        }))
    }

    fn listed_move(&mut self) -> Result<(MoveBytes, usize), FormatError> {
        let (from, to) = (self.square()?, self.square()?);
        let promotion = match self.byte()? {
            0 => None,
            role => Some(self.role(role)?),
        };
        Ok(((from, to, promotion), self.number()?))
    }

    fn role(&self, byte: u8) -> Result<Role, FormatError> {
        let role = Role::ALL.into_iter().find(|&role| role as u8 == byte);
        role.ok_or_else(|| self.fault("a kind of piece"))
    }

    fn invariant(&mut self) -> Result<Invariant, FormatError> {
        let men = self.list(Bytes::man)?;
        let opposed = self.list(|from| Ok((from.number()?, from.number()?)))?;
        let castling = self.squares()?;
        let en_passant = match self.byte()? {
            NO_SQUARE => None,
            square => {
                let place = usize::from(square);
                let square = Square::ALL.get(place).copied();
                Some(square.ok_or_else(|| self.fault("a square or none"))?)
            }
        };
        Ok(Invariant {
            men,
            opposed,
            castling,
            en_passant,
        })
    }

    fn class(&mut self) -> Result<Class, FormatError> {
        // A class takes much more memory than bytes.
        self.classes += 1;
        check_classes(self.classes, self.limits)?;
        self.remaining.take_memory(size_of::<Kings>())?;
        Ok(Class {
            men: self.list(Bytes::man)?,
            kings: Box::new(Kings {
                claim_to_move: self.pairs()?,
                other_to_move: self.pairs()?,
                after_king: self.pairs()?,
            }),
        })
    }

    fn pairs(&mut self) -> Result<[Bitboard; 64], FormatError> {
        let mut rows = [Bitboard::EMPTY; 64];
        for square in self.squares()? {
            rows[usize::from(square)] = self.squares()?;
        }
        Ok(rows)
    }

    fn man(&mut self) -> Result<Man, FormatError> {
        let byte = self.byte()?;
        if byte & !(LOST | PROMOTES | 0x0f) != 0 {
            return Err(self.fault("a man"));
        }
        let role = self.role(byte & 0x07)?;
        Ok(Man {
            piece: Piece {
                color: Color::from_white(byte & 0x08 == 0),
                role,
            },
            squares: self.squares()?,
            lost: byte & LOST != 0,
            promotes: byte & PROMOTES != 0,
        })
    }
}
