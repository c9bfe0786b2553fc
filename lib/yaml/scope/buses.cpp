// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/network_scope.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

namespace {

TypeRef valid_of(const TypeRef& message) {
    return Type::structure(fmt::format("Valid({})", message->name()),
                           {{"valid", Type::boolean()}, {"data", message}});
}

} // namespace

TypeRef stream_of(const TypeRef& message) {
    return Type::structure(
        fmt::format("Stream({})", message->name()),
        {{"valid", Type::boolean()}, {"data", message}, {"ready", Type::boolean(), 0, true}});
}

void declare_streams(NetworkScope& scope) {
    const auto declare = [&](const char* name, TypeRef (*make)(const TypeRef&)) {
        scope.set_generic(name, [make](const std::vector<TypeRef>& arguments, const Location&) {
            return make(arguments.at(0));
        });
    };
    declare(stream_name, stream_of);
    declare(valid_name, valid_of);
}

// The buses section. A bus of a type with back fields becomes one family for the forward fields and
// one for each back field, all of them wires.

Segments composed(const BusView& view, const Segments& places, std::uint64_t instances) {
    const auto each = static_cast<std::int64_t>(view.shape.count());
    Segments all;
    for (std::uint64_t a = 0; a < instances; ++a)
        for (const Segment& run : places.runs())
            all.append(run.count, static_cast<std::int64_t>(a) * each + run.offset, run.stride);
    return all.then(view.elements);
}

namespace {

class BusLoader {
public:
    BusLoader(const DeclarationSyntax& written, Context& context)
        : name_{written.name}, declaration_{*written.declaration}, channel_{written.channel},
          context_{context}, diagnostics_{context.diagnostics} {}

    bool run() {
        const std::optional<Shape> shape = read_shape(name_, context_);
        Constants constants{context_.scope, diagnostics_};
        type_ = constants.elaborator().type(*declaration_.type);
        if (!shape || !type_ || !context_.spend(500, name_.where))
            return false;
        if (declaration_.channel)
            type_ = stream_of(type_);
        shape_ = *shape;
        if (type_->leaf_count() > expr::Elaborator::max_leaves) {
            diagnostics_.add(Code::too_large, declaration_.where,
                             fmt::format("a bus has at most {} scalars, but this has {}",
                                         expr::Elaborator::max_leaves, type_->leaf_count()));
            return false;
        }
        BusFamily bus;
        bus.type = type_;
        if (!read_timing(bus) || !check_size(bus))
            return false;
        if (type_->is_bundle())
            return add_bundle();
        if (declaration_.initial) {
            auto initial = initial_values();
            if (!initial)
                return false;
            bus.initial = std::move(*initial);
            bus.has_initial = true;
        }
        bus.name = context_.prefix + name_.name;
        context_.buses[name_.name] = added(std::move(bus));
        return true;
    }

private:
    bool read_timing(BusFamily& bus) {
        bus.unwritten = declaration_.hold    ? Unwritten::hold
                        : declaration_.error ? Unwritten::error
                                             : Unwritten::zero;
        if (declaration_.delay) {
            Constants constants{context_.scope, diagnostics_};
            const auto delay = constants.elaborator().constant(*declaration_.delay, "a delay");
            if (!delay || *delay < 0 || *delay > BusFamily::longest_delay) {
                if (delay)
                    diagnostics_.add(Code::bad_delay, declaration_.delay->where,
                                     fmt::format("a delay is 0 to 1048576 cycles, but this is {}",
                                                 to_string(*delay)));
                return false;
            }
            bus.delay = static_cast<std::uint32_t>(*delay);
        }
        if (declaration_.wire)
            bus.delay = 0;
        if (!bus.wire() || !(declaration_.hold || declaration_.initial))
            return true;
        diagnostics_.add(Code::wire_latch, declaration_.where,
                         fmt::format("a wire has no register, so it has no {}; drop it, or drop "
                                     "'wire'",
                                     declaration_.hold ? "'hold'" : "initial value"));
        return false;
    }

