#pragma once

#include <filesystem>
#include <string>

#include "app/command_session.hpp"
#include "exchange/imported_file.hpp"

namespace opgate::app {

// Stores what was read from one file, all of it or nothing; what is there already stays as it is.
core::ExitCode store_imported(const Session& session, store::History& history, exchange::ImportedFile imported,
                              const std::string& file);

// Adds the runs of the history at path, known by their UUIDs. A run that is here with other content is named and left
// as it is; exit 3 tells it.
core::ExitCode merge_history(const Session& session, store::History& history, const std::filesystem::path& path,
                             const std::string& file);

// "run 5 became run 9: the history has another run of that number"
[[nodiscard]] std::string why_renumbered(std::int64_t number);

}  // namespace opgate::app
