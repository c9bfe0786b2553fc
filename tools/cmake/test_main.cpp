// SPDX-License-Identifier: Apache-2.0
// The main function of every test executable; compiled once. A test that cannot run a part prints a
// message that begins with "skipped: ". The executable then returns 77, which ctest counts as
// skipped, unless a test failed.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <string_view>

namespace {

bool skipped = false;

struct SkipListener final : doctest::IReporter {
    explicit SkipListener(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData& message) override {
        const std::string_view text = message.m_string.c_str();
        skipped = skipped || text.substr(0, 9) == "skipped: ";
    }
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

} // namespace

REGISTER_LISTENER("skips", 1, SkipListener);

int main(int argc, char** argv) {
    const int result = doctest::Context{argc, argv}.run();
    return result == 0 && skipped ? 77 : result;
}
