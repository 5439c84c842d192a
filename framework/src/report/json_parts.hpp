#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/ceilings.hpp"
#include "core/waiver.hpp"
#include "store/run_info.hpp"

// What is spelled the same in the --json of every command; the names are a contract with scripts.
namespace opgate::report {

using Json = nlohmann::ordered_json;  // fields keep the order they are written in

template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Without the cases that were selected.
[[nodiscard]] Json run_json(const store::RunInfo& run);
// Which bound, percent of which ceiling: {"bound": "memory", "percent": 71.2, "source": "measured" or "peak", ...}.
[[nodiscard]] Json ceiling_json(const std::optional<core::CeilingShare>& ceiling);
[[nodiscard]] Json waiver_json(const std::optional<core::Waiver>& waiver);

}  // namespace opgate::report
