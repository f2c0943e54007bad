//! What is read, that it is the same however it arrives, and that another parser reads it alike.

mod agreement;
mod heads;
mod responses;
mod writing;

use bytes::BytesMut;

use super::{Decoder, HeadError, RequestReader};

/// What comes of bytes: the requests, and what is wrong with the rest.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Method and target of each, and its body where that came as a whole.
    requests: Vec<(String, Option<Vec<u8>>)>,
    fault: Option<HeadError>,
    /// Bytes that wait for others.
    left: usize,
}

/// Reads pieces, as a connection does, up to the first request after which it ends.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let (mut reader, mut body, mut input) = (RequestReader::default(), None, BytesMut::new());
    let mut outcome = Outcome::default();
    let mut data = Vec::new();
    let mut step = |input: &mut BytesMut, outcome: &mut Outcome| -> Result<bool, HeadError> {
        let decoder: &mut Decoder = match &mut body {
            Some(decoder) => decoder,
            none => {
                let Some(length) = reader.read(input)? else { return Ok(false) };
                let head = input.split_to(length).freeze();
                let (request, framing) = reader.finish(&head)?;
                outcome.requests.push((format!("{} {}", request.method(), request.uri()), None));
                none.insert(Decoder::new(framing))
            }
        };
        while let Some(bytes) = decoder.decode(input)? {
            data.extend_from_slice(&bytes);
        }
        if !decoder.is_over() {
            return Ok(false);
        }
        body = None;
        if let Some(last) = outcome.requests.last_mut() {
            last.1 = Some(std::mem::take(&mut data));
        }
        Ok(true)
    };
    for piece in pieces {
        input.extend_from_slice(piece);
        loop {
            match step(&mut input, &mut outcome) {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) => {
                    outcome.fault = Some(fault);
                    return outcome;
                }
            }
        }
    }
    outcome.left = input.len();
    outcome
}
