#pragma once

#include <string>
#include <string_view>

namespace opgate::text {

// A name made safe as one path component: "NVIDIA H200" -> "nvidia-h200". Only [a-z0-9-], never empty, no dash at an
// end, so it cannot leave its folder. "unknown" when nothing is left.
[[nodiscard]] std::string slug(std::string_view name);

}  // namespace opgate::text
