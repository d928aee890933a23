#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "errors.hpp"

namespace widl::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file with these bytes, for readers that need a path. The file is reused.
inline const std::string& file_of(std::string_view bytes) {
  static const std::string path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
    const int handle = mkstemp(name.data());
    if (handle < 0) std::abort();
    std::fclose(fdopen(handle, "w"));
    return name;
  }();
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::abort();
  std::fclose(file);
  return path;
}

/// Reads the input; the only permitted exception is an InputError with one line of text.
template <class Read>
int try_reading(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    if (what.empty() || what.find('\n') != what.npos) std::abort();
  }
  return 0;
}

}  // namespace widl::fuzz
