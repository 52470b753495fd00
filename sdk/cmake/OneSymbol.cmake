# cmake -DNM=nm -DFILE=plugin.so -P OneSymbol.cmake: fails unless the file exports the entry table and nothing else.
execute_process(COMMAND ${NM} -D --defined-only --format=posix ${FILE} OUTPUT_VARIABLE symbols RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${FILE}: nm could not read it; build it first")
endif()
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE " .*" "")
if(NOT symbols STREQUAL "wm_plugin_entry_v1")
  message(FATAL_ERROR "${FILE}: expected wm_plugin_entry_v1 as the only exported symbol, found: ${symbols}; "
                      "build it with wm_add_plugin, which hides everything else")
endif()
