//! FEN and EPD text.
