#include "combination/output_network.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "errors.hpp"

namespace widl {
namespace {

constexpr double kOtherCase = 0.1;
constexpr double kSameStem = 0.3;
constexpr double kCloseSpelling = 0.6;
constexpr double kOtherSign = 0.8;  // of punctuation
constexpr double kOtherWord = 1.2;
constexpr double kNumberForWord = 1.6;
constexpr double kSignForWord = 2.0;
constexpr double kGap = 0.75;                     // a word without a partner
constexpr double kGapWhereSomeHaveNothing = 0.6;  // of the gap's cost, by the share of outputs without a word there
constexpr double kVotes = 0.15;                   // cost of a word that no other output has here
constexpr double kClose = 0.7;                    // share of letters in common
constexpr std::size_t kShortestStem = 3;
constexpr std::size_t kShortestMoved = 3;  // words of a block; shorter blocks are usually coincidences, not movement
constexpr std::size_t kMaxMoved = 6;       // blocks of an output

bool is_letter(char c) {  // of ASCII, or a part of a character beyond it
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view word) {
  std::string lowered(word);
  for (char& c : lowered)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return lowered;
}

std::size_t stem_length(std::string_view lowered) {
  static constexpr std::array<std::string_view, 7> kEndings = {"'s", "ing", "ed", "es", "ly", "s", "d"};
  for (const std::string_view ending : kEndings)
    if (lowered.size() >= ending.size() + kShortestStem && lowered.ends_with(ending))
      return lowered.size() - ending.size();
  return lowered.size();
}

/// The parts of a word that comparison uses.
struct WordShape {
  explicit WordShape(const std::string& word)
      : is_sign(std::none_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c); })),
        has_digit(std::any_of(word.begin(), word.end(), is_digit)),
        lowered(lower(word)),
        stem_size(stem_length(lowered)) {}
  std::string_view stem() const { return std::string_view(lowered).substr(0, stem_size); }

  bool is_sign, has_digit;
  std::string lowered;
  std::size_t stem_size;
};