    bool check_size(const BusFamily& bus) {
        constexpr Integer max_bytes = Integer{1} << 31; // limit of the engine's addresses
        const Integer bytes = static_cast<Integer>(type_->size()) *
                              static_cast<Integer>(shape_.count()) *
                              static_cast<Integer>(context_.around.count());
        if (bytes <= max_bytes)
            return bus.delay <= 1 ||
                   context_.take_memory(bytes * bus.delay, name_.name, name_.where);
        diagnostics_.add(Code::network_too_large, name_.where,
                         fmt::format("'{}' needs {} bytes, but a network can have {}", name_.name,
                                     to_string(bytes), to_string(max_bytes)));
        return false;
    }

    /// Returns the initial value that all elements share, or those of each element of each instance
    /// of the scope.
    std::optional<std::vector<std::byte>> initial_values() {
        auto own = context_.initials.slots(*declaration_.initial, type_, shape_,
                                           fmt::format("'{}'", name_.name));
        if (own && own->size() > type_->size())
            own = repeated(std::move(*own), context_.around.count());
        return own;
    }

    /// Adds the family to the network: one for each instance of the scope.
    BusView added(BusFamily bus) {
        BusView view;
        view.name = bus.name.substr(context_.prefix.size());
        view.shape = shape_;
        view.type = bus.type;
        view.wire = bus.wire();
        view.unwritten = bus.unwritten;
        view.declared = name_.where;
        bus.declared = name_.where;
        bus.generated = declaration_.generated;
        bus.channel = channel_;
        bus.shape = context_.in_graph(shape_);
        if (!bus.reverse_field.empty()) // "a[3].ready"
            bus.shape = nested(bus.shape, context_.prefix.size() + name_.name.size(), {});
        const BusFamily& result = context_.design.graph.add(std::move(bus));
        view.elements = Segments::affine(result.count, static_cast<std::int64_t>(result.first), 1);
        return view;
    }

    /// Returns the capacity of a channel without a clock; else 0.
    std::uint32_t places_of_channel() {
        if (!declaration_.depth)
            return 0;
        Constants constants{context_.scope, diagnostics_};
        const auto depth = constants.elaborator().constant(*declaration_.depth, "a depth");
        constexpr Integer most = (Integer{1} << 31) - 1;
        return static_cast<std::uint32_t>(std::min(depth.value_or(1), most));
    }

    bool add_bundle() {
        if (declaration_.delay || declaration_.hold || declaration_.error || declaration_.initial) {
            diagnostics_.add(
                Code::bad_bundle, declaration_.where,
                fmt::format("'{}' is {}, whose fields run both ways, so it is always a "
                            "wire; write the type alone",
                            name_.name, type_->name()));
            return false;
        }
        const std::uint32_t places = places_of_channel();
        BusFamily forward;
        forward.bundle = true;
        forward.places = places;
        forward.name = context_.prefix + name_.name;
        forward.type = type_->forward();
        forward.delay = 0;
        const auto number = static_cast<std::uint32_t>(context_.design.graph.buses.size());
        BusView view = added(std::move(forward));
        for (const Field& field : type_->fields())
            if (field.back) {
                BusFamily reverse;
                reverse.reverse_of = number;
                reverse.reverse_field = field.name;
                reverse.name = fmt::format("{}{}.{}", context_.prefix, name_.name, field.name);
                reverse.type = field.type;
                reverse.delay = 0;
                view.reverse_fields.push_back(added(std::move(reverse)));
                view.reverse_fields.back().field = field.name;
            }
        view.type = type_;
        context_.buses[name_.name] = std::move(view);
        return true;
    }

    const expr::FamilyName& name_;
    const expr::Declaration& declaration_;
    const ChannelPart channel_;
    Context& context_;
    Diagnostics& diagnostics_;
    Shape shape_;
    TypeRef type_;
};

} // namespace

std::vector<std::byte> repeated(std::vector<std::byte> bytes, std::uint64_t times) {
    const std::size_t each = bytes.size();
    bytes.reserve(each * times);
    for (std::uint64_t k = 1; k < times; ++k)
        bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(each));
    return bytes;
}

void load_buses(const std::vector<DeclarationSyntax>& section, Context& context) {
    for (const DeclarationSyntax& each : section)
        if (context.scope.declare(each.name.name, each.name.where, "a bus", context.diagnostics)) {
            if (!each.declaration || !BusLoader{each, context}.run())
                context.broken.insert(each.name.name);
            else
                context.buses[each.name.name].closes = each.closes;
        }
}

} // namespace sme::yaml
