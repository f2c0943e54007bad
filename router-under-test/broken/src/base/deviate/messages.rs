//! Requests and responses at a seam.

use http::header::{AUTHORIZATION, COOKIE};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use http_body::Body as _;

use super::datum::Datum;
use super::{Marks, Scene, Value};
use crate::base::body::{Body, full};
use crate::base::http1::frame::Framing;
use crate::base::http1::head::RequestHead;
use crate::base::target::Ask;
use crate::deviation::{Element, FieldName, Seam};

/// A request of a user, with its body.
impl Value for (RequestHead, Body) {
    fn get(&self, element: Element) -> Option<Datum> {
        part_of_request(&self.0.method, &self.0.target, &self.0.headers, element)
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        let RequestHead { method, target, headers, .. } = &mut self.0;
        put_into_request(method, target, headers, element, datum);
    }

    fn body(&mut self) -> Option<&mut Body> {
        Some(&mut self.1)
    }

    fn tells(&self, seam: Seam, scene: &mut Scene, _: &mut Marks) {
        if seam != Seam::UserRequest {
            return;
        }
        let (head, body) = self;
        let path = path_of(&head.target);
        let user = [COOKIE, AUTHORIZATION, HeaderName::from_static("private-token")]
            .map(|name| head.headers.get(name));
        let length = body.size_hint().exact().filter(|_| head.framing != Framing::None);
        // A connection has a scene once it has had a request.
        let kept = !scene.path.is_empty();
        *scene = Scene {
            method: head.method.clone(),
            old: head.old,
            chunked: head.framing == Framing::Chunked,
            length,
            depth: path.split('/').filter(|segment| !segment.is_empty()).count(),
            fields: head.headers.len(),
            kept,
            user: format!("{user:?}"),
            path: path.to_owned(),
            open: true,
            ..Scene::default()
        };
    }
}

/// A request to a cell, or a pre-flight.
impl Value for (Ask, Body, Authority) {
    fn get(&self, element: Element) -> Option<Datum> {
        part_of_request(&self.0.method, &self.0.target, &self.0.headers, element)
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        let Ask { method, target, headers, .. } = &mut self.0;
        put_into_request(method, target, headers, element, datum);
    }

    fn body(&mut self) -> Option<&mut Body> {
        Some(&mut self.1)
    }

    fn again(&self) -> Option<Self> {
        Some((self.0.clone(), full(""), self.2.clone()))
    }

    fn tells(&self, _: Seam, scene: &mut Scene, _: &mut Marks) {
        scene.cell = self.2.to_string();
        scene.cell_kept = false;
    }
}

impl Value for Response<Body> {
    fn get(&self, element: Element) -> Option<Datum> {
        match element {
            Element::Status => Some(Datum::Number(self.status().as_u16().into())),
            element => part_of_fields(self.headers(), element),
        }
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        match (element, datum) {
            (Element::Status, Some(Datum::Number(number))) => {
                let status =
                    u16::try_from(number).ok().and_then(|it| StatusCode::from_u16(it).ok());
                *self.status_mut() = status.unwrap_or(self.status());
            }
            (element, datum) => put_into_fields(self.headers_mut(), element, datum),
        }
    }

    fn body(&mut self) -> Option<&mut Body> {
        Some(self.body_mut())
    }

    fn again(&self) -> Option<Self> {
        let mut again = Response::new(full(""));
        *again.status_mut() = self.status();
        *again.headers_mut() = self.headers().clone();
        Some(again)
    }

    fn tells(&self, seam: Seam, scene: &mut Scene, _: &mut Marks) {
        scene.status = self.status().as_u16();
        scene.open &= seam != Seam::UserResponse;
    }
}

fn part_of_request(
    method: &Method,
    target: &str,
    headers: &HeaderMap,
    element: Element,
) -> Option<Datum> {
    match element {
        Element::Method => Some(Datum::text(method.as_str())),
        Element::Field(_) | Element::FieldOrder => part_of_fields(headers, element),
        element => part_of_target(target, element),
    }
}

fn put_into_request(
    method: &mut Method,
    target: &mut String,
    headers: &mut HeaderMap,
    element: Element,
    datum: Option<Datum>,
) {
    match element {
        Element::Method => {
            let word = datum.and_then(Datum::into_text);
            *method = word.and_then(|word| word.parse().ok()).unwrap_or(Method::GET);
        }
        Element::Field(_) | Element::FieldOrder => put_into_fields(headers, element, datum),
        element => put_into_target(target, element, datum),
    }
}

fn part_of_fields(headers: &HeaderMap, element: Element) -> Option<Datum> {
    match element {
        Element::Field(FieldName(name)) => {
            let lines: Vec<_> =
                headers.get_all(name).iter().map(|line| line.as_bytes().to_vec()).collect();
            (!lines.is_empty()).then_some(Datum::Lines(lines))
        }
        Element::FieldOrder => Some(Datum::List((0..headers.keys_len()).collect())),
        _ => None,
    }
}

fn put_into_fields(headers: &mut HeaderMap, element: Element, datum: Option<Datum>) {
    match (element, datum) {
        (Element::Field(FieldName(name)), datum) => {
            headers.remove(name);
            let Some(Datum::Lines(lines)) = datum else { return };
            for line in lines.iter().filter_map(|line| HeaderValue::from_bytes(line).ok()) {
                headers.append(name, line);
            }
        }
        (Element::FieldOrder, Some(Datum::List(order))) => {
            let names: Vec<HeaderName> = headers.keys().cloned().collect();
            let old = std::mem::take(headers);
            for name in order.into_iter().filter_map(|at| names.get(at)) {
                old.get_all(name).iter().for_each(|line| _ = headers.append(name, line.clone()));
            }
        }
        _ => {}
    }
}

