#pragma once

#include <filesystem>
#include <string>

#include "store/baseline_file.hpp"

namespace opgate::store::test {

namespace fs = std::filesystem;

std::string read(const fs::path& path);
void write(const fs::path& path, const std::string& text);
BaselineEntry entry(const std::string& workload);
BaselineFile sample();
void check_equal(const core::MetricBaseline& a, const core::MetricBaseline& b);
void check_equal(const core::UnitBaseline& a, const core::UnitBaseline& b);
void check_equal(const BaselineEntry& a, const BaselineEntry& b);
void check_refused(const fs::path& path, const std::string& text, const std::string& place, const std::string& part);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace opgate::store::test
