"""What the recipes share: the router under test, artifacts as folders, records as data."""

import glob
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each process of this script runs one scenario at a time: four of them do on one machine what four
# machines do.
JOBS = "--jobs 1"


def say(text):
    print(text, flush=True)


def check(holds, why):
    if not holds:
        sys.exit(f"error: {why}")


class Router:
    """A router under test: its file, and the environment in which commands are run."""

    def __init__(self, folder, commands, name, command, code):
        self.name = name
        # The exit code of its run.
        self.code = code
        self.file = folder / f"{name}.toml"
        self.file.write_text(
            f"name = {json.dumps(name)}\ncommand = {json.dumps(command)}\n"
            'protocols = ["buffering", "learning"]\n'
        )
        self.environment = dict(os.environ, PATH=f"{commands}:{os.environ['PATH']}")
        # What a service sets must not come from the service that runs this script.
        for variable in list(self.environment):
            if variable.startswith(("CI_", "GITHUB_", "JOB_COMPLETION_")):
                del self.environment[variable]

    def run(self, command, folder, **variables):
        """Starts a command; what it says goes to a file, which is shown if it fails."""
        log = open(folder / "log", "a")
        return subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            env=dict(self.environment, **variables),
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )


def finish(processes, folders, code, name):
    """Waits for shards. Each ends well, or with the code of a router that fails."""
    check(len(processes) == 4, f"{name}: {len(processes)} shards")
    codes = [process.wait() for process in processes]
    said = "".join((folder / "log").read_text()[-2000:] for folder in folders)
    check(set(codes) <= {0, code}, f"{name}: the shards ended with {codes}\n{said}")
    return codes


def carry(place, pattern, target):
    """Copies what a pattern matches below one machine's folder to another's."""
    found = glob.glob(pattern, root_dir=place)
    check(found, f"{place}: nothing is named {pattern}")
    for name in found:
        source, goal = place / name, target / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, goal, dirs_exist_ok=True)
        else:
            shutil.copy(source, goal)


def differences(one, two):
    """What two records say of scenarios; times are left out."""

    def read(path):
        record = json.loads(Path(path).read_text())
        scenarios = {}
        for scenario in record["scenarios"]:
            found = [
                (finding["requirement"], finding["level"], finding["step"])
                for finding in scenario["findings"]
            ]
            scenarios[scenario["name"]] = (scenario["outcome"]["word"], found)
        rest = {key: record[key] for key in ("conclusion", "exit_code", "profiles", "complaints")}
        return scenarios, rest, [scenario["name"] for scenario in record["scenarios"]]

    (first, rest, order), (second, other_rest, other_order) = read(one), read(two)
    names = sorted(first.keys() | second.keys())
    differs = [
        (name, first.get(name), second.get(name))
        for name in names
        if first.get(name) != second.get(name)
    ]
    differs += [(key, rest[key], other_rest[key]) for key in rest if rest[key] != other_rest[key]]
    if order != other_order:
        differs.append("the order of the scenarios")
    return differs, len(names), sum(len(found) for _, found in first.values())
