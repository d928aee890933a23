# The core's tests in C++, each beside what it tests, with asserts; every warning is an error, but for the address sanitizer's build.

include(cmake/Doctest.cmake)
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS core/*_test.cpp core/testing/*.cpp)
add_executable(core-tests ${test_sources})
target_link_libraries(core-tests PRIVATE widl_core doctest)
add_executable(search-example core/examples/search.cpp)
target_link_libraries(search-example PRIVATE widl_core)
# With -fsanitize=address g++ warns of what the standard library does; optimizing, g++ 12 takes "w" + std::to_string(i) for an
# overlapping copy (-Wrestrict, GCC bug 105651).
if(NOT WIDL_SANITIZE MATCHES address)
  foreach(target widl_core core-tests search-example)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Werror
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endforeach()
endif()
# budget_test.cpp replaces operators new and delete. So does clang's thread sanitizer, which gives way only as a shared library.
if(WIDL_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-runtime-dir OUTPUT_VARIABLE runtimes OUTPUT_STRIP_TRAILING_WHITESPACE)
  target_link_options(core-tests PRIVATE -shared-libsan "-Wl,-rpath,${runtimes}")
endif()
set_target_properties(core-tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
# doctest's implementation is compiled only if its header was not included before.
set_source_files_properties(core/testing/main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
