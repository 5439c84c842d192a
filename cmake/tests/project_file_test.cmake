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
