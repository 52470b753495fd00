# cmake --install BUILD --component SDK: all that a plugin's author needs, found by find_package(WatermasterSDK).
include(CMakePackageConfigHelpers)

# The package's version is the ABI's: a plugin that asks for 1.0 builds with any later 1.x.
file(STRINGS include/watermaster/plugin.h abi REGEX "^#define WM_ABI_(MAJOR|MINOR) ")
list(TRANSFORM abi REPLACE "^#define WM_ABI_[A-Z]+ " "")
list(JOIN abi . abi)

set(package lib/cmake/WatermasterSDK)
install(TARGETS wm_sdk wm_sdk_testing watermaster-plugin-check EXPORT WatermasterSDK
  ARCHIVE DESTINATION lib COMPONENT SDK
  RUNTIME DESTINATION bin COMPONENT SDK)
install(EXPORT WatermasterSDK NAMESPACE Watermaster:: FILE WatermasterSDKTargets.cmake DESTINATION ${package}
  COMPONENT SDK)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/WatermasterSDKConfigVersion.cmake
  VERSION ${abi} COMPATIBILITY SameMajorVersion)
install(FILES cmake/WatermasterSDKConfig.cmake cmake/WatermasterPlugin.cmake cmake/plugin.map
  ${CMAKE_CURRENT_BINARY_DIR}/WatermasterSDKConfigVersion.cmake DESTINATION ${package} COMPONENT SDK)
install(DIRECTORY include/watermaster testing/include/watermaster DESTINATION include COMPONENT SDK)
install(DIRECTORY template DESTINATION share/watermaster-sdk COMPONENT SDK)
foreach(file README.md CHANGELOG.md LOSSES.md testing/README.md check/README.md)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION share/doc/watermaster-sdk/${folder} COMPONENT SDK)
endforeach()
