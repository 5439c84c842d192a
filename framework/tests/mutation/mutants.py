#!/usr/bin/env python3
"""Changes each comparison, constant and term of union, attribution and verdict, one at a time, and runs the tests of core.

    mutants.py BUILD [FILE...]        BUILD: a build folder with test_core in it; FILE: of framework/src/core, else those below

One program holds all mutants of a file (mutant.hpp), so that each is compiled once and a mutant costs one run of the tests. Mutants that no
test notices are printed; they must be those of survivors.txt beside this file, each with its reason. Exit code 1: another one survives, or
one that is listed does not.
"""
import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
CORE = os.path.join(ROOT, "framework", "src", "core")
FILES = ["intervals", "attribution", "attribution_samples", "label_map", "missing_work", "frames", "verdict", "findings", "findings_mixed", "readings",
         "creep", "baseline_summary", "comparability", "statistics", "attribution_issues", "off_thread_issue", "unfinished_launches"]
OPERATORS = {"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual", "==": "Equal", "!=": "NotEqual", "+": "Plus",
             "-": "Minus", "*": "Times", "/": "Over"}
TOKEN = re.compile(r"(?P<op> (?:<=|>=|==|!=|<|>|\+|-|\*|/) )|(?P<term>(?<= )[+-]= )|(?P<logic> (?:&&|\|\|) )|(?P<no>(?<![\w)\]])!(?=[\w(*]))"
                   r"|(?P<flag>\b(?:true|false)\b)|(?P<extreme>\bstd::(?:max|min)\()|(?P<number>(?<![\w.'])\d[\d'.]*(?:e-?\d+)?[uU]?[zZ]?\b)")
SKIP = re.compile(r"^\s*(#|template|using|static_assert|case )|operator|push_back\(fmt|enum ")


def masked(text):
    """The text with comments, strings and characters blanked, at the same places."""
    pattern = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])\'')
    return pattern.sub(lambda m: "~" * len(m.group()), text)


def operand_end(code, at):
    depth = 0
    while at < len(code):
        two = code[at:at + 2]
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
            if depth < 0:
                return at
        elif depth == 0 and (code[at] in ";?," or two in ("&&", "||") or (code[at] == ":" and two != "::" and code[at - 1] != ":")):
            return at - 1 if two in ("&&", "||") else at
        at += 1
    return at


class Site:
    def __init__(self, name, line, column, text, first_id, kinds):
        self.name, self.line, self.column, self.text, self.id, self.kinds = name, line, column, text, first_id, kinds
        self.edits = []
        self.alive = True


def sites_of(name, text, next_id):
    code = masked(text)
    sites = []
    starts = [0] + [m.end() for m in re.finditer("\n", text)]
    for m in TOKEN.finditer(code):
        line = text.count("\n", 0, m.start()) + 1
        source = text[starts[line - 1]:].split("\n", 1)[0]
        if SKIP.search(source):
            continue
        kind, found = m.lastgroup, m.group()
        site = Site(name, line, m.start() - starts[line - 1] + 1, source.strip(), next_id, [])
        place = lambda new: site.edits.append((m.start(), m.end(), new))
        if kind == "op":
            op = found.strip()
            if "~" in code[m.end():m.end() + 1] + code[m.start() - 1]:
                continue  # text is put together
            site.kinds = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!=", "true"], "!=": ["==", "true"],
                          "+": ["-", "without the right"], "-": ["+", "without the right"], "*": ["/", "without the right"],
                          "/": ["*", "without the right"]}[op]
            place(f" {op} ::mutant::{OPERATORS[op]}<{next_id}>{{}} {op} ")
        elif kind == "term":
            site.kinds = ["adds nothing", "the other sign"]
            place(f"{found}::mutant::Term<{next_id}>{{}} |= ")
        elif kind == "logic":
            op = found.strip()
            end = operand_end(code, m.end())
            site.kinds = ["without the right", "constant"]
            on, other = f"::mutant::is_on({next_id})", f"::mutant::is_on({next_id + 1})"
            place(f" && !{other} && ({on} || " if op == "&&" else f" || {other} || (!{on} && ")
            site.edits.append((end, end, ")"))
        elif kind == "no":
            site.kinds = ["without !", "true"]
            place(f"::mutant::Not<{next_id}>{{}} ->* ")
        elif kind == "flag":
            site.kinds = ["the other"]
            place(f"::mutant::flag<{next_id}>({found})")
        elif kind == "extreme":
            site.kinds = ["the other extreme", "the first"]
            place(f"::mutant::Extreme<{next_id}, {'true' if 'max' in found else 'false'}>::of(")
        else:
            site.kinds = ["+ 1", "0, or -1 for 0"]
            place(f"::mutant::number<{next_id}>({found})")
        next_id += 2
        sites.append(site)
    return sites, next_id


def changed(text, sites):
    edits = sorted((e for s in sites if s.alive for e in s.edits), key=lambda e: (e[0], e[1]), reverse=True)
    for begin, end, new in edits:
        text = text[:begin] + new + text[end:]
    # A constant that is chosen at run time is none at compile time.
    return re.sub(r"^constexpr (?=double|int|float|std::)", "const ", text, flags=re.M)


