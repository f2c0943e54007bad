//! A repository: refs and the objects behind them.

use std::collections::{BTreeMap, BTreeSet};

use super::object::{Object, ObjectId};

/// The branch that a clone checks out.
pub const MAIN: &str = "refs/heads/main";

/// A repository in memory. Its clones share the objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GitRepository {
    /// The refs by their full names.
    pub refs: BTreeMap<String, ObjectId>,
    pub objects: BTreeMap<ObjectId, Object>,
}

/// An object that a ref leads to is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the object {0} is missing")]
pub struct MissingObject(pub ObjectId);

/// A change of a ref that a push asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RefChange {
    pub(super) old: ObjectId,
    pub(super) new: ObjectId,
    pub(super) name: String,
}

impl GitRepository {
    /// The names of the branches, and where they are.
    pub fn branches(&self) -> impl Iterator<Item = (&str, ObjectId)> {
        let refs = self.refs.iter();
        refs.filter_map(|(name, id)| Some((name.strip_prefix("refs/heads/")?, *id)))
    }

    /// Creates a branch where the branch `main` is, and returns where that is. In a repository
    /// without it the branch gets its own commit. A branch that exists stays as it is.
    pub fn create_branch(&mut self, name: &str) -> ObjectId {
        let name = format!("refs/heads/{name}");
        if let Some(id) = self.refs.get(&name).or_else(|| self.refs.get(MAIN)).copied() {
            return *self.refs.entry(name).or_insert(id);
        }
        let made = Object::commit("Initial commit", None);
        let tip = made.last().map_or(ObjectId::NONE, Object::id);
        self.objects.extend(made.into_iter().map(|object| (object.id(), object)));
        self.refs.insert(name, tip);
        tip
    }

    /// The objects that these tips lead to, without what these others lead to.
    ///
    /// # Errors
    /// Names an object that is missing.
    pub fn reachable(
        &self,
        tips: &[ObjectId],
        without: &[ObjectId],
    ) -> Result<Vec<&Object>, MissingObject> {
        let mut seen = BTreeSet::new();
        // The other side may have objects that this repository lacks.
        self.walk(without, &mut seen, |_| Ok(()))?;
        let mut found = Vec::new();
        self.walk(tips, &mut seen, |step| match step {
            Ok(object) => {
                found.push(object);
                Ok(())
            }
            Err(missing) => Err(missing),
        })?;
        Ok(found)
    }

    fn walk<'r>(
        &'r self,
        tips: &[ObjectId],
        seen: &mut BTreeSet<ObjectId>,
        mut step: impl FnMut(Result<&'r Object, MissingObject>) -> Result<(), MissingObject>,
    ) -> Result<(), MissingObject> {
        let mut next = tips.to_vec();
        while let Some(id) = next.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(object) = self.objects.get(&id) else {
                step(Err(MissingObject(id)))?;
                continue;
            };
            next.extend(object.links());
            step(Ok(object))?;
        }
        Ok(())
    }

    /// The titles of the commits that a branch leads to.
    ///
    /// # Errors
    /// Names an object that is missing.
    pub fn titles(&self, branch: &str) -> Result<Vec<String>, MissingObject> {
        let Some(tip) = self.refs.get(branch) else { return Ok(Vec::new()) };
        Ok(self.reachable(&[*tip], &[])?.into_iter().filter_map(Object::title).collect())
    }

    /// Changes refs, with the objects of a push. Each change tells whether it was made.
    pub(super) fn push(
        &mut self,
        changes: &[RefChange],
        objects: BTreeMap<ObjectId, Object>,
    ) -> Vec<Result<(), String>> {
        self.objects.extend(objects);
        changes.iter().map(|change| self.change(change)).collect()
    }

    fn change(&mut self, change: &RefChange) -> Result<(), String> {
        let now = self.refs.get(&change.name).copied().unwrap_or(ObjectId::NONE);
        if now != change.old {
            return Err("fetch first".to_owned());
        }
        if change.new == ObjectId::NONE {
            self.refs.remove(&change.name);
            return Ok(());
        }
        if !change.name.starts_with("refs/") {
            return Err("funny refname".to_owned());
        }
        self.reachable(&[change.new], &[]).map_err(|missing| missing.to_string())?;
        self.refs.insert(change.name.clone(), change.new);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(repository: &mut GitRepository, title: &str, old: Option<ObjectId>) -> ObjectId {
        let made = Object::commit(title, old);
        let new = made[2].id();
        let old = old.unwrap_or(ObjectId::NONE);
        let change = RefChange { old, new, name: MAIN.to_owned() };
        let objects = made.into_iter().map(|object| (object.id(), object)).collect();
        assert_eq!(repository.push(&[change], objects), [Ok(())]);
        new
    }

    #[test]
    fn a_push_needs_the_right_old_id_and_all_objects() {
        let mut repository = GitRepository::default();
        let first = pushed(&mut repository, "First", None);
        let push = |old, new, repository: &mut GitRepository| {
            let change = RefChange { old, new, name: MAIN.to_owned() };
            repository.push(&[change], BTreeMap::new()).remove(0)
        };
        let unknown = Object::commit("Unknown", None)[2].id();
        assert!(push(ObjectId::NONE, first, &mut repository).is_err());
        assert!(push(first, unknown, &mut repository).is_err());
        assert_eq!(push(first, ObjectId::NONE, &mut repository), Ok(()));
        assert!(repository.refs.is_empty());
    }
}
