//! Checks of what of a user's request reached cells: fields, lines, bodies.

use std::fmt;

use cell_fleet::Field;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::field_lines::{lines, say_the_same, say_the_same_and_more};
use crate::trace::one_hop::{is_named_by_connection, is_one_hop};
use crate::trace::{Hop, Trace, UserRequest};

/// Each copy of the last request has the user's method, target, and body, if it was read whole.
pub fn copies_unchanged(trace: &Trace) -> Proof {
    each_copy(trace, |user, hop| {
        let request = &hop.request;
        if request.method != user.method.as_str() {
            Some(format!("the method became {}", request.method))
        } else if request.target != user.target {
            Some(format!("the target became {}", request.target))
        } else {
            body_changed(user, hop)
        }
    })
}

/// Fields that a router may change or remove: hop-by-hop fields, and `Host` and what tells how a
/// request came, which the router contract leaves open.
pub(super) fn is_carried(fields: &[Field], name: &str) -> bool {
    const NOT_CARRIED: [&str; 13] = [
        "proxy-authorization",
        "expect",
        "host",
        "forwarded",
        "forwarded-for",
        "client-ip",
        "true-client-ip",
        "x-client-ip",
        "x-real-ip",
        "x-scheme",
        "front-end-https",
        "x-original-url",
        "x-rewrite-url",
    ];
    let name = name.to_ascii_lowercase();
    let ends_here = is_one_hop(&name) || is_named_by_connection(fields, &name);
    let spelled = name.replace('_', "-");
    !ends_here && !NOT_CARRIED.contains(&spelled.as_str()) && !spelled.starts_with("x-forwarded-")
}

pub fn copies_carry_fields(trace: &Trace) -> Proof {
    each_copy(trace, |user, hop| differences(&user.fields, hop).next().map(|it| it.to_string()))
}

/// No field line that the user set is lost or moved in a copy of the last request. The bytes of a
/// value may differ.
pub fn copies_keep_lines(trace: &Trace) -> Proof {
    each_copy(trace, |user, hop| {
        let mut found = differences(&user.fields, hop);
        found.find(|it| !it.is_of_bytes()).map(|it| it.to_string())
    })
}

/// The values that the user set have the same bytes in each copy of the last request. Fields with a
/// line that is lost or moved are not judged here.
pub fn copies_keep_values(trace: &Trace) -> Proof {
    each_copy(trace, |user, hop| {
        let mut found = differences(&user.fields, hop);
        found.find(CopyDiffers::is_of_bytes).map(|it| it.to_string())
    })
}

/// A field of a request whose lines in a copy are not those that were sent.
pub(crate) struct CopyDiffers {
    name: String,
    sent: Vec<String>,
    came: Vec<String>,
}

impl CopyDiffers {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether as many values came as were sent, but with other content: none was lost or moved,
    /// and the bytes of at least one changed.
    pub(crate) fn is_of_bytes(&self) -> bool {
        let values = |lines: &[String]| {
            let mut values: Vec<_> = lines
                .iter()
                .flat_map(|line| line.split(','))
                .map(|it| it.trim().to_owned())
                .collect();
            values.sort_unstable();
            values
        };
        let (sent, came) = (values(&self.sent), values(&self.came));
        !self.came.is_empty() && sent.len() == came.len() && sent != came
    }
}

impl fmt::Display for CopyDiffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, sent, came } = self;
        write!(f, "{name} became `{}` instead of `{}`", came.join("` `"), sent.join("` `"))
    }
}

/// What a copy of a request does not carry of the fields that were sent, the lines of one name in
/// their order; they may have been joined (RFC 9110 5.3). A router adds itself to `Via` and
/// `CDN-Loop`.
pub(crate) fn differences(fields: &[Field], hop: &Hop) -> impl Iterator<Item = CopyDiffers> {
    let names = fields.iter().map(|field| field.name.to_string());
    names.filter(|name| is_carried(fields, name)).filter_map(|name| {
        let (sent, came) = (lines(fields, &name), lines(&hop.request.fields, &name));
        let grows = ["Via", "CDN-Loop"].iter().any(|it| name.eq_ignore_ascii_case(it));
        let compared = if grows { say_the_same_and_more } else { say_the_same };
        (!compared(&name, &sent, &came)).then_some(CopyDiffers { name, sent, came })
    })
}

pub fn no_copy_carries(trace: &Trace, name: &str) -> Proof {
    each_copy(trace, |_, hop| {
        let found = hop.request.fields.iter().find(|field| field.is(name));
        found.map(|field| format!("it carried {}: {}", field.name, field.value))
    })
}

/// The cell that responded to the last request received its whole body.
pub fn body_whole(trace: &Trace) -> Proof {
    let (index, user) = trace.last()?;
    let hop = trace.final_hop(index).ok_or("the request reached no cell")?;
    body_changed(user, hop).map_or(Ok(()), |why| Err(format!("at {}: {why}", hop.cell)))
}

pub(super) fn body_changed(user: &UserRequest, hop: &Hop) -> Option<String> {
    match &hop.read {
        None => Some("the body was cut off".to_owned()),
        Some((_, body)) if body.digest != user.body.digest => Some(format!(
            "a body of {} bytes became another of {} bytes",
            user.body.length, body.length
        )),
        Some(_) => None,
    }
}

fn each_copy(trace: &Trace, complaint: impl Fn(&UserRequest, &Hop) -> Option<String>) -> Proof {
    let (index, user) = trace.last()?;
    let mut copies = trace.hops_of(index).peekable();
    ensure(copies.peek().is_some(), || format!("{} reached no cell", asked(user)))?;
    for hop in copies {
        if let Some(why) = complaint(user, hop) {
            return Err(format!("at {}: {why}", hop.cell));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::carried;

    #[test]
    fn a_line_that_is_lost_and_a_value_that_changed_are_told_apart() {
        let sent = [("X-A", "1"), ("X-B", "x"), ("X-A", "2")];
        let lost = carried(&sent, &[("X-A", "1"), ("X-B", "x")]);
        assert!(copies_keep_lines(&lost).is_err());
        assert!(copies_keep_values(&lost).is_ok());
        let changed = carried(&sent, &[("X-A", "1"), ("X-A", "3"), ("X-B", "x")]);
        assert!(copies_keep_lines(&changed).is_ok());
        assert!(copies_keep_values(&changed).is_err());
        let both = carried(&sent, &[("X-A", "1"), ("X-A", "3")]);
        assert!(copies_keep_lines(&both).is_err());
        assert!(copies_keep_values(&both).is_err());
    }
}
