//! What became of an upload, and whether the router contract allows it.

use cell_fleet::{BodySeen, Entry, Event, HopId};

/// Where uploads go.
pub(super) const UP: &str = "/big/up";

/// An upload that has ended, as the user and the cells saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Upload {
    /// The status of the response, or why there was none.
    response: Result<u16, String>,
    /// Whether a cell got anything of the request.
    reached: bool,
    /// The bytes of its body that a cell read as a complete request, if one did.
    complete: Option<u64>,
}

impl Upload {
    /// The upload of a journal that is complete.
    pub(super) fn seen(response: Result<u16, String>, entries: &[Entry]) -> Self {
        Self {
            response,
            reached: hops(entries).next().is_some(),
            complete: Self::read(entries).next().map(|body| body.length),
        }
    }

    /// The bodies of uploads that a cell read to the end.
    pub(super) fn read(entries: &[Entry]) -> impl Iterator<Item = &BodySeen> {
        entries.iter().filter_map(|entry| match &entry.event {
            Event::RequestRead { hop, body } if hops(entries).any(|upload| upload == *hop) => {
                Some(body)
            }
            _ => None,
        })
    }

    /// Whether the contract allows it, for a body of `length` bytes. `limit` is the largest body
    /// that the router has to keep, if there is such a limit. Returns a note for a refusal.
    ///
    /// # Errors
    ///
    /// What was wrong.
    pub(super) fn judge(self, length: u64, limit: Option<u64>) -> Result<Option<String>, String> {
        let arrived = self.complete.unwrap_or(0);
        if arrived == length && matches!(self.response, Ok(status) if status < 400) {
            return Ok(None);
        }
        let what = match &self.response {
            Ok(status) => format!("the response had status {status}"),
            Err(why) => format!("there was no response: {why}"),
        };
        // A reset is seen as no response.
        let is_refusal = matches!(self.response, Ok(413) | Err(_));
        match limit.filter(|limit| length > *limit && is_refusal) {
            Some(limit) if !self.reached => Ok(Some(format!(
                "refused, and no cell got any of it: {what}; the contract allows that for a body \
                 beyond `max_buffered_body_bytes` ({limit})"
            ))),
            Some(_) => Err(format!(
                "{what}, after a cell had got the beginning: a refused request reaches no cell"
            )),
            None => Err(format!("the cell read {arrived} of {length} bytes; {what}")),
        }
    }
}

/// The uploads that reached a cell.
fn hops(entries: &[Entry]) -> impl Iterator<Item = HopId> {
    entries.iter().filter_map(|entry| match &entry.event {
        Event::Request(request) if request.target == *UP => Some(request.hop),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Option<u64> = Some(10);

    fn upload(status: Option<u16>, reached: bool, complete: Option<u64>) -> Upload {
        let response = status.ok_or_else(|| "connection reset".to_owned());
        Upload { response, reached, complete }
    }

    #[test]
    fn a_body_that_arrives_whole_needs_no_note() {
        for limit in [LIMIT, None] {
            assert_eq!(upload(Some(200), true, Some(20)).judge(20, limit), Ok(None));
        }
    }

    #[test]
    fn a_body_beyond_the_limit_may_be_refused_before_a_cell_gets_any_of_it() {
        for status in [Some(413), None] {
            let note = upload(status, false, None).judge(20, LIMIT).unwrap().unwrap();
            assert!(note.contains("the contract allows that"), "{note}");
            let late = upload(status, true, None).judge(20, LIMIT).unwrap_err();
            assert!(late.contains("reaches no cell"), "{late}");
        }
    }

    #[test]
    fn nothing_else_may_be_refused() {
        for (status, length, limit) in
            [(413, 10, LIMIT), (413, 20, None), (500, 20, LIMIT), (502, 20, None)]
        {
            let why = upload(Some(status), false, None).judge(length, limit).unwrap_err();
            assert!(why.contains(&status.to_string()), "{why}");
        }
        assert!(upload(None, false, None).judge(20, None).is_err());
        assert!(upload(Some(200), true, Some(19)).judge(20, LIMIT).is_err());
    }
}
