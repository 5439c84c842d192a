# Specs that configure must refuse, each with what is wrong.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_project("enable_testing()" "opgate_add_op(add SOURCES add.cu)")

# line: 0 where the message names the file alone.
function(expect_refused_at line spec what)
  write_spec(specs/add.json "${spec}")
  set(place "${source}/specs/add.json")
  if(line GREATER 0)
    string(APPEND place ":${line}")
  endif()
  expect_refused("${place}: ${what}")
endfunction()
macro(expect_spec_refused spec what)
  expect_refused_at(0 "${spec}" "${what}")
endmacro()
expect_refused_at(1 "" "not valid JSON: column 1: ")
expect_refused_at(1 [=[{"op": "add", "dtypes": [}]=] "not valid JSON: column 26: Syntax error: value, object or array expected fix:")
expect_refused_at(2 "{\"op\": \"add\",\n  \"dtypes\": [\"f16\"],,\n}" "not valid JSON: column 21: Missing '}' or object member name")
expect_spec_refused([=[["op"]]=] "this is no JSON object")
expect_spec_refused([=[{"dtypes": ["f16"]}]=] "there is no \"op\"")
expect_refused_at(2 "{\n\"op\": \"mul\", \"dtypes\": [\"f16\"]}" "its \"op\" is \"mul\", but opgate_add_op(add) uses it")

# The members of an otherwise good spec, from line 2 and from line 4 on.
function(expect_member_refused line dtypes workloads what)
  expect_refused_at(${line} "{\"op\": \"add\",\n  \"dtypes\": ${dtypes},\n  \"workloads\":\n  ${workloads}}" "${what}")
endfunction()
set(good [=[[{"name": "a"}]]=])
expect_member_refused(0 [=[[]]=] "${good}" "it declares no case")
expect_member_refused(0 [=[["f16"]]=] [=[[]]=] "it declares no case")
expect_member_refused(0 [=[["f16"]]=] [=[{"name": "a"}]=] "it declares no case")
expect_member_refused(2 [=["f16"]=] "${good}" "\"dtypes\" must be an array of words")
expect_member_refused(2 [=[["f16", 3]]=] "${good}" "\"dtypes\" must be an array of words")
expect_member_refused(2 [=[["f16", "f32", "f16"]]=] "${good}" "the dtype \"f16\" is there twice")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a"}, {"n": 1}]]=] "workload 2 has no \"name\"")
expect_member_refused(0 [=[["f16"]]=] [=[[{"name": "a"}, 7]]=] "workload 2 has no \"name\"")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": 5}]]=] "workload 1 has no \"name\"")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a.b"}]]=] "\"a.b\" is no name for a workload")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a;b"}]]=] "\"a;b\" is no name for a workload")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a b"}]]=] "\"a b\" is no name for a workload")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": ""}]]=] "\"\" is no name for a workload")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a"}, {"name": "b"}, {"name": "a"}]]=] "the workload \"a\" is there twice")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a-bf16"}]]=] "the workload \"a-bf16\" spells the dtype bf16")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "labels": "x"}]]=] "\"labels\" must be an array of words")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "labels": ["x;y"]}]]=] "\"labels\" must be an array of words")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "labels": ["x]"]}]]=] "\"labels\" must be an array of words")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "labels": ["nightly2"]}]]=]
  "the label \"nightly2\" contains \"nightly\", so `ctest -L nightly` would select it")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "labels": ["unit"]}]]=] "the label \"unit\" is given by opgate itself")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "timeout_s": 0}]]=] "\"timeout_s\" must be a whole number of seconds")
