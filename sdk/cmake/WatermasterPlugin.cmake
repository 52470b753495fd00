# wm_add_plugin(NAME name MANIFEST plugin.ini SOURCES file... [LIBS target...] [OUTPUT_DIRECTORY folder])
#
# A plugin as the host loads it: target `name`, file <folder>/<name>/<name>.so with plugin.ini beside it; <folder> is
# ${PROJECT_BINARY_DIR}/plugins unless told otherwise. Everything is hidden but the entry table: with default
# visibility two plugins could share each other's inline statics in spite of RTLD_LOCAL.
set(WM_PLUGIN_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

function(wm_add_plugin)
  cmake_parse_arguments(P "" "NAME;MANIFEST;OUTPUT_DIRECTORY" "SOURCES;LIBS" ${ARGN})
  if(NOT P_NAME OR NOT P_MANIFEST OR NOT P_SOURCES OR P_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "wm_add_plugin: expected NAME, MANIFEST and SOURCES, found: ${ARGN}")
  endif()
  if(NOT P_OUTPUT_DIRECTORY)
    set(P_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  endif()
  set(folder ${P_OUTPUT_DIRECTORY}/${P_NAME})

  add_library(${P_NAME} MODULE ${P_SOURCES})
  target_compile_features(${P_NAME} PRIVATE cxx_std_20)
  target_link_libraries(${P_NAME} PRIVATE wm_sdk ${P_LIBS})
  target_link_options(${P_NAME} PRIVATE LINKER:--version-script=${WM_PLUGIN_CMAKE_DIR}/plugin.map)
  if(NOT WM_SANITIZE) # a sanitizer's run time is found in the program only
    target_link_options(${P_NAME} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${P_NAME} PROPERTIES
    PREFIX "" SUFFIX .so OUTPUT_NAME ${P_NAME} LIBRARY_OUTPUT_DIRECTORY ${folder}
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${WM_PLUGIN_CMAKE_DIR}/plugin.map)
  # The host refuses a library that others may write to, which it would be under a umask of 002.
  add_custom_command(TARGET ${P_NAME} POST_BUILD COMMAND chmod go-w $<TARGET_FILE:${P_NAME}>)
  configure_file(${P_MANIFEST} ${folder}/plugin.ini COPYONLY)

  if(BUILD_TESTING)
    add_test(NAME plugin-${P_NAME}-exports-one-symbol
      COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DFILE=$<TARGET_FILE:${P_NAME}>
              -P ${WM_PLUGIN_CMAKE_DIR}/OneSymbol.cmake)
  endif()
endfunction()
