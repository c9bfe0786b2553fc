// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/program.hpp"

namespace models::harpy {

/// A phoneme of a word's pronunciation, in the network of all sentences.
struct State {
    std::uint32_t phoneme = 0;
    std::uint32_t word = 0;
    bool begins = false; ///< the word begins here
    bool ends = false;   ///< a sentence can end here
    std::vector<std::uint32_t> next;
};

/// The recognisable language: the words of the sentences, in any sequence in which two consecutive
/// words also follow each other in a sentence, each word in all its pronunciations. State 0 is
/// before the first word.
class Knowledge {
public:
    using Words = std::vector<std::uint32_t>;

    Knowledge(const std::string& dictionary, const std::string& sentence_file) {
        read_dictionary(dictionary);
        read_sentences(sentence_file);
        connect();
    }

    std::vector<State> states{1};
    std::vector<Words> sentences;
    std::uint32_t phonemes = 0;

    /// Returns the phonemes of a word's most common pronunciation.
    const std::vector<std::uint32_t>& pronunciation(std::uint32_t word) const {
        return said_[word].front();
    }
    std::string text(const Words& words) const {
        std::string text;
        for (const std::uint32_t word : words)
            text += (text.empty() ? "" : " ") + names_[word];
        return text;
    }

private:
    void read_dictionary(const std::string& file) {
        std::map<std::string, std::uint32_t> phoneme_ids;
        std::istringstream lines{bytes_of(file)};
        std::size_t row = 0;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream parts{line};
            std::string name;
            parts >> name;
            std::vector<std::uint32_t> said;
            for (std::string phoneme; parts >> phoneme;)
                said.push_back(phoneme_ids.emplace(phoneme, phoneme_ids.size()).first->second);
            ++row;
            if (said.empty())
                throw BadInput{fmt::format(
                    "{}:{}: give a word and its phonemes, such as 'two t uw'", file, row)};
            const auto [at, is_new] = ids_.emplace(name, names_.size());
            if (is_new) {
                names_.push_back(name);
                said_.emplace_back();
            }
            said_[at->second].push_back(std::move(said));
        }
        phonemes = static_cast<std::uint32_t>(phoneme_ids.size());
    }

    void read_sentences(const std::string& file) {
        std::istringstream lines{bytes_of(file)};
        for (std::string line; std::getline(lines, line);) {
            Words& words = sentences.emplace_back();
            std::istringstream parts{line};
            for (std::string name; parts >> name;) {
                const auto at = ids_.find(name);
                if (at == ids_.end())
                    throw BadInput{fmt::format("{}:{}: '{}' is not in the dictionary", file,
                                               sentences.size(), name)};
                words.push_back(at->second);
            }
            if (words.empty())
                throw BadInput{fmt::format("{}:{}: give a sentence", file, sentences.size())};
        }
    }

    void connect() {
        std::vector<std::vector<std::uint32_t>> first(names_.size());
        std::vector<std::vector<std::uint32_t>> last(names_.size());
        for (std::uint32_t word = 0; word < names_.size(); ++word)
            for (const std::vector<std::uint32_t>& said : said_[word]) {
                first[word].push_back(static_cast<std::uint32_t>(states.size()));
                for (const std::uint32_t phoneme : said) {
                    const auto id = static_cast<std::uint32_t>(states.size());
                    states.push_back({phoneme, word, id == first[word].back(), false, {id}});
                    if (id != first[word].back())
                        states[id - 1].next.push_back(id);
                }
                last[word].push_back(static_cast<std::uint32_t>(states.size() - 1));
            }
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        std::set<std::uint32_t> beginnings;
        for (const Words& words : sentences) {
            beginnings.insert(words.front());
            for (std::size_t k = 1; k < words.size(); ++k)
                pairs.emplace(words[k - 1], words[k]);
            for (const std::uint32_t state : last[words.back()])
                states[state].ends = true;
        }
        for (const std::uint32_t word : beginnings)
            states[0].next.insert(states[0].next.end(), first[word].begin(), first[word].end());
        for (const auto& [before, after] : pairs)
            for (const std::uint32_t state : last[before])
                states[state].next.insert(states[state].next.end(), first[after].begin(),
                                          first[after].end());
    }

    std::map<std::string, std::uint32_t> ids_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::vector<std::uint32_t>>> said_; ///< per word
};

/// The misfit of each phoneme in each segment of a spoken sentence: 0 is perfect. A wrong phoneme
/// has 100; noise makes right ones worse and wrong ones better.
class Utterance {
public:
    Utterance(const Knowledge& knowledge, std::size_t sentence, std::uint64_t seed,
              std::uint64_t noise) {
        for (const std::uint32_t word : knowledge.sentences[sentence])
            for (const std::uint32_t phoneme : knowledge.pronunciation(word)) {
                const std::uint64_t segments =
                    1 + random(seed, sentence, fits_.size(), 1'000'000) % 3;
                for (std::uint64_t k = 0; k < segments; ++k) {
                    const std::size_t segment = fits_.size();
                    auto& fit = fits_.emplace_back(knowledge.phonemes);
                    for (std::uint32_t p = 0; p < knowledge.phonemes; ++p) {
                        const std::uint64_t moved =
                            random(seed, sentence, segment, p) % (noise + 1);
                        fit[p] = p == phoneme ? moved : 100 - std::min<std::uint64_t>(100, moved);
                    }
                }
            }
    }
    std::size_t segments() const { return fits_.size(); }
    std::uint64_t fit(std::size_t segment, std::uint32_t phoneme) const {
        return fits_[segment][phoneme];
    }

private:
    /// SplitMix64 over the numbers.
    static std::uint64_t random(std::uint64_t seed, std::uint64_t a, std::uint64_t b,
                                std::uint64_t c) {
        std::uint64_t x = 0;
        for (const std::uint64_t number : {seed, a, b, c}) {
            x += number + 0x9e3779b97f4a7c15;
            x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9;
            x = (x ^ x >> 27U) * 0x94d049bb133111eb;
            x ^= x >> 31U;
        }
        return x;
    }

    std::vector<std::vector<std::uint64_t>> fits_; ///< per segment, for each phoneme
};

} // namespace models::harpy
