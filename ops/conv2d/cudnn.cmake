# Sets conv2d_cudnn to the source of conv2d's library implementation and conv2d_link to what it needs. Without cuDNN the
# cases are there all the same and fail, saying what is missing.
set(OPGATE_CUDNN AUTO CACHE STRING "cuDNN for conv2d: AUTO: when it is found; ON: required; OFF: never")
set_property(CACHE OPGATE_CUDNN PROPERTY STRINGS AUTO ON OFF)
if(NOT OPGATE_CUDNN MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "OPGATE_CUDNN: ${OPGATE_CUDNN} is unknown\n  fix: use AUTO, ON or OFF")
endif()

set(conv2d_cudnn conv2d/conv2d_without_cudnn.cpp)
set(conv2d_link "")
if(OPGATE_HAVE_CUDA AND NOT OPGATE_CUDNN STREQUAL "OFF")
  find_path(OPGATE_CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV CUDNN_PATH PATH_SUFFIXES include)
  find_library(OPGATE_CUDNN_LIBRARY NAMES cudnn libcudnn.so.9 HINTS ${CUDAToolkit_LIBRARY_DIR} ENV CUDNN_PATH
    PATH_SUFFIXES lib64 lib)
  mark_as_advanced(OPGATE_CUDNN_INCLUDE_DIR OPGATE_CUDNN_LIBRARY)
  if(OPGATE_CUDNN_INCLUDE_DIR AND OPGATE_CUDNN_LIBRARY)
    add_library(opgate_cudnn UNKNOWN IMPORTED)
    set_target_properties(opgate_cudnn PROPERTIES IMPORTED_LOCATION "${OPGATE_CUDNN_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${OPGATE_CUDNN_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES CUDA::toolkit)  # cudnn.h includes cuda_runtime_api.h
    set(conv2d_cudnn conv2d/conv2d_cudnn.cpp)
    set(conv2d_link LINK_LIBRARIES opgate_cudnn)
  elseif(OPGATE_CUDNN STREQUAL "ON")
    message(FATAL_ERROR "OPGATE_CUDNN=ON: there is no cuDNN\n"
      "  fix: install its development package, set OPGATE_CUDNN_INCLUDE_DIR and OPGATE_CUDNN_LIBRARY, "
      "or configure with -DOPGATE_CUDNN=AUTO")
  else()
    message(STATUS "opgate: no cuDNN found, the cases of conv2d will fail and say so")
  endif()
endif()
