"""Feeds specs/op.schema.json the files that the loader's test reads: both must accept and refuse the same ones.

bad/manifest.json says which faults a schema cannot see ("blind"); such a file must pass the schema, so that a rule
which the schema could express is not left out of it by mistake.
"""

import json
import pathlib
import sys

SKIPPED = 77

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is not installed (Debian package python3-jsonschema)")
    sys.exit(SKIPPED)
if not hasattr(jsonschema, "Draft202012Validator"):
    print("skipped: the Python module jsonschema is older than draft 2020-12 (4.0)")
    sys.exit(SKIPPED)


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def finite(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is beyond a double")
    return number


def refusal(validator, path):
    """Why the schema side refuses the file, or None."""
    try:
        instance = json.loads(path.read_bytes().decode("utf-8"), parse_constant=refuse_constant, parse_float=finite)
    except ValueError as error:
        return str(error)
    error = jsonschema.exceptions.best_match(validator.iter_errors(instance))
    return None if error is None else error.message


def main(schema_path, specs, *extra_good):
    schema = json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    specs = pathlib.Path(specs)
    failures = []

    good = sorted((specs / "good").glob("*.json"))
    for folder in extra_good:
        good += sorted(path for path in pathlib.Path(folder).glob("*.json") if path.name != "op.schema.json")
    for path in good:
        reason = refusal(validator, path)
        if reason is not None:
            failures.append(f"{path}: the schema refuses a good spec: {reason}")

    manifest = json.loads((specs / "bad" / "manifest.json").read_text(encoding="utf-8"))
    bad = {path.name for path in (specs / "bad").glob("*.json")} - {"manifest.json"}
    for name in sorted(bad ^ manifest.keys()):
        failures.append(f"{name}: stands in only one of the folder and its manifest")
    for name in sorted(bad & manifest.keys()):
        reason = refusal(validator, specs / "bad" / name)
        blind = {"blind": True, "refuses": False}[manifest[name]["schema"]]
        if blind and reason is not None:
            failures.append(f"{name}: the schema does see this fault, so the manifest is wrong: {reason}")
        if not blind and reason is None:
            failures.append(f"{name}: the schema accepts what the loader refuses")

    print("\n".join(failures) or f"{len(good)} good and {len(bad)} bad specs: schema and manifest agree")
    return 1 if failures or not good or not bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
