"""Plays docs/ci/kubernetes: an Indexed Job, its volume, and the Job that merges."""

import yaml
from common import JOBS, ROOT, check, finish

NAME = "Kubernetes"
FOLDER = ROOT / "docs/ci/kubernetes"


def job(name):
    documents = yaml.safe_load_all((FOLDER / name).read_text())
    return next(document for document in documents if document["kind"] == "Job")["spec"]


def begin(folder, spec, router, records, **variables):
    """Begins the container of a pod. The folder of the volume is another one here."""
    (container,) = spec["template"]["spec"]["containers"]
    own = {variable["name"]: variable["value"] for variable in container["env"]}
    (mount,) = container["volumeMounts"]
    check(own["RECORDS"] == mount["mountPath"], "RECORDS is not where the volume is")
    own["RECORDS"] = str(records)
    if "ROUTER_FILE" in own:
        own["ROUTER_FILE"] = str(router.file)
    folder.mkdir()
    return router.run(container["command"] + container["args"], folder, **(own | variables))


def play(place, router, arguments):
    shards, merge = job("shards.yaml"), job("merge.yaml")
    check(shards["completionMode"] == "Indexed", "the Job is not indexed")
    check(shards["backoffLimitPerIndex"] == 0, "pods are run again")
    check(shards["template"]["spec"]["restartPolicy"] == "Never", "pods are started again")
    count = shards["completions"]
    check(shards["parallelism"] == count, "not all pods run at once")
    (container,) = shards["template"]["spec"]["containers"]
    check({"name": "SHARDS", "value": str(count)} in container["env"], "SHARDS is another number")
    records = place / "volume"
    records.mkdir()
    folders = [place / f"pod-{index}" for index in range(count)]
    processes = [
        begin(
            folder,
            shards,
            router,
            records,
            JOB_COMPLETION_INDEX=str(index),
            ARGUMENTS=f"{arguments} {JOBS}",
        )
        for index, folder in enumerate(folders)
    ]
    codes = finish(processes, folders, 0, NAME)
    check(codes == [0] * count, f"{NAME}: pods that left a record failed: {codes}")
    code = begin(place / "merge", merge, router, records).wait()
    return records / "conformance/report.json", code
