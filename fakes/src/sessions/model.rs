//! The ways to keep the sessions of users.

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// Where the cells of a fleet keep the sessions of users (*More technical problems*: sessions).
///
/// The documents choose none; the default is this fleet's choice.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum SessionModel {
    /// One store, written in the region of its primary, with a replica in each region.
    #[default]
    Shared,
    /// A store for each region. A session names its region, and other regions read it there.
    Regional,
    /// The session is a JWT that the user keeps.
    Jwt,
}

impl SessionModel {
    pub const ALL: [Self; 3] = [Self::Shared, Self::Regional, Self::Jwt];

    /// The model by name: `shared`, `regional` or `jwt`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn unknown(text: &str) -> String {
    let names = SessionModel::VARIANTS.join(", ");
    format!("`{text}` is not a way to keep sessions; name one of {names}")
}