expect_member_refused(4 [=[["f16"]]=] [=[[{"name": "a", "timeout_s": "5"}]]=] "\"timeout_s\" must be a whole number of seconds")
# One workload a line: the one that is wrong is named, also where others have what it lacks.
set(filled [=[[{"name": "a", "fill": {"x": "normal"}, "n": 1},]=])
expect_member_refused(5 [=[["f16"]]=] "${filled}\n {\"n\": 1}]" "workload 2 has no \"name\"")
expect_member_refused(0 [=[["f16"]]=] "${filled}\n 7,\n {\"n\": 1}]" "workload 2 has no \"name\"")
set(name_a [=[[{"name": "a", "labels": ["x"], "timeout_s": 9},]=])
expect_member_refused(6 [=[["f16"]]=] "${name_a}\n\n {\"n\": 1}]" "workload 2 has no \"name\"")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b c\"}]" "\"b c\" is no name for a workload")
expect_member_refused(6 [=[["f16"]]=] "${name_a}\n {\"name\": \"b\"},\n {\"name\": \"a\"}]" "the workload \"a\" is there twice")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b-f32\"}]" "the workload \"b-f32\" spells the dtype f32")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b\", \"labels\": [\"X\"]}]" "\"labels\" must be an array of words")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b\", \"labels\": [\"y\", [2]]}]" "\"labels\" must be an array of words, not [ \"y\", [")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b\", \"labels\": [\"gates\"]}]" "the label \"gates\" contains \"gate\"")
expect_member_refused(5 [=[["f16"]]=] "${name_a}\n {\"name\": \"b\", \"timeout_s\": -1}]" "\"timeout_s\" must be a whole number")
expect_member_refused(3 "[\"f32\",\n \"f32\"]" "${good}" "the dtype \"f32\" is there twice")
# What stands before the workloads is not looked for in them, even if it stands behind them.
expect_refused_at(2 "{\"op\": \"add\", \"dtypes\": [\"f16\"],\n  \"labels\": [\"gpu\"], \"workloads\": [{\"name\": \"a\"}]}" "the label \"gpu\" is given")
expect_spec_refused("{\"op\": \"add\", \"dtypes\": [\"f16\"], \"workloads\": [\n{\"name\": \"a\", \"labels\": [\"x\"]}],\n \"labels\": 5}"
  "\"labels\" must be an array of words, not 5")
expect_refused_at(1 [=[{"op": "add", "dtypes": ["f16"], "timeout_s": 1.5, "workloads": [{"name": "a"}]}]=]
  "\"timeout_s\" must be a whole number of seconds")

# Far down, among workloads with all that one may hold: each is told from its neighbours.
set(many "[")
foreach(number RANGE 1 300)
  string(APPEND many "{\"name\": \"w${number}\", \"params\": {\"eps\": 1}, \"why\": \"[a; {b}], \\\"c\\\\\", \"labels\": [\"x\", \"y\"], \"timeout_s\": 9},\n")
endforeach()
expect_member_refused(304 [=[["f16"]]=] "${many} {\"name\": \"b c\"}]" "\"b c\" is no name for a workload")
expect_member_refused(304 [=[["f16"]]=] "${many} {\"name\": \"b\", \"timeout_s\": 1.5}]" "\"timeout_s\" must be a whole number of seconds, not 1.5")
expect_member_refused(304 [=[["f16"]]=] "${many} {\"n\": [[1, {}], {}]},\n {\"name\": \"b c\"}]" "workload 301 has no \"name\"")
expect_member_refused(0 [=[["f16"]]=] "${many} [[\"name\"], {\"name\": \"b\"}],\n {\"name\": \"c\"}]" "workload 301 has no \"name\"")
expect_member_refused(304 [=[["f16"]]=] "${many} {\"name\": \"w300\"}]" "the workload \"w300\" is there twice")
expect_member_refused(4 [=[["f16"]]=] "[{}, 7, []]" "workload 1 has no \"name\"")
expect_member_refused(0 [=[["f16"]]=] "[7, \"a\"]" "workload 1 has no \"name\"")

# Keys that are unknown or there twice, at their own line, also where the same word is a good key of another object.
macro(expect_keys_refused line members workloads what)
  expect_refused_at(${line} "{\"op\": \"add\", \"dtypes\": [\"f16\"], \"doc\": \"a: b \\\" [c; \\\\\",
  \"inputs\": {\"x\": \"dtype[n, 2*cols]\", \"typo\": \"dtype[n]\"},
  ${members}
  \"workloads\": [
  {\"name\": \"a\", \"n\": 1, \"cols\": 2, \"labels\": [\"x\", \"y\"]},
  ${workloads}
  ] }" "${what}")
