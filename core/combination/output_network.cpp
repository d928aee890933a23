#include "combination/output_network.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "errors.hpp"

namespace widl {
namespace {

constexpr double kOtherCase = 0.1;
constexpr double kSameStem = 0.3;
constexpr double kCloseSpelling = 0.6;
constexpr double kOtherSign = 0.8;    // of punctuation
constexpr double kOtherWord = 1.2;
constexpr double kNumberForWord = 1.6;
constexpr double kSignForWord = 2.0;
constexpr double kGap = 0.75;         // a word without a partner
constexpr double kGapWhereSomeHaveNothing = 0.6;  // of the gap's cost, by the share of outputs without a word there
constexpr double kVotes = 0.15;       // of a word that no other output has here
constexpr double kClose = 0.7;        // share of letters in common
constexpr std::size_t kShortestStem = 3;

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

std::string_view stem(std::string_view lowered) {
  static constexpr std::array<std::string_view, 7> kEndings = {"'s", "ing", "ed", "es", "ly", "s", "d"};
  for (const std::string_view ending : kEndings)
    if (lowered.size() >= ending.size() + kShortestStem && lowered.ends_with(ending))
      return lowered.substr(0, lowered.size() - ending.size());
  return lowered;
}

/// Letters of the longest common subsequence.
std::size_t common_letters(std::string_view first, std::string_view second) {
  std::vector<std::size_t> row(second.size() + 1, 0);
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

/// `word_distance`, which looks at each pair of words once.
class WordDistances {
 public:
  double operator()(const std::string& first, const std::string& second) {
    if (first == second) return 0;
    const auto [known, added] = known_.try_emplace(first + '\n' + second, 0.0);
    if (added) known->second = word_distance(first, second);
    return known->second;
  }

 private:
  std::unordered_map<std::string, double> known_;
};

enum class Step : std::uint8_t { pair, skip_slot, insert_word };

/// The cheapest way to bring the words of one more output into the slots.
std::vector<Step> cheapest_steps(const std::vector<Slot>& slots, const OutputWords& words, WordDistances& distances) {
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
      for (const Slot::Alternative& alternative : slots[i].alternatives) {
        votes += static_cast<double>(alternative.outputs.size());
        if (alternative.word.empty()) nothing = static_cast<double>(alternative.outputs.size());
      }
    }
    for (std::size_t j = 0; j <= m; ++j) {
      const double so_far = cost[at(i, j)];
      if (i < n && j < m) {
        double least = kSignForWord, same = 0;
        for (const Slot::Alternative& alternative : slots[i].alternatives) {
          if (alternative.word.empty()) continue;
          least = std::min(least, distances(words[j], alternative.word));
          if (alternative.word == words[j]) same = static_cast<double>(alternative.outputs.size());
        }
        offer(at(i + 1, j + 1), so_far + least + kVotes * (1 - same / votes), Step::pair);
      }
      if (i < n)
        offer(at(i + 1, j), so_far + kGap * (1 - kGapWhereSomeHaveNothing * nothing / votes), Step::skip_slot);
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

void add_vote(Slot& slot, const std::string& word, std::uint32_t output) {
  const auto found = std::find_if(slot.alternatives.begin(), slot.alternatives.end(),
                                  [&word](const Slot::Alternative& one) { return one.word == word; });
  if (found == slot.alternatives.end()) slot.alternatives.push_back({word, {output}});
  else found->outputs.insert(std::upper_bound(found->outputs.begin(), found->outputs.end(), output), output);
}

/// The other outputs, those that share the largest part of their words with the skeleton first.
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

double word_distance(const std::string& first, const std::string& second) {
  if (first == second) return 0;
  const auto is_sign = [](const std::string& word) {
    return std::none_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c); });
  };
  if (is_sign(first) != is_sign(second)) return kSignForWord;
  if (is_sign(first)) return kOtherSign;
  const auto has_digit = [](const std::string& word) { return std::any_of(word.begin(), word.end(), is_digit); };
  if (has_digit(first) != has_digit(second)) return kNumberForWord;
  if (has_digit(first)) return kOtherWord;
  const std::string lowered = lower(first), other = lower(second);
  if (lowered == other) return kOtherCase;
  if (stem(lowered) == stem(other)) return kSameStem;
  const double letters = 2.0 * static_cast<double>(common_letters(lowered, other)) /
                         static_cast<double>(lowered.size() + other.size());
  return letters > kClose ? kCloseSpelling : kOtherWord;
}

std::vector<Slot> align_outputs(const std::vector<OutputWords>& outputs, std::size_t skeleton) {
  if (skeleton >= outputs.size())
    throw InputError("output " + std::to_string(skeleton) + " of " + std::to_string(outputs.size()) + " is the skeleton");
  WordDistances distances;
  std::vector<std::uint32_t> done = {static_cast<std::uint32_t>(skeleton)};
  std::vector<Slot> slots;
  for (const std::string& word : outputs[skeleton]) slots.push_back({{{word, done}}});
  for (const std::uint32_t output : by_likeness(outputs, skeleton)) {
    std::vector<Slot> next;
    std::size_t slot = 0, word = 0;
    for (const Step step : cheapest_steps(slots, outputs[output], distances)) {
      if (step == Step::insert_word) {
        next.push_back({{{"", done}}});
        add_vote(next.back(), outputs[output][word++], output);
        continue;
      }
      next.push_back(std::move(slots[slot++]));
      add_vote(next.back(), step == Step::pair ? outputs[output][word++] : "", output);
    }
    slots = std::move(next);
    done.insert(std::upper_bound(done.begin(), done.end(), output), output);
  }
  return slots;
}

}  // namespace widl
