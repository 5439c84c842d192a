#!/usr/bin/env python3
"""Attribution, union and statistics of the same records by bench_core and by a straightforward Python version, in turn.

compare.py BENCH_CORE [COUNT...]: prints both medians and their ratio per count; exits 1 when the two disagree.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

KERNEL, EXTERNAL = 0, 4  # core::RecordKind
REPETITIONS = 5
REQUIRED = 1_000_000, 0.15  # records, seconds


def load(path):
    with open(path, encoding="ascii") as file:
        iterations = int(next(file))
        return iterations, [tuple(map(int, line.split())) for line in file]


def quantile(ordered, q):
    return ordered[round(q * (len(ordered) - 1))]


def read(iterations, records):
    """The step as one would write it down: labels, kernels per call, union per call, figures."""
    label = {}
    for kind, correlation, _, _, value in records:
        if kind == EXTERNAL:
            label[correlation] = value
    calls = [[] for _ in range(iterations)]
    for kind, correlation, start, end, _ in records:
        if kind == KERNEL:
            calls[label[correlation]].append((start, end))
    busy, span = [], []
    for kernels in calls:
        kernels.sort()
        total, (first, last) = 0, kernels[0]
        begin = first
        for start, end in kernels[1:]:
            if start > last:
                total += last - begin
                begin, last = start, end
            else:
                last = max(last, end)
        busy.append(total + last - begin)
        span.append(last - first)
    ordered = sorted(busy)
    trim = int(0.1 * len(ordered))
    kept = ordered[trim : len(ordered) - trim]
    return (
        f"{len(busy)} samples, busy {sum(busy)} span {sum(span)} median {statistics.median(ordered):.1f} "
        f"p10 {quantile(ordered, 0.1):.0f} p90 {quantile(ordered, 0.9):.0f} trimmed {sum(kept) / len(kept):.3f} "
        f"kernels {max(map(len, calls))}"
    )


def python_seconds(iterations, records):
    times = []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        digest = read(iterations, records)
        times.append(time.process_time() - begin)
    return statistics.median(times), digest


def bench_seconds(bench, count):
    """Median CPU seconds by name for every shape of so many records."""
    done = subprocess.run(
        [bench, f"--benchmark_filter=records:{count}$", f"--benchmark_repetitions={REPETITIONS}", "--benchmark_format=json"],
        check=True,
        stdout=subprocess.PIPE,
    )
    rows = json.loads(done.stdout)["benchmarks"]
    return {r["run_name"].split("/")[1]: r["cpu_time"] / 1e3 for r in rows if r.get("aggregate_name") == "median"}


def main(bench, *counts):
    failed = False
    for count in [int(c) for c in counts] or [10_000, 100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "records"
            told = subprocess.run(
                [bench, "--write-records", str(count), path], check=True, stdout=subprocess.PIPE, text=True
            ).stdout.strip()
            python, digest = python_seconds(*load(path))
        cpp = bench_seconds(bench, count)
        many = cpp["many_kernels_a_call"]
        shapes = ", ".join(f"{shape} {seconds * 1e3:.2f} ms" for shape, seconds in cpp.items())
        print(f"{count} records: {shapes}; Python {python * 1e3:.1f} ms, {python / many:.0f} x many_kernels_a_call")
        if digest != told:
            print(f"{count} records: the two differ\n  bench_core: {told}\n  Python:     {digest}")
            failed = True
        if count == REQUIRED[0] and max(cpp.values()) > REQUIRED[1]:
            print(f"{count} records take more than {REQUIRED[1]} s")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: compare.py BENCH_CORE [COUNT...]", file=sys.stderr)
        sys.exit(64)
    sys.exit(main(*sys.argv[1:]))
