//! The requests and responses of git's smart HTTP protocol, version 0.

use std::collections::BTreeMap;
use std::fmt;

use super::object::{Object, ObjectId};
use super::pack;
use super::packets::{FLUSH, Packet, Packets, packet};
use super::repository::{GitRepository, MAIN, RefChange};

/// What a client wants of a repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::IntoStaticStr)]
pub enum Service {
    /// To clone or fetch.
    #[strum(serialize = "git-upload-pack")]
    Upload,
    /// To push.
    #[strum(serialize = "git-receive-pack")]
    Receive,
}

impl Service {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    fn capabilities(self) -> &'static str {
        match self {
            Self::Upload => "multi_ack_detailed symref=HEAD:refs/heads/main object-format=sha1",
            Self::Receive => "report-status delete-refs object-format=sha1",
        }
    }
}

/// The refs that an advertisement names.
pub type Advertised = BTreeMap<String, ObjectId>;

/// The body of the response to `GET info/refs`.
pub fn advertisement(repository: &GitRepository, service: Service) -> Vec<u8> {
    let mut body = packet(format!("# service={}\n", service.as_str()));
    body.extend(FLUSH);
    let head = repository.refs.get(MAIN).filter(|_| service == Service::Upload);
    let head = head.map(|id| ("HEAD", *id));
    let refs = repository.refs.iter().map(|(name, id)| (name.as_str(), *id));
    let mut refs: Vec<_> = head.into_iter().chain(refs).collect();
    if refs.is_empty() {
        refs.push(("capabilities^{}", ObjectId::NONE));
    }
    let mut capabilities = format!("\0{}", service.capabilities());
    for (name, id) in refs {
        body.extend(packet(format!("{id} {name}{capabilities}\n")));
        capabilities.clear();
    }
    body.extend(FLUSH);
    body
}

/// The refs of an advertisement.
pub fn advertised(body: &[u8]) -> Advertised {
    let lines = Packets(body).filter_map(Packet::text);
    let refs = lines.filter_map(|line| line.split('\0').next()?.split_once(' '));
    refs.filter_map(|(id, name)| Some((name.to_owned(), id.parse().ok()?)))
        .filter(|(name, id)| name.starts_with("refs/") && *id != ObjectId::NONE)
        .collect()
}

/// The body of the response to `POST git-upload-pack`: what was asked for, or which of the client's
/// objects are known.
///
/// # Errors
/// Says why the request cannot be served, as a packet for the client.
pub fn uploaded(repository: &GitRepository, request: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let refused = |why: String| packet(format!("ERR upload-pack: {why}\n"));
    let (mut wants, mut common, mut body, mut done) = (Vec::new(), Vec::new(), Vec::new(), false);
    for packet_read in Packets(request) {
        let Some(line) = packet_read.text() else { continue };
        match line.split_once(' ') {
            Some(("want", rest)) => {
                let id = rest.split(' ').next().unwrap_or_default();
                wants.push(id.parse::<ObjectId>().map_err(refused)?);
            }
            Some(("have", id)) => {
                let id = id.parse::<ObjectId>().map_err(refused)?;
                if repository.objects.contains_key(&id) {
                    body.extend(packet(format!("ACK {id} common\n")));
                    common.push(id);
                }
            }
            _ => done |= line == "done",
        }
    }
    if let Some(other) = wants.iter().find(|id| !repository.refs.values().any(|tip| tip == *id)) {
        return Err(refused(format!("not our ref {other}")));
    }
    if !done {
        if let Some(last) = common.last() {
            body.extend(packet(format!("ACK {last} ready\n")));
        }
        body.extend(packet("NAK\n"));
        return Ok(body);
    }
    body.extend(packet(match common.last() {
        Some(last) => format!("ACK {last}\n"),
        None => "NAK\n".to_owned(),
    }));
    let objects = repository.reachable(&wants, &common);
    let objects = objects.map_err(|missing| refused(missing.to_string()))?;
    body.extend(pack::written(objects.into_iter()));
    Ok(body)
}

/// Takes a push, the body of `POST git-receive-pack`, and returns the body of the response.
pub fn received(repository: &mut GitRepository, request: &[u8]) -> Vec<u8> {
    let mut packets = Packets(request);
    let lines = packets.by_ref().map_while(Packet::text);
    let changes: Vec<_> = lines.filter_map(ref_change).collect();
    if changes.is_empty() {
        // A client that probes whether it may push.
        return Vec::new();
    }
    let objects = match packets.rest() {
        [] => Ok(BTreeMap::new()),
        pack => pack::read(pack, &repository.objects),
    };
    let mut report = Vec::new();
    match objects {
        Ok(objects) => {
            report.extend(packet("unpack ok\n"));
            let results = repository.push(&changes, objects);
            for (change, result) in changes.iter().zip(results) {
                report.extend(packet(match result {
                    Ok(()) => format!("ok {}\n", change.name),
                    Err(why) => format!("ng {} {why}\n", change.name),
                }));
            }
        }
        Err(error) => {
            report.extend(packet(format!("unpack {error}\n")));
            for change in &changes {
                report.extend(packet(format!("ng {} unpacker error\n", change.name)));
            }
        }
    }
    report.extend(FLUSH);
    report
}

