# The target `kenlm`: KenLM's query library, compiled from its source distribution.
#
# The sources are in third_party: of a source archive from the beginning, elsewhere fetched with pip at configure time,
# pinned by hash in kenlm-requirements.txt. KENLM_SOURCE_DIR names another unpacked copy.

set(KENLM_SOURCE_DIR "" CACHE PATH "Unpacked KenLM 0.3.0 sources (fetched when empty)")
set(KENLM_MAX_ORDER 6 CACHE STRING "Largest n-gram order that KenLM's states have room for")

set(kenlm_dir "${KENLM_SOURCE_DIR}")
if(NOT kenlm_dir)
  set(kenlm_dir "${PROJECT_SOURCE_DIR}/third_party/kenlm-0.3.0")
  if(NOT EXISTS "${kenlm_dir}/lm/model.hh")
    message(STATUS "Fetching KenLM's source distribution")
    # Not compiled here: pip only reads its metadata, with the setuptools that this build requires.
    execute_process(
      COMMAND "${Python_EXECUTABLE}" -m pip --quiet --disable-pip-version-check download
              --no-deps --no-binary kenlm --require-hashes --no-build-isolation
              -r "${CMAKE_CURRENT_LIST_DIR}/kenlm-requirements.txt"
              -d "${CMAKE_BINARY_DIR}/kenlm"
      RESULT_VARIABLE failed ERROR_VARIABLE reason)
    if(failed)
      message(FATAL_ERROR "Cannot fetch KenLM 0.3.0 with pip (${reason}).\n"
                          "Set KENLM_SOURCE_DIR to an unpacked copy of its source distribution.")
    endif()
    file(ARCHIVE_EXTRACT INPUT "${CMAKE_BINARY_DIR}/kenlm/kenlm-0.3.0.tar.gz"
         DESTINATION "${PROJECT_SOURCE_DIR}/third_party")
  endif()
endif()
if(NOT EXISTS "${kenlm_dir}/lm/model.hh")
  message(FATAL_ERROR "KENLM_SOURCE_DIR=${kenlm_dir} holds no lm/model.hh")
endif()

file(GLOB kenlm_sources "${kenlm_dir}/lm/*.cc" "${kenlm_dir}/util/*.cc"
     "${kenlm_dir}/util/double-conversion/*.cc")
list(FILTER kenlm_sources EXCLUDE REGEX "(_main|_test)\\.cc$")

add_library(kenlm STATIC ${kenlm_sources})
target_include_directories(kenlm SYSTEM PUBLIC "${kenlm_dir}")
# The size of KenLM's state depends on the order: every user must see the same number.
target_compile_definitions(kenlm PUBLIC KENLM_MAX_ORDER=${KENLM_MAX_ORDER})
set_target_properties(kenlm PROPERTIES CXX_STANDARD 11 POSITION_INDEPENDENT_CODE ON
                      CXX_VISIBILITY_PRESET hidden UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
# float_to_string.cc defines names that clash with double-conversion's in one unit.
set_source_files_properties("${kenlm_dir}/util/float_to_string.cc"
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_compile_options(kenlm PRIVATE -w "-ffile-prefix-map=${kenlm_dir}=kenlm")
find_package(Threads REQUIRED)
target_link_libraries(kenlm PUBLIC Threads::Threads)
if(WIDL_SANITIZE MATCHES undefined)
  target_compile_options(kenlm PRIVATE -fno-sanitize=undefined)  # it reads packed records where they are
endif()
