# Compiler, linker and cache settings shared by all layers.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Line tables are enough for profilers and backtraces; full debug info triples the link.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

add_library(splice_flags INTERFACE)
target_include_directories(splice_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(
  splice_flags
  INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
            # Frame pointers: perf and our own stack walkers go through us.
            -fno-omit-frame-pointer
            # Constant folding here must give the bits CPython gives.
            -ffp-contract=off -ffunction-sections -fdata-sections
            $<$<BOOL:${SPLICE_WERROR}>:-Werror>)

# -fno-sanitize=vptr: LLVM's archives are not built with it, their classes are our bases.
if(SPLICE_SANITIZE)
  set(_sanitize -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined)
  target_compile_options(splice_flags INTERFACE ${_sanitize} -O1)
  target_link_options(splice_flags INTERFACE ${_sanitize})
endif()

# lld links the static LLVM in a second or two; ld takes ten. g++ finds it through -B.
find_program(SPLICE_LLD NAMES ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
find_program(SPLICE_LLD NAMES ld.lld)
if(SPLICE_LLD)
  cmake_path(GET SPLICE_LLD PARENT_PATH _lld_dir)
  target_link_options(splice_flags INTERFACE -fuse-ld=lld -B${_lld_dir})
endif()
target_link_options(splice_flags INTERFACE -Wl,--gc-sections)

find_program(SPLICE_CCACHE ccache)
if(SPLICE_CCACHE AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache))
  # The same source is a hit from any build folder and any checkout. The sloppiness is what ccache
  # asks for to cache precompiled headers and their users.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${SPLICE_CCACHE})
endif()
