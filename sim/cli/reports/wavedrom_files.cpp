// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/wavedrom_files.hpp"

#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "base/codes.hpp"
#include "base/find_program.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/drawing.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

namespace {

/// A program that contains WaveDrom, and its use of the standard streams.
struct Drawer {
    std::string path{};
    std::vector<std::string> arguments{};
};

/// Finds the first installed program; its `name` becomes its path, or empty.
Drawer find_drawer() {
    for (const Drawer& drawer : {Drawer{"yowasp-wavedrom", {"-", "-"}},
                                 Drawer{"wavedrom-cli", {"-i", "/dev/stdin", "-s", "/dev/stdout"}}})
        if (const auto path = find_program(drawer.path))
            return {*path, drawer.arguments};
    return {};
}

int complain_of_wavedrom(const std::string& problem) {
    fmt::print(stderr, "error: {}; an SVG is drawn by WaveDrom, FILE.json needs no other program\n",
               shown_text(problem));
    return exit_code::building;
}

bool is_svg(const OutputFile& file) {
    return file.path().ends_with(".svg");
}

void find_references(const pugi::xml_node& node, std::set<std::string, std::less<>>& found) {
    for (const pugi::xml_attribute& attribute : node.attributes())
        if (const std::string_view value = attribute.value(); value.starts_with('#'))
            found.emplace(value.substr(1));
    for (const pugi::xml_node& inner : node.children())
        find_references(inner, found);
}

/// Removes unused shapes from a picture: WaveDrom puts all its shapes into each picture, and they
/// are most of the file.
std::string without_unused_shapes(std::string svg) {
    pugi::xml_document document;
    if (!document.load_string(svg.c_str(), pugi::parse_full | pugi::parse_ws_pcdata))
        return svg;
    std::set<std::string, std::less<>> used;
    find_references(document, used);
    pugi::xml_node shapes = document.child("svg").child("defs");
    for (pugi::xml_node shape = shapes.child("g"); shape;) {
        const pugi::xml_node next = shape.next_sibling("g");
        if (!used.contains(std::string_view{shape.attribute("id").value()}))
            shapes.remove_child(shape);
        shape = next;
    }
    std::ostringstream text;
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
    return text.str();
}

/// Returns the SVG; `nullopt` on failure, with the exit code in `failed`.
std::optional<std::string> drawn(const std::string& wavejson, int& failed) {
    const Drawer drawer = find_drawer();
    auto svg = drawn_by(drawer.path, drawer.arguments, wavejson, complain_of_wavedrom, failed);
    if (svg)
        svg = without_unused_shapes(std::move(*svg));
    return svg;
}

} // namespace

int WavedromFiles::open(const Options& options) {
    for (const std::string& path : options.wavedrom) {
        const OutputFile& file = *files_.emplace_back(std::make_unique<OutputFile>(path));
        if (!file.good()) {
            complain(Code::file_unwritable, file.problem());
            return exit_code::file;
        }
        if (is_svg(file) && find_drawer().path.empty())
            return complain_of_wavedrom("there is no program 'yowasp-wavedrom' (pip install "
                                        "yowasp-wavedrom) or 'wavedrom-cli' (npm install -g "
                                        "wavedrom-cli)");
    }
    return exit_code::fine;
}

int WavedromFiles::write(const std::string& wavejson) {
    int code = exit_code::fine;
    for (const auto& file : files_) {
        std::optional<std::string> text = wavejson;
        if (is_svg(*file))
            text = drawn(wavejson, code);
        if (!text)
            continue;
        file->write(*text);
        if (!file->commit()) {
            complain(Code::file_unwritable, file->problem());
            code = exit_code::file;
        }
    }
    files_.clear(); // removes the partial files
    return code;
}

} // namespace sme::cli
