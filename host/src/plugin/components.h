#pragma once
// The classes of calls.h over a plugin's tables. Tables must have been judged: required functions are there.
// `destroy(self)` is called once, by the destructor. Private to this folder.
#include "plugin/calls.h"
#include "plugin/talk.h"

#include <memory>
#include <string>
#include <watermaster/plugin.h>

namespace wm::plugin {

struct Self { // what create returned, and how it ends
    void* at = nullptr;
    void (*destroy)(void*) = nullptr;
};

std::unique_ptr<Adapter> make_adapter(const wm_adapter& table, Self self, AdapterFacts facts);
std::unique_ptr<Transcoder> make_transcoder(const wm_transcoder& table, Self self, TranscoderFacts facts);

// `id`: the transcoder's, for messages; it outlives the tap. The handle is closed by the destructor.
std::unique_ptr<Tap> make_tap(const wm_transcoder& table, wm_tap* handle, const std::string& id);
std::unique_ptr<Talk> make_talk(const wm_transcoder& table, wm_talk* handle, const std::string& id);

} // namespace wm::plugin
