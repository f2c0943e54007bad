//! Pre-flights: the path that a learn request asks about.

use http::Uri;

use crate::plan::Protocol;
use crate::wire;

/// The decoded `path_info` of a pre-flight; `None` for any other request.
pub(crate) fn asked_about(protocol: Protocol, target: &Uri) -> Option<String> {
    let path = target.path();
    let learns = protocol == Protocol::Learning
        && (path == wire::LEARN_PATH || path == wire::LEARN_PATH_EARLIER);
    let query = target.query().filter(|_| learns)?;
    form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == wire::PATH_INFO_PARAMETER)
        .map(|(_, value)| value.into_owned())
}
