include_guard(GLOBAL)

include(OpgatePrecompiledHeaders)

# Warnings, sanitizers and include paths of opgate's own sources; never exported to consumers.
add_library(opgate_internal INTERFACE)
target_compile_features(opgate_internal INTERFACE cxx_std_20)
target_include_directories(opgate_internal INTERFACE "${PROJECT_SOURCE_DIR}/framework/src")
target_compile_options(opgate_internal INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${OPGATE_WERROR}>>:-Werror>)
if(OPGATE_SANITIZE)
  target_compile_options(opgate_internal INTERFACE
    -fsanitize=${OPGATE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # g++ 12 takes libstdc++'s own regex for uninitialised under a sanitizer.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(opgate_internal INTERFACE -fsanitize=${OPGATE_SANITIZE})
endif()

if(OPGATE_FUZZ)
  target_compile_options(opgate_internal INTERFACE -fsanitize=fuzzer-no-link)
endif()

# opgate_add_layer(core SOURCES a.cpp ... LINK opgate_text ... [LINK_PRIVATE fmt::fmt ...])
function(opgate_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;LINK_PRIVATE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "opgate_add_layer(${name}): unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  # Header-only libraries end with compiling: who links an installed opgate does not need them.
  list(TRANSFORM arg_LINK_PRIVATE REPLACE "^(CLI11|nlohmann_json|Boost)::.*$" "$<BUILD_INTERFACE:\\0>")
  add_library(opgate_${name} STATIC ${arg_SOURCES})
  target_include_directories(opgate_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/framework/include>")
  target_link_libraries(opgate_${name} PUBLIC ${arg_LINK} PRIVATE $<BUILD_INTERFACE:opgate_internal> ${arg_LINK_PRIVATE})
  set_target_properties(opgate_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF EXPORT_NAME ${name})
  # CMake 3.25 knows no C++20 for nvcc 13 and drops CUDA_STANDARD silently, so say it to the compiler.
  target_compile_options(opgate_${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  set_property(GLOBAL APPEND PROPERTY OPGATE_LAYERS opgate_${name})
endfunction()

# For the tests' own code, not for what they test.
function(opgate_compile_as_test target)
  if(NOT OPGATE_OPTIMISE_TESTS)
    # Most of a test's compile time is Boost.Test's templates being optimised. A _FORTIFY_SOURCE given on the command line warns without optimisation.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-O0$<SEMICOLON>-U_FORTIFY_SOURCE>)
  endif()
endfunction()

# What is the same for all unit tests, so that they can share precompiled headers.
function(opgate_set_test_flags target)
  target_link_libraries(${target} PRIVATE opgate_internal Boost::unit_test_framework fmt::fmt)
  opgate_compile_as_test(${target})
  target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK
    OPGATE_TEST_DATA="${PROJECT_SOURCE_DIR}/framework/tests/data" OPGATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  opgate_precompile(${target} opgate_test_main ${OPGATE_TEST_HEADERS})
endfunction()

# opgate_add_unit_test(core SOURCES attribution_test.cpp ... [LINK ...]): one executable per layer, one CTest test per
# source: attribution_test.cpp holds BOOST_AUTO_TEST_SUITE(attribution). A filter that matches nothing fails.
# MAIN replaces the common main, for tests whose executable also plays another part.
function(opgate_add_unit_test layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAIN" "SOURCES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "opgate_add_unit_test(${layer}): unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET opgate_test_main)
    add_library(opgate_test_main OBJECT "${PROJECT_SOURCE_DIR}/framework/tests/main.cpp")
    opgate_set_test_flags(opgate_test_main)
    target_link_libraries(opgate_test_main PRIVATE nlohmann_json::nlohmann_json)
  endif()
  if(NOT DEFINED arg_MAIN)
    set(arg_MAIN $<TARGET_OBJECTS:opgate_test_main>)
  endif()
  add_executable(test_${layer} ${arg_MAIN} ${arg_SOURCES})
  opgate_set_test_flags(test_${layer})
  target_link_libraries(test_${layer} PRIVATE opgate_${layer} ${arg_LINK})
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source STEM suite)
    string(REGEX REPLACE "_test$" "" suite "${suite}")
    add_test(NAME unit.${layer}.${suite} COMMAND test_${layer} --run_test=${suite} --log_level=test_suite)
    set_tests_properties(unit.${layer}.${suite} PROPERTIES LABELS unit TIMEOUT 120)
  endforeach()
endfunction()
