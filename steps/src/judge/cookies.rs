//! Checks of cookies that routers set (CA-15).

use std::collections::BTreeSet;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{Phase, Trace};

/// The cookies that routers set themselves carry `HttpOnly`, `Secure` and `SameSite=Lax`.
pub fn router_cookies_are_guarded(trace: &Trace) -> Proof {
    each_router_cookie(trace, |cookie| {
        let attributes: Vec<_> = cookie
            .split(';')
            .skip(1)
            .map(|attribute| attribute.trim().to_ascii_lowercase())
            .collect();
        let missing = ["HttpOnly", "Secure", "SameSite=Lax"]
            .into_iter()
            .find(|wanted| !attributes.contains(&wanted.to_ascii_lowercase()));
        missing.map(|missing| format!("is without {missing}"))
    })
}

/// The cookies that routers set themselves name no cell: not in any spelling, plain, escaped, or
/// in base64.
pub fn router_cookies_name_no_cell(trace: &Trace) -> Proof {
    let cells: BTreeSet<_> = trace.cells.iter().map(|installed| &installed.cell).collect();
    ensure(!cells.is_empty(), || "the trace has no list of cells".to_owned())?;
    let spellings: Vec<_> =
        cells.into_iter().flat_map(|cell| [cell.name(), cell.id(), cell.slug()]).collect();
    each_router_cookie(trace, |cookie| {
        let texts = [
            Some(cookie.to_owned()),
            Some(percent_decode(cookie.as_bytes()).decode_utf8_lossy().into_owned()),
            base64_in(cookie),
        ];
        let named = |text: &String| {
            spellings
                .iter()
                .find(|spelling| text.to_ascii_lowercase().contains(&spelling.to_ascii_lowercase()))
        };
        texts.iter().flatten().find_map(named).map(|spelling| format!("names {spelling}"))
    })
}

/// Base64 as a router may write it: with padding or without, and with any bits after the last byte.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// The decoded value of a cookie, if it is base64 in the standard or the URL-safe alphabet.
fn base64_in(cookie: &str) -> Option<String> {
    let value = cookie.split_once('=')?.1.split(';').next()?.trim().trim_end_matches('=');
    let mut value = value.replace('-', "+").replace('_', "/");
    // A single character after the last group of four is less than a byte.
    if value.len() % 4 == 1 {
        value.pop();
    }
    let bytes = BASE64.decode(value).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Checks each `Set-Cookie` line that a router added, in the setup too; there must be one.
fn each_router_cookie(trace: &Trace, complaint: impl Fn(&str) -> Option<String>) -> Proof {
    let mut any = false;
    for (index, request) in
        trace.users.iter().enumerate().filter(|(_, request)| request.is_routed())
    {
        let Ok(response) = request.received() else { continue };
        let given = trace.hops_of(index).filter_map(|hop| hop.response.as_ref());
        let of_cells: Vec<_> =
            given.flat_map(|(_, given)| lines(&given.fields, "Set-Cookie")).collect();
        let mut own = lines(&response.fields, "Set-Cookie");
        own.retain(|cookie| !of_cells.contains(cookie));
        for cookie in own {
            any = true;
            if let Some(why) = complaint(&cookie) {
                let setup = if request.phase == Phase::Setup { " before the exchange" } else { "" };
                return Err(format!(
                    "the router's cookie `{cookie}` on the response to {}{setup} {why}",
                    asked(request)
                ));
            }
        }
    }
    ensure(any, || "the router set no cookie".to_owned())
}

#[cfg(test)]
mod tests {
    use cell_fleet::CellId;

    use super::*;
    use crate::trace::made::Made;

    fn cookies(cookie: &str) -> Trace {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        made.responses(hop, 200, &[("Set-Cookie", "session=cell_eu0")], "");
        made.gets_fields(
            user,
            200,
            &[("set-cookie", "session=cell_eu0"), ("set-cookie", cookie)],
            "",
        );
        made.installs([CellId::eu(0), CellId::us(1)]);
        made.trace.roles = [(CellId::eu(0), CellId::eu(1))].into();
        made.trace
    }

    #[test]
    fn a_cell_in_a_cookie_is_found_in_every_encoding() {
        for wrong in [
            "c=cell_eu0",
            "c=cell_us1",
            "c=celleu0",
            "c=Cell%20EU0",
            "c=CELL_EU0",
            "c=L2EgY2VsbF9ldTA=",
            "c=L2EgY2VsbF9ldTA; Path=/",
        ] {
            assert!(router_cookies_name_no_cell(&cookies(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(base64_in("c=L2EgY2VsbF9ldTA=").as_deref(), Some("/a cell_eu0"));
    }
}
