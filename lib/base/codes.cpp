// SPDX-License-Identifier: Apache-2.0
#include "base/codes.hpp"

#include <algorithm>

namespace sme {

namespace {
constexpr CodeInfo registry[] = {
#define SME_CODE(name, slug, severity, meaning) {Code::name, slug, Severity::severity, meaning},
    SME_CODES(SME_CODE)
#undef SME_CODE
};
} // namespace

std::span<const CodeInfo> all_codes() {
    return registry;
}

const CodeInfo& info(Code code) {
    return registry[static_cast<std::size_t>(code)];
}

namespace {

/// Reads an entry line by line.
class EntryReader {
public:
    Explanation read(std::string_view markdown) {
        while (!markdown.empty()) {
            const std::size_t end = std::min(markdown.find('\n'), markdown.size());
            line(std::string{markdown.substr(0, end)});
            markdown.remove_prefix(std::min(end + 1, markdown.size()));
        }
        if (block_)
            fail("a ``` block does not end");
        while (made_.text.ends_with("\n"))
            made_.text.pop_back();
        if (made_.text.empty())
            fail("there is no explanation before '## Wrong'");
        if (made_.wrong.session.empty())
            fail("'## Wrong' has no ```console block with a command and what it prints");
        if (made_.right.files.empty() && made_.right.session.empty())
            fail("'## Right' has no example");
        return std::move(made_);
    }

private:
    void line(const std::string& text) {
        if (block_ && text == "```")
            block_ = nullptr;
        else if (block_)
            *block_ += text + "\n";
        else if (text == "## Wrong" || text == "## Right")
            section_ = text == "## Wrong" ? &made_.wrong : &made_.right;
        else if (text.starts_with("```"))
            open(text.substr(3));
        else if (!section_)
            made_.text += made_.text.empty() && text.empty() ? "" : text + "\n";
        else if (!text.empty())
            fail("outside its blocks an example has no text: " + text);
    }

    void open(const std::string& kind) {
        const std::size_t blank = kind.find(' ');
        if (!section_)
            return fail("a ``` block precedes '## Wrong'");
        if (kind == "console") {
            block_ = &section_->session;
        } else if (blank != std::string::npos) {
            section_->files.push_back({kind.substr(blank + 1), {}});
            block_ = &section_->files.back().text;
        } else
            fail("a block is ```console or names its file, as in ```yaml network.yaml");
    }

    void fail(std::string problem) {
        if (made_.problem.empty())
            made_.problem = std::move(problem);
    }

    Explanation made_;
    Example* section_ = nullptr;
    std::string* block_ = nullptr;
};

} // namespace

Explanation parse_explanation(std::string_view markdown) {
    return EntryReader{}.read(markdown);
}

Explanation explanation(std::string_view slug) {
    for (const CatalogueText& entry : catalogue_texts())
        if (entry.slug == slug)
            return parse_explanation(entry.markdown);
    Explanation none;
    none.problem = "there is no file lib/base/catalogue/" + std::string{slug} +
                   ".md; write it as catalogue/README.md says";
    return none;
}

std::vector<std::string_view> explained_slugs() {
    std::vector<std::string_view> slugs;
    for (const CatalogueText& entry : catalogue_texts())
        slugs.push_back(entry.slug);
    std::sort(slugs.begin(), slugs.end());
    return slugs;
}

} // namespace sme
