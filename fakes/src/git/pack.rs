//! Packs: many objects, compressed, in one stream.

use std::collections::BTreeMap;

use bytes::Bytes;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use sha1::{Digest, Sha1};

use super::object::{Object, ObjectId, ObjectKind};

/// The largest object that is read, in bytes.
const LARGEST: usize = 64 * 1024 * 1024;

/// The most bytes that the objects of a pack have together, and its deltas. A pack of some
/// kilobytes can have any number.
const LARGEST_PACK: usize = 256 * 1024 * 1024;

/// What is wrong with a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// It ends too early, or its head is not one.
    #[error("the pack ends too early")]
    Cut,
    /// Its checksum does not fit its content.
    #[error("the checksum of the pack is wrong")]
    Checksum,
    /// An object is of an unknown kind, too large, or not compressed as it should be.
    #[error("the pack has an object that cannot be read")]
    Object,
    /// Its objects have more content together than a fleet takes.
    #[error("the pack has more than {LARGEST_PACK} bytes of content")]
    TooLarge,
    /// A delta does not fit its base, or the base is missing.
    #[error("the pack has a delta without its base")]
    Delta,
}

/// A pack of these objects, each as a whole.
pub(super) fn written<'o>(objects: impl ExactSizeIterator<Item = &'o Object>) -> Vec<u8> {
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend(u32::try_from(objects.len()).unwrap_or(u32::MAX).to_be_bytes());
    for object in objects {
        let kind = match object.kind {
            ObjectKind::Commit => 1,
            ObjectKind::Tree => 2,
            ObjectKind::Blob => 3,
            ObjectKind::Tag => 4,
        };
        let mut rest = object.content.len();
        let mut byte = (kind << 4) | (rest & 15) as u8;
        rest >>= 4;
        while rest > 0 {
            pack.push(byte | 128);
            byte = (rest & 127) as u8;
            rest >>= 7;
        }
        pack.push(byte);
        pack.extend(compress_to_vec_zlib(&object.content, 6));
    }
    let checksum = Sha1::digest(&pack);
    pack.extend(checksum);
    pack
}

/// The objects of a pack. `known` has the bases of deltas that the pack leaves out.
pub(super) fn read(
    pack: &[u8],
    known: &BTreeMap<ObjectId, Object>,
) -> Result<BTreeMap<ObjectId, Object>, PackError> {
    let (body, checksum) = pack.split_last_chunk::<20>().ok_or(PackError::Cut)?;
    if Sha1::digest(body)[..] != checksum[..] {
        return Err(PackError::Checksum);
    }
    let head = body.get(..12).filter(|head| head.starts_with(b"PACK\0\0\0\x02"));
    let count = head.and_then(|head| head.last_chunk()).ok_or(PackError::Cut)?;
    let (mut rest, mut objects, mut deltas) = (&body[12..], BTreeMap::new(), Vec::new());
    let mut room = LARGEST_PACK;
    for _ in 0..u32::from_be_bytes(*count) {
        let (kind, size) = entry_head(&mut rest)?;
        let base = match kind {
            7 => Some(ObjectId(*take::<20>(&mut rest)?)),
            _ => None,
        };
        room = room.checked_sub(size).ok_or(PackError::TooLarge)?;
        let content = inflated(&mut rest, size)?;
        let kind = match kind {
            1 => ObjectKind::Commit,
            2 => ObjectKind::Tree,
            3 => ObjectKind::Blob,
            4 => ObjectKind::Tag,
            7 => {
                deltas.extend(base.map(|base| (base, content)));
                continue;
            }
            _ => return Err(PackError::Object),
        };
        let object = Object { kind, content };
        objects.insert(object.id(), object);
    }
    // The base of a delta may be a delta itself, and come later.
    while !deltas.is_empty() {
        let before = deltas.len();
        let mut left = Vec::new();
        for (base, delta) in deltas {
            match objects.get(&base).or_else(|| known.get(&base)) {
                Some(base) => {
                    let content = applied(&delta, &base.content).ok_or(PackError::Delta)?;
                    room = room.checked_sub(content.len()).ok_or(PackError::TooLarge)?;
                    let object = Object { kind: base.kind, content };
                    objects.insert(object.id(), object);
                }
                None => left.push((base, delta)),
            }
        }
        if left.len() == before {
            return Err(PackError::Delta);
        }
        deltas = left;
    }
    Ok(objects)
}

/// The kind of an entry, and the size of its content.
fn entry_head(rest: &mut &[u8]) -> Result<(u8, usize), PackError> {
    let [mut byte] = *take::<1>(rest)?;
    let kind = (byte >> 4) & 7;
    let (mut size, mut shift) = (usize::from(byte & 15), 4);
    while byte & 128 != 0 {
        [byte] = *take::<1>(rest)?;
        size |= usize::from(byte & 127) << shift;
        shift += 7;
        if shift > 32 {
            return Err(PackError::Object);
        }
    }
    if size > LARGEST { Err(PackError::Object) } else { Ok((kind, size)) }
}

fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> Result<&'b [u8; N], PackError> {
    let (taken, after) = rest.split_first_chunk().ok_or(PackError::Cut)?;
    *rest = after;
    Ok(taken)
}

/// The content of an entry. No field says how long its compressed form is.
fn inflated(rest: &mut &[u8], size: usize) -> Result<Bytes, PackError> {
    let mut content = vec![0; size + 1];
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut inflater = Box::<DecompressorOxide>::default();
    let (status, read, length) = decompress(&mut inflater, rest, &mut content, 0, flags);
    if status != TINFLStatus::Done || length != size {
        return Err(PackError::Object);
    }
    *rest = &rest[read..];
    content.truncate(size);
    Ok(content.into())
}

