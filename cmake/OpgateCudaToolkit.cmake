# find_package(CUDAToolkit), also by a CMake that knows less than the toolkit: from 3.25 on, CMake deprecates
# CUDA::nvToolsExt in projects that require 3.25, without asking whether there is such a target, and CUDA 12.9 and newer
# have none (https://gitlab.kitware.com/cmake/cmake, Modules/FindCUDAToolkit.cmake of 3.25.1).
macro(opgate_find_cuda_toolkit)
  set(opgate_required_version "${CMAKE_MINIMUM_REQUIRED_VERSION}")
  if(CMAKE_VERSION VERSION_LESS 3.27)
    set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  endif()
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_MINIMUM_REQUIRED_VERSION "${opgate_required_version}")
  unset(opgate_required_version)
endmacro()
