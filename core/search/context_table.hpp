#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lm/language_model.hpp"
#include "search/budget.hpp"
#include "search/hash_index.hpp"
#include "strong_id.hpp"

namespace widl {

/// The states of all language models after a prefix of the sentence. Equal contexts give equal scores.
using ContextId = Id<struct ContextKind>;

/// Hash-conses contexts: equal contexts have equal numbers, which search nodes hold instead of states.
///
/// A context is packed as the states of the models, one after the other. Only the words of the states are hashed: their
/// back-off weights follow from them.
class ContextTable {
 public:
  static constexpr ContextId kNone{~std::uint32_t{0}};

  ContextTable(std::size_t models, Budget& budget) : models_(models), states_(budget), index_(budget) {}

  std::size_t size() const { return index_.size(); }
  /// The states of a context, by model. Valid until the next addition.
  std::span<const LanguageModel::State> states(ContextId context) const {
    return {states_.data() + std::size_t{context} * models_, models_};
  }

  static std::uint64_t hash(std::span<const LanguageModel::State> states);
  /// The number of a context with this hash, or none.
  ContextId find(std::span<const LanguageModel::State> states, std::uint64_t hash) const;
  /// Numbers a new context. @throws OutOfBudget; then the table is unchanged
  ContextId add(std::span<const LanguageModel::State> states, std::uint64_t hash);

 private:
  std::size_t models_;
  MeteredVector<LanguageModel::State> states_;  // models_ of each context
  HashIndex<BudgetAllocator> index_;
};

}  // namespace widl
