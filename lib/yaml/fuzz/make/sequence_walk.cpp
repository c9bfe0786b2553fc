// SPDX-License-Identifier: Apache-2.0
//
// A sequence is followed by functions that each do the rest of it: an item calls the next one
// when it is complete. Nothing here knows of states or of program points.
#include "yaml/fuzz/make/sequence_walk.hpp"

#include <algorithm>
#include <memory>

namespace sme::fuzz {

bool stream_accepts(unsigned phase) {
    return phase % 3 != 1;
}

namespace {

bool stream_offers(unsigned phase) {
    return phase % 4 != 2;
}

/// Does the items of a sequence, cycle by cycle.
class SequenceWalk {
public:
    using Procedures = std::map<std::string, const SequenceItems*>;
    /// `now`: what all branches read in this cycle.
    SequenceWalk(const Procedures& procedures, SequenceValues& now)
        : procedures_{procedures}, now_{now} {}

    void begin(const SequenceItems& sequence) {
        next_ = [this, &sequence] { anew(sequence); };
    }
    void begin_branch(const SequenceItems& branch) {
        is_branch_ = true;
        next_ = [this, &branch] { list(branch, 0, [this] { ended_ = true; }, {}); };
    }

    /// Does one cycle, and adds what it writes.
    void cycle(SequenceValues& written) {
        if (ended_)
            return;
        if (!item_)
            std::exchange(next_, nullptr)();
        if (item_)
            do_item(written);
        if (!item_ && !ended_ && is_branch_)
            look_ahead();
    }
    bool ended() const { return ended_; }

private:
    using Rest = std::function<void()>;
    /// Where words lead.
    struct Around {
        Rest leave, go_on, back;
        std::vector<std::string> open; // indices in the procedure
    };
    struct NeedsValues {};

    void anew(const SequenceItems& sequence) {
        now_.indices.clear();
        restart_ = [this, &sequence] { anew(sequence); };
        list(sequence, 0, restart_, {});
    }

    /// A branch ends with its last item, unless a decision on values comes first.
    void look_ahead() {
        const SequenceValues before = now_;
        const auto arguments = arguments_;
        const Rest next = next_;
        only_fixed_ = true;
        try {
            next_();
        } catch (NeedsValues) {
        }
        only_fixed_ = false;
        item_ = nullptr;
        if (!ended_) {
            next_ = next;
            now_ = before;
            arguments_ = arguments;
        }
    }

    void decide(bool is_fixed) const {
        if (only_fixed_ && !is_fixed)
            throw NeedsValues{};
    }

    unsigned value(const SequenceValue& written) const {
        SequenceValues values = now_;
        values.arguments = arguments_;
        return written.of(values);
    }

    void list(const SequenceItems& items, std::size_t at, const Rest& after, const Around& around) {
        if (at == items.size())
            return after();
        one(
            items[at], [this, &items, at, after, around] { list(items, at + 1, after, around); },
            around);
    }

    void one(const SequenceItem& item, const Rest& after, const Around& around) {
        switch (item.kind) {
        case SequenceItem::Kind::choice:
            for (const auto& [condition, inner] : item.arms)
                decide(!condition || condition->is_fixed);
            for (const auto& [condition, inner] : item.arms)
                if (!condition || value(*condition) != 0)
                    return list(inner, 0, after, around);
            return after();
        case SequenceItem::Kind::match: {
            decide(false);
            const std::size_t arm = std::min<std::size_t>(now_.a & 3, item.arms.size() - 1);
            return list(item.arms[arm].second, 0, after, around);
        }
        case SequenceItem::Kind::loop: return while_loop(item, after, around);
        case SequenceItem::Kind::repeat: {
            decide(item.value.is_fixed);
            if (value(item.value) == 0)
                return after();
            now_.indices[item.index] = 0;
            Around inside = around;
            inside.open.push_back(item.index);
            return round(item, after, inside);
        }
        case SequenceItem::Kind::call:
            decide(item.value.is_fixed);
            arguments_[item.index] = value(item.value);
            return list(*procedures_.at(item.text), 0, after, {{}, {}, after, {}});
        case SequenceItem::Kind::word:
            if (item.text == "restart")
                return restart_();
            if (item.text == "return") {
                for (const std::string& index : around.open)
                    now_.indices.erase(index);
                return around.back();
            }
            if (item.text != "stop")
                return item.text == "break" ? around.leave() : around.go_on();
            [[fallthrough]];
        default:
            item_ = &item;
            after_ = after;
            around_ = around;
            count_ = 0;
            branches_.clear();
            if (item.kind == SequenceItem::Kind::parallel)
                for (const auto& [condition, inner] : item.arms) {
                    branches_.push_back(std::make_unique<SequenceWalk>(procedures_, now_));
                    branches_.back()->begin_branch(inner);
                    branches_.back()->arguments_ = arguments_; // of the procedure around
                }
        }
    }

