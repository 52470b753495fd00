#include "explain/question.h"

#include "base/characters.h"
#include "base/text.h"

#include <watermaster/json_scan.hpp>

namespace wm::explain {

namespace {

namespace json = wm::sdk::json;

constexpr std::string_view shape = R"(expected {"method":…,"path":…,"headers":{…},"body":…,"client":…})";

// Framing is the sender's business: the body is here already, whole.
bool is_framing(std::string_view name) {
    return iequals(name, "content-length") || iequals(name, "transfer-encoding") || iequals(name, "expect");
}

class Reader {
  public:
    Result<Question, std::string> run(std::string_view text) {
        json::Scan scan(text);
        if (scan.kind() != json::Kind::object) return Failure{"not a JSON object; " + std::string(shape)};
        scan.members([&](const json::Name& name) { member(name, scan.value()); });
        if (!scan.finish())
            return Failure{"not valid JSON at byte " + std::to_string(scan.offset()) + "; " + std::string(shape)};
        if (!unknown_.empty()) return Failure{unknown()};
        if (path_.empty()) wrong("path", "the path of the request, as in \"/v1/chat/completions\"");
        if (!is_token(method_)) wrong("method", "a method, as in \"POST\"");
        if (!problem_.empty()) return Failure{std::move(problem_)};
        auto& head = question_.head;
        head = method_ + " " + path_ + " HTTP/1.1\r\n" + (has_host_ ? "" : "Host: explain\r\n") + fields_;
        head += "Content-Length: " + std::to_string(question_.body.size()) + "\r\n\r\n";
        return std::move(question_);
    }

  private:
    void wrong(std::string_view where, std::string_view expected) {
        if (problem_.empty())
            problem_.append("'").append(where).append("' is missing or wrong; expected ").append(expected);
    }

    void member(const json::Name& name, const json::Value& value) {
        if (name.is("method"))
            method_ = value.is_string() ? json::text(value.body()) : "";
        else if (name.is("path"))
            path_ = path(value);
        else if (name.is("headers"))
            headers(value);
        else if (name.is("body"))
            has_body_ = true, question_.body = value.is_string() ? json::text(value.body()) : std::string(value.raw);
        else if (name.is("client") && value.is_string())
            question_.client = json::text(value.body());
        else if (name.is("client"))
            wrong("client", "the name of one that is configured");
        else
            unknown_ = unknown_.empty() ? json::text(name.body).substr(0, 40) : unknown_;
    }

    // The usual mistake is to give the request's body alone.
    std::string unknown() const {
        return "unknown member '" + unknown_ + "'; " +
               (has_body_ ? std::string() : "put the request under \"body\"; ") + std::string(shape);
    }

    static std::string path(const json::Value& value) {
        auto text = value.is_string() ? json::text(value.body()) : std::string();
        const bool fits = text.starts_with('/') && text.find_first_of(" \r\n") == text.npos;
        return fits ? text : std::string();
    }

    void headers(const json::Value& value) {
        json::Scan scan(value.raw);
        if (value.kind != json::Kind::object) return wrong("headers", "an object of names and values");
        scan.members([&](const json::Name& name) {
            const auto field = json::text(name.body);
            if (scan.kind() == json::Kind::array)
                scan.elements([&] { header(field, scan.value()); });
            else
                header(field, scan.value());
        });
    }

    void header(const std::string& name, const json::Value& value) {
        const auto text = value.is_string() ? json::text(value.body()) : std::string();
        if (!is_token(name) || !value.is_string() || !is_field_value(text))
            return wrong("headers", "field names, each with a string or a list of strings");
        has_host_ = has_host_ || iequals(name, "host");
        if (!is_framing(name)) fields_ += name + ": " + text + "\r\n";
    }

    Question question_;
    std::string method_ = "POST", path_, fields_, problem_, unknown_;
    bool has_host_ = false, has_body_ = false;
};

} // namespace

Result<Question, std::string> read_question(std::string_view json) { return Reader().run(json); }

} // namespace wm::explain
