# The target `doctest`: one header, for the core's own tests.
#
# Taken from the system or from third_party, else fetched as a Debian package at configure time and unpacked there;
# that needs no root: the package lists are the build folder's own.
# DOCTEST_INCLUDE_DIR names another copy.

set(doctest_sha256 041dced3b82ed2d6c920977fcba16e8b9e49daaa200c81ba0ccec529a4f1fd5d)  # doctest 2.4.9
set(doctest_copy "${PROJECT_SOURCE_DIR}/third_party/doctest-2.4.9")

find_path(DOCTEST_INCLUDE_DIR doctest/doctest.h HINTS "${doctest_copy}/usr/include")
if(NOT DOCTEST_INCLUDE_DIR)
  message(STATUS "Fetching doctest")
  set(script "rm -rf deb && mkdir -p deb/lists/partial deb/cache && cd deb && \
set -- -qq -o Dir::State::lists=\$PWD/lists -o Dir::Cache=\$PWD/cache && \
apt-get \"\$@\" update && apt-get \"\$@\" download doctest-dev && mkdir -p '${doctest_copy}' && \
dpkg-deb -x doctest-dev_*.deb '${doctest_copy}'")
  execute_process(COMMAND sh -c "${script}" WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE reason)
  if(failed)
    message(FATAL_ERROR "Cannot fetch the Debian package doctest-dev (${reason}).\n"
                        "Install doctest 2.4, or set DOCTEST_INCLUDE_DIR to the folder that holds doctest/doctest.h.")
  endif()
  file(SHA256 "${doctest_copy}/usr/include/doctest/doctest.h" found)
  if(NOT found STREQUAL doctest_sha256)
    file(REMOVE_RECURSE "${doctest_copy}")
    message(FATAL_ERROR "The Debian package doctest-dev is another one than doctest 2.4.9: its header has the SHA-256 "
                        "${found}. Install doctest 2.4 yourself.")
  endif()
  set(DOCTEST_INCLUDE_DIR "${doctest_copy}/usr/include" CACHE PATH "Where doctest/doctest.h is" FORCE)
endif()

add_library(doctest INTERFACE)
target_include_directories(doctest SYSTEM INTERFACE "${DOCTEST_INCLUDE_DIR}")
