# cpack in the build folder: a .deb and a .tar.gz of each component. Included last, when every component is known.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "Watermaster <packages@watermaster.example>")
set(CPACK_SET_DESTDIR ON) # some files are outside of the prefix
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION net)

# wm_package(component package description): names and describes what a component is packed as.
function(wm_package component package description)
  install(FILES LICENSE DESTINATION share/doc/${package} RENAME copyright COMPONENT ${component})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION ${description} PARENT_SCOPE)
  set(CPACK_ARCHIVE_${key}_FILE_NAME ${package}-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR} PARENT_SCOPE)
endfunction()

wm_package(Host watermaster "a gateway for LLM APIs")
set(CPACK_DEBIAN_HOST_PACKAGE_DEPENDS "watermaster-policies (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_HOST_PACKAGE_CONTROL_EXTRA ${here}/postinst ${here}/prerm ${here}/conffiles)

wm_package(Policies watermaster-policies "the gateway's policies in Lua")
set(CPACK_DEBIAN_POLICIES_PACKAGE_ARCHITECTURE all)

wm_package(SDK watermaster-sdk "what plugins for the gateway are written against")
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS "cmake, g++")

get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
foreach(component ${CPACK_COMPONENTS_ALL})
  if(component MATCHES "^plugin-(.+)$")
    wm_package(${component} watermaster-${component} "the gateway's plugin ${CMAKE_MATCH_1}")
    list(APPEND plugins watermaster-${component})
  endif()
endforeach()
list(JOIN plugins ", " CPACK_DEBIAN_HOST_PACKAGE_RECOMMENDS)

include(CPack)
