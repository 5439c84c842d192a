# <build>/opgate/project.json, which tells the command and the cases about the build tree.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_small_spec(add)
write_small_spec(mul)
write_project("enable_testing()" "opgate_add_op(mul SOURCES mul.cu)\nopgate_add_op(add SOURCES add.cu)")

macro(expect_member wanted)
  file(READ "${build}/opgate/project.json" project)
  string(JSON value GET "${project}" ${ARGN})
  expect_equal("${ARGN}" "${value}" "${wanted}")
endmacro()
expect_configured()
expect_member(1 version)
expect_member("${source}" source_dir)
expect_member("${build}" build_dir)
expect_member("${source}/specs/add.json" specs add)
expect_member("${source}/specs/mul.json" specs mul)
expect_member("${source}/results/history.sqlite" history)
expect_member("${source}/baselines" baselines)
expect_member(OFF have_cuda)
expect_member(OFF altered)

expect_configured(-DOPGATE_HISTORY=${SCRATCH}/h.sqlite "-DOPGATE_BASELINES=${SCRATCH}/a \"quoted\" folder")
expect_member("${SCRATCH}/h.sqlite" history)
expect_member("${SCRATCH}/a \"quoted\" folder" baselines)

# A replay keeps out of the history of measured figures, whatever was asked for.
file(MAKE_DIRECTORY "${SCRATCH}/traces")
expect_configured(-DOPGATE_REPLAY=${SCRATCH}/traces)
expect_member("${source}/results/replay.sqlite" history)

# A build in which an op is not what its sources say.
write_project("enable_testing()" "set_property(GLOBAL PROPERTY OPGATE_ALTERED ON)
opgate_add_op(mul SOURCES mul.cu)\nopgate_add_op(add SOURCES add.cu)")
expect_configured()
expect_member(ON altered)

# Only some of the ops: no case of another one, no orphan spec, and a name that is none is refused.
start_project()
foreach(op IN ITEMS one two three)
  write_small_spec(${op})
endforeach()
# In the project's text, because a list does not survive the arguments of configure().
macro(choose_ops only)
  write_project("enable_testing()\nset(OPGATE_ONLY_OPS ${only})" "foreach(op IN ITEMS one two three)
  opgate_add_op(\${op} SOURCES \${op}.cu)
endforeach()")
endmacro()
choose_ops("three one")
expect_configured()
list_tests()
expect_equal("cases of the chosen ops" "${names}"
  "one.large.f16;one.small.f16;opgate.complete;opgate.machine;three.large.f16;three.small.f16")
choose_ops("one tow")
expect_refused("OPGATE_ONLY_OPS: there is no op tow")
choose_ops("")
expect_configured()
list_tests(-L nightly)
list(LENGTH names count)
expect_equal("all again" "${count}" 5)
