#include "search/context_table.hpp"

#include <algorithm>

#include "util/murmur_hash.hh"

namespace widl {

std::uint64_t ContextTable::hash(std::span<const LanguageModel::State> states) {
  std::uint64_t hash = 0;
  for (const LanguageModel::State& state : states)
    hash = util::MurmurHashNative(state.words, state.length * sizeof(LanguageModel::Word), hash + state.length);
  return hash;
}

ContextId ContextTable::find(std::span<const LanguageModel::State> states, std::uint64_t hash) const {
  return ContextId(index_.find(
      hash, [&](std::uint32_t context) { return std::ranges::equal(states, this->states(ContextId(context))); }));
}

ContextId ContextTable::add(std::span<const LanguageModel::State> states, std::uint64_t hash) {
  const ContextId id(static_cast<std::uint32_t>(index_.size()));
  index_.make_room();
  states_.insert(states_.end(), states.begin(), states.end());
  index_.insert(hash, id);
  return id;
}

}  // namespace widl
