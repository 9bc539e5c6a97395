# One set of properties per interpreter of SPLICE_PYTHONS: its tag ("312"), headers, extension
# suffix and library (for C++ tests that embed it). splice_python_<tag> carries the include paths.

set(SPLICE_PYTHON_TAGS "")

if(SPLICE_SANITIZE)
  return()
endif()

# scikit-build-core builds for the one interpreter that runs it.
if(NOT SPLICE_PYTHONS AND SKBUILD)
  find_package(Python 3.12 REQUIRED COMPONENTS Interpreter)
  set(SPLICE_PYTHONS "${Python_EXECUTABLE}")
endif()

foreach(python IN LISTS SPLICE_PYTHONS)
  execute_process(
    COMMAND "${python}" "${CMAKE_CURRENT_LIST_DIR}/describe_python.py"
    OUTPUT_VARIABLE _facts OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" _facts "${_facts}")
  list(GET _facts 0 tag)
  if(tag IN_LIST SPLICE_PYTHON_TAGS)
    message(FATAL_ERROR "two interpreters of the same version in SPLICE_PYTHONS: ${python}")
  endif()
  list(APPEND SPLICE_PYTHON_TAGS ${tag})
  set(SPLICE_PYTHON_${tag} "${python}")
  list(GET _facts 1 SPLICE_PYTHON_${tag}_INCLUDE)
  list(GET _facts 2 SPLICE_PYTHON_${tag}_SUFFIX)
  list(GET _facts 3 SPLICE_PYTHON_${tag}_LIBRARY)
  list(GET _facts 4 SPLICE_PYTHON_${tag}_NANOBIND)
  list(GET _facts 5 _nanobind_version)
  if(NOT EXISTS "${SPLICE_PYTHON_${tag}_INCLUDE}/Python.h")
    message(FATAL_ERROR "no Python.h for ${python} in ${SPLICE_PYTHON_${tag}_INCLUDE}")
  endif()
  if(SPLICE_PYTHON_${tag}_NANOBIND STREQUAL "-")
    set(SPLICE_PYTHON_${tag}_NANOBIND "${SPLICE_NANOBIND_DIR}")
  endif()
  message(STATUS "CPython ${tag}: ${python}, nanobind ${_nanobind_version}")

  add_library(splice_python_${tag} INTERFACE)
  target_include_directories(splice_python_${tag} SYSTEM
                             INTERFACE "${SPLICE_PYTHON_${tag}_INCLUDE}")
endforeach()
