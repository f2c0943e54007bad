//! The layout of all pages: HTML that works without scripts and names the organization of the page.

use std::fmt;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::database::User;
use crate::population::Work;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:50rem;margin:0 auto;padding:0 1rem}\
nav{display:flex;flex-wrap:wrap;gap:1rem;padding:.5rem 0;border-bottom:1px solid #bbb}\
nav form{margin:0}\
.notice{background:#fdf3d8;border-left:4px solid #c9971c;padding:.5rem}\
label{display:block;margin:.5rem 0}";

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    status: StatusCode,
    heading: String,
    organization: Option<String>,
    work: Option<Work>,
    notices: Vec<String>,
    content: String,
}

impl Page {
    /// A page with this heading.
    pub fn new(heading: impl Into<String>) -> Self {
        Self {
            status: StatusCode::OK,
            heading: heading.into(),
            organization: None,
            work: None,
            notices: Vec::new(),
            content: String::new(),
        }
    }

    /// Gives the page another status than 200.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Names the organization of everything on the page (OR-09).
    pub fn organization(mut self, name: Option<&str>) -> Self {
        self.organization = name.map(str::to_owned);
        self
    }

    /// Shows the counters at the top.
    pub fn work(mut self, work: Option<Work>) -> Self {
        self.work = work;
        self
    }

    /// Adds messages for the user.
    pub fn notices(mut self, texts: impl IntoIterator<Item = String>) -> Self {
        self.notices.extend(texts);
        self
    }

    /// Says why a form had no effect, where it had none.
    pub fn refused(mut self, why: Option<String>) -> Self {
        if why.is_some() {
            self.status = StatusCode::UNPROCESSABLE_ENTITY;
        }
        self.notices(why)
    }

    /// Adds HTML.
    pub fn html(mut self, html: impl fmt::Display) -> Self {
        self.content.push_str(&html.to_string());
        self
    }

    /// The response, for a user or for a visitor without a session.
    pub fn response(self, user: Option<&User>) -> Response {
        let heading = Escaped(&self.heading);
        let organization = self.organization.as_deref();
        let organization = organization
            .map(|name| format!("<p>Organization: {}</p>\n", Escaped(name)))
            .unwrap_or_default();
        let work = self.work.map(counters).unwrap_or_default();
        let notices: String = self
            .notices
            .iter()
            .map(|text| format!("<p class=\"notice\">{}</p>\n", Escaped(text)))
            .collect();
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>\
             {heading}</title><style>{STYLE}</style></head>\n\
             <body>\n<header>\n{}{organization}{work}</header>\n<main>\n<h1>{heading}</h1>\n\
             {notices}{}</main>\n</body>\n</html>\n",
            navigation(user),
            self.content,
        );
        (self.status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
    }
}

fn navigation(user: Option<&User>) -> String {
    let Some(user) = user else {
        return "<nav><a href=\"/users/sign_in\">Sign in</a> <a href=\"/users/sign_up\">Sign up</a>\
            </nav>\n".to_owned();
    };
    // Search is over everything, which members of organizations do not see (OR-07).
    let search = if user.is_legacy() { " <a href=\"/search\">Search</a>" } else { "" };
    let admin = if user.admin { " <a href=\"/admin\">Admin</a>" } else { "" };
    format!(
        "<nav><span>{}</span> <a href=\"/\">Dashboard</a> <a href=\"/groups/new\">New group</a>\
         {search} <a href=\"/-/user_settings\">Settings</a>{admin} \
         <form method=\"post\" action=\"/users/sign_out\"><button>Sign out</button></form></nav>\n",
        Escaped(&user.name)
    )
}

fn counters(work: Work) -> String {
    let Work { todos, issues, merge_requests } = work;
    format!(
        "<p>Issues: <span id=\"issues\">{issues}</span> · Merge requests: <span \
         id=\"merge-requests\">{merge_requests}</span> · \
         To-do items: <span id=\"todos\">{todos}</span></p>\n"
    )
}

/// A text, escaped for HTML.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            other => write!(f, "{other}"),
        })
    }
}

/// A list of links, each a path and a name.
pub fn links<'a>(entries: impl IntoIterator<Item = (String, &'a str)>) -> String {
    let entries = entries
        .into_iter()
        .map(|(to, name)| format!("<li><a href=\"{}\">{}</a></li>\n", Escaped(&to), Escaped(name)));
    format!("<ul>\n{}</ul>\n", entries.collect::<String>())
}
