//! Parses the notation.

use super::{
    Block, Exchange, ExpectedArrow, ExpectedParticipant, ExpectedRequest, ExpectedResponse, Message,
};
use crate::ledger::RequirementId;

impl Exchange {
    /// Parses an exchange. The error names the first invalid line. No line is skipped: a misspelled
    /// arrow would be an assertion that is never checked.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lines = dedent(text);
        let mut parser =
            Parser { lines: &lines, at: 0, requirement: None, choice: None, asked_a_router: false };
        let blocks = parser.blocks(&[])?;
        if blocks.is_empty() {
            return Err(parser.error("an exchange needs at least one arrow"));
        }
        Ok(Self { blocks, text: lines.join("\n") })
    }
}

/// The lines without common indentation and without blank lines around them.
fn dedent(text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let filled = |line: &&str| !line.is_empty();
    let indent = lines
        .iter()
        .filter(|line| filled(line))
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[first..last.max(first)]
        .iter()
        .map(|line| line.get(indent..).unwrap_or_default().to_owned())
        .collect()
}

struct Parser<'a> {
    lines: &'a [String],
    at: usize,
    requirement: Option<RequirementId>,
    /// The choice that the next arrow leaves to the router.
    choice: Option<RequirementId>,
    /// Whether the last request of a user went to a router, not to a cell directly.
    asked_a_router: bool,
}

impl Parser<'_> {
    /// The blocks before a line that begins with one of `until`, which is left to the caller; at
    /// top level, all blocks.
    fn blocks(&mut self, until: &[&str]) -> Result<Vec<Block>, String> {
        let mut blocks = Vec::new();
        while let Some(line) = self.lines.get(self.at) {
            let line = line.trim();
            let word = line.split_whitespace().next().unwrap_or_default();
            if until.contains(&word) {
                return Ok(blocks);
            }
            self.at += 1;
            let is_arrow = line.contains("->>") && word != "%%";
            if self.choice.is_some() && !is_arrow {
                return Err(self.error("a `%% choice` line belongs directly above its arrow"));
            }
            match word {
                "" | "sequenceDiagram" | "participant" => {}
                "%%" => self.comment(line)?,
                "opt" => {
                    let body = self.blocks(&["end"])?;
                    self.at += 1;
                    blocks.push(Block::Optional(body));
                }
                "alt" => blocks.push(self.alternatives()?),
                "else" | "end" => return Err(self.error("there is no open block to close")),
                _ => blocks.push(Block::Arrow(Box::new(self.arrow(line)?))),
            }
        }
        if self.choice.is_some() {
            return Err(self.error("a `%% choice` line belongs directly above its arrow"));
        }
        if until.is_empty() { Ok(blocks) } else { Err(self.error("the block has no `end`")) }
    }

    fn alternatives(&mut self) -> Result<Block, String> {
        let mut ways = Vec::new();
        loop {
            ways.push(self.blocks(&["else", "end"])?);
            let closed = self.lines.get(self.at).is_some_and(|line| line.trim() == "end");
            self.at += 1;
            if closed {
                return Ok(Block::Alternatives(ways));
            }
        }
    }

    /// `%% CA-03 why`: the arrows that follow prove this requirement. `%% choice LN-17`: the cell
    /// of the next arrow is judged under this one. Other comments are ignored.
    fn comment(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace().skip(1);
        match words.next() {
            Some("choice") => {
                let named = words.next().and_then(|word| word.parse().ok());
                self.choice = Some(named.ok_or_else(|| {
                    self.error("a choice names its requirement: `%% choice LN-17`")
                })?);
            }
            word => {
                if let Some(cited) = word.and_then(|word| word.parse().ok()) {
                    self.requirement = Some(cited);
                }
            }
        }
        Ok(())
    }

    fn arrow(&mut self, line: &str) -> Result<ExpectedArrow, String> {
        let (ends, message) =
            line.split_once(':').ok_or_else(|| self.error("expected `from->>to: message`"))?;
        let (from, to, is_response) = match (ends.split_once("-->>"), ends.split_once("->>")) {
            (Some((from, to)), _) => (from, to, true),
            (None, Some((from, to))) => (from, to, false),
            (None, None) => {
                return Err(self.error("expected `->>` for a request or `-->>` for a response"));
            }
        };
        let participant = |text: &str| {
            ExpectedParticipant::parse(text.trim())
                .ok_or_else(|| self.error(&format!("`{text}` is not a participant")))
        };
        let (from, to) = (participant(from)?, participant(to)?);
        let sensible = match (is_response, &from, &to) {
            (false, ExpectedParticipant::User(_), ExpectedParticipant::Router(_))
            | (true, ExpectedParticipant::Router(_), ExpectedParticipant::User(_)) => true,
            (false, ExpectedParticipant::Router(_) | ExpectedParticipant::User(_), cell)
            | (true, cell, ExpectedParticipant::Router(_) | ExpectedParticipant::User(_)) => {
                cell.is_cell()
            }
            _ => false,
        };
        if !sensible {
            return Err(self.error("this kind of arrow cannot connect these participants"));
        }
        let choice = self.choice.take();
        let message = if is_response {
            let response =
                ExpectedResponse::parse(message.trim()).map_err(|why| self.error(&why))?;
            let passed_on =
                from.is_cell() && matches!(to, ExpectedParticipant::User(_)) && self.asked_a_router;
            response.check_places(passed_on).map_err(|why| self.error(&why))?;
            Message::Response(response)
        } else {
            if matches!(from, ExpectedParticipant::User(_)) {
                self.asked_a_router = matches!(to, ExpectedParticipant::Router(_));
            }
            Message::Request(
                ExpectedRequest::parse(message.trim()).map_err(|why| self.error(&why))?,
            )
        };
        let asked_by_router =
            matches!((&from, &message), (ExpectedParticipant::Router(_), Message::Request(_)));
        if choice.is_some() && !asked_by_router {
            return Err(self.error("only an arrow from a router to a cell has a choice"));
        }
        let is_question = matches!(&message, Message::Request(request) if request.is_pre_flight());
        if asked_by_router
            && is_question
            && choice.is_none()
            && to != ExpectedParticipant::AnyCell(None)
        {
            return Err(self.error(
                "the cell of a pre-flight is a choice of the router; write `%% choice LN-17` above \
                 the arrow",
            ));
        }
        Ok(ExpectedArrow {
            line: self.at - 1,
            from,
            to,
            message,
            requirement: self.requirement.clone(),
            choice,
        })
    }

    /// An error at the last parsed line.
    fn error(&self, why: &str) -> String {
        let line = self.at.clamp(1, self.lines.len().max(1));
        let text = self.lines.get(line - 1).map_or("", |line| line.trim());
        format!("line {line} of the exchange, `{text}`: {why}")
    }
}

