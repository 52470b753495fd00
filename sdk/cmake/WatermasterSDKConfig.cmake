# find_package(WatermasterSDK 1.0 CONFIG REQUIRED): the targets Watermaster::sdk (headers), Watermaster::testing and
# Watermaster::plugin-check, and wm_add_plugin.
include(${CMAKE_CURRENT_LIST_DIR}/WatermasterSDKTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/WatermasterPlugin.cmake)
