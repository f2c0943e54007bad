//! What packages of the program rely on.

use std::path::Path;

#[test]
fn the_image_is_built_from_every_member_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let context = read(".dockerignore");
    for member in members {
        let member = member.as_str().unwrap();
        let folder = member.split('/').next().unwrap();
        let is_kept = context.lines().any(|line| line == format!("!{folder}"));
        assert!(is_kept, ".dockerignore leaves out {member}");
    }
}
