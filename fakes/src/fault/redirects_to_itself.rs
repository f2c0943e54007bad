use super::effect::{Effect, Replacement};
use super::redirects_to_received_host::redirect;

/// The cell redirects the user to its own address, like an application that knows no public name:
/// 302 to `http://<its address><path>/there` (Z-26, RT-12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RedirectsToItself;

impl RedirectsToItself {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|request, context| {
            redirect("http", &context.advertised.to_string(), request.uri.path())
        })))
    }
}
