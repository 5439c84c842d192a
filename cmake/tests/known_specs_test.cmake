# What specs came to is kept in the build tree: used while a spec's text is what it was, and only then.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_small_spec(add)
write_small_spec(copy)
write_project("enable_testing()" "opgate_add_op(add SOURCES add.cu)\nopgate_add_op(copy SOURCES copy.cu)")
set(known "${build}/opgate/specs.cmake")

function(expect_timeout when case wanted)
  list_tests()
  test_value("${case}" TIMEOUT got)
  expect_equal("${when}: the timeout of ${case}" "${got}" "${wanted}")
endfunction()

expect_configured()
list_tests()
set(first "${tests}")
expect_configured()
list_tests()
expect_equal("configured again" "${tests}" "${first}")

# The only way to see that it is used: what it says is what comes out.
file(READ "${known}" text)
string(REPLACE ":60:" ":61:" other "${text}")
file(WRITE "${known}" "${other}")
expect_configured()
expect_timeout("from what is known" add.small.f16 61.0)

# A spec that changed is read, the others are not.
file(APPEND "${source}/specs/add.json" "\n")
expect_configured()
expect_timeout("of a changed spec" add.small.f16 60.0)
expect_timeout("of the other one" copy.small.f16 61.0)

# Nothing that is wrong is known, however often it is tried, and what was right before comes back.
file(READ "${source}/specs/add.json" good)
string(REPLACE "\"small\"" "\"small-f16\"" bad "${good}")
foreach(time RANGE 1)
  file(WRITE "${source}/specs/add.json" "${bad}")
  expect_refused("spells the dtype f16")
endforeach()
file(WRITE "${source}/specs/add.json" "${good}")
expect_configured()
expect_timeout("of the spec as it was" add.small.f16 60.0)

# The same text under another name is another spec.
file(RENAME "${source}/specs/copy.json" "${source}/specs/sum.json")
write_project("enable_testing()" "opgate_add_op(add SOURCES add.cu)\nopgate_add_op(copy SOURCES copy.cu SPEC specs/sum.json)")
expect_refused("a spec is named after its op, \"copy\"")

# Without it everything is read.
file(RENAME "${source}/specs/sum.json" "${source}/specs/copy.json")
write_project("enable_testing()" "opgate_add_op(add SOURCES add.cu)\nopgate_add_op(copy SOURCES copy.cu)")
file(REMOVE "${known}")
expect_configured()
expect_timeout("read anew" copy.small.f16 60.0)
