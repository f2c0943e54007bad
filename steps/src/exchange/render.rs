//! Renders observed arrows in the notation.

use cell_fleet::{Field, wire};
use serde_json::{Map, Value};

use crate::trace::{
    Arrow, Content, NoResponse, Origin, Participant, ReceivedResponse, Trace, held,
};

/// Fields that a line shows if a response has them.
const SHOWN: [&str; 2] = wire::INTERNAL;

/// All arrows as lines, and the line of each arrow. A response that is passed on unchanged has one
/// line, as in the documents.
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

/// A response that the next arrow passes on unchanged, in one line: what the user received, and in
/// `[cell: ...]` the fields for the router.
fn passed_on(trace: &Trace, arrow: &Arrow, next: Option<&Arrow>) -> Option<String> {
    let (Content::Responded(hop), Some(Arrow { content: Content::Got(user), to, .. })) =
        (arrow.content, next)
    else {
        return None;
    };
    let hop = &trace.hops[hop];
    let (_, response) = hop.response.as_ref()?;
    let got = trace.users[*user].got()?;
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

/// A participant in the notation: the only person of an exchange is `user`.
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
                    let path_info =
                        asked.path_info.as_ref().map_or_else(String::new, ToString::to_string);
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
            let learned = if is_learn && response.status == 200 {
                // Whoever judges the report again has nothing more of it.
                relaxed(&trace.in_roles(&String::from_utf8_lossy(held(&response.body))))
            } else {
                String::new()
            };
            format!("{}{learned}", head(trace, response.status, &response.fields))
        }
        Content::Got(place) => {
            match trace.users[place].response.as_ref().map(|response| &response.got) {
                Some(Ok(ReceivedResponse { status, fields, .. })) => head(trace, *status, fields),
                Some(Err(why @ NoResponse::NoHttp { .. })) => {
                    why.to_string().lines().next().unwrap_or_default().to_owned()
                }
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

/// The fields between cells and routers, with a space before each.
fn special_fields(trace: &Trace, fields: &[Field]) -> String {
    let of_name = |name: &'static str| {
        fields.iter().filter(move |field| field.is(name)).map(move |field| (name, field))
    };
    let line = |(name, field): (&str, &Field)| {
        format!(" {name}={}", trace.in_roles(&field.value.to_string()))
    };
    SHOWN.into_iter().flat_map(of_name).map(line).collect()
}

/// A learn response in the notation, or the unchanged body.
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
