#pragma once

#include <cstddef>
#include <span>

namespace widl {

/// Checks the pages of an LMDB file (format 1, 64 bits, little endian), which LMDB itself trusts: with a file that
/// passes, no reading of its databases by key or in order leaves the file, or goes on without end.
///
/// Looked at are the newest of the two meta pages and all pages that can be reached from it: kinds and numbers of
/// pages, places of nodes, pages of long values, depth, order of keys, number of entries. A page is used once. The
/// databases are plain ones: no duplicate keys, no other order. What values mean is not looked at.
///
/// Time is that of reading all keys; long values are not read.
/// @throws InputError what is wrong, and on which page
void check_lmdb_pages(std::span<const std::byte> file);

}  // namespace widl
