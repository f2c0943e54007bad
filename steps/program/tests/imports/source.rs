//! Reads from the text of a file what it defines, and the paths that it names.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec::IntoIter;

/// The words of a path.
pub(crate) type Path = Vec<String>;

/// A file of a crate, without its tests.
#[derive(Default)]
pub(crate) struct Source {
    /// Its modules that have files of their own.
    pub(crate) modules: BTreeSet<String>,
    /// The items that it defines.
    pub(crate) items: BTreeSet<String>,
    /// What it imports, and what it passes on.
    pub(crate) uses: Vec<Use>,
    /// The paths and the single words in its code.
    pub(crate) paths: Vec<Path>,
}

/// A name that `use` brings. The last word of the path is `*` for all names of a module.
pub(crate) struct Use {
    pub(crate) path: Path,
    pub(crate) name: String,
    pub(crate) is_public: bool,
}

impl Source {
    pub(crate) fn read(text: &str) -> Self {
        let mut source = Self::default();
        let mut tokens = Tokens(without_tests(tokens(text)).into_iter().peekable());
        let (mut depth, mut is_public) = (0_usize, false);
        // The depth of each module around the token that has no file of its own.
        let mut inline: Vec<usize> = Vec::new();
        while let Some(token) = tokens.0.next() {
            let follows_pub = std::mem::take(&mut is_public);
            let Token::Word(word) = token else {
                match token {
                    Token::Mark('{') => depth += 1,
                    Token::Mark('}') => {
                        depth -= 1;
                        inline.pop_if(|began| *began == depth);
                    }
                    // A method, or what belongs to a type.
                    Token::Mark('.') | Token::Colons => drop(tokens.word()),
                    _ => {}
                }
                continue;
            };
            match word.as_str() {
                "pub" => {
                    is_public = true;
                    if tokens.take(&Token::Mark('(')) {
                        tokens.0.find(|token| *token == Token::Mark(')'));
                    }
                }
                // Of a type: `impl Fn() + use<'a>`.
                "use" if tokens.take(&Token::Mark('<')) => {}
                "use" => {
                    let brought = tokens.uses(Vec::new()).into_iter();
                    source.uses.extend(brought.map(|(path, name)| Use {
                        path: of_file(path, inline.len()),
                        name,
                        is_public: follows_pub,
                    }));
                }
                "mod" => {
                    let name = tokens.word();
                    if tokens.take(&Token::Mark(';')) {
                        source.modules.extend(name);
                    } else {
                        inline.push(depth);
                    }
                }
                "fn" | "struct" | "enum" | "trait" | "const" | "static" | "type" => {
                    source.items.extend(tokens.word());
                }
                _ => {
                    let path = tokens.path(word);
                    // `name: Type` names a field or an argument.
                    if path.len() > 1 || tokens.0.peek() != Some(&Token::Mark(':')) {
                        source.paths.push(of_file(path, inline.len()));
                    }
                }
            }
        }
        source
    }
}

/// A path in a module inside a file, as the file would write it.
fn of_file(mut path: Path, inline: usize) -> Path {
    for _ in 0..inline {
        if path[0] == "super" {
            path.remove(0);
        }
    }
    path
}

#[derive(PartialEq)]
enum Token {
    Word(String),
    /// `::`
    Colons,
    Mark(char),
}

struct Tokens(Peekable<IntoIter<Token>>);

impl Tokens {
    fn take(&mut self, token: &Token) -> bool {
        self.0.next_if(|next| next == token).is_some()
    }

    fn word(&mut self) -> Option<String> {
        match self.0.next_if(|next| matches!(next, Token::Word(_)))? {
            Token::Word(word) => Some(word),
            Token::Colons | Token::Mark(_) => None,
        }
    }

    /// The path that begins with a word.
    fn path(&mut self, first: String) -> Path {
        let mut path = vec![first];
        while self.take(&Token::Colons) {
            path.extend(self.word());
        }
        path
    }

    /// What stands behind `use` and a part of the path: whole paths, and the names that they bring.
    fn uses(&mut self, mut path: Path) -> Vec<(Path, String)> {
        loop {
            if self.take(&Token::Mark('{')) {
                let mut all = Vec::new();
                while !self.take(&Token::Mark('}')) {
                    all.extend(self.uses(path.clone()));
                    self.take(&Token::Mark(','));
                }
                return all;
            }
            match self.word() {
                Some(word) if word == "as" => {
                    return vec![(path, self.word().unwrap_or_else(|| "_".to_owned()))];
                }
                Some(word) if word == "self" && !path.is_empty() => {}
                Some(word) => path.push(word),
                None if self.take(&Token::Mark('*')) => path.push("*".to_owned()),
                None if self.take(&Token::Colons) => {}
                None => {
                    let name = path.last().cloned().unwrap_or_default();
                    return vec![(path, name)];
                }
            }
        }
    }
}

/// Code without comments and literals.
fn tokens(text: &str) -> Vec<Token> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let behind = |text: &'_ str, end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            behind(rest, "\n")
        } else if rest.starts_with("::") {
            tokens.push(Token::Colons);
            2
        } else if first == '"' {
            quoted(rest)
        } else if first == '\'' {
            let mut letters = rest.char_indices().skip(1);
            match (letters.next().map(|(_, c)| c), letters.next()) {
                (Some('\\'), Some((at, _))) => at + 1 + behind(&rest[at + 1..], "'"),
                (Some(_), Some((at, '\''))) => at + 1,
                // A lifetime.
                _ => 1,
            }
        } else if is_of_word(first) {
            let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            let (word, more) = rest.split_at(length);
            let hashes = more.len() - more.trim_start_matches('#').len();
            let is_raw = matches!(word, "r" | "br") && more[hashes..].starts_with('"');
            if is_raw {
                let end = format!("\"{}", "#".repeat(hashes));
                length + hashes + 1 + behind(&more[hashes + 1..], &end)
            } else {
                tokens.push(Token::Word(word.to_owned()));
                length
            }
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Mark(first));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the string literal that a text begins with.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Tokens without the items that are there for tests alone.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let is_word = |token: &Token, words: &[&str]| match token {
        Token::Word(word) => words.contains(&word.as_str()),
        Token::Colons | Token::Mark(_) => false,
    };
    let mut kept = Vec::new();
    let mut left = tokens.into_iter();
    while let Some(token) = left.next() {
        let is_attribute = token == Token::Mark('[') && kept.last() == Some(&Token::Mark('#'));
        let rest = left.as_slice();
        if !is_attribute || !rest.first().is_some_and(|token| is_word(token, &["cfg"])) {
            kept.push(token);
            continue;
        }
        let condition = left.by_ref().take_while(|token| *token != Token::Mark(']'));
        let is_for_tests =
            condition.filter(|token| is_word(token, &["not", "test"])).collect::<Vec<_>>()
                == [Token::Word("test".to_owned())];
        if is_for_tests {
            let mut depth = 0_usize;
            left.find(|token| {
                match token {
                    Token::Mark('{' | '(' | '[') => depth += 1,
                    Token::Mark('}' | ')' | ']') => depth -= 1,
                    _ => {}
                }
                depth == 0 && matches!(token, Token::Mark('}' | ';' | ','))
            });
        }
        kept.push(Token::Mark(']'));
    }
    kept
}
