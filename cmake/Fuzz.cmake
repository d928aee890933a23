# A fuzzer of libFuzzer for each reader of bytes in the core; needs clang.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "Fuzzing needs clang 15 or newer: apt-get install clang-16 libclang-rt-16-dev")
endif()
file(GLOB fuzz_sources CONFIGURE_DEPENDS core/fuzz/*.cpp)
foreach(source ${fuzz_sources})
  cmake_path(GET source STEM name)
  add_executable(fuzz-${name} ${source})
  target_link_libraries(fuzz-${name} PRIVATE widl_core)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
endforeach()
