include_guard(GLOBAL)

# What opgate's static libraries need at link time; an installed opgate looks for the same.
include("${CMAKE_CURRENT_LIST_DIR}/OpgateLinkDependencies.cmake")
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
set(boost_components "")
if(OPGATE_BUILD_TESTS)
  set(boost_components COMPONENTS unit_test_framework)
endif()
find_package(Boost 1.74 REQUIRED ${boost_components})  # always: the headers of Boost.Math

set(have_cuda OFF)
if(NOT OPGATE_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(OPGATE_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(OPGATE_NVCC)
    if(OPGATE_NVCC)
      set(CMAKE_CUDA_COMPILER "${OPGATE_NVCC}")
    endif()
  endif()
  # A compiler that is there must work: leaving CUDA out because it is broken would hide the fault.
  if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX})
    set(have_cuda ON)
  elseif(OPGATE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "OPGATE_CUDA=ON: there is no CUDA compiler\n"
      "  fix: put nvcc on the PATH, set CMAKE_CUDA_COMPILER, or configure with -DOPGATE_CUDA=AUTO")
  else()
    message(STATUS "opgate: no CUDA compiler found, building without CUDA")
  endif()
endif()

if(have_cuda)
  # native would need a GPU where opgate is built.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90a)
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.8)
    message(FATAL_ERROR "${CMAKE_CUDA_COMPILER}: CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old\n"
      "  fix: use CUDA 12.8 or newer, or configure with -DOPGATE_CUDA=OFF")
  endif()
  include("${CMAKE_CURRENT_LIST_DIR}/OpgateCudaToolkit.cmake")
  opgate_find_cuda_toolkit()
  if(NOT TARGET CUDA::cupti)
    message(FATAL_ERROR "${CUDAToolkit_LIBRARY_ROOT}: this CUDA toolkit has no CUPTI\n"
      "  fix: install cuda-cupti-dev of the same version, or configure with -DOPGATE_CUDA=OFF")
  endif()
endif()
# Known in every folder that calls opgate_add_op(), also above this one.
set(OPGATE_HAVE_CUDA "${have_cuda}" CACHE INTERNAL "Whether opgate was built with CUDA")
