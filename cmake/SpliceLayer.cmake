# splice_layer(NAME base)                          one target, splice_base
# splice_layer(NAME cpy PER_PYTHON DEPENDS base)   splice_cpy_312, splice_cpy_313, ...
#
# Sources are the *.cpp of the calling folder; *_test.cpp go to one test program per target
# (splice_base_test, splice_cpy_312_test). A folder of headers only becomes an INTERFACE target.
# What lies in a folder testing/ becomes splice_base_testing, which the test programs of the layer
# and of those that depend on it are linked with; the product never is.
# DEPENDS names layers; a per-interpreter layer is meant where there is one. LIBRARIES are others.

function(splice_layer)
  cmake_parse_arguments(arg "PER_PYTHON" "NAME" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(testing ${sources})
  list(FILTER testing INCLUDE REGEX "/testing/[^/]*\\.cpp$")
  list(FILTER testing EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/testing/[^/]*\\.cpp$")
  if(testing AND SPLICE_TESTS AND NOT arg_PER_PYTHON)
    add_library(splice_${arg_NAME}_testing STATIC ${testing})
    target_link_libraries(splice_${arg_NAME}_testing PUBLIC splice_${arg_NAME})
  endif()

  if(arg_PER_PYTHON)
    foreach(tag IN LISTS SPLICE_PYTHON_TAGS)
      splice_layer_target(${arg_NAME} "${tag}" "${sources}" "${tests}" "${arg_DEPENDS}"
                          "${arg_LIBRARIES}")
    endforeach()
  else()
    splice_layer_target(${arg_NAME} "" "${sources}" "${tests}" "${arg_DEPENDS}" "${arg_LIBRARIES}")
  endif()
endfunction()

# Names of the targets for `layers`, as seen from the interpreter `tag` ("": none).
function(splice_layer_names out tag layers)
  set(names "")
  foreach(layer IN LISTS layers)
    if(tag AND TARGET splice_${layer}_${tag})
      list(APPEND names splice_${layer}_${tag})
    elseif(TARGET splice_${layer})
      list(APPEND names splice_${layer})
    endif()
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

function(splice_layer_target layer tag sources tests depends libraries)
  set(target splice_${layer})
  set(python "")
  if(tag)
    string(APPEND target _${tag})
    set(python splice_python_${tag})
  endif()
  splice_layer_names(layers "${tag}" "${depends}")

  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC splice_flags ${layers} ${python} ${libraries})
    target_link_libraries(${target} PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE splice_flags ${layers} ${python} ${libraries})
  endif()

  if(tests AND SPLICE_TESTS)
    if(tag AND SPLICE_PYTHON_${tag}_LIBRARY STREQUAL "-")
      message(STATUS "${target}_test is left out: ${SPLICE_PYTHON_${tag}} has no libpython")
      return()
    endif()
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} GTest::gtest)
    foreach(name IN LISTS layer depends)
      if(TARGET splice_${name}_testing)
        target_link_libraries(${target}_test PRIVATE splice_${name}_testing)
      endif()
    endforeach()
    if(tag)
      # One program = one embedded interpreter, started by tests/embed/main.cpp.
      target_sources(${target}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests/embed/main.cpp")
      target_compile_definitions(${target}_test
                                 PRIVATE SPLICE_TEST_PYTHON="${SPLICE_PYTHON_${tag}}")
      target_link_libraries(${target}_test PRIVATE "${SPLICE_PYTHON_${tag}_LIBRARY}" util m)
      target_link_options(${target}_test PRIVATE -rdynamic)
    else()
      target_link_libraries(${target}_test PRIVATE GTest::gtest_main)
    endif()
    add_test(NAME ${target} COMMAND ${target}_test)
  endif()
endfunction()

# The package folder of the build: links to the Python files beside the extension modules.
function(splice_link_package)
  add_custom_target(
    splice_package ALL
    COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/python/splice
            -DTO=${PROJECT_BINARY_DIR}/python/splice
            -P ${PROJECT_SOURCE_DIR}/cmake/link_package.cmake
    VERBATIM)
endfunction()
