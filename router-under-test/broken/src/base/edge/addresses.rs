//! Addresses of cells in a response, which no user may see (Z-26, Z-87, RT-12).

use http::header::{ALT_SVC, CONTENT_LOCATION, LINK, LOCATION, REFRESH};
use http::{HeaderMap, HeaderValue, Uri};

use crate::base::router::Router;
use crate::kind::Mutation;

/// An address of a cell in a response becomes a path of the user's own site (Z-26, RT-12).
pub(super) fn hide_cells(router: &Router, headers: &mut HeaderMap) {
    let names = [LOCATION, CONTENT_LOCATION];
    let names = &names[..if router.has(Mutation::PassesLinksToCells) { 1 } else { 2 }];
    for name in names {
        let Some(Ok(uri)) = headers.get(name).map(|value| Uri::try_from(value.as_bytes())) else {
            continue;
        };
        let is_cell =
            router.config.cells.iter().any(|cell| uri.authority() == Some(&cell.authority));
        let text = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let path = text
            .splitn(4, '/')
            .nth(3)
            .map(|rest| format!("/{rest}"))
            .unwrap_or_else(|| "/".to_owned());
        if let (true, Ok(path)) = (is_cell, HeaderValue::try_from(path)) {
            headers.insert(name, path);
        }
    }
}

/// The same for addresses inside a value; and no other way to a cell is named (Z-87).
pub(super) fn hide_links(router: &Router, headers: &mut HeaderMap) {
    for cell in &router.config.cells {
        let origin = format!("http://{}", cell.authority);
        for name in [LINK, REFRESH] {
            let text = headers.get(&name).and_then(|value| value.to_str().ok()).unwrap_or_default();
            if let (true, Ok(hidden)) =
                (text.contains(&origin), HeaderValue::try_from(text.replace(&origin, "")))
            {
                headers.insert(name, hidden);
            }
        }
        let leads_to_cell = headers
            .get(ALT_SVC)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.contains(cell.authority.as_str()));
        if leads_to_cell {
            headers.remove(ALT_SVC);
        }
    }
}
