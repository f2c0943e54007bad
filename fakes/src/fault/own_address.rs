use axum::body::Body;
use http::{HeaderName, HeaderValue, Response};

use super::effect::{Effect, Replacement};

/// The cell gives users its own address in fields of a response, like an application that knows no
/// public name (Z-87).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnAddress {
    /// The fields. `{address}` in a value is where routers reach the cell.
    pub fields: Vec<(String, String)>,
}

impl OwnAddress {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|_, context| {
            let mut response = Response::new(Body::from("see the fields\n"));
            for (name, value) in &self.fields {
                let value = value.replace("{address}", &context.advertised.to_string());
                if let (Ok(name), Ok(value)) =
                    (HeaderName::try_from(name), HeaderValue::try_from(value))
                {
                    response.headers_mut().append(name, value);
                }
            }
            response
        })))
    }
}
