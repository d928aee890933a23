# The core's tests in C++; every warning is an error.

include(cmake/Doctest.cmake)
file(GLOB test_sources CONFIGURE_DEPENDS core/tests/*.cpp)
add_executable(core-tests ${test_sources})
target_link_libraries(core-tests PRIVATE widl_core doctest)
target_compile_options(core-tests PRIVATE -Wall -Wextra -Wconversion -Werror)
set_target_properties(core-tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
