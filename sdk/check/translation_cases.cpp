#include "cases.h"
#include "dialogue.h"
#include "outcome.h"

#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Talk;
using sdk::testing::Translator;

namespace {

constexpr std::size_t max_cuts = 64; // of one text; each cut takes a whole dialogue

struct Speaker {
    Trial& trial;
    const Translator& translator;
    const Samples& samples;
    const std::string who;

    std::function<void(const Outcome&)> judge() const {
        return [this](const Outcome& outcome) { check_status(trial, outcome); };
    }
};

void check_nulls_of(const Speaker& speaker) {
    const wm_transcoder& table = speaker.translator.table();
    Capture out;
    const wm_sink sink = out.sink();
    for (const std::uint32_t role : {WM_ROLE_CLIENT, WM_ROLE_UPSTREAM}) {
        wm_params params{};
        params.size = sizeof params;
        params.role = role;
        speaker.trial.step(speaker.who + "open and close with empty views, without wm_error");
        wm_talk* talk = table.open(speaker.translator.get(), &params, nullptr);
        if (!talk) return speaker.trial.find("a talk", "null", "empty names are no reason to fail");
        const wm_frame nothing{sizeof(wm_frame), WM_FRAME_DOCUMENT, {}, {}};
        speaker.trial.step(speaker.who + "read of an empty document, without wm_error");
        check_status(speaker.trial, {table.read(talk, &nothing, &sink, nullptr), {}, {}});
        table.close(talk);
    }
}

// A request goes to another target by being read again.
void check_reading_again(const Speaker& speaker, const Sample& request) {
    Talk talk(speaker.translator, WM_ROLE_CLIENT);
    Capture first, second;
    speaker.trial.step(speaker.who + "read of request " + request.name);
    const Outcome outcome = talk.read({}, request.text, WM_FRAME_DOCUMENT, first);
    check_status(speaker.trial, outcome);
    if (!outcome.ok()) return;
    speaker.trial.step(speaker.who + "read of request " + request.name + " once more");
    const Outcome again = talk.read({}, request.text, WM_FRAME_DOCUMENT, second);
    if (lines_of(again, second) != lines_of(outcome, first))
        speaker.trial.find("the same events", "others", "reading starts over: forget what was read before");
}

void check_request_cut(const Speaker& speaker, const Sample& request, Fence& fence) {
    const auto judge = speaker.judge();
    for (std::size_t size = 0; size <= request.text.size(); size += request.text.size() / max_cuts + 1) {
        speaker.trial.step(speaker.who + "request " + request.name + " after " + std::to_string(size) + " bytes");
        Dialogue(speaker.translator, false, &fence, judge).ask(std::string_view(request.text).substr(0, size));
    }
}

// The whole answer, then with its last frame cut; every frame is the last once.
void check_answer_cut(const Speaker& speaker, const Sample& answer, bool stream, Fence& fence) {
    const auto judge = speaker.judge();
    auto frames =
        stream ? sdk::testing::sse_frames(answer.text) : std::vector<sdk::testing::SseFrame>{{"", answer.text}};
    const std::uint32_t kind = stream ? WM_FRAME_MESSAGE : WM_FRAME_DOCUMENT;
    const auto answers = [&](std::size_t count, std::string_view last) {
        Dialogue dialogue(speaker.translator, stream, &fence, judge);
        bool goes_on = dialogue.ask(speaker.samples.question());
        for (std::size_t i = 0; goes_on && i < count; ++i)
            goes_on = dialogue.frame(frames[i].name, i + 1 == count ? last : frames[i].data, kind);
        if (goes_on) dialogue.end();
    };
    for (std::size_t count = 1; count <= frames.size(); ++count) {
        const std::string_view last = frames[count - 1].data;
        const std::size_t step = stream ? last.size() / 4 + 1 : last.size() / max_cuts + 1;
        for (std::size_t size = 0; size <= last.size(); size += step) {
            speaker.trial.step(speaker.who + "answer " + answer.name + " up to byte " + std::to_string(size) +
                               " of frame " + std::to_string(count));
            answers(count, last.substr(0, size));
        }
    }
    speaker.trial.step(speaker.who + "answer " + answer.name);
    if (!frames.empty()) answers(frames.size(), frames.back().data);
}

} // namespace

void check_translation(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    Fence fence(largest(subject.samples));
    opened.each_transcoder([&](const sdk::testing::Transcoder& transcoder, const std::string& id) {
        if (!transcoder.translates()) return;
        const std::string who = "transcoder `" + id + "`: ";
        trial.step(who + "bind without options");
        const Translator translator(transcoder);
        if (!translator.bound()) return; // it wants options that only its author knows
        const Speaker speaker{trial, translator, subject.samples, who};
        check_nulls_of(speaker);
        for (const auto& request : subject.samples.requests) {
            check_reading_again(speaker, request);
            check_request_cut(speaker, request, fence);
        }
        for (const auto& answer : subject.samples.streams) check_answer_cut(speaker, answer, true, fence);
        for (const auto& answer : subject.samples.documents) check_answer_cut(speaker, answer, false, fence);
    });
}

} // namespace wm::check
