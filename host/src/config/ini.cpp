#include "config/ini.h"

#include "base/text.h"
#include "config/read_file.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wm::config {
namespace {

bool is_word(std::string_view s, std::string_view also) {
    return !s.empty() && s.size() <= 64 && s.front() >= 'a' && s.front() <= 'z' &&
           std::all_of(s.begin(), s.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || also.find(c) != also.npos;
           });
}

bool has_control(std::string_view s) {
    return std::any_of(s.begin(), s.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

constexpr std::string_view header_shapes = R"([kind] or [kind "name"] or [kind "name" "name"])";

bool curly_quoted(std::string_view s) { // the signs that word processors and web pages put in place of quotes
    constexpr std::array<std::string_view, 4> signs{"\u201c", "\u201d", "\u2018", "\u2019"};
    return std::any_of(signs.begin(), signs.end(), [&](auto sign) { return s.find(sign) != s.npos; });
}

// What keeps `line`, which starts with '[', from being a section header. None of it is repeated: it may be a secret.
std::string header_fault(std::string_view line) {
    const auto told = [](std::string_view what, std::string_view expected) {
        return "section header " + std::string(what) + "; expected " + std::string(expected);
    };
    bool quoted = false;
    const auto closes = [&](char c) { return c == '"' ? (quoted = !quoted, false) : c == ']' && !quoted; };
    const auto end = std::size_t(std::find_if(line.begin(), line.end(), closes) - line.begin());
    if (end == line.size() && quoted) return told("with a quote that is not closed", header_shapes);
    if (end == line.size()) return told("without its end", "] at the end of the line");
    if (end + 1 < line.size()) return told("with text after ]", "nothing after it; a comment has a line of its own");
    const auto inside = trim(line.substr(1, end - 1));
    if (curly_quoted(inside)) return told("with typographic quotes", "plain \" around names");
    if (inside.find('\'') != inside.npos) return told("with single quotes", "\" around names");
    const auto word = inside.substr(0, inside.find_first_of(" \t\""));
    if (!is_word(word, "-") && is_word(lowered(word), "-")) return told("with capitals", "its kind in small letters");
    if (is_word(word, "-") && inside.find('"') == inside.npos) return told("with a name without quotes", header_shapes);
    return told("not understood", header_shapes);
}

// `line` starts with '['.
std::optional<IniSection> parse_header(std::string_view line) {
    if (line.back() != ']') return std::nullopt;
    auto inside = trim(line.substr(1, line.size() - 2));
    const auto word = inside.substr(0, inside.find_first_of(" \t\""));
    if (!is_word(word, "-")) return std::nullopt;
    IniSection section;
    section.kind = word;
    for (inside = trim(inside.substr(word.size())); !inside.empty(); inside = trim(inside)) {
        if (inside.front() != '"') return std::nullopt;
        const auto end = inside.find('"', 1);
        if (end == inside.npos) return std::nullopt;
        section.names.emplace_back(inside.substr(1, end - 1));
        inside.remove_prefix(end + 1);
        if (!inside.empty() && inside.front() != ' ' && inside.front() != '\t') return std::nullopt;
    }
    return section;
}

std::optional<IniEntry> parse_entry(std::string_view line) {
    const auto equals = line.find('=');
    if (equals == line.npos) return std::nullopt;
    const auto key = trim(line.substr(0, equals));
    const auto value = trim(line.substr(equals + 1));
    if (!is_word(key, "_") || value.starts_with('=')) return std::nullopt; // "==" ends a key in base64
    return IniEntry{std::string(key), std::string(value), 0};
}

class Parser {
  public:
    IniDocument run(std::string_view text) {
        if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
        for (number_ = 1; !text.empty(); ++number_) {
            const auto end = text.find('\n');
            auto line = text.substr(0, end);
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
            if (line.ends_with('\r')) line.remove_suffix(1);
            take(line);
        }
        return std::move(document_);
    }

  private:
    void take(std::string_view line) {
        const bool header = trim(line).starts_with('[');
        if (line.size() > max_ini_line) return refuse("line too long; expected at most 4096 bytes", header);
        if (has_control(line)) return refuse("control character; expected plain text", header);
        line = trim(line);
        if (line.empty() || line.front() == '#' || line.front() == ';') return;
        if (header) return take_header(line);
        auto entry = parse_entry(line);
        if (!entry)
            return refuse(
                "not understood; expected \"key = value\" with a key of a-z, 0-9 and _, a [section], or a comment",
                false);
        if (section_lost_) return;
        if (document_.sections.empty()) return refuse("key before any section; expected a [section] first", false);
        entry->line = number_;
        document_.sections.back().entries.push_back(std::move(*entry));
    }

    void take_header(std::string_view line) {
        auto section = parse_header(line);
        if (!section) return refuse(header_fault(line), true);
        section->line = number_;
        section_lost_ = false;
        document_.sections.push_back(std::move(*section));
    }

    void refuse(std::string text, bool header) {
        document_.problems.push_back({number_, std::move(text)});
        if (header) section_lost_ = document_.header_lost = true;
    }

    IniDocument document_;
    unsigned number_ = 0;
    bool section_lost_ = false;
};

} // namespace

std::string IniSection::title() const {
    std::string out = "[" + kind;
    for (const auto& name : names) out.append(" \"").append(name).append("\"");
    return out + "]";
}

IniDocument parse_ini(std::string_view text) { return Parser().run(text); }

Result<IniDocument, std::string> read_ini(const std::filesystem::path& file) {
    auto read = read_file(file, max_ini_bytes);
    if (!read) return Failure{read.error()};
    auto document = parse_ini(read->text);
    document.readable_by_others = read->readable_by_others;
    return document;
}

} // namespace wm::config