    void while_loop(const SequenceItem& item, const Rest& after, const Around& around) {
        decide(item.value.is_fixed);
        if (value(item.value) == 0)
            return after();
        Around inside = around;
        inside.leave = after;
        inside.go_on = [this, &item, after, around] { while_loop(item, after, around); };
        list(item.body, 0, inside.go_on, inside);
    }

    void round(const SequenceItem& item, const Rest& after, Around around) {
        around.leave = [this, &item, after] {
            now_.indices.erase(item.index);
            after();
        };
        around.go_on = [this, &item, after, around] {
            decide(item.value.is_fixed);
            if (now_.indices[item.index] + 1 >= value(item.value))
                return around.leave();
            ++now_.indices[item.index];
            round(item, after, around);
        };
        list(item.body, 0, around.go_on, around);
    }

    void do_item(SequenceValues& written) {
        const SequenceItem& item = *item_;
        bool complete = true;
        if (item.lasting)
            written.y = value(*item.lasting);
        switch (item.kind) {
        case SequenceItem::Kind::wait: complete = value(item.value) != 0; break;
        case SequenceItem::Kind::pause: complete = count_ + 1 >= value(item.value); break;
        case SequenceItem::Kind::send:
            complete = stream_accepts(now_.phase);
            written.sends = true;
            written.sent = value(item.value);
            break;
        case SequenceItem::Kind::receive: complete = stream_offers(now_.phase); break;
        case SequenceItem::Kind::parallel:
            for (const auto& branch : branches_) {
                branch->cycle(written);
                complete = complete && branch->ended();
            }
            break;
        case SequenceItem::Kind::word: complete = false; break; // stop
        default: break;
        }
        if (complete && item.written)
            (item.writes_y ? written.y : written.a) = value(*item.written);
        if (complete && item.kind == SequenceItem::Kind::receive)
            (item.writes_y ? written.y : written.a) = now_.phase * 5u;
        ++count_;
        if (complete)
            next_ = after_;
        else if (item.within == count_)
            next_ = [this, &item, after = after_, around = around_] {
                list(item.late, 0, after, around);
            };
        else
            return;
        item_ = nullptr;
    }

    const Procedures& procedures_;
    SequenceValues& now_;
    std::map<std::string, unsigned> arguments_;
    const SequenceItem* item_ = nullptr; // null: `next_` finds it
    Rest next_, after_, restart_;
    Around around_;
    unsigned count_ = 0; // cycles that the item has lasted
    std::vector<std::unique_ptr<SequenceWalk>> branches_;
    bool is_branch_ = false, ended_ = false;
    bool only_fixed_ = false;
};

} // namespace

SequenceCycle followed(const SequenceItems& items,
                       const std::vector<SequenceProcedure>& procedures) {
    struct Followed {
        SequenceWalk::Procedures procedures;
        SequenceValues now;
        SequenceWalk walk{procedures, now};
    };
    const auto all = std::make_shared<Followed>();
    for (const SequenceProcedure& each : procedures)
        all->procedures[each.name] = &each.items;
    all->walk.begin(items);
    return [all](SequenceValues& values) {
        all->now.phase = values.phase;
        all->now.a = values.a;
        values.y = 0;
        values.sends = false;
        all->walk.cycle(values);
    };
}

} // namespace sme::fuzz
