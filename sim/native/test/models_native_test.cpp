// SPDX-License-Identifier: Apache-2.0
//
// Every model has the same value on every bus in every cycle as native code, on one thread and two,
// and when native code takes over during the run.
#include "interpret/test/model_run.hpp"
#include "native/test/attached.hpp"

using namespace sme;

TEST_CASE("every model has the same bits as native code") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    unsigned models = 0, parallel = 0;
    for (const std::string& path : test::model_paths()) {
        CAPTURE(path);
        const test::Model model{path};
        ++models;
        const std::uint64_t cycles = model.levels() <= 4 ? 200 : 60;
        SimulatorOptions options;
        options.threads = 1;
        options.seed = 7;
        const test::Outcome expected = model.run(options, cycles, parallel);
        for (const unsigned way :
             {0u, 1u, 2u}) { // one thread, without fused steps and with them; two threads
            CAPTURE(way);
            options.threads = way < 2 ? 1 : 2;
            std::unique_ptr<native::Native> result;
            const test::Outcome outcome =
                model.run(options, cycles, parallel, [&](engine::Engine& engine) {
                    result = test::attach(engine, model.graph(), settings, way > 0);
                });
            CHECK((outcome == expected));
            CHECK((way == 0 || !result->c_module().fused().empty()));
            CHECK(result->c_module().functions() > 0);
        }
    }
    CHECK(models >= 10);
}

TEST_CASE("native code takes over between any two cycles") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    for (const char* name : {"cpu", "riscv", "uart", "pipeline"}) {
        CAPTURE(name);
        const test::Model model{std::string{SME_SOURCE_DIR "/models/"} + name + "/network.yaml"};
        SimulatorOptions options;
        options.threads = 1;
        unsigned parallel = 0;
        constexpr std::uint64_t cycles = 100;
        const test::Outcome expected = model.run(options, cycles, parallel);
        for (const std::uint64_t at : {1u, 2u, 17u}) {
            std::unique_ptr<native::Native> result;
            const test::Outcome outcome =
                model.run(options, cycles, parallel, [&](engine::Engine& engine) {
                    engine.run(at);
                    result = test::attach(engine, model.graph(), settings);
                });
            CHECK((outcome == expected));
        }
    }
}
