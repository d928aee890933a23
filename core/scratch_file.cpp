#include "scratch_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"

namespace widl {

ScratchFile::ScratchFile(const std::string& directory) : directory_(directory) {
#if defined(O_TMPFILE) && !defined(WIDL_PORTABLE)
  handle_ = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (handle_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail("made", errno);  // the file system can't
#endif
  std::string name = directory + "/.widl-XXXXXX";
  handle_ = mkostemp(name.data(), O_CLOEXEC);
  if (handle_ < 0) fail("made", errno);
  unlink(name.c_str());
}

ScratchFile::~ScratchFile() { close(handle_); }

std::uint64_t ScratchFile::append(const void* bytes, std::size_t size) {
  const std::uint64_t offset = end_.fetch_add(size);
  write(offset, bytes, size);
  return offset;
}

void ScratchFile::write(std::uint64_t offset, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = pwrite(handle_, at, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("written", errno);
    at += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void ScratchFile::read(std::uint64_t offset, void* bytes, std::size_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t count = pread(handle_, at, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", errno);
    if (count == 0) fail("read", EIO);  // the file is shorter than the data written
    at += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void ScratchFile::append_block(std::string& records) {
  const std::uint64_t size = records.size();
  append(&size, sizeof size);
  append(records.data(), records.size());
  records.clear();
}

bool ScratchFile::Blocks::next() {
  if (at_ == end_) return false;
  std::uint64_t size;
  file_->read(at_, &size, sizeof size);
  bytes_.resize(size);
  file_->read(at_ + sizeof size, bytes_.data(), size);
  at_ += sizeof size + size;
  return true;
}

void ScratchFile::fail(const char* what, int error) const {
  throw InputError(directory_ + ": a temporary file cannot be " + what + " (" + std::generic_category().message(error) +
                   "); choose another directory for temporary files, or allow more memory");
}

}  // namespace widl
