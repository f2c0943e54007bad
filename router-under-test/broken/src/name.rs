//! The names of routers as users write them, made of their names in the tables.

/// A name in kebab case: `turns-204-into-200`.
pub(crate) struct Kebab {
    letters: [u8; 64],
    length: usize,
}

impl Kebab {
    /// Of a name in Pascal case: a capital begins a word, and so does a number.
    pub(crate) const fn of(pascal: &str) -> Self {
        let pascal = pascal.as_bytes();
        let mut kebab = Self { letters: [0; 64], length: 0 };
        let mut at = 0;
        while at < pascal.len() {
            let letter = pascal[at];
            let begins = letter.is_ascii_uppercase()
                || letter.is_ascii_digit() && !pascal[at - 1].is_ascii_digit();
            if at > 0 && begins {
                kebab.push(b'-');
            }
            kebab.push(letter.to_ascii_lowercase());
            at += 1;
        }
        kebab
    }

    const fn push(&mut self, letter: u8) {
        self.letters[self.length] = letter;
        self.length += 1;
    }

    pub(crate) const fn as_str(&self) -> &str {
        match str::from_utf8(self.letters.split_at(self.length).0) {
            Ok(name) => name,
            Err(_) => panic!("a name is ASCII"),
        }
    }
}

/// The kebab case of an identifier.
macro_rules! kebab {
    ($pascal:ident) => {{
        const KEBAB: &$crate::name::Kebab = &$crate::name::Kebab::of(stringify!($pascal));
        KEBAB.as_str()
    }};
}
pub(crate) use kebab;

#[cfg(test)]
mod tests {
    #[test]
    fn capitals_and_numbers_begin_words() {
        assert_eq!(kebab!(Echo), "echo");
        assert_eq!(kebab!(LearnsAfterA404), "learns-after-a-404");
        assert_eq!(kebab!(Turns204Into200), "turns-204-into-200");
        assert_eq!(kebab!(TakesEvery2xx), "takes-every-2xx");
    }
}