fn path_of(target: &str) -> &str {
    target.split_once('?').map_or(target, |(path, _)| path)
}

/// A part of a target, or of a path that stands alone.
pub(super) fn part_of_target(target: &str, element: Element) -> Option<Datum> {
    let path = path_of(target);
    let query = target.split_once('?').map(|(_, query)| query);
    let last = path.rsplit('/').next().filter(|segment| !segment.is_empty());
    match element {
        Element::Target | Element::LearnPath => Some(Datum::text(path)),
        Element::Segment => last.map(Datum::text),
        Element::Escape => path.find('%').and_then(|at| path.get(at..at + 3)).map(Datum::text),
        Element::Letters => Some(Datum::Flag(!path.bytes().any(|it| it.is_ascii_uppercase()))),
        Element::FinalSlash => Some(Datum::Flag(path.len() > 1 && path.ends_with('/'))),
        Element::Query => query.map(Datum::text),
        Element::MethodParameter => parameter(query?, "method").map(Datum::text),
        Element::PathInfo => parameter(query?, "path_info").map(Datum::text),
        _ => None,
    }
}

fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

pub(super) fn put_into_target(target: &mut String, element: Element, datum: Option<Datum>) {
    let flag = matches!(datum, Some(Datum::Flag(true)));
    let text = datum.and_then(Datum::into_text);
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
        None => (target.clone(), None),
    };
    let rest = query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    let some = text.clone().unwrap_or_default();
    *target = match element {
        Element::Target | Element::LearnPath => {
            let path = if some.starts_with('/') { some } else { format!("/{some}") };
            path + &rest
        }
        Element::Segment => {
            let parents = path.rfind('/').map_or("", |at| &path[..=at]);
            format!("{parents}{some}{rest}")
        }
        Element::Escape => {
            let Some(at) = path.find('%') else { return };
            format!("{}{some}{}{rest}", &path[..at], path.get(at + 3..).unwrap_or_default())
        }
        Element::Letters if flag => path.to_ascii_lowercase() + &rest,
        Element::FinalSlash if flag && !path.ends_with('/') => path + "/" + &rest,
        Element::FinalSlash if !flag && path.len() > 1 => {
            path.strip_suffix('/').unwrap_or(&path).to_owned() + &rest
        }
        Element::Query => text.map_or(path.clone(), |query| format!("{path}?{query}")),
        Element::MethodParameter | Element::PathInfo => {
            let name = if element == Element::PathInfo { "path_info" } else { "method" };
            let Some(old) = query.as_deref().and_then(|query| parameter(query, name)) else {
                return;
            };
            let pair = text.map(|text| format!("{name}={text}")).unwrap_or_default();
            target.replacen(&format!("{name}={old}"), &pair, 1)
        }
        _ => return,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(target: &str, element: Element, text: Option<&str>) -> String {
        let mut target = target.to_owned();
        put_into_target(&mut target, element, text.map(Datum::text));
        target
    }

    #[test]
    fn parts_of_a_target_are_found_and_put_back() {
        let target = "/a%2fB/c/?x=1";
        let of = |element| part_of_target(target, element).unwrap();
        assert_eq!(of(Element::Target), Datum::text("/a%2fB/c/"));
        assert_eq!(of(Element::Escape), Datum::text("%2f"));
        assert_eq!(of(Element::FinalSlash), Datum::Flag(true));
        assert_eq!(of(Element::Query), Datum::text("x=1"));
        assert_eq!(put(target, Element::Escape, Some("/")), "/a/B/c/?x=1");
        assert_eq!(put(target, Element::Query, None), "/a%2fB/c/");
        assert_eq!(put("/a/b?x", Element::Segment, Some("bb")), "/a/bb?x");
        assert_eq!(put("/a/b", Element::Segment, None), "/a/");
        assert_eq!(put("/a", Element::Target, None), "/");
        let learn = "/learn?method=GET&path_info=/a";
        assert_eq!(part_of_target(learn, Element::PathInfo), Some(Datum::text("/a")));
        assert_eq!(put(learn, Element::PathInfo, Some("/b")), "/learn?method=GET&path_info=/b");
        assert_eq!(put(learn, Element::MethodParameter, None), "/learn?&path_info=/a");
    }

    #[test]
    fn lines_of_a_field_are_replaced() {
        let mut headers = HeaderMap::new();
        headers.append("cookie", HeaderValue::from_static("a"));
        headers.append("cookie", HeaderValue::from_static("b"));
        let cookie = Element::Field(FieldName("cookie"));
        let lines =
            |words: &[&[u8]]| Some(Datum::Lines(words.iter().map(|it| it.to_vec()).collect()));
        assert_eq!(part_of_fields(&headers, cookie), lines(&[b"a", b"b"]));
        put_into_fields(&mut headers, cookie, lines(&[b"c"]));
        assert_eq!(headers["cookie"], "c");
        put_into_fields(&mut headers, cookie, None);
        assert_eq!(part_of_fields(&headers, cookie), None);
    }
}