def compile_file(name, text, sites, folder):
    """Leaves out what does not compile: constants of types, of arrays, of templates."""
    path, out = os.path.join(folder, name + ".cpp"), os.path.join(folder, name + ".o")
    for attempt in range(12):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#include "{HERE}/mutant.hpp"\n#line 1 "{name}.cpp"\n' + changed(text, sites))
        command = ["g++", "-std=c++20", "-O1", "-w", "-fmax-errors=0", "-D_GLIBCXX_ASSERTIONS", f"-I{ROOT}/framework/src", f"-I{ROOT}/framework/include", "-DFMT_SHARED",
                   "-c", path, "-o", out]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return out
        bad = {int(m.group(1)) for m in re.finditer(rf"^{name}\.cpp:(\d+):\d+:", run.stderr, re.M)}
        wanted = [s for s in sites if s.alive and s.line in bad]
        if not wanted:  # an expression that began on an earlier line
            before = [s.line for s in sites if s.alive and s.line < max(bad, default=0)]
            wanted = [s for s in sites if s.alive and s.line == max(before, default=0)]
        # Numbers first: they are what most often stands where a constant must.
        numbers = [s for s in wanted if "number<" in s.edits[0][2] or "flag<" in s.edits[0][2]]
        for site in (numbers if attempt % 2 == 0 and numbers else wanted):
            site.alive = False
        if not wanted:
            break
    sys.exit(f"{name}.cpp: its mutants do not compile:\n{run.stderr[:3000]}")


def main():
    build, names = os.path.abspath(sys.argv[1]), [os.path.basename(n).removesuffix(".cpp") for n in sys.argv[2:]] or FILES
    folder = os.path.join(build, "mutants")
    os.makedirs(folder, exist_ok=True)
    texts, sites, next_id = {}, {}, 1
    for name in names:
        with open(os.path.join(CORE, name + ".cpp"), encoding="utf-8") as file:
            texts[name] = file.read()
        sites[name], next_id = sites_of(name, texts[name], next_id)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda n: compile_file(n, texts[n], sites[n], folder), names))
    # As the build links it, with these objects in front: the library's own of the same names are then not taken.
    program = os.path.join(folder, "test_core")
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "bin/test_core"], capture_output=True, text=True, check=True).stdout
    link = next(line for line in reversed(commands.splitlines()) if " -o bin/test_core " in line)
    subprocess.run(link.replace(" -o bin/test_core ", f" -o {program} {' '.join(objects)} "), shell=True, cwd=build, check=True)
    # Those that notice most come first. Simulations would notice a wrong sign by luck, and take seconds.
    first = ["attribution", "attribution_faults", "issue_texts", "attribution_samples", "label_map", "intervals", "limits", "verdict", "confirmation", "mixed_verdict",
             "readings", "creep", "hold"]
    simulations = ["detectable", "sequential"]
    suites = sorted(os.path.basename(t).removesuffix("_test.cpp") for t in glob.glob(f"{ROOT}/framework/tests/core/*_test.cpp"))
    stages = ["--run_test=" + ",".join(s) for s in (first, [s for s in suites if s not in simulations + first])]

    def run(mutant, *words):
        # By the time of the CPU, and memory: a mutant that never ends is noticed, and a machine that is busy notices nothing.
        done = subprocess.run(["prlimit", "--cpu=10", "--as=4294967296", "--core=0", program, "--log_level=nothing", "--report_level=no", *words],
                              env={**os.environ, "OPGATE_MUTANT": str(mutant)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0

    if not all(run(0, stage) for stage in stages):
        sys.exit("the tests fail without a mutant")
    all_sites = [s for n in names for s in sites[n]]
    mutants = [(s, k) for s in all_sites if s.alive for k in range(len(s.kinds))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lived = list(pool.map(lambda m: all(run(m[0].id + m[1], stage) for stage in stages), mutants))
    with open(os.path.join(HERE, "survivors.txt"), encoding="utf-8") as file:
        known = {line.split(" | ")[0].strip() for line in file if " | " in line}
    survivors = {}
    for (site, k), survived in zip(mutants, lived):
        if survived:
            place = f"{site.name}.cpp `{site.text}` at {site.column}: {site.kinds[k]}"
            survivors[place] = f"{site.name}.cpp:{site.line}"
    new = [p for p in survivors if p not in known]
    gone = [p for p in known if p not in survivors and any(p.startswith(n + ".cpp ") for n in names)]
    for place in new:
        print(f"survives, and is not in survivors.txt: {place}   ({survivors[place]})")
    for place in gone:
        print(f"is in survivors.txt, and does not survive: {place}")
    for name in names:
        fates = [survived for (site, _), survived in zip(mutants, lived) if site.name == name]
        print(f"{name}.cpp: {len(fates)} mutants, {len(fates) - sum(fates)} noticed, {sum(fates)} survive")
    left_out = sum(1 for s in all_sites if not s.alive)
    print(f"mutants: {len(mutants)} of {len(names)} files, {len(mutants) - len(survivors)} noticed, {len(survivors)} survive, "
          f"{len(survivors) - len(new)} of them explained; {left_out} places need a constant of the compiler")
    sys.exit(1 if new or gone else 0)


main()
