#!/usr/bin/env python3
"""Kills cases at uniformly random times and looks at what the history then holds. Standard library only.

usage: kill_loop.py CASE_RUNNER TRACES [--kills 1000] [--between 300] [--seed N]

Each round starts a recorded case in one history and kills -9 its supervisor, its worker, or both, at a random time between
the start and the usual end. The oracle is what this script itself read of the case's output and exit code: a
case that reported must be in the history with that outcome and that figure, every other row must be whole or say that it
was never closed, and the next round must work. Ends with 1 at the first that is not so, and with 2 when fewer than
--between kills fell between a case's first write and its report.
"""
import argparse, os, pathlib, random, re, shutil, signal, sqlite3, statistics, subprocess, sys, tempfile, time

words = argparse.ArgumentParser()
words.add_argument("runner", type=lambda path: str(pathlib.Path(path).resolve()))
words.add_argument("traces", type=lambda path: str(pathlib.Path(path).resolve()))
words.add_argument("--kills", type=int, default=1000)
words.add_argument("--between", type=int, default=300)
words.add_argument("--seed", type=int, default=1)
words = words.parse_args()

CASES = ["add.llama3-8b-decode-1.f32", "gemm.llama3-8b-qkv-decode-1.bf16"]  # the second starts two workers
dice = random.Random(words.seed)


class Broken(Exception):
    pass


def children_of(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Loop:
    def __init__(self, folder):
        self.folder = folder
        self.history = folder / "history.sqlite"
        self.log = folder / "oracle.log"
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("OPGATE_")}
        self.environment["OPGATE_REPLAY"] = words.traces
        # LeakSanitizer looks for leaks from a child of the process that ends: killed for a worker, it is waited for without end.
        options = [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"]
        self.environment["ASAN_OPTIONS"] = ":".join(option for option in options if option)
        self.usual = {}
        self.counts = {"before the first write": 0, "between first write and report": 0, "after the report": 0,
                       "of a worker, reported by its supervisor": 0}

    def start(self, case):
        return subprocess.Popen([words.runner, case, "--history", self.history, "--baselines", self.folder / "baselines"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment,
                                cwd=self.folder)

    def rows(self, question, *values):
        database = sqlite3.connect(f"file:{self.history}?mode=ro", uri=True, timeout=20)
        try:
            return database.execute(question, values).fetchall()
        finally:
            database.close()

    def newest_run(self):
        return self.rows("SELECT coalesce(max(id), 0) FROM runs")[0][0] if self.history.exists() else 0

    def undisturbed(self, case):
        begin = time.monotonic()
        process = self.start(case)
        said, _ = process.communicate(timeout=60)
        if process.returncode < 0:
            raise Broken(f"{case} died by itself\n{said}")
        self.check(case, self.newest_run(), said, process.returncode)
        self.usual.setdefault(case, []).append(time.monotonic() - begin)

    # What the case said against what the history holds of it.
    def check(self, case, run, said, code):
        reported = code >= 0
        if not reported and 'name="device_busy_ms"' not in said:
            return
        found = self.rows("SELECT r.id, r.exit_code FROM results r JOIN cases c ON c.id = r.case_id"
                          " WHERE r.run_id = ? AND c.name = ?", run, case)
        if len(found) != 1 or found[0][1] is None or (reported and found[0][1] != code):
            raise Broken(f"{case} reported exit {code}, but run {run} holds {found}\n{said}")
        told = re.search(r'name="device_busy_ms"[^>]*>([0-9.e+-]+)<', said)
        if told:
            kept = self.rows("SELECT i.busy_median_ns FROM implementations i JOIN attempts a ON a.id = i.attempt_id"
                             " WHERE a.result_id = ? AND i.name = '' ORDER BY a.number LIMIT 1", found[0][0])
            if not kept or abs(kept[0][0] / 1e6 - float(told.group(1))) > 1e-6 * kept[0][0] / 1e6 + 1e-9:
                raise Broken(f"{case} reported {told.group(1)} ms, but run {run} holds {kept}\n{said}")

    # No half case: closed results have closed attempts, measured ones have their samples.
    def check_rows(self):
        half = self.rows(
            "SELECT r.run_id, r.id FROM results r WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE result_id = r.id)"
            " OR (r.exit_code IS NOT NULL AND EXISTS"
            "   (SELECT 1 FROM attempts WHERE result_id = r.id AND status = 'running'))"
            " UNION SELECT 0, a.id FROM attempts a WHERE a.status = 'measured' AND NOT EXISTS"
            "   (SELECT 1 FROM implementations i JOIN samples s ON s.implementation_id = i.id WHERE i.attempt_id = a.id)"
            " UNION SELECT u.id, 0 FROM runs u WHERE u.closed_unix_ms IS NOT NULL AND EXISTS"
            "   (SELECT 1 FROM results WHERE run_id = u.id AND exit_code IS NULL)")
        if half:
            raise Broken(f"half cases: {half}")

    def round(self, number):
        case = dice.choice(CASES)
        victim = dice.choice(["supervisor", "worker", "both"])
        after = dice.uniform(0, statistics.median(self.usual[case][-9:]))
        before = self.newest_run()
        process = self.start(case)
        time.sleep(after)
        workers = children_of(process.pid)
        if victim != "worker" or not workers:
            kill(process.pid)
        if victim != "supervisor":
            for worker in workers:
                kill(worker)
        said, _ = process.communicate(timeout=60)
        with open(self.log, "a") as log:
            log.write(f"{number} {case} {victim} {after:.4f} {process.returncode} {len(said)}\n")
        run = self.newest_run()
        if run > before + 1:
            raise Broken(f"one case made runs {before + 1} to {run}")
        if run > before:
            self.check(case, run, said, process.returncode)
        elif process.returncode >= 0:
            raise Broken(f"{case} ended with {process.returncode}, but there is no run of it\n{said}")
        if process.returncode >= 0 and victim == "worker" and workers:
            self.counts["of a worker, reported by its supervisor"] += 1
        elif said and 'name="device_busy_ms"' in said or process.returncode >= 0:
            self.counts["after the report"] += 1
        else:
            self.counts["between first write and report" if run > before else "before the first write"] += 1
        deadline = time.monotonic() + 10
        while not all(gone(worker) for worker in workers):
            if time.monotonic() > deadline:
                raise Broken(f"round {number}: a worker outlived its supervisor by 10 s")
            time.sleep(0.005)
        self.check_rows()

    def run(self):
        for case in CASES * 4:
            self.undisturbed(case)
        for number in range(words.kills):
            self.round(number)
            if number % 10 == 9:  # how long a case takes changes with the load of the machine
                self.undisturbed(CASES[number // 10 % 2])
        for case in CASES:
            self.undisturbed(case)
        verdict = self.rows("PRAGMA integrity_check")[0][0]
        if verdict != "ok":
            raise Broken(f"the history is damaged: {verdict}")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="opgate-kill-"))
    loop = Loop(folder)
    try:
        loop.run()
    except Broken as problem:
        print(f"kill_loop: {problem}\n  fix: look at {folder}")
        return 1
    shutil.rmtree(folder)
    for what, count in loop.counts.items():
        print(f"{count:6d} kills {what}")
    between = loop.counts["between first write and report"] + loop.counts["of a worker, reported by its supervisor"]
    print(f"kill_loop: {words.kills} kills, {between} between a case's first write and its report; nothing reported was lost, "
          "no half case")
    if between < words.between:
        print(f"kill_loop: fewer than {words.between} kills between first write and report\n  fix: give more --kills")
        return 2
    return 0


sys.exit(main())
