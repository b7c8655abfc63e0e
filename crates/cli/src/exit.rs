//! The exit status, in one place.

use std::process::ExitCode;

/// Every position decided, every expectation met, every certificate accepted.
const OK: u8 = 0;
/// A check failed: an expectation was contradicted, a certificate rejected, a result wrong.
const CHECK_FAILED: u8 = 1;
/// Usage, bad input or an internal error somewhere; the rest was still done. (Also what clap
/// exits with.)
pub(crate) const BAD_INPUT: u8 = 2;
/// Something stayed undetermined, or a certificate couldn't be checked within the limits.
const UNDETERMINED: u8 = 3;
/// An output couldn't be written, which ended the run.
pub(crate) const UNWRITTEN: u8 = 4;

/// The legend for `--help`.
pub(crate) const LEGEND: &str = "\
Exit status:
  0  every position decided, every expectation met, every certificate accepted
  1  a check failed: an expectation was contradicted, a certificate rejected, a result
     wrong (game --fail)
  2  usage, bad input or an internal error somewhere; the rest was still done
  3  something stayed undetermined, a certificate unchecked within the limits
  4  an output could not be written, which ended the run
  130, 143  ended by SIGINT (Ctrl-C) or SIGTERM; what was done by then is there
If several apply, 4 counts before 1, 2 and 3, and of these the first.";

/// What happened in a run, as far as the exit status is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) check_failed: bool,
    pub(crate) bad_input: bool,
    pub(crate) undetermined: bool,
    /// The signal that ended it, which is to end the process, too.
    pub(crate) signal: Option<i32>,
}

impl Status {
    /// The code for the shell, by the order of importance.
    const fn code(self) -> u8 {
        if self.check_failed {
            CHECK_FAILED
        } else if self.bad_input {
            BAD_INPUT
        } else if self.undetermined {
            UNDETERMINED
        } else {
            OK
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}
