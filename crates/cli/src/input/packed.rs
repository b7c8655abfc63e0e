//! Compressed data, known by their first bytes whatever the name of the file.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read},
    mem,
};

use flate2::bufread::GzDecoder;

use super::Stream;

/// So many first bytes tell what data are.
pub(super) const HEAD: usize = 6;

/// Windows of zstd data are up to 2 GiB (`zstd --long=31`) where addresses reach so far. Memory
/// is taken as the data need it.
const LARGEST_WINDOW: u32 = if usize::BITS >= 64 { 31 } else { 30 };

/// `stream` decompressed if it begins like gzip or zstd data; `head` are its first bytes, and
/// `name` may promise that.
///
/// # Errors
///
/// In words, if it is compressed in a way that isn't read here, or not as its name says.
pub(super) fn unpacked(stream: Stream, head: &[u8], name: &str) -> Result<Stream, String> {
    if let Some(packing) = Packing::of(head) {
        let raw = BufReader::with_capacity(1 << 16, stream);
        let member = Member::begin(packing, raw).map_err(|error| super::describe(&error))?;
        return Ok(Box::new(Packed::Member(member)));
    }
    if let Some((program, unpack)) = foreign(head) {
        return Err(format!(
            "the file is {program} data, which is not read here; decompress it first, as with \
             {unpack}"
        ));
    }
    match name.rsplit_once('.') {
        Some((_, suffix @ ("gz" | "zst"))) => Err(format!(
            "the file is no {suffix} data, although its name ends like that; if it is text, take \
             the ending away"
        )),
        _ => Ok(stream),
    }
}

/// The program that makes data which aren't read here, and what unpacks them.
fn foreign(head: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match head {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("xz", "xz -dc"),
        // A block, or the end where there is none.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..]
        | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => ("bzip2", "bzip2 -dc"),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => {
            ("zip", "unzip -p")
        }
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => ("7-Zip", "7z x -so"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => ("RAR", "unrar p -inul"),
        [0x04, 0x22, 0x4d, 0x18, ..] => ("lz4", "lz4 -dc"),
        [0x1f, 0x9d, ..] => ("compress", "gzip -dc"),
        _ => return None,
    })
}

/// How data are compressed.
#[derive(Clone, Copy)]
enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// By the first bytes, or as many of them as there are.
    fn of(head: &[u8]) -> Option<Packing> {
        let begins = |magic: &[u8]| head.iter().zip(magic).all(|(a, b)| a == b);
        let (first, rest) = head.split_first()?;
        match first {
            0x1f if begins(&[0x1f, 0x8b]) => Some(Packing::Gzip),
            0x28 if begins(&[0x28, 0xb5, 0x2f, 0xfd]) => Some(Packing::Zstd),
            // A frame to skip, with which some compressors begin.
            0x50..=0x5f if rest.iter().zip(&[0x2a, 0x4d, 0x18]).all(|(a, b)| a == b) => {
                Some(Packing::Zstd)
            }
            _ => None,
        }
    }
}

/// Compressed data that are read: one file after another, as `cat a.gz b.gz` gives them. Zero
/// bytes between them and at the end are padding, as they are for gzip.
enum Packed {
    Member(Member),
    End,
    /// Something else follows the data of this kind.
    After(&'static str),
}

enum Member {
    Gzip(GzDecoder<BufReader<Stream>>),
    Zstd(zstd::Decoder<'static, BufReader<Stream>>),
}

impl Member {
    fn begin(packing: Packing, raw: BufReader<Stream>) -> io::Result<Member> {
        Ok(match packing {
            Packing::Gzip => Member::Gzip(GzDecoder::new(raw)),
            Packing::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(raw)?.single_frame();
                decoder.window_log_max(LARGEST_WINDOW)?;
                Member::Zstd(decoder)
            }
        })
    }

    const fn name(&self) -> &'static str {
        match self {
            Member::Gzip(_) => "gzip",
            Member::Zstd(_) => "zstd",
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self {
            Member::Gzip(decoder) => decoder.read(buffer),
            Member::Zstd(decoder) => decoder.read(buffer),
        };
        let name = self.name();
        read.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted | io::ErrorKind::UnexpectedEof => error,
            _ if error.raw_os_error().is_some() => error,
            // zstd's own words for what doesn't fit its limit and what can't be had.
            _ if error.to_string().contains("memory") => io::Error::other(Damage::TooLarge),
            _ => io::Error::other(Damage::Broken(name, error)),
        })
    }

    /// What follows this member.
    fn next(self) -> io::Result<Packed> {
        let name = self.name();
        let mut raw = match self {
            Member::Gzip(decoder) => decoder.into_inner(),
            Member::Zstd(decoder) => decoder.finish(),
        };
        loop {
            let rest = match raw.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                rest => rest?,
            };
            if rest.is_empty() {
                return Ok(Packed::End);
            }
            let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return match Packing::of(rest) {
                    Some(packing) => Member::begin(packing, raw).map(Packed::Member),
                    None => Ok(Packed::After(name)),
                };
            }
            raw.consume(zeros);
        }
    }
}

impl Read for Packed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Packed::Member(member) => {
                    let read = member.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        return Ok(read);
                    }
                }
                Packed::End => return Ok(0),
                Packed::After(name) => return Err(io::Error::other(Damage::After(name))),
            }
            if let Packed::Member(member) = mem::replace(self, Packed::End) {
                *self = member.next()?;
            }
        }
    }
}

/// What is wrong with compressed data.
#[derive(Debug)]
pub(super) enum Damage {
    /// Something else follows them.
    After(&'static str),
    /// They can't be decompressed.
    Broken(&'static str, io::Error),
    /// They can't be decompressed in the memory there is.
    TooLarge,
}

impl Damage {
    /// What is wrong if `error` is about compressed data.
    pub(super) fn of(error: &io::Error) -> Option<&Damage> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::After(name) => write!(
                f,
                "after the end of the {name} data comes something else, which is no compressed \
                 data; the lines before were read"
            ),
            Damage::Broken(name, error) => write!(
                f,
                "the {name} data are damaged ({error}); the lines before were read"
            ),
            Damage::TooLarge => f.write_str(
                "the zstd data need more memory to be decompressed than there is; compress them \
                 again with a smaller window, as with zstd --long=27",
            ),
        }
    }
}

impl std::error::Error for Damage {}
