//! Renders observed arrows in the documents' notation, and two exchanges side by side.

use cell_fleet::{Field, wire};
use serde_json::{Map, Value};

use super::Comparison;
use crate::trace::{Arrow, Content, Origin, Participant, ReceivedResponse, Trace};

/// Fields that a line shows, where a response carries them.
const SHOWN: [&str; 2] = [wire::CELL_REDIRECT, wire::CELL_CACHE];

/// All arrows as lines, and for each arrow the line on which it stands: a response that was passed
/// on as it was takes one line, as the documents draw it.
pub fn observed_lines(trace: &Trace, arrows: &[Arrow]) -> (Vec<String>, Vec<usize>) {
    let mut lines = Vec::new();
    let mut line_of = Vec::new();
    let mut at = 0;
    while let Some(arrow) = arrows.get(at) {
        line_of.push(lines.len());
        if let Some(passed_on) = passed_on(trace, arrow, arrows.get(at + 1)) {
            line_of.push(lines.len());
            lines.push(passed_on);
            at += 2;
        } else {
            lines.push(observed_line(trace, arrow));
            at += 1;
        }
    }
    (lines, line_of)
}

/// A response that the next arrow passes on unchanged, in one line: what the user got, and in
/// `[cell: ...]` what was for the router.
fn passed_on(trace: &Trace, arrow: &Arrow, next: Option<&Arrow>) -> Option<String> {
    let (Content::Responded(hop), Some(Arrow { content: Content::Got(user), to, .. })) =
        (arrow.content, next)
    else {
        return None;
    };
    let hop = &trace.hops[hop];
    let (_, response) = hop.response.as_ref()?;
    let got = trace.users[*user].response.as_ref()?.got.as_ref().ok()?;
    let same = hop.origin == Origin::User(*user) && trace.differences(response, got).is_empty();
    let kept = |field: &&Field| {
        got.fields.iter().any(|own| own.is(&field.name.to_string()) && !field.is(wire::CELL_CACHE))
    };
    let for_router: Vec<_> = response.fields.iter().filter(|field| !kept(field)).cloned().collect();
    let for_router = special_fields(trace, &for_router);
    let for_user: Vec<_> =
        got.fields.iter().filter(|field| !field.is(wire::CELL_CACHE)).cloned().collect();
    let aside = if for_router.is_empty() { String::new() } else { format!(" [cell:{for_router}]") };
    same.then(|| {
        format!(
            "{}-->>{}: {}{aside}",
            arrow.from,
            shown(trace, to),
            head(trace, got.status, &for_user)
        )
    })
}

/// One arrow as a line.
pub fn observed_line(trace: &Trace, arrow: &Arrow) -> String {
    let head = match arrow.content {
        Content::Sent(_) | Content::Received(_) => "->>",
        Content::Responded(_) | Content::Got(_) => "-->>",
    };
    format!(
        "{}{head}{}: {}",
        shown(trace, &arrow.from),
        shown(trace, &arrow.to),
        message(trace, arrow)
    )
}

/// A party as the documents draw it: the only person of an exchange is `user`.
fn shown(trace: &Trace, party: &Participant) -> String {
    let is_alone = |name: &str| trace.acted().all(|(_, request)| request.person == name);
    match party {
        Participant::User(name) if is_alone(name) => "user".to_owned(),
        party => party.to_string(),
    }
}

fn message(trace: &Trace, arrow: &Arrow) -> String {
    match arrow.content {
        Content::Sent(place) => {
            let user = &trace.users[place];
            format!("{} {}", user.method, user.target)
        }
        Content::Received(place) => {
            let hop = &trace.hops[place];
            let request = format!("{} {}", hop.request.method, hop.request.target);
            match &hop.origin {
                Origin::PreFlight(_, asked) if asked.others.is_empty() => {
                    let path = if trace.learn_path.as_deref() == Some(&asked.path) {
                        "{learn}"
                    } else {
                        &asked.path
                    };
                    let path_info = asked
                        .path_info
                        .as_deref()
                        .map_or_else(String::new, |path| cell_fleet::Text::from(path).to_string());
                    format!(
                        "{} {path}?{}",
                        hop.request.method,
                        wire::learn_query(asked.method.as_deref().unwrap_or_default(), &path_info)
                    )
                }
                Origin::PreFlight(..) | Origin::User(_) | Origin::Unsolicited => request,
            }
        }
        Content::Responded(place) => {
            let hop = &trace.hops[place];
            let Some((_, response)) = &hop.response else { return "no response".to_owned() };
            let is_learn = matches!(hop.origin, Origin::PreFlight(..));
            let learnt = if is_learn && response.status == 200 {
                relaxed(&trace.in_roles(&response.body.text()))
            } else {
                String::new()
            };
            format!("{}{learnt}", head(trace, response.status, &response.fields))
        }
        Content::Got(place) => {
            match trace.users[place].response.as_ref().map(|response| &response.got) {
                Some(Ok(ReceivedResponse { status, fields, .. })) => head(trace, *status, fields),
                Some(Err(why)) => format!("no response ({why})"),
                None => "no response".to_owned(),
            }
        }
    }
}

