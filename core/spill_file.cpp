#include "spill_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

namespace widl {

SpillFile::SpillFile(const std::string& directory) : directory_(directory) {
  std::string name = directory + "/.widl-spill-XXXXXX";
  handle_ = mkostemp(name.data(), O_CLOEXEC);
  if (handle_ < 0) fail(errno);
  unlink(name.c_str());
}

SpillFile::~SpillFile() { close(handle_); }

std::uint64_t SpillFile::append(const void* bytes, std::size_t size) {
  const std::uint64_t offset = end_.fetch_add(size);
  write(offset, bytes, size);
  return offset;
}

void SpillFile::write(std::uint64_t offset, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = pwrite(handle_, at, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    at += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void SpillFile::read(std::uint64_t offset, void* bytes, std::size_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t count = pread(handle_, at, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    if (count == 0) fail(EIO);  // shorter than what was written
    at += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void SpillFile::fail(int error) const {
  throw SpillError(error, directory_);
}

}  // namespace widl
