# wm_add_fuzz(NAME SOURCES file... [LIBS target...] [SEEDS folder...] [DEPENDS target...])
#
# A fuzz target fuzz_NAME whose corpus is corpus/NAME beside the CMakeLists that calls this; SEEDS are folders of further
# inputs. Always built, with a main that replays and mutates the inputs as an ordinary test; with WM_FUZZ a libFuzzer
# binary, for scripts/fuzz, which finds targets and inputs by the lists in ${PROJECT_BINARY_DIR}/fuzz.
set(WM_FUZZ_FOLDER ${PROJECT_SOURCE_DIR}/tests/fuzz)

if(WM_FUZZ)
  add_custom_target(fuzz)
  file(REMOVE_RECURSE ${PROJECT_BINARY_DIR}/fuzz/seeds)
else()
  add_library(wm_fuzz_replay OBJECT ${WM_FUZZ_FOLDER}/replay.cpp)
  target_link_libraries(wm_fuzz_replay PRIVATE wm_base)
endif()

function(wm_add_fuzz name)
  cmake_parse_arguments(T "" "" "SOURCES;LIBS;SEEDS;DEPENDS" ${ARGN})
  set(inputs ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name} ${T_SEEDS})
  add_executable(fuzz_${name} ${T_SOURCES})
  target_include_directories(fuzz_${name} PRIVATE ${WM_FUZZ_FOLDER} ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(fuzz_${name} PRIVATE ${T_LIBS} wm_base)
  if(T_DEPENDS)
    add_dependencies(fuzz_${name} ${T_DEPENDS})
  endif()
  if(WM_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    # A plugin that is loaded reports what it covers to the program.
    set_target_properties(fuzz_${name} PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    add_dependencies(fuzz fuzz_${name})
    list(JOIN inputs "\n" lines)
    file(WRITE ${PROJECT_BINARY_DIR}/fuzz/seeds/${name} "${lines}\n")
  else()
    target_link_libraries(fuzz_${name} PRIVATE wm_fuzz_replay)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${inputs})
    set_tests_properties(fuzz_${name} PROPERTIES TIMEOUT 240)
  endif()
endfunction()