fn head(trace: &Trace, status: u16, fields: &[Field]) -> String {
    let mut text = status.to_string();
    let is_redirect = (300..400).contains(&status);
    if let Some(location) = fields.iter().find(|field| is_redirect && field.is("Location")) {
        text.push_str(&format!(" {}", location.value));
    }
    text.push_str(&special_fields(trace, fields));
    text
}

/// The fields between cells and routers, each after a blank.
fn special_fields(trace: &Trace, fields: &[Field]) -> String {
    let of_name = |name: &'static str| {
        fields.iter().filter(move |field| field.is(name)).map(move |field| (name, field))
    };
    let line = |(name, field): (&str, &Field)| {
        format!(" {name}={}", trace.in_roles(&field.value.to_string()))
    };
    SHOWN.into_iter().flat_map(of_name).map(line).collect()
}

/// A learn response as the documents write it, or the body as it is.
fn relaxed(body: &str) -> String {
    match serde_json::from_str::<Map<String, Value>>(body) {
        Ok(object) => {
            let members: Vec<_> =
                object.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            format!(" {{{}}}", members.join(", "))
        }
        Err(_) => format!(" {}", body.escape_debug()),
    }
}

/// Both exchanges in two columns of at most `width` characters together; the first arrows that
/// diverge are marked.
pub fn side_by_side(comparison: &Comparison, width: usize) -> String {
    let mark = |place: Option<usize>, lines: usize| {
        comparison.divergence.as_ref().map(|_| place.unwrap_or(lines))
    };
    let divergence = comparison.divergence.as_ref();
    let expected_mark =
        mark(divergence.and_then(|divergence| divergence.expected), comparison.expected.len());
    let observed_mark =
        mark(divergence.and_then(|divergence| divergence.observed), comparison.observed.len());
    let column = (width.saturating_sub(7) / 2).max(20);
    let left = wrapped(&comparison.expected, expected_mark, column);
    let right = wrapped(&comparison.observed, observed_mark, column);
    let mut text = format!("  {:<column$} |   {}\n", "expected", "observed");
    for row in 0..left.len().max(right.len()) {
        let cell = |side: &[(bool, String)]| side.get(row).cloned().unwrap_or_default();
        let ((left_marked, left), (right_marked, right)) = (cell(&left), cell(&right));
        let sign = |marked| if marked { '>' } else { ' ' };
        let line =
            format!("{} {left:<column$} | {} {right}", sign(left_marked), sign(right_marked));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Lines folded to a width; the marked one carries its mark, also where it is past the end.
fn wrapped(lines: &[String], mark: Option<usize>, width: usize) -> Vec<(bool, String)> {
    let end = (mark == Some(lines.len())).then(|| "(nothing)".to_owned());
    let mut rows = Vec::new();
    for (number, line) in lines.iter().chain(&end).enumerate() {
        let characters: Vec<char> = line.chars().collect();
        for (piece, part) in characters.chunks(width).enumerate() {
            rows.push((mark == Some(number) && piece == 0, part.iter().collect()));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::Divergence;
    use super::*;

    #[test]
    fn the_first_divergent_arrows_are_marked_and_long_lines_folded() {
        let comparison = Comparison {
            expected: vec![
                "user->>router_eu: GET /a".to_owned(),
                "cell_eu0-->>user: 200".to_owned(),
            ],
            observed: vec!["user->>router_eu: GET /a".to_owned()],
            shown: Vec::new(),
            divergence: Some(Divergence {
                requirement: None,
                expected: Some(1),
                observed: None,
                why: String::new(),
            }),
            choices: Vec::new(),
        };
        let text = side_by_side(&comparison, 60);
        let rows: Vec<_> = text.lines().collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[1].starts_with("  user"));
        assert!(rows[2].starts_with("> cell_eu0-->>user: 200"));
        assert!(rows[2].ends_with("> (nothing)"));
        assert!(side_by_side(&comparison, 30).lines().count() > 3);
    }
}
