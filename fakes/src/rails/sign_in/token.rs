//! Secrets: the values of sessions and of personal access tokens.

/// A random value of 128 bits, in hexadecimal digits.
pub fn new_token() -> String {
    format!("{:032x}", rand::random::<u128>())
}
