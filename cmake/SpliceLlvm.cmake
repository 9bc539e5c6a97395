# LLVM 22 as static archives, only the parts that code generation for x86-64 needs.
# Defines splice_llvm (INTERFACE); without LLVM the codegen layer and what stands on it is left out.

# zlib and zstd, which LLVM compresses debug sections with, are linked statically as LLVM is: a wheel
# may count on neither (zstd) or not everywhere (zlib).
set(ZLIB_USE_STATIC_LIBS ON)
if(ZLIB_LIBRARY_RELEASE MATCHES "\\.so$")  # of a folder configured before that
  unset(ZLIB_LIBRARY_RELEASE CACHE)
endif()
# Without a version: LLVM's own check wants the minor version too.
find_package(LLVM QUIET CONFIG HINTS /usr/lib/llvm-22)
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(WARNING "LLVM 22 was not found (Debian: llvm-22-dev): no codegen, engine, extension")
  return()
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_LIBRARY_DIR}")
# LLVM's link interface names the shared one, whichever there is.
if(TARGET zstd::libzstd_shared AND zstd_STATIC_LIBRARY)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION "${zstd_STATIC_LIBRARY}")
endif()

# Names of archives, never the shared libLLVM: Splice must live beside other users of LLVM.
llvm_map_components_to_libnames(
  _llvm_libs
  orcjit passes x86codegen x86asmparser x86desc x86info
  core support target targetparser analysis transformutils instcombine scalaropts vectorize
  executionengine runtimedyld jitlink orcshared orctargetprocess mc object bitreader bitwriter
  irreader linker)

add_library(splice_llvm INTERFACE)
# SYSTEM: their warnings are not ours.
target_include_directories(splice_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(splice_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(splice_llvm INTERFACE ${_llvm_libs})
