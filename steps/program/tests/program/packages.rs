//! What packages of the program rely on.

use std::path::Path;

use crate::call::run;

#[test]
fn the_man_page_of_each_command_has_the_version() {
    let version = format!(" {}\"", env!("CARGO_PKG_VERSION"));
    for command in ["run", "self-test", "verify"] {
        let page = run(&["man", command]).with(0).out;
        let title = page.lines().find(|line| line.starts_with(".TH")).unwrap();
        assert!(title.contains(&version), "{title}");
    }
}

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
