// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/library.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <dlfcn.h>

#include "verilator/run/inside.hpp"

namespace sme::verilator {

std::shared_ptr<const Library> Library::load(const std::string& object, std::string& problem) {
    // never unloaded: Verilator's runtime keeps threads and thread-local objects
    void* const loaded = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const found = loaded ? ::dlsym(loaded, "sme_module") : nullptr;
    if (!found) {
        const char* const error = ::dlerror();
        problem = error ? error : "it is no module";
        return nullptr;
    }
    auto made = std::make_shared<Library>();
    made->face_ = reinterpret_cast<const sme_module_face* (*)()>(found)();
    return made;
}

std::shared_ptr<const Library> Library::linked(const sme_module_face& face) {
    auto made = std::make_shared<Library>();
    made->face_ = &face;
    return made;
}

std::size_t Library::port(const std::string& name) const {
    std::size_t number = 0;
    while (number < face_->ports && name != face_->port_names[number])
        ++number;
    return number;
}

Model::Model(std::shared_ptr<const Library> library, const std::vector<std::string>& plusargs,
             std::uint32_t seed, const DataFiles* data_files)
    : library_{std::move(library)}, data_files_{data_files} {
    static constexpr sme_module_host host{print, end_by, find_file};
    std::vector<const char*> texts;
    for (const std::string& text : plusargs)
        texts.push_back(text.c_str());
    model_ = library_->face().make(&host, this, static_cast<int>(texts.size()), texts.data(), seed);
}

Model::~Model() {
    if (model_)
        library_->face().destroy(model_);
}

void Model::finish() {
    if (!end_ || end_->how == SME_MODULE_FINISH)
        library_->face().finish(model_);
    if (!open_line_.empty())
        lines_.push_back(std::exchange(open_line_, {}));
}

std::vector<InsideSignal> Model::signals() const {
    std::vector<InsideSignal> made;
    library_->face().signals(
        model_,
        [](void* to, const char* name, unsigned bits, std::uint32_t code) {
            static_cast<std::vector<InsideSignal>*>(to)->push_back({name, bits, code, false});
        },
        &made);
    return made;
}

void Model::place(const InsideSignal& signal, std::size_t offset, std::size_t bytes) {
    constexpr std::size_t word = 4;
    library_->face().place(model_, signal.code, offset,
                           std::min<std::size_t>(bytes, (signal.width + 31) / 32 * word));
}

void Model::state(Archive& archive) {
    std::vector<std::uint8_t> bytes;
    if (archive.saves())
        library_->face().save(
            model_,
            [](void* to, const void* data, std::size_t count) {
                const auto* const first = static_cast<const std::uint8_t*>(data);
                auto& all = *static_cast<std::vector<std::uint8_t>*>(to);
                all.insert(all.end(), first, first + count);
            },
            &bytes);
    archive(bytes, open_line_);
    if (!archive.saves() && !library_->face().load(model_, bytes.data(), bytes.size()))
        throw CheckpointError{"the module was changed"};
}

std::vector<std::string> Model::take_lines() {
    text_ = 0;
    if (end_ && !open_line_.empty())
        lines_.push_back(std::exchange(open_line_, {}));
    said_ = end_ ? 1 : 0;
    return std::exchange(lines_, {});
}

int Model::print(void* instance, const char* text, std::size_t bytes) {
    auto& model = *static_cast<Model*>(instance);
    std::string_view rest{text, bytes};
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        model.open_line_ += rest.substr(0, end);
        if (end == std::string_view::npos)
            break;
        model.lines_.push_back(std::exchange(model.open_line_, {}));
        model.said_ = 1;
        rest.remove_prefix(end + 1);
    }
    model.text_ += bytes;
    if (model.text_ <= max_text)
        return 1;
    end_by(instance, SME_MODULE_FATAL, "", 0, "it prints more than 16 MiB in one cycle");
    return 0;
}

void Model::end_by(void* instance, int how, const char* file, int line, const char* message) {
    auto& model = *static_cast<Model*>(instance);
    if (!model.end_ || model.end_->how == SME_MODULE_FINISH)
        model.end_ = End{how, file, line, message};
    model.said_ = 1;
}

const char* Model::find_file(void* instance, const char* name) {
    auto& model = *static_cast<Model*>(instance);
    model.found_ = model.data_files_ ? model.data_files_->find(name) : std::string{name};
    return model.found_.c_str();
}

} // namespace sme::verilator
