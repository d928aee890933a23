#include "lm/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "errors.hpp"

namespace widl {

SpillFile::SpillFile(const SpillOptions& options) : options_(options) {
  std::string name = options.directory + "/widl.XXXXXX";
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) fail("no temporary file can be made");
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
  ::unlink(name.c_str());
}

SpillFile::~SpillFile() { ::close(descriptor_); }

void SpillFile::append(const void* data, std::size_t bytes) {
  options_.poll();
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, at, bytes, static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("a temporary file cannot be written");
    at += written;
    size_ += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void SpillFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
  options_.poll();
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("a temporary file cannot be read");
    if (got == 0) throw InternalError("a temporary file ends too early");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

void SpillFile::fail(const char* what) const {
  throw InputError(options_.directory + ": " + what + " (" +
                   std::generic_category().message(errno) +
                   "); choose another directory for temporary files, or allow more memory");
}

}  // namespace widl
