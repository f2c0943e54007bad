"""Plays docs/ci/github-actions.yml: jobs, matrix, expressions and artifacts."""

import re
import shutil

import yaml
from common import JOBS, ROOT, carry, check, finish

NAME = "GitHub Actions"
FILE = ROOT / "docs/ci/github-actions.yml"

# Actions that fetch: the program is there already, and a folder stands for the repository.
FETCHING = ("actions/checkout@", "taiki-e/install-action@")


def evaluate(text, context):
    """A text with its expressions; one that is not known here is an error."""

    def value(found):
        check(found[1] in context, f"{FILE.name}: `{found[1]}` is not known to ci/shards")
        return str(context[found[1]])

    return re.sub(r"\$\{\{\s*([^}]*?)\s*\}\}", value, str(text))


def machine(folder, job, name, context, router):
    """Begins the steps of a job in a folder: those before its command. Returns the command's process
    and the steps that follow."""
    folder.mkdir(parents=True)
    steps = job["steps"]
    for at, step in enumerate(steps):
        if "run" in step:
            variables = {key: evaluate(value, context) for key, value in step.get("env", {}).items()}
            if "ARGUMENTS" in variables:
                check(variables["ARGUMENTS"] == "", f"{FILE.name}: ARGUMENTS are preset")
                variables["ARGUMENTS"] = context["ARGUMENTS"]
            script = evaluate(step["run"], context)
            # The shell of GitHub's runners.
            command = ["bash", "-e", "-c", script]
            return router.run(command, folder, **context["environment"], **variables), steps[at + 1 :]
        uses = step["uses"]
        if uses.startswith("actions/checkout@"):
            shutil.copy(router.file, folder / "router.toml")
        elif uses.startswith("actions/download-artifact@"):
            given = step["with"]
            check(given["merge-multiple"] is True, f"{FILE.name}: artifacts are not merged")
            for artifact in sorted(context["artifacts"].glob(given["pattern"])):
                carry(artifact, "*", folder / given["path"])
        else:
            check(uses.startswith(FETCHING), f"{FILE.name}: `{uses}` is not known to ci/shards")
    check(False, f"{FILE.name}: the job {name} runs nothing")


def upload(folder, steps, context):
    for step in steps:
        check(step["uses"].startswith("actions/upload-artifact@"), f"{FILE.name}: {step}")
        check(step["if"] == "${{ !cancelled() }}", f"{FILE.name}: failures leave no artifact")
        name = evaluate(step["with"]["name"], context)
        carry(folder, evaluate(step["with"]["path"], context), context["artifacts"] / name)


def play(place, router, arguments):
    workflow = yaml.safe_load(FILE.read_text())
    shard, report = workflow["jobs"]["shard"], workflow["jobs"]["conformance"]
    check(report["needs"] == "shard" and "cancelled()" in report["if"], f"{FILE.name}: needs")
    check(shard["strategy"]["fail-fast"] is False, f"{FILE.name}: a failure ends other shards")
    artifacts = place / "artifacts"
    artifacts.mkdir()
    context = {
        "github.run_id": 1234567890,
        "artifacts": artifacts,
        "environment": {},
        "ARGUMENTS": f"{arguments} {JOBS}",
    }
    values = shard["strategy"]["matrix"]["shard"]
    context["strategy.job-total"] = len(values)
    contexts = [dict(context, **{"matrix.shard": value}) for value in values]
    folders = [place / f"shard-{value}" for value in values]
    begun = [
        machine(folder, shard, "shard", own, router) for folder, own in zip(folders, contexts)
    ]
    finish([process for process, _ in begun], folders, router.code, NAME)
    for folder, own, (_, steps) in zip(folders, contexts, begun):
        upload(folder, steps, own)
    merging = place / "conformance"
    context["environment"] = {"GITHUB_STEP_SUMMARY": str(place / "summary.md")}
    process, steps = machine(merging, report, "conformance", context, router)
    code = process.wait()
    upload(merging, steps, context)
    check((place / "summary.md").stat().st_size > 0, f"{NAME}: there is no summary")
    return artifacts / "conformance/conformance/report.json", code
