"""Plays templates/shards.yml: inputs, parallel jobs and artifacts."""

import re
import shutil

import yaml
from common import JOBS, ROOT, carry, check, finish

NAME = "GitLab CI/CD"
FILE = ROOT / "templates/shards.yml"


def included(given):
    """The jobs of the component with these inputs; the others have their defaults."""
    head, jobs = FILE.read_text().split("\n---\n")
    inputs = yaml.safe_load(head)["spec"]["inputs"]

    def value(found):
        name = found[1]
        check(name in inputs, f"{FILE.name}: there is no input {name}")
        if name in given:
            return given[name]
        check("default" in inputs[name], f"{FILE.name}: {name} has no default")
        return str(inputs[name]["default"])

    return yaml.safe_load(re.sub(r"\$\[\[\s*inputs\.([\w-]+)\s*\]\]", value, jobs))


def begin(folder, job, router, **variables):
    own = {key: str(value or "") for key, value in job.get("variables", {}).items()}
    # The shell of GitLab's runners.
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    return router.run(["bash", "-c", script], folder, **own, **variables)


def play(place, router, arguments):
    given = {"image": "none", "arguments": f"{arguments} {JOBS}"}
    jobs = included(given)
    shard, merge = jobs["conformance-shard"], jobs["conformance"]
    check(merge["needs"] == [{"job": "conformance-shard", "artifacts": True}], "needs")
    check(merge["when"] == "always", f"{FILE.name}: a failed shard ends the pipeline")
    check(shard["artifacts"]["when"] == "always", f"{FILE.name}: failures leave no artifact")
    folders, processes = [], []
    count = shard["parallel"]
    for index in range(1, count + 1):
        folder = place / f"job-{index}"
        folder.mkdir()
        shutil.copy(router.file, folder / "router.toml")
        variables = {
            "CI_NODE_INDEX": str(index),
            "CI_NODE_TOTAL": str(count),
            "CI_PIPELINE_ID": "987654321",
        }
        folders.append(folder)
        processes.append(begin(folder, shard, router, **variables))
    finish(processes, folders, router.code, NAME)
    merging = place / "merge"
    merging.mkdir()
    for folder in folders:
        for path in shard["artifacts"]["paths"]:
            carry(folder, path, merging)
    code = begin(merging, merge, router).wait()
    check((merging / merge["artifacts"]["reports"]["junit"]).exists(), f"{NAME}: no JUnit report")
    return merging / merge["artifacts"]["paths"][0] / "report.json", code
