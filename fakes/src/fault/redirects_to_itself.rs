use super::effect::{Effect, Instead};
use super::redirects_as_told::redirect;

/// The cell sends the user to its own address, as an application does that knows no other name of
/// itself: 302 to `http://` + its listen address + the path + `/there` (Z-26, RT-12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RedirectsToItself;

impl RedirectsToItself {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Instead(Instead::Response(Box::new(|request, surroundings| {
            redirect("http", &surroundings.address.to_string(), request.uri.path())
        })))
    }
}
