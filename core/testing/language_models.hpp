#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "lm/language_model.hpp"

namespace widl {

/// A language model of the lines of an ARPA file, by order: `orders[0]` are the 1-grams.
inline std::unique_ptr<LanguageModel> model_of(const std::vector<std::vector<std::string>>& orders) {
  const auto path = std::filesystem::temp_directory_path() / ("widl-test-" + std::to_string(getpid()) + ".arpa");
  {
    std::ofstream file(path);
    file << "\\data\\\n";
    for (std::size_t n = 0; n < orders.size(); ++n) file << "ngram " << n + 1 << "=" << orders[n].size() << "\n";
    for (std::size_t n = 0; n < orders.size(); ++n) {
      file << "\n\\" << n + 1 << "-grams:\n";
      for (const std::string& line : orders[n]) file << line << "\n";
    }
    file << "\n\\end\\\n";
  }
  auto model = LanguageModel::load(path.string());
  std::filesystem::remove(path);
  return model;
}

}  // namespace widl
