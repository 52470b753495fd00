# wm_add_plugin(NAME name MANIFEST plugin.ini SOURCES file... [LIBS target...] [SAMPLES folder...]
#               [CHECK_SETTINGS name=value...] [FOLDER folder])
#
# A plugin as the host loads it: target `name`, file ${PROJECT_BINARY_DIR}/plugins/<name>/<name>.so with plugin.ini
# beside it. Everything is hidden but the entry table: with default visibility two plugins could share each other's
# inline statics in spite of RTLD_LOCAL.
#
# Test `plugin-<name>`: watermaster-plugin-check on the file, with the samples of a protocol's requests and answers, and
# with settings that an adapter needs beyond those it declares defaults for.
#
# FOLDER: where the plugin's folder is made instead; it is for tests, and not installed.
#
# Install component `plugin-<name>`: the folder, below lib/watermaster/plugins, its manifest with the library's SHA-256.
function(wm_add_plugin)
  cmake_parse_arguments(P "" "NAME;MANIFEST;FOLDER" "SOURCES;LIBS;SAMPLES;CHECK_SETTINGS" ${ARGN})
  if(NOT P_NAME OR NOT P_MANIFEST OR NOT P_SOURCES OR P_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "wm_add_plugin: expected NAME, MANIFEST and SOURCES, found: ${ARGN}")
  endif()
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(folder ${PROJECT_BINARY_DIR}/plugins/${P_NAME})
  if(P_FOLDER)
    set(folder ${P_FOLDER}/${P_NAME})
  endif()

  add_library(${P_NAME} MODULE ${P_SOURCES})
  target_compile_features(${P_NAME} PRIVATE cxx_std_20)
  target_link_libraries(${P_NAME} PRIVATE Watermaster::sdk ${P_LIBS})
  target_link_options(${P_NAME} PRIVATE LINKER:--version-script=${here}/plugin.map)
  if(NOT WM_SANITIZE AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize") # its run time is found in the program only
    target_link_options(${P_NAME} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${P_NAME} PROPERTIES
    PREFIX "" SUFFIX .so OUTPUT_NAME ${P_NAME} LIBRARY_OUTPUT_DIRECTORY ${folder}
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${here}/plugin.map)
  # The host refuses a library that others may write to, which it would be under a umask of 002.
  add_custom_command(TARGET ${P_NAME} POST_BUILD COMMAND chmod go-w $<TARGET_FILE:${P_NAME}>)
  configure_file(${P_MANIFEST} ${folder}/plugin.ini COPYONLY)

  if(BUILD_TESTING)
    list(TRANSFORM P_SAMPLES PREPEND --samples=)
    list(TRANSFORM P_CHECK_SETTINGS PREPEND --set=)
    add_test(NAME plugin-${P_NAME}
      COMMAND Watermaster::plugin-check ${P_SAMPLES} ${P_CHECK_SETTINGS} $<TARGET_FILE:${P_NAME}>
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endif()

  if(P_FOLDER)
    return()
  endif()
  set(to lib/watermaster/plugins/${P_NAME})
  install(TARGETS ${P_NAME} LIBRARY DESTINATION ${to} COMPONENT plugin-${P_NAME})
  install(FILES ${folder}/plugin.ini DESTINATION ${to} COMPONENT plugin-${P_NAME})
  # After the library, so that it is the digest of what is installed, stripped or not.
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${to}\")
    file(SHA256 \${folder}/${P_NAME}.so digest)
    file(APPEND \${folder}/plugin.ini \"sha256 = \${digest}\\n\")" COMPONENT plugin-${P_NAME})
endfunction()
