//! Sessions as JSON Web Tokens (RFC 7519), signed with HMAC-SHA-256 (RFC 7515, `HS256`).
//!
//! The one algorithm that the cells need is a dozen lines on `hmac`. A crate for JWTs would bring
//! RSA and elliptic curves.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use strum::{EnumString, VariantNames};

/// The key with which the cells of a fleet sign, new for each fleet.
pub struct TokenKey(Hmac<Sha256>);

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey")
    }
}

/// What a token says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims {
    /// `jti`
    pub id: String,
    /// `sub`: the name of the user.
    pub user: String,
    /// `iat`, in milliseconds since 1970.
    pub issued: u64,
    /// `exp`, in milliseconds since 1970.
    pub expires: u64,
    /// Stands for the user's password at the sign-in, so that a renewal notices another one.
    pub password: String,
}

impl Claims {
    /// What a token says, with the name of its algorithm, whoever has signed it.
    pub fn read(token: &str) -> Option<(String, Self)> {
        let mut parts = token.split('.');
        let (header, payload) = (json_of(parts.next()?)?, json_of(parts.next()?)?);
        let text_of = |name: &str| payload.get(name)?.as_str().map(str::to_owned);
        let millis = |name: &str| Some((payload.get(name)?.as_f64()? * 1000.0).round() as u64);
        let claims = Self {
            id: text_of("jti")?,
            user: text_of("sub")?,
            issued: millis("iat")?,
            expires: millis("exp")?,
            password: text_of("pwd")?,
        };
        Some((header.get("alg")?.as_str()?.to_owned(), claims))
    }
}

impl TokenKey {
    /// A random key.
    pub(crate) fn new() -> Self {
        Self::of(&rand::random::<[u8; 32]>())
    }

    fn of(bytes: &[u8; 32]) -> Self {
        match Hmac::new_from_slice(bytes) {
            Ok(key) => Self(key),
            Err(_) => unreachable!("HMAC takes a key of any length"),
        }
    }

    pub fn signed(&self, claims: &Claims) -> String {
        let seconds = |millis: u64| millis as f64 / 1000.0;
        let payload = json!({
            "jti": claims.id,
            "sub": claims.user,
            "iat": seconds(claims.issued),
            "exp": seconds(claims.expires),
            "pwd": claims.password,
        });
        let text = format!("{}.{}", part(&json!({ "alg": "HS256", "typ": "JWT" })), part(&payload));
        format!("{text}.{}", self.signature(&text))
    }

    /// The claims of a token that this key has signed and that has not expired. What a token says
    /// of its own algorithm is never a reason to trust it (RFC 8725 3.1).
    pub fn verified(&self, token: &str, now: u64) -> Option<Claims> {
        let (text, signature) = token.rsplit_once('.')?;
        let mut mac = self.0.clone();
        mac.update(text.as_bytes());
        mac.verify_slice(&BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        let (algorithm, claims) = Claims::read(text)?;
        (algorithm == "HS256" && now < claims.expires).then_some(claims)
    }

    /// What stands for a password in a token. Nobody without the key can try passwords with it.
    pub fn mark_of(&self, password: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(b"password:");
        mac.update(password.as_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(&mac.finalize().into_bytes()[..16])
    }

    fn signature(&self, text: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(text.as_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    }
}

fn part(value: &Value) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(value.to_string())
}

fn json_of(part: &str) -> Option<Value> {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

/// What an attacker makes of a token that they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, VariantNames)]
#[strum(parse_err_ty = String, parse_err_fn = unknown)]
pub enum TokenForgery {
    /// The name of another user stands in it; the signature is the old one.
    #[strum(serialize = "the name of another user")]
    OtherUser,
    /// It is signed with a key that the cells do not have.
    #[strum(serialize = "another key")]
    OtherKey,
    /// It says `alg: none`, and has no signature.
    #[strum(serialize = "alg none")]
    NoAlgorithm,
    /// Its signature is cut off.
    #[strum(serialize = "no signature")]
    NoSignature,
}

impl TokenForgery {
    /// The forged token. Where the text is no token, it stays as it is.
    pub fn forge(self, token: &str) -> String {
        let mut parts = token.splitn(3, '.');
        let (Some(header), Some(payload), Some(signature)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return token.to_owned();
        };
        match self {
            Self::OtherUser => {
                let mut claims = json_of(payload).unwrap_or_default();
                claims["sub"] = "olga".into();
                format!("{header}.{}.{signature}", part(&claims))
            }
            Self::OtherKey => {
                let text = format!("{header}.{payload}");
                format!("{text}.{}", TokenKey::of(&[7; 32]).signature(&text))
            }
            Self::NoAlgorithm => format!("{}.{payload}.", part(&json!({ "alg": "none" }))),
            Self::NoSignature => format!("{header}.{payload}."),
        }
    }
}

fn unknown(text: &str) -> String {
    let names = TokenForgery::VARIANTS.join("`, `");
    format!("`{text}` is not a forgery of a token; name one of `{names}`")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn claims() -> Claims {
        Claims {
            id: "1".to_owned(),
            user: "anna".to_owned(),
            issued: 1_700_000_000_001,
            expires: 1_700_000_300_001,
            password: "x".to_owned(),
        }
    }

    const NOW: u64 = 1_700_000_000_002;

    #[test]
    fn a_token_says_what_was_signed_until_it_expires() {
        let key = TokenKey::new();
        let token = key.signed(&claims());
        let seen = |now| key.verified(&token, now);
        assert_eq!(seen(NOW), Some(claims()));
        assert_eq!(seen(claims().expires - 1), Some(claims()));
        assert_eq!(seen(claims().expires), None);
        assert_eq!(TokenKey::new().verified(&token, NOW), None);
        assert_ne!(key.mark_of("a"), key.mark_of("b"));
    }

    proptest! {
        #[test]
        fn one_changed_character_is_never_accepted(at in 0_usize..1000, with in "[A-Za-z0-9_.-]") {
            let key = TokenKey::new();
            let token = key.signed(&claims());
            let at = at % token.len();
            let changed = format!("{}{with}{}", &token[..at], &token[at + 1..]);
            prop_assume!(changed != token);
            // The last character of a part may carry bits that no byte needs.
            let seen = key.verified(&changed, NOW);
            prop_assert!(seen.is_none(), "{}", changed);
        }

        #[test]
        fn no_text_is_a_panic(text in "\\PC{0,80}") {
            prop_assert!(TokenKey::new().verified(&text, NOW).is_none());
        }
    }
}