/// Letters of the longest common subsequence.
std::size_t common_letters(std::string_view first, std::string_view second) {
  std::array<std::size_t, 64> small{};
  std::vector<std::size_t> large(second.size() < small.size() ? 0 : second.size() + 1, 0);
  const std::span<std::size_t> row = large.empty() ? std::span(small).first(second.size() + 1) : std::span(large);
  for (const char c : first) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < second.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = c == second[j] ? diagonal + 1 : std::max(row[j + 1], row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

/// The distance of two different words, at most 2. Punctuation never resembles words, and numbers never resemble other
/// words.
double distance_of(const WordShape& first, const WordShape& second) {
  if (first.is_sign != second.is_sign) return kSignForWord;
  if (first.is_sign) return kOtherSign;
  if (first.has_digit != second.has_digit) return kNumberForWord;
  if (first.has_digit) return kOtherWord;
  if (first.lowered == second.lowered) return kOtherCase;
  if (first.stem() == second.stem()) return kSameStem;
  const auto share = [&](std::size_t letters) {
    return 2.0 * static_cast<double>(letters) / static_cast<double>(first.lowered.size() + second.lowered.size());
  };
  if (share(std::min(first.lowered.size(), second.lowered.size())) <= kClose) return kOtherWord;
  return share(common_letters(first.lowered, second.lowered)) > kClose ? kCloseSpelling : kOtherWord;
}

/// The outputs with numbered words (0: no word), and the distance of each pair, computed once.
class NumberedWords {
 public:
  explicit NumberedWords(const std::vector<OutputWords>& outputs) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    std::unordered_map<std::string, std::uint32_t> folded;
    for (const OutputWords& words : outputs) {
      outputs_.emplace_back();
      for (const std::string& word : words) {
        const auto [entry, added] = numbers.try_emplace(word, static_cast<std::uint32_t>(texts_.size()));
        if (added) {
          texts_.push_back(&word);
          shapes_.emplace_back(word);
          folded_.push_back(folded.try_emplace(lower(word), entry->second).first->second);
        }
        outputs_.back().push_back(entry->second);
      }
    }
    distances_.assign(texts_.size() * texts_.size(), kUnknown);
  }
  const std::vector<std::uint32_t>& operator[](std::size_t output) const { return outputs_[output]; }
  std::string text(std::uint32_t word) const { return word ? *texts_[word] : std::string(); }
  double distance(std::uint32_t first, std::uint32_t second) {
    if (first == second) return 0;
    double& distance = distances_[first * texts_.size() + second];
    if (distance == kUnknown) distance = distance_of(shapes_[first], shapes_[second]);
    return distance;
  }
  /// Whether two words are equal up to case.
  bool is_same(std::uint32_t first, std::uint32_t second) const { return folded_[first] == folded_[second]; }

 private:
  static constexpr double kUnknown = -1;
  std::vector<std::vector<std::uint32_t>> outputs_;
  std::vector<const std::string*> texts_ = {nullptr};
  std::vector<WordShape> shapes_ = {WordShape("")};
  std::vector<std::uint32_t> folded_ = {0};  // the first word that is equal except for case
  std::vector<double> distances_;
};

/// Pairs of positions (in the first, in the second) whose words are equal except for case, on a longest common
/// subsequence.
std::vector<std::pair<std::size_t, std::size_t>> common_words(const std::vector<std::uint32_t>& first,
                                                              const std::vector<std::uint32_t>& second,
                                                              const NumberedWords& numbered) {
  const std::size_t n = first.size(), m = second.size();
  std::vector<std::uint32_t> longest((n + 1) * (m + 1), 0);  // from these places on
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return longest[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = numbered.is_same(first[i], second[j]) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (numbered.is_same(first[i], second[j]))
      pairs.emplace_back(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
  return pairs;
}

/// The words of an output, with blocks moved to where the skeleton has the same words (the shifts of translation edit
/// rate: Snover et al. 2006): the longest block first, while moves align more words.
std::vector<std::uint32_t> with_moved_blocks(std::vector<std::uint32_t> words,
                                             const std::vector<std::uint32_t>& skeleton,
                                             const NumberedWords& numbered) {
  auto pairs = common_words(words, skeleton, numbered);
  for (std::size_t moves = 0; moves < kMaxMoved; ++moves) {
    std::vector<bool> has_partner(words.size(), false), is_partner(skeleton.size(), false);
    for (const auto& [i, j] : pairs) has_partner[i] = is_partner[j] = true;
    const auto is_free = [&](std::size_t i, std::size_t j) {
      return i < words.size() && j < skeleton.size() && !has_partner[i] && !is_partner[j] &&
             numbered.is_same(words[i], skeleton[j]);
    };
    std::size_t size = 0, from = 0, place = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::size_t length = 0;
        while (is_free(i + length, j + length)) ++length;
        if (length > size) size = length, from = i, place = j;
      }
    }
    if (size < kShortestMoved) break;
    std::size_t to = 0;  // after the partner of the last word before the block's place
    for (const auto& [i, j] : pairs)
      if (j < place) to = i + 1;
    std::vector<std::uint32_t> moved = words;
    const auto begin = moved.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const auto target = moved.begin() + static_cast<std::ptrdiff_t>(to);
    if (to <= from)
      std::rotate(target, begin, end);
    else
      std::rotate(begin, end, target);
    auto more = common_words(moved, skeleton, numbered);
    if (more.size() <= pairs.size()) break;
    words = std::move(moved);
    pairs = std::move(more);
  }
  return words;
}

/// A `Slot` of numbered words.
struct NumberedSlot {
  struct Alternative {
    std::uint32_t word;
    std::vector<std::uint32_t> outputs;
  };
  std::vector<Alternative> alternatives;
};

enum class Step : std::uint8_t { pair, skip_slot, insert_word };

/// The cheapest alignment of another output's words to the slots.
std::vector<Step> cheapest_steps(const std::vector<NumberedSlot>& slots, const std::vector<std::uint32_t>& words,
                                 NumberedWords& numbered) {
  const std::size_t n = slots.size(), m = words.size();
  std::vector<double> cost((n + 1) * (m + 1), 1e300);
  std::vector<Step> steps((n + 1) * (m + 1), Step::pair);
  const auto at = [m](std::size_t i, std::size_t j) { return i * (m + 1) + j; };
  const auto offer = [&](std::size_t place, double value, Step step) {
    if (value < cost[place]) cost[place] = value, steps[place] = step;
  };
  cost[0] = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    double votes = 0, nothing = 0;
    if (i < n) {
      for (const NumberedSlot::Alternative& alternative : slots[i].alternatives) {
        votes += static_cast<double>(alternative.outputs.size());
        if (!alternative.word) nothing = static_cast<double>(alternative.outputs.size());
      }
    }
    for (std::size_t j = 0; j <= m; ++j) {
      const double so_far = cost[at(i, j)];
      if (i < n && j < m) {
        double least = kSignForWord, same = 0;
        for (const NumberedSlot::Alternative& alternative : slots[i].alternatives) {
          if (!alternative.word) continue;
          least = std::min(least, numbered.distance(words[j], alternative.word));
          if (alternative.word == words[j]) same = static_cast<double>(alternative.outputs.size());
        }
        offer(at(i + 1, j + 1), so_far + least + kVotes * (1 - same / votes), Step::pair);
      }
      if (i < n) offer(at(i + 1, j), so_far + kGap * (1 - kGapWhereSomeHaveNothing * nothing / votes), Step::skip_slot);
      if (j < m) offer(at(i, j + 1), so_far + kGap, Step::insert_word);
    }
  }
  std::vector<Step> path;
  for (std::size_t i = n, j = m; i > 0 || j > 0;) {
    path.push_back(steps[at(i, j)]);
    i -= path.back() != Step::insert_word;
    j -= path.back() != Step::skip_slot;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void add_vote(NumberedSlot& slot, std::uint32_t word, std::uint32_t output) {
  const auto alternative =
      std::find_if(slot.alternatives.begin(), slot.alternatives.end(),
                   [word](const NumberedSlot::Alternative& alternative) { return alternative.word == word; });
  if (alternative == slot.alternatives.end())
    slot.alternatives.push_back({word, {output}});
  else
    alternative->outputs.insert(std::upper_bound(alternative->outputs.begin(), alternative->outputs.end(), output),
                                output);
}

/// The other outputs, sorted by the share of their words that the skeleton has, largest first.
std::vector<std::uint32_t> by_likeness(const std::vector<OutputWords>& outputs, std::size_t skeleton) {
  const std::set<std::string> of_skeleton(outputs[skeleton].begin(), outputs[skeleton].end());
  std::vector<std::pair<double, std::uint32_t>> ranked;
  for (std::uint32_t k = 0; k < outputs.size(); ++k) {
    if (k == skeleton) continue;
    const std::set<std::string> words(outputs[k].begin(), outputs[k].end());
    const auto shared = static_cast<double>(
        std::count_if(words.begin(), words.end(), [&](const std::string& word) { return of_skeleton.contains(word); }));
    ranked.emplace_back(-shared / (1 + static_cast<double>(words.size() + of_skeleton.size()) - shared), k);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::uint32_t> order;
  for (const auto& [likeness, k] : ranked) order.push_back(k);
  return order;
}

}  // namespace

std::vector<Slot> align_outputs(const std::vector<OutputWords>& outputs, std::size_t skeleton) {
  if (skeleton >= outputs.size())
    throw InputError("output " + std::to_string(skeleton) + " of " + std::to_string(outputs.size()) +
                     " is the skeleton");
  NumberedWords numbered(outputs);
  std::vector<std::uint32_t> done = {static_cast<std::uint32_t>(skeleton)};
  std::vector<NumberedSlot> slots;
  for (const std::uint32_t word : numbered[skeleton]) slots.push_back({{{word, done}}});
  for (const std::uint32_t output : by_likeness(outputs, skeleton)) {
    std::vector<NumberedSlot> next;
    std::size_t slot = 0, word = 0;
    const std::vector<std::uint32_t> words = with_moved_blocks(numbered[output], numbered[skeleton], numbered);
    for (const Step step : cheapest_steps(slots, words, numbered)) {
      if (step == Step::insert_word) {
        next.push_back({{{0, done}}});
        add_vote(next.back(), words[word++], output);
        continue;
      }
      next.push_back(std::move(slots[slot++]));
      add_vote(next.back(), step == Step::pair ? words[word++] : 0, output);
    }
    slots = std::move(next);
    done.insert(std::upper_bound(done.begin(), done.end(), output), output);
  }
  std::vector<Slot> result;
  for (NumberedSlot& slot : slots) {
    result.emplace_back();
    for (NumberedSlot::Alternative& alternative : slot.alternatives)
      result.back().alternatives.push_back({numbered.text(alternative.word), std::move(alternative.outputs)});
  }
  return result;
}

}  // namespace widl
