#include "phrase_table/lmdb_pages.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"  // little endian
#include "errors.hpp"

namespace widl {
namespace {

// A page begins with its number (64 bits), 16 bits that are not used, its kind (16 bits), and the end of the nodes'
// places and the beginning of the nodes (16 bits each), or the number of pages of a long value (32 bits).
constexpr std::uint64_t kKind = 10, kPlacesEnd = 12, kPages = 12, kPageHeader = 16;
constexpr std::uint16_t kBranch = 1, kLeaf = 2, kLong = 4, kMeta = 8;
// A node: the size of its value or the page of its child (32 bits; 16 more of the page's number in the flags), flags,
// the size of its key, the key, the value.
constexpr std::uint64_t kFlags = 4, kKeySize = 6, kNodeHeader = 8;
constexpr std::uint16_t kLongValue = 1, kDatabase = 2;
// A meta page, behind its header: magic number, version (32 bits each), an address, the size of the map, the databases
// of free pages and of names, the last page, the transaction. The first database has the size of a page.
constexpr std::uint64_t kVersion = 4, kFree = 24, kNames = 72, kLastPage = 120, kTransaction = 128, kMetaSize = 136;
constexpr std::uint32_t kMagic = 0xBEEFC0DE;
// A database: the page size (32 bits), flags and depth (16 bits each), three counts of pages, entries, root.
constexpr std::uint64_t kDatabaseFlags = 4, kDepth = 6, kEntries = 32, kRoot = 40, kDatabaseSize = 48;
constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
constexpr std::uint16_t kFixedMap = 1;
constexpr unsigned kDeepest = 32;  // LMDB's cursors hold no more

/// Keys k of a page: from <= k < below, where there are bounds.
struct Bounds {
  std::optional<std::string_view> from, below;
};

struct Page {
  std::uint64_t number, begin;        // in the file
  std::uint64_t places_end, nodes;    // of a branch or leaf
};

class PageCheck {
 public:
  explicit PageCheck(std::span<const std::byte> file) : file_(file) {}

  void run() {
    const std::uint64_t meta = newest_meta();
    pages_ = number<std::uint64_t>(meta + kLastPage);
    if (pages_ >= file_.size() / page_size_) fail("it has fewer pages than it states");
    ++pages_;
    if (pages_ < 2) fail("it has no meta pages");
    used_.assign(pages_, false);
    used_[0] = used_[1] = true;
    // Databases are met while the names are walked over, and checked then.
    check_database(meta + kNames, true);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(what); }
  [[noreturn]] void fail(std::uint64_t page, const char* what) const {
    throw InputError("page " + std::to_string(page) + ": " + what);
  }

  template <class Number>
  Number number(std::uint64_t at) const {
    if (at > file_.size() || sizeof(Number) > file_.size() - at) fail("it ends too early");
    Number found;
    std::memcpy(&found, file_.data() + at, sizeof found);
    return found;
  }
  std::string_view text(std::uint64_t at, std::uint64_t size) const {
    if (at > file_.size() || size > file_.size() - at) fail("it ends too early");
    return {reinterpret_cast<const char*>(file_.data()) + at, size};
  }

  /// Where the meta page that LMDB reads begins, behind its header. Sets the page size.
  std::uint64_t newest_meta() {
    page_size_ = number<std::uint32_t>(kPageHeader + kFree);
    if (page_size_ < 512 || page_size_ > 32768 || (page_size_ & (page_size_ - 1)) != 0) fail("its page size is none");
    for (std::uint64_t page = 0; page < 2; ++page) {
      const std::uint64_t at = page * page_size_, meta = at + kPageHeader;
      text(meta, kMetaSize);
      if ((number<std::uint16_t>(at + kKind) & kMeta) == 0) fail(page, "this is no meta page");
      if (number<std::uint32_t>(meta) != kMagic) fail(page, "its magic number is another one");
      if (number<std::uint32_t>(meta + kVersion) != 1) fail(page, "another version of LMDB's format");
      if (number<std::uint32_t>(meta + kFree) != page_size_) fail(page, "the meta pages have two page sizes");
      if (number<std::uint16_t>(meta + kFree + kDatabaseFlags) & kFixedMap) fail(page, "it chooses its own address");
    }
    const auto transaction = [&](std::uint64_t meta) { return number<std::uint64_t>(meta + kTransaction); };
    const std::uint64_t first = kPageHeader, second = page_size_ + kPageHeader;
    return transaction(first) < transaction(second) ? second : first;
  }

  void check_database(std::uint64_t at, bool of_names) {
    if (number<std::uint16_t>(at + kDatabaseFlags) != 0) fail("a database has another order of keys, or duplicates");
    const unsigned depth = number<std::uint16_t>(at + kDepth);
    const std::uint64_t root = number<std::uint64_t>(at + kRoot), stated = number<std::uint64_t>(at + kEntries);
    if (depth > kDeepest) fail("a database is deeper than LMDB can read");
    if ((root == kNoPage) != (depth == 0)) fail("a database of no depth has pages, or one of no pages a depth");
    const std::uint64_t entries = root == kNoPage ? 0 : check_page(root, depth, {}, of_names);
    if (entries != stated) fail("a database has another number of entries than it states");
  }

