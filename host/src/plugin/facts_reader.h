#pragma once
// Typed access to a facts document; remembers the first problem and goes on with defaults. Private to this folder.
#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace wm::plugin {

class FactsReader {
  public:
    using Value = rapidjson::Value;

    // Null after a problem.
    const Value* parse(std::string_view json);

    const std::string& problem() const { return problem_; }
    void expect(const std::string& path, std::string_view expected, std::string_view found);

    // `path` is the object's, empty or with a dot at its end.
    std::string text(const Value& object, const std::string& path, const char* member); // required, not empty
    std::string text_or(const Value& object, const std::string& path, const char* member, const char* fallback);
    std::string word(const Value& object, const std::string& path, const char* member,
                     std::initializer_list<std::string_view> words); // required, one of these
    bool boolean(const Value& object, const std::string& path, const char* member, bool fallback);
    std::uint64_t number(const Value& object, const std::string& path, const char* member);
    std::vector<std::string> texts(const Value& object, const std::string& path, const char* member);

    static bool has_list(const Value& object, const char* member);

    // Calls f(element, path) for each object of an array member; `required`: at least one.
    template <class F>
    void each(const Value& object, const std::string& path, const char* member, bool required, F&& f) {
        const Value* array = list(object, path, member, required);
        for (rapidjson::SizeType i = 0; array && i < array->Size(); ++i) {
            const std::string element = path + member + "[" + std::to_string(i) + "].";
            if ((*array)[i].IsObject())
                f((*array)[i], element);
            else
                expect(element.substr(0, element.size() - 1), "an object", kind((*array)[i]));
        }
    }

  private:
    static const Value* find(const Value& object, const char* member);
    static std::string kind(const Value& value);
    const Value* list(const Value& object, const std::string& path, const char* member, bool required);

    rapidjson::Document document_;
    std::string problem_;
};

} // namespace wm::plugin