impl ExpectedParticipant {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(cell) = text.parse() {
            return Some(Self::Cell(cell));
        }
        if let Some(region) = text.strip_prefix("router_") {
            return Some(Self::Router(region.parse().ok()?));
        }
        if text == "any_cell" {
            return Some(Self::AnyCell(None));
        }
        if let Some(rest) = text.strip_suffix("_cell") {
            let (name, region) = rest.rsplit_once('_')?;
            let region = region.parse().ok()?;
            return Some(if name == "any" {
                Self::AnyCell(Some(region))
            } else {
                Self::Variable(text.to_owned(), region)
            });
        }
        let is_name = !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase());
        is_name.then(|| Self::User((text != "user").then(|| text.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: &str = "
        user->>router_eu: GET /a
        opt the asked cell is not the owner
          %% RG-01 first choice in region
          router_eu->>any_eu_cell: GET /a
          any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        end
        alt
          cell_eu0-->>user: 200
        else
          router_eu-->>user: 502|503
        end
        ";

    #[test]
    fn blocks_and_arrows_are_read_and_indentation_is_folded() {
        let exchange = Exchange::parse(DRAWN).unwrap();
        assert!(exchange.text().starts_with("user->>router_eu: GET /a\nopt the"));
        assert_eq!(exchange.blocks.len(), 3);
        assert_eq!(exchange.cited().first().map(ToString::to_string).as_deref(), Some("RG-01"));
    }

    #[test]
    fn invalid_lines_are_refused_with_their_number() {
        for (text, line) in [
            ("user->>router_eu: GET /a\nuser-->router_eu: GET /a", 2),
            ("user->>router_eu GET /a", 1),
            ("user->>cell_eu0x: GET /a", 1),
            ("opt x\nuser->>router_eu: GET /a", 2),
            ("end", 1),
            ("user->>user: GET /a", 1),
            ("user->>router_eu: get it", 1),
            ("cell_eu0-->>user: fine", 1),
            ("", 1),
            (
                "user->>router_eu: GET /a\nrouter_eu->>any_eu_cell: GET \
                 {learn}?method=GET&path_info=/a",
                2,
            ),
            ("user->>router_eu: GET /a\n%% choice LN-17", 2),
            ("user->>router_eu: GET /a\n%% choice", 2),
            ("%% choice LN-17\nuser->>router_eu: GET /a", 2),
            ("%% choice LN-17\nopt\nrouter_eu->>cell_eu0: GET /a\nend", 2),
            (
                "user->>router_eu: GET /a\nrouter_eu->>cell_eu0: GET /a\n\
                 cell_eu0-->>user: 200 X-Gitlab-Cell-Cache={path_prefix:/a/}",
                3,
            ),
            (
                "user->>router_eu: GET /a\nrouter_eu->>cell_eu0: GET /a\n\
                 cell_eu0-->>router_eu: 200 [cell: X-Page=a]",
                3,
            ),
        ] {
            let error = Exchange::parse(text).expect_err(text);
            assert!(error.starts_with(&format!("line {line} of")), "{error}");
        }
    }

    #[test]
    fn a_choice_is_about_the_next_arrow_alone_and_cites_nothing() {
        let drawn = "user->>router_eu: GET /a
            %% choice LN-17 by chance
            router_eu->>cell_eu1: GET {learn}?method=GET&path_info=/a
            cell_eu1-->>router_eu: 404
            router_eu->>cell_eu0: GET /a";
        let exchange = Exchange::parse(drawn).unwrap();
        assert_eq!(exchange.cited(), []);
        assert_eq!(
            exchange.choices().iter().map(RequirementId::as_str).collect::<Vec<_>>(),
            ["LN-17"]
        );
        let chosen: Vec<_> = exchange.arrows().iter().map(|arrow| arrow.choice.is_some()).collect();
        assert_eq!(chosen, [false, true, false, false]);
    }

    #[test]
    fn a_cell_that_is_visited_directly_shows_its_fields_to_its_user() {
        let drawn =
            "anna->>cell_eu0: GET /a\ncell_eu0-->>anna: 200 X-Gitlab-Cell-Cache={path_prefix:/a/}";
        assert!(Exchange::parse(drawn).is_ok());
        assert!(
            Exchange::parse(&drawn.replace("X-Git", "[cell: X-Git").replace("/}", "/}]")).is_err()
        );
    }
}
