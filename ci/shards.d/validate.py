"""Validates the recipes against the schemas of their services, with the tools that are there."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import gitlab
import yaml
from common import ROOT, check, say

GITHUB = ROOT / "docs/ci/github-actions.yml"
MANIFESTS = sorted((ROOT / "docs/ci/kubernetes").glob("*.yaml"))


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    check(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def schemas():
    """The schemas for workflows and pipelines that check-jsonschema carries."""
    run(["check-jsonschema", "--builtin-schema", "vendor.github-workflows", GITHUB])
    head = yaml.safe_load(gitlab.FILE.read_text().split("\n---\n")[0])
    with tempfile.TemporaryDirectory() as folder:
        for name, document in [
            ("spec.yml", head),
            ("jobs.yml", gitlab.included({"image": "none", "arguments": "--profile core"})),
        ]:
            path = Path(folder) / name
            path.write_text(yaml.safe_dump(document))
            run(["check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", path])


def kubectl():
    """kubectl reads each manifest into its types and writes it again: a field that it does not know
    is gone then."""

    def contains(whole, part):
        if isinstance(part, dict):
            return all(key in whole and contains(whole[key], part[key]) for key in part)
        if isinstance(part, list):
            return len(whole) == len(part) and all(map(contains, whole, part))
        return whole == part

    command = ["kubectl", "set", "env", "--local", "-o", "yaml", "READ_BY=kubectl", "-f"]
    for path in MANIFESTS:
        documents = yaml.safe_load_all(path.read_text())
        # The command is for what starts pods.
        job = next(document for document in documents if document["kind"] == "Job")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(job, file)
            file.flush()
            read = yaml.safe_load(run(command + [file.name]))
        (container,) = job["spec"]["template"]["spec"]["containers"]
        for variable in container["env"]:
            if variable["value"] == "":
                # The same as none, which is how kubectl writes it.
                del variable["value"]
        container["env"].append({"name": "READ_BY", "value": "kubectl"})
        check(contains(read, job), f"{path.name}: kubectl does not know a field of it")


def strict():
    run(["kubernetes-validate", "--strict", *MANIFESTS])


def validate():
    """Validates with each tool, and says which ones are missing."""
    for tool, use in [
        ("check-jsonschema", schemas),
        ("kubernetes-validate", strict),
        ("kubectl", kubectl),
    ]:
        if shutil.which(tool):
            use()
            say(f"valid for {tool}")
        else:
            say(f"{tool} is not installed: not validated by it")