endmacro()
set(second [=[{"name": "b", "n": 1, "cols": 2}]=])
expect_keys_refused(3 [=["typo": 1,]=] "${second}" "unknown key \"typo\" fix: remove it; known keys are $schema, op, ")
expect_keys_refused(4 [=["fill": {"x": "normal"},
  "Labels": ["nightly"],]=] "${second}" "unknown key \"Labels\"")
expect_keys_refused(6 "" [=[{"name": "b", "n": 1, "cols": 2, "typo": 3}]=] "unknown key \"typo\" of a workload fix: remove it; known keys are name, ")
expect_keys_refused(6 "" [=[{"nmae": "b", "n": 1, "cols": 2}]=] "unknown key \"nmae\" of a workload")
expect_keys_refused(3 [=["op": "add",]=] "${second}" "key \"op\" appears twice in one object")
expect_keys_refused(5 [=["params": {"eps": 1,
  "z": 2,
  "eps": 3},]=] "${second}" "key \"eps\" appears twice in one object")
expect_keys_refused(6 "" [=[{"name": "b", "n": 1, "cols": 2, "n": 1}]=] "key \"n\" appears twice in one object")
expect_refused_at(1 [=[{"op": "add", "dtypes": ["f16"], "workload": [{"name": "a"}]}]=] "unknown key \"workload\"")
expect_refused_at(2 "{\"op\": \"add\", \"dtypes\": [\"f16\"], \"workloads\": [{\"name\": \"a\"}],\n\"workloads\": [{\"name\": \"b\"}]}"
  "key \"workloads\" appears twice")
# Nothing is wrong with a key that has an own place in each object, a dimension of a fill or formula, or a colon in a text.
write_spec(specs/add.json [=[{"op": "add", "dtypes": ["f16"], "doc": "a \"b\": c", "why": "\u003a", "flops": "4*work", "params": {"x": 1},
  "inputs": {"x": "dtype[n]"}, "outputs": {"name": "dtype[n]"}, "fill": {"x": "below top"}, "requires": {"memory_gib": 1},
  "workloads": [{"name": "a", "n": 1, "work": 3, "top": 5, "params": {"x": 2}, "fill": {"x": "normal"}, "iterations": 30,
    "tolerance": "2%", "why": "x: y", "timeout_s": 5, "labels": []}]}]=])
expect_configured()

# The keys of the schema, with which the C++ loader agrees (unit.spec).
include("${MODULES}/OpgateSpecKeys.cmake")
opgate_known_keys()
file(READ "${MODULES}/../specs/op.schema.json" schema)
function(expect_keys_of_schema keys)
  string(JSON properties GET "${schema}" ${ARGN} properties)
  string(JSON count LENGTH "${properties}")
  math(EXPR last "${count} - 1")
  set(wanted "")
  foreach(index RANGE ${last})
    string(JSON key MEMBER "${properties}" ${index})
    list(APPEND wanted "${key}")
  endforeach()
  list(SORT wanted)
  list(SORT keys)
  if(NOT keys STREQUAL wanted)
    message(SEND_ERROR "OpgateSpecKeys.cmake knows ${keys}\n  op.schema.json has ${wanted}")
  endif()
endfunction()
expect_keys_of_schema("${of_op}")
expect_keys_of_schema("${of_workload}" $defs workload)

# What the C++ loader takes, configure takes.
file(GLOB good "${MODULES}/../framework/tests/data/specs/good/*.json")
set(ops "")
foreach(spec IN LISTS good)
  cmake_path(GET spec STEM op)
  string(APPEND ops "opgate_add_op(${op} SOURCES a.cu SPEC \"${spec}\")\n")
endforeach()
if(ops STREQUAL "")
  message(SEND_ERROR "there are no good specs in framework/tests/data/specs")
endif()
file(REMOVE "${source}/specs/add.json")
write_project("enable_testing()" "${ops}")
expect_configured()
write_spec(specs/add.json "")

# A spec is named after its op.
file(RENAME "${source}/specs/add.json" "${source}/specs/other.json")
write_spec(specs/other.json [=[{"op": "add", "dtypes": ["f16"], "workloads": [{"name": "a"}]}]=])
write_project("enable_testing()" "opgate_add_op(add SOURCES add.cu SPEC specs/other.json)")
expect_refused("${source}/specs/other.json: a spec is named after its op")