/// What a delta makes of its base; `None` where the two do not fit.
fn applied(mut delta: &[u8], base: &[u8]) -> Option<Bytes> {
    let of_base = delta_size(&mut delta)?;
    let size = delta_size(&mut delta)?;
    if of_base != base.len() || size > LARGEST {
        return None;
    }
    let mut made = Vec::with_capacity(size);
    while let Some((&op, after)) = delta.split_first() {
        delta = after;
        if op & 128 == 0 {
            let length = usize::from(op);
            if length == 0 || delta.len() < length {
                return None;
            }
            made.extend_from_slice(&delta[..length]);
            delta = &delta[length..];
            continue;
        }
        let mut parts = [0_usize; 7];
        for (bit, part) in parts.iter_mut().enumerate() {
            if op & (1 << bit) != 0 {
                let (&byte, after) = delta.split_first()?;
                (*part, delta) = (usize::from(byte), after);
            }
        }
        let from = parts[0] | parts[1] << 8 | parts[2] << 16 | parts[3] << 24;
        let length = match parts[4] | parts[5] << 8 | parts[6] << 16 {
            0 => 0x1_0000,
            length => length,
        };
        made.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        if made.len() > size {
            return None;
        }
    }
    (made.len() == size).then(|| made.into())
}

fn delta_size(delta: &mut &[u8]) -> Option<usize> {
    let (mut size, mut shift) = (0, 0);
    loop {
        let (&byte, after) = delta.split_first()?;
        *delta = after;
        size |= usize::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Some(size);
        }
        shift += 7;
        if shift > 32 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn known(objects: &[Object]) -> BTreeMap<ObjectId, Object> {
        objects.iter().map(|object| (object.id(), object.clone())).collect()
    }

    fn sealed(mut pack: Vec<u8>) -> Vec<u8> {
        let checksum = Sha1::digest(&pack);
        pack.extend(checksum);
        pack
    }

    #[test]
    fn a_delta_is_applied_to_a_base_that_the_pack_leaves_out() {
        let base = Object { kind: ObjectKind::Blob, content: "hello, world".into() };
        // Copies `hello`, inserts ` there`.
        let delta = [&[12, 11, 0x90, 5, 6][..], b" there"].concat();
        let mut pack = [b"PACK\0\0\0\x02\0\0\0\x01".as_slice(), &[7 << 4 | 11]].concat();
        pack.extend(base.id().0);
        pack.extend(compress_to_vec_zlib(&delta, 6));
        let pack = sealed(pack);
        let read = |known: &[Object]| super::read(&pack, &super::tests::known(known));
        let made = Object { kind: ObjectKind::Blob, content: "hello there".into() };
        assert_eq!(read(std::slice::from_ref(&base)), Ok(known(&[made])));
        assert_eq!(read(&[]), Err(PackError::Delta));
    }

    #[test]
    fn a_small_pack_of_much_content_is_refused() {
        let base = Object { kind: ObjectKind::Blob, content: vec![b'a'; 1 << 20].into() };
        // Each delta copies the base forty times, in pieces of 64 KiB, and then says who it is.
        let copies = 40 * 16;
        let mut pack = b"PACK\0\0\0\x02\0\0\0\x28".to_vec();
        for own in 0..40 {
            let mut delta = vec![0x80, 0x80, 0x40];
            let mut size = (copies << 16) + 1;
            while size > 127 {
                delta.push((size & 127) as u8 | 128);
                size >>= 7;
            }
            delta.push(size as u8);
            delta.extend((0..copies).flat_map(|piece| [0x84, (piece % 16) as u8]));
            delta.extend([1, own]);
            let mut size = delta.len();
            pack.push(7 << 4 | 128 | (size & 15) as u8);
            size >>= 4;
            pack.extend([(size & 127) as u8 | 128, (size >> 7) as u8]);
            pack.extend(base.id().0);
            pack.extend(compress_to_vec_zlib(&delta, 6));
        }
        let pack = sealed(pack);
        assert!(pack.len() < 10_000, "{}", pack.len());
        assert_eq!(super::read(&pack, &known(&[base])), Err(PackError::TooLarge));
    }

    #[test]
    fn a_broken_pack_is_refused() {
        let objects = Object::commit("First", None);
        let pack = written(objects.iter());
        let read = |pack: &[u8]| super::read(pack, &BTreeMap::new());
        assert_eq!(read(&pack[..pack.len() - 1]), Err(PackError::Checksum));
        assert_eq!(read(b"PACK"), Err(PackError::Cut));
        assert_eq!(read(&sealed(pack[..30].to_vec())), Err(PackError::Object));
        assert_eq!(read(&sealed(pack[..12].to_vec())), Err(PackError::Cut));
    }

    proptest! {
        #[test]
        fn a_pack_is_read_as_it_was_written(
            contents in vec(vec(any::<u8>(), 0..600), 0..5),
        ) {
            let objects: Vec<_> = contents
                .into_iter()
                .map(|content| Object { kind: ObjectKind::Blob, content: content.into() })
                .collect();
            prop_assert_eq!(read(&written(objects.iter()), &BTreeMap::new()), Ok(known(&objects)));
        }

        #[test]
        fn no_pack_is_too_strange(pack in vec(any::<u8>(), 0..200)) {
            let pack = [b"PACK\0\0\0\x02\0\0\0\x02".as_slice(), &pack].concat();
            let _ = read(&sealed(pack), &BTreeMap::new());
        }
    }
}
