use super::effect::{Effect, Replacement};
use super::redirects_to_received_host::redirect;

/// The cell sends the user to its own address, as an application does that knows no other name of
/// itself: 302 to `http://` + its listen address + the path + `/there` (Z-26, RT-12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RedirectsToItself;

impl RedirectsToItself {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|request, surroundings| {
            redirect("http", &surroundings.address.to_string(), request.uri.path())
        })))
    }
}
