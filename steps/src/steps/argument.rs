//! How the arguments of a step are read: from the parameters of its expression and its doc string.

/// What a handler takes.
pub(crate) trait Argument: Sized + 'static {
    /// Where it comes from.
    const SOURCE: Source;

    /// Reads it.
    fn parse(text: &str) -> Result<Self, String>;
}

/// Where an argument comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A parameter of the expression, written `{name}`; its texts fit a regular expression.
    Parameter { name: &'static str, pattern: &'static str },
    /// The doc string below the step.
    DocString,
}

impl Source {
    /// Name and pattern of a parameter.
    pub(crate) fn parameter(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Parameter { name, pattern } => Some((name, pattern)),
            Self::DocString => None,
        }
    }
}

/// The texts from which the arguments of a step are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments<'t> {
    /// One for each parameter of the expression, in its order.
    pub(crate) parameters: &'t [&'t str],
    pub(crate) doc_string: Option<&'t str>,
}

impl<'t> Arguments<'t> {
    pub(crate) fn iter(&self) -> Reader<'t> {
        Reader { parameters: self.parameters.iter(), doc_string: self.doc_string }
    }
}

/// Reads arguments one after the other.
pub(crate) struct Reader<'t> {
    parameters: std::slice::Iter<'t, &'t str>,
    doc_string: Option<&'t str>,
}

impl Reader<'_> {
    /// The next argument.
    pub(crate) fn read<A: Argument>(&mut self) -> Result<A, String> {
        let text = match A::SOURCE {
            Source::Parameter { name, .. } => *self
                .parameters
                .next()
                .ok_or_else(|| format!("the parameter {{{name}}} is missing"))?,
            Source::DocString => {
                self.doc_string.ok_or_else(|| "the step needs a doc string".to_owned())?
            }
        };
        A::parse(text)
    }
}

/// Text in quotes.
impl Argument for String {
    const SOURCE: Source = Source::Parameter {
        name: "string",
        pattern: r#""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'"#,
    };

    fn parse(text: &str) -> Result<Self, String> {
        Ok(text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_owned())
    }
}
