#include "scratch_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"

namespace widl {

ScratchFile::ScratchFile(const std::string& directory) : directory_(directory) {
#ifdef O_TMPFILE
  handle_ = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (handle_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail("made", errno);  // these: the file system can't
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
    if (count == 0) fail("read", EIO);  // shorter than what was written
    at += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void* ScratchFile::map(void* mapped, std::size_t old_size, std::size_t size) {
  if (size > old_size) {
    int error;
    do error = posix_fallocate(handle_, 0, static_cast<off_t>(size));
    while (error == EINTR);
    if (error != 0) fail("written", error);
  } else if (ftruncate(handle_, static_cast<off_t>(size)) != 0) {
    fail("written", errno);  // the map is as it was; what is cut off is not read any more
  }
  if (size == 0) {
    unmap(mapped, old_size);
    mapped = nullptr;
  } else {
    mapped = mapped == nullptr ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, handle_, 0)
                               : mremap(mapped, old_size, size, MREMAP_MAYMOVE);
    if (mapped == MAP_FAILED) fail("mapped", errno);
  }
  return mapped;
}

void ScratchFile::unmap(void* mapped, std::size_t size) noexcept {
  if (mapped != nullptr) munmap(mapped, size);
}

void ScratchFile::fail(const char* what, int error) const {
  throw InputError(directory_ + ": a temporary file cannot be " + what + " (" +
                   std::generic_category().message(error) +
                   "); choose another directory for temporary files, or allow more memory");
}

}  // namespace widl