fn ref_change(line: &str) -> Option<RefChange> {
    let mut words = line.split('\0').next()?.splitn(3, ' ');
    let (old, new) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(RefChange { old, new, name: words.next()?.to_owned() })
}

/// The body of a push that puts one commit on top of the branch `main`, and the id of the commit.
pub fn push_request(refs: &Advertised, title: &str) -> (Vec<u8>, ObjectId) {
    let parent = refs.get(MAIN).copied();
    let made = Object::commit(title, parent);
    let new = made.last().map_or(ObjectId::NONE, Object::id);
    let old = parent.unwrap_or(ObjectId::NONE);
    let mut body = packet(format!("{old} {new} {MAIN}\0report-status\n"));
    body.extend(FLUSH);
    body.extend(pack::written(made.iter()));
    (body, new)
}

/// Where the refs are to be after a push, by the body of its request. Deletions are left out.
pub fn pushed(request: &[u8]) -> Vec<ObjectId> {
    let lines = Packets(request).map_while(Packet::text);
    let tips = lines.filter_map(ref_change).map(|change| change.new);
    tips.filter(|tip| *tip != ObjectId::NONE).collect()
}

/// What the response to a push says about it.
///
/// # Errors
/// The reason of a refusal.
pub fn push_result(body: &[u8]) -> Result<(), String> {
    let lines: Vec<_> = Packets(body).filter_map(Packet::text).collect();
    let refusal = |line: &&&str| !line.starts_with("ok ") && **line != "unpack ok";
    match lines.iter().find(refusal) {
        Some(line) => Err((*line).to_owned()),
        None if lines.is_empty() => Err("the response reports nothing".to_owned()),
        None => Ok(()),
    }
}

/// The body of a clone: all that these refs lead to.
pub fn clone_request(refs: &Advertised) -> Vec<u8> {
    let mut body = Vec::new();
    for id in refs.values() {
        body.extend(packet(format!("want {id}\n")));
    }
    body.extend(FLUSH);
    body.extend(packet("done\n"));
    body
}

/// Why a response is not a clone.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CloneError(String);

/// The repository that the response to a clone makes, complete up to the last object.
///
/// # Errors
/// Where the response refuses, or an object is missing.
pub fn cloned(refs: Advertised, body: &[u8]) -> Result<GitRepository, CloneError> {
    let failed = |why: &dyn fmt::Display| CloneError(why.to_string());
    let mut packets = Packets(body);
    match packets.next().and_then(Packet::text) {
        Some("NAK") => {}
        Some(other) => return Err(failed(&other)),
        None => return Err(failed(&"the response has no packet")),
    }
    let objects = pack::read(packets.rest(), &BTreeMap::new()).map_err(|error| failed(&error))?;
    let repository = GitRepository { refs, objects };
    let tips: Vec<_> = repository.refs.values().copied().collect();
    repository.reachable(&tips, &[]).map_err(|missing| failed(&missing))?;
    Ok(repository)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(repository: &mut GitRepository, title: &str) -> ObjectId {
        let refs = advertised(&advertisement(repository, Service::Receive));
        let (body, id) = push_request(&refs, title);
        assert_eq!(push_result(&received(repository, &body)), Ok(()));
        id
    }

    #[test]
    fn a_fetch_sends_what_the_client_has_not() {
        let mut repository = GitRepository::default();
        let first = pushed(&mut repository, "First");
        let second = pushed(&mut repository, "Second");
        let have = |done: &[u8]| {
            let lines = [
                &packet(format!("want {second} multi_ack_detailed\n"))[..],
                FLUSH,
                &packet(format!("have {first}\n")),
                done,
            ];
            uploaded(&repository, &lines.concat()).unwrap()
        };
        let known = String::from_utf8(have(FLUSH)).unwrap();
        assert!(known.contains(" common\n") && known.ends_with("0008NAK\n"), "{known}");
        let body = have(&packet("done\n"));
        let mut packets = Packets(&body);
        assert_eq!(packets.by_ref().count(), 2);
        let objects = pack::read(packets.rest(), &BTreeMap::new()).unwrap();
        assert!(objects.len() == 3 && objects.contains_key(&second));
    }

    #[test]
    fn a_ref_without_its_objects_cannot_be_cloned() {
        let mut repository = GitRepository::default();
        pushed(&mut repository, "First");
        let refs = repository.refs.clone();
        repository.objects.clear();
        let refused = uploaded(&repository, &clone_request(&refs)).unwrap_err();
        assert!(cloned(refs, &refused).unwrap_err().to_string().contains("is missing"));
        assert!(uploaded(&GitRepository::default(), &refused).is_ok());
    }

    #[test]
    fn a_stale_push_is_refused() {
        let mut repository = GitRepository::default();
        let before = repository.refs.clone();
        pushed(&mut repository, "First");
        let (body, _) = push_request(&before, "Second");
        assert_eq!(super::pushed(&body).len(), 1);
        let refused = push_result(&received(&mut repository, &body));
        assert_eq!(refused, Err(format!("ng {MAIN} fetch first")));
        assert_eq!(received(&mut repository, FLUSH), b"");
    }
}
