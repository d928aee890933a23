#include "alignment/symmetrization.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "errors.hpp"

namespace widl {
namespace {

struct ByTarget {
  bool operator()(const Link& a, const Link& b) const {
    return std::pair(a.target, a.source) < std::pair(b.target, b.source);
  }
};

void sort_unique(std::vector<Link>& links) {
  std::sort(links.begin(), links.end(), ByTarget());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

/// The growing alignment, and the words it already links.
class Growing {
 public:
  Growing(const std::vector<Link>& start, const std::vector<Link>& all) : all_(all) {
    std::uint32_t sources = 0, targets = 0;
    for (const Link& link : all) {
      sources = std::max(sources, link.source + 1);
      targets = std::max(targets, link.target + 1);
    }
    source_linked_.resize(sources);
    target_linked_.resize(targets);
    for (const Link& link : start) add(link);
  }

  void grow(bool diagonally) {
    static constexpr std::array<std::pair<int, int>, 8> kSteps = {
        // of target, of source
        {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
    const std::span steps(kSteps.data(), diagonally ? 8 : 4);
    for (bool grew = true; grew;) {
      grew = false;
      // A set's iterator survives insertions and visits later elements inserted meanwhile.
      for (const Link& link : links_) {
        for (auto [target, source] : steps) {
          // -1 wraps around and is not in all_
          const Link next{link.source + static_cast<std::uint32_t>(source),
                          link.target + static_cast<std::uint32_t>(target)};
          if (!std::binary_search(all_.begin(), all_.end(), next, ByTarget())) continue;
          if ((source_linked_[next.source] && target_linked_[next.target]) || links_.contains(next)) continue;
          add(next);
          grew = true;
        }
      }
    }
  }

  void finish(const std::vector<Link>& direction, bool both) {
    for (const Link& link : direction) {
      const bool source_free = !source_linked_[link.source], target_free = !target_linked_[link.target];
      if (both ? source_free && target_free : source_free || target_free) add(link);
    }
  }

  std::vector<Link> links() const { return {links_.begin(), links_.end()}; }

 private:
  void add(const Link& link) {
    links_.insert(link);
    source_linked_[link.source] = target_linked_[link.target] = true;
  }

  const std::vector<Link>& all_;
  std::set<Link, ByTarget> links_;
  std::vector<bool> source_linked_, target_linked_;
};

}  // namespace

std::vector<Link> parse_links(std::string_view text) {
  // No sentence is this long; a mistyped position must not allocate gigabytes.
  static constexpr std::uint32_t kMaxPosition = 1'000'000;
  static constexpr std::string_view kSpace = " \t\r\n";
  std::vector<Link> links;
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    const char *from = text.data() + at, *to = text.data() + end;
    Link link;
    auto [dash, source_error] = std::from_chars(from, to, link.source);
    bool good = source_error == std::errc() && dash != to && *dash == '-';
    if (good) {
      auto [last, target_error] = std::from_chars(dash + 1, to, link.target);
      good = target_error == std::errc() && last == to && std::max(link.source, link.target) <= kMaxPosition;
    }
    if (!good) {
      const std::string excerpt(from, to);
      const char* mend = excerpt.find('?') != std::string::npos
                             ? "; a possible link is written like a sure one, or omitted"
                         : excerpt.find_first_of(":/") != std::string::npos ? "; weights of points are not read"
                                                                            : "";
      throw InputError("expected alignment points like 0-3, found '" + excerpt + "'" + mend);
    }
    links.push_back(link);
    at = text.find_first_not_of(kSpace, end);
  }
  return links;
}

std::string format_links(const std::vector<Link>& links) {
  std::string text;
  for (const Link& link : links) {
    if (!text.empty()) text += ' ';
    text += std::to_string(link.source) + '-' + std::to_string(link.target);
  }
  return text;
}

std::vector<Link> symmetrize(std::vector<Link> forward, std::vector<Link> reverse, Symmetrization method) {
  sort_unique(forward);
  sort_unique(reverse);
  std::vector<Link> all, common, result;
  std::set_union(forward.begin(), forward.end(), reverse.begin(), reverse.end(), std::back_inserter(all), ByTarget());
  std::set_intersection(forward.begin(), forward.end(), reverse.begin(), reverse.end(), std::back_inserter(common),
                        ByTarget());
  if (method == Symmetrization::Union) {
    result = std::move(all);
  } else if (method == Symmetrization::Intersection) {
    result = std::move(common);
  } else {
    Growing growing(common, all);
    growing.grow(method != Symmetrization::Grow);
    if (method == Symmetrization::GrowDiagFinal || method == Symmetrization::GrowDiagFinalAnd) {
      const bool both = method == Symmetrization::GrowDiagFinalAnd;
      growing.finish(forward, both);
      growing.finish(reverse, both);
    }
    result = growing.links();
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace widl
