# wm_add_python_tests(FAMILY): every test_*.py of the folder, one ctest entry each, on the binary and plugins of this build.
# They are the longest and mostly wait, so they begin first (COST), the conformance suites before the others.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(wm_add_python_tests family)
  set(slow 1)
  if(WM_SANITIZE)
    set(slow 5)
  endif()
  set(cost 10)
  if(family STREQUAL conformance)
    set(cost 100)
  endif()
  file(GLOB modules CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} test_*.py)
  foreach(module ${modules})
    string(REPLACE ".py" "" module ${module})
    add_test(NAME ${family}.${module} COMMAND ${Python3_EXECUTABLE} -m unittest ${module}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    math(EXPR timeout "300 * ${slow}")
    set_tests_properties(${family}.${module} PROPERTIES TIMEOUT ${timeout} COST ${cost}
      ENVIRONMENT "WATERMASTER_BIN=${CMAKE_BINARY_DIR}/bin/watermaster;WATERMASTER_PLUGINS=${CMAKE_BINARY_DIR}/plugins;WATERMASTER_POLICIES=${PROJECT_SOURCE_DIR}/policies;PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/integration;PYTHONDONTWRITEBYTECODE=1;WM_TEST_SLOW=${slow};TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp halt_on_error=1;UBSAN_OPTIONS=print_stacktrace=1;ASAN_OPTIONS=detect_stack_use_after_return=0")
  endforeach()
endfunction()
