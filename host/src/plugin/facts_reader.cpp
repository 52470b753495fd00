#include "plugin/facts_reader.h"
#include "plugin/refusal.h"

#include <algorithm>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

namespace wm::plugin {

void FactsReader::expect(const std::string& path, std::string_view expected, std::string_view found) {
    if (problem_.empty())
        problem_ =
            refusal("facts: member `" + path + "`", expected, found, "correct the plugin's facts and rebuild it");
}

const FactsReader::Value* FactsReader::parse(std::string_view json) {
    // Iterative: a plugin's mistake must not become this process's stack overflow.
    document_.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
    if (!document_.HasParseError() && document_.IsObject()) return &document_;
    const std::string found = document_.HasParseError()
                                  ? std::string(rapidjson::GetParseError_En(document_.GetParseError())) + " at byte " +
                                        std::to_string(document_.GetErrorOffset())
                                  : kind(document_);
    problem_ = refusal("facts", "a JSON object", found, "correct the plugin's facts and rebuild it");
    return nullptr;
}

const FactsReader::Value* FactsReader::find(const Value& object, const char* member) {
    const auto found = object.FindMember(member);
    return found == object.MemberEnd() ? nullptr : &found->value;
}

bool FactsReader::has_list(const Value& object, const char* member) {
    const Value* value = find(object, member);
    return value && value->IsArray();
}

std::string FactsReader::kind(const Value& value) {
    if (value.IsString()) return "the string " + ticked({value.GetString(), value.GetStringLength()});
    if (value.IsNumber()) return "a number";
    if (value.IsBool()) return "a boolean";
    if (value.IsArray()) return value.Empty() ? "an empty array" : "an array";
    return value.IsObject() ? "an object" : "null";
}

std::string FactsReader::text(const Value& object, const std::string& path, const char* member) {
    const Value* value = find(object, member);
    if (value && value->IsString() && value->GetStringLength()) return {value->GetString(), value->GetStringLength()};
    expect(path + member, "a string that is not empty", value ? kind(*value) : "nothing");
    return {};
}

std::string FactsReader::text_or(const Value& object, const std::string& path, const char* member,
                                 const char* fallback) {
    const Value* value = find(object, member);
    if (!value) return fallback;
    if (value->IsString()) return {value->GetString(), value->GetStringLength()};
    expect(path + member, "a string", kind(*value));
    return fallback;
}

std::string FactsReader::word(const Value& object, const std::string& path, const char* member,
                              std::initializer_list<std::string_view> words) {
    std::string value = text(object, path, member);
    if (std::find(words.begin(), words.end(), value) != words.end()) return value;
    std::string expected = "one of";
    for (const auto one : words) expected.append(" `").append(one).append("`");
    expect(path + member, expected, ticked(value));
    return value;
}

bool FactsReader::boolean(const Value& object, const std::string& path, const char* member, bool fallback) {
    const Value* value = find(object, member);
    if (!value) return fallback;
    if (!value->IsBool()) expect(path + member, "true or false", kind(*value));
    return value->IsBool() ? value->GetBool() : fallback;
}

std::uint64_t FactsReader::number(const Value& object, const std::string& path, const char* member) {
    const Value* value = find(object, member);
    if (!value) return 0;
    if (!value->IsUint64()) expect(path + member, "a whole number", kind(*value));
    return value->IsUint64() ? value->GetUint64() : 0;
}

const FactsReader::Value* FactsReader::list(const Value& object, const std::string& path, const char* member,
                                            bool required) {
    const Value* value = find(object, member);
    if (!value && !required) return nullptr;
    if (value && value->IsArray() && !(required && value->Empty())) return value;
    expect(path + member, required ? "an array that is not empty" : "an array", value ? kind(*value) : "nothing");
    return nullptr;
}

std::vector<std::string> FactsReader::texts(const Value& object, const std::string& path, const char* member) {
    std::vector<std::string> out;
    const Value* array = list(object, path, member, false);
    for (rapidjson::SizeType i = 0; array && i < array->Size(); ++i) {
        const Value& value = (*array)[i];
        if (value.IsString())
            out.emplace_back(value.GetString(), value.GetStringLength());
        else
            expect(path + member + "[" + std::to_string(i) + "]", "a string", kind(value));
    }
    return out;
}

} // namespace wm::plugin
