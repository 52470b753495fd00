/* A plugin built when the ABI was 1.0: only the kept copies of the headers are in its include path. */
#include "works.h"

static const wm_transcoder transcoder = {.size = sizeof transcoder, WORKING_TRANSCODER};
static const wm_adapter adapter = {.size = sizeof adapter, WORKING_ADAPTER};

static const wm_component components[] = {
    {sizeof(wm_component), 0, WM_TRANSCODER_1, "old-and-new", PROTOCOL_FACTS, create, destroy, &transcoder},
    {sizeof(wm_component), 0, WM_ADAPTER_1, "provider", PROVIDER_FACTS, create, destroy, &adapter},
};

const wm_plugin_entry wm_plugin_entry_v1 = {sizeof(wm_plugin_entry), WM_ABI_MAJOR, WM_ABI_MINOR, "0.9", components, 2,
                                            sizeof(wm_component)};