  /// Takes a page that is used here, and nowhere else; where it begins.
  std::uint64_t take(std::uint64_t page) {
    if (page >= pages_) fail("it has no page " + std::to_string(page));
    if (used_[page]) fail(page, "it is used twice");
    used_[page] = true;
    return page * page_size_;
  }

  /// Checks a page and all that it leads to; the number of its entries.
  std::uint64_t check_page(std::uint64_t number_of_page, unsigned depth, const Bounds& bounds, bool of_names) {
    const Page page = open(number_of_page, depth > 1 ? kBranch : kLeaf);
    if (depth > 1) return check_branch(page, depth, bounds, of_names);
    Bounds known = bounds;
    for (std::uint64_t i = 0; i < page.nodes; ++i) {
      const std::uint64_t node = node_of(page, i);
      check_order(page, key(node), known, i == 0);
      known.from = key(node);
      check_value(page, node, of_names);
    }
    return page.nodes;
  }

  /// A node's key is below all of its child; what the first one's says is never read.
  std::uint64_t check_branch(const Page& page, unsigned depth, const Bounds& bounds, bool of_names) {
    std::uint64_t entries = 0;
    Bounds known = bounds;
    for (std::uint64_t i = 0; i < page.nodes; ++i) {
      known.below = bounds.below;
      if (i + 1 < page.nodes) {
        const std::string_view next = key(node_of(page, i + 1));
        check_order(page, next, known, i == 0);
        known.below = next;
      }
      const std::uint64_t node = node_of(page, i), high = number<std::uint16_t>(node + kFlags);
      entries += check_page(number<std::uint32_t>(node) | high << 32, depth - 1, known, of_names);
      known.from = known.below;
    }
    return entries;
  }

  Page open(std::uint64_t page, std::uint16_t kind) {
    const std::uint64_t begin = take(page);
    if (number<std::uint64_t>(begin) != page) fail(page, "it has another number");
    if (number<std::uint16_t>(begin + kKind) != kind) fail(page, "it is of another kind");
    if (kind == kLong) return {page, begin, 0, 0};
    const std::uint64_t places_end = number<std::uint16_t>(begin + kPlacesEnd);
    if (places_end <= kPageHeader || places_end % 2 != 0 || places_end > page_size_) fail(page, "it has no nodes");
    return {page, begin, places_end, (places_end - kPageHeader) / 2};
  }

  /// Where a node begins; it and its key lie within the page.
  std::uint64_t node_of(const Page& page, std::uint64_t i) const {
    const std::uint64_t place = number<std::uint16_t>(page.begin + kPageHeader + 2 * i);
    if (place < page.places_end || place % 2 != 0 || place + kNodeHeader > page_size_)
      fail(page.number, "a node lies outside");
    const std::uint64_t size = number<std::uint16_t>(page.begin + place + kKeySize);
    if (place + kNodeHeader + size > page_size_) fail(page.number, "a key lies outside");
    return page.begin + place;
  }

  std::string_view key(std::uint64_t node) const {
    return text(node + kNodeHeader, number<std::uint16_t>(node + kKeySize));
  }

  void check_order(const Page& page, std::string_view key, const Bounds& bounds, bool may_equal) const {
    const bool after = !bounds.from || (may_equal ? *bounds.from <= key : *bounds.from < key);
    if (!after || (bounds.below && key >= *bounds.below)) fail(page.number, "its keys are not in order");
  }

  void check_value(const Page& page, std::uint64_t node, bool of_names) {
    const std::uint64_t size = number<std::uint32_t>(node), begin = node + kNodeHeader + key(node).size();
    const std::uint16_t flags = number<std::uint16_t>(node + kFlags);
    if (of_names && (flags != kDatabase || size != kDatabaseSize)) fail(page.number, "a name is not that of a database");
    if (!of_names && (flags & ~kLongValue) != 0) fail(page.number, "a node of an unknown kind");
    const std::uint64_t held = flags == kLongValue ? sizeof(std::uint64_t) : size;
    if (begin + held > page.begin + page_size_) fail(page.number, "a value lies outside");
    if (of_names) check_database(begin, false);
    if (flags == kLongValue) take_long_value(number<std::uint64_t>(begin), size);
  }

  void take_long_value(std::uint64_t first, std::uint64_t size) {
    const Page page = open(first, kLong);
    const std::uint64_t count = number<std::uint32_t>(page.begin + kPages);
    if (count * page_size_ < kPageHeader + size) fail(first, "a long value has too few pages");
    for (std::uint64_t next = first + 1; next < first + count; ++next) take(next);
  }

  std::span<const std::byte> file_;
  std::uint64_t page_size_ = 0, pages_ = 0;
  std::vector<bool> used_;
};

}  // namespace

void check_lmdb_pages(std::span<const std::byte> file) { PageCheck(file).run(); }

}  // namespace widl
