//! Files that a person names on the command line, or that are in the folder of such a file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The most bytes of a file that people write: features, router files, topologies, weights.
pub const WRITTEN_BY_PEOPLE: u64 = 4 << 20;
/// The most bytes of a file that programs write: reports and figures.
pub const WRITTEN_BY_PROGRAMS: u64 = 256 << 20;

/// Reads a text of at most this many bytes. A pipe and a device are read like a file, and no
/// further.
///
/// # Errors
/// Where the file cannot be read, is longer, or is not UTF-8.
pub fn read_input(path: &Path, most: u64) -> io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        let why = format!("it has more than {} MiB, which is the most that is read", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    String::from_utf8(text).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is not UTF-8 text"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (length, is_read) in [(0, true), (1 << 20, true), ((1 << 20) + 1, false)] {
            std::fs::write(file.path(), "x".repeat(length)).unwrap();
            let read = read_input(file.path(), 1 << 20);
            assert_eq!(read.as_ref().is_ok_and(|text| text.len() == length), is_read, "{read:?}");
        }
        std::fs::write(file.path(), b"ab\xff").unwrap();
        let why = read_input(file.path(), 9).unwrap_err().to_string();
        assert!(why.contains("byte 2 is not UTF-8"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_refused() {
        let why = read_input(Path::new("/dev/zero"), WRITTEN_BY_PEOPLE).unwrap_err().to_string();
        assert!(why.contains("more than 4 MiB"), "{why}");
    }
}
