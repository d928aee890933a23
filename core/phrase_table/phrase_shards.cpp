#include "phrase_table/phrase_shards.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "byte_reader.hpp"
#include "errors.hpp"

namespace widl {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

/// A phrase as bytes that compare like its word ids; a phrase precedes its extensions.
void append_phrase(std::string& bytes, std::span<const WordId> words) {
  for (const WordId word : words) {
    if (word < 0x80) {
      bytes.push_back(static_cast<char>(word));
      continue;
    }
    unsigned size = 1;
    while (size < sizeof word && word >> 8 * size != 0) ++size;
    bytes.push_back(static_cast<char>(0x80 | size));
    while (size-- > 0) bytes.push_back(static_cast<char>(word >> 8 * size));
  }
}

/// Reads the words of a phrase; `words` is the size of the vocabulary.
void read_phrase(std::string_view bytes, std::size_t words, std::vector<WordId>& phrase) {
  phrase.clear();
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint64_t word = static_cast<unsigned char>(bytes[at++]);
    if (word >= 0x80) {
      const std::size_t size = word & 0x7f;
      if (size > sizeof(WordId) || size > bytes.size() - at) throw InputError("damaged: a phrase ends too early");
      word = 0;
      for (std::size_t end = at + size; at < end; ++at) word = word << 8 | static_cast<unsigned char>(bytes[at]);
    }
    if (word >= words) throw InputError("damaged: an unknown word");
    phrase.push_back(static_cast<WordId>(word));
  }
}

/// FNV-1a, which is identical on all machines.
std::size_t shard_of(std::string_view phrase, std::size_t shards) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : phrase) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ hash >> 32) % shards;
}

struct Variant {
  std::string_view source, target;
  std::string_view form;  // links and orientations
  std::uint32_t count;
};

/// Writes the sorted variants of a source phrase.
void append_source(std::string& bytes, const std::vector<Variant>& variants) {
  append_text(bytes, variants.front().source);
  append_varint(bytes, variants.size());
  std::string_view before;  // no phrase is empty
  for (const Variant& variant : variants) {
    append_text(bytes, variant.target == before ? std::string_view() : variant.target);
    append_text(bytes, variant.form);
    append_varint(bytes, variant.count);
    before = variant.target;
  }
}

/// Calls visit(variant) for all of them, in their order.
template <class Visit>
void read_pairs(std::string_view bytes, Visit&& visit) {
  for (ByteReader reader(bytes); !reader.at_end();) {
    Variant variant{reader.text(), {}, {}, 0};
    for (std::uint64_t left = reader.number(kMost); left > 0; --left) {
      if (const std::string_view target = reader.text(); !target.empty()) variant.target = target;
      variant.form = reader.text();
      variant.count = static_cast<std::uint32_t>(reader.number(kMost));
      if (variant.source.empty() || variant.target.empty()) throw InputError("damaged: a phrase without words");
      if (variant.count == 0) throw InputError("damaged: a phrase pair that doesn't occur");
      visit(variant);
    }
  }
}

void append_form(std::string& form, const Bitext& text, const PhrasePairSpan& pair, Orientations orientations) {
  form.push_back(static_cast<char>(orientations.backward * kOrientations + orientations.forward));
  for (std::uint32_t target = 0; target < pair.target_length; ++target)
    for (const std::uint32_t source : text.links(pair.target_begin + target)) {
      form.push_back(static_cast<char>(source - pair.source_begin));  // a phrase has at most 255 words
      form.push_back(static_cast<char>(target));
    }
}

Orientations read_form(std::string_view form, std::vector<Link>& links) {
  links.clear();
  if (form.size() % 2 == 0) throw InputError("damaged: an incomplete link");
  const auto code = static_cast<unsigned char>(form[0]);
  if (code >= kOrientations * kOrientations) throw InputError("damaged: an unknown orientation");
  for (std::size_t at = 1; at < form.size(); at += 2)
    links.push_back({static_cast<unsigned char>(form[at]), static_cast<unsigned char>(form[at + 1])});
  return {static_cast<std::uint8_t>(code / kOrientations), static_cast<std::uint8_t>(code % kOrientations)};
}

/// Adds the source phrase of these occurrences to its shard.
class SourceWriter {
 public:
  SourceWriter(const Bitext& part, std::uint32_t max_length, bool reordering)
      : part_(part), code_(max_length) {
    if (reordering) orientations_.emplace(part);
  }

  void write(std::span<Occurrence> group, std::vector<std::string>& shards) {
    texts_.clear();
    sizes_.clear();
    for_each_phrase_pair(group, [&](std::span<const Occurrence> same) { add_pair(same); });
    // The texts are in their final places now.
    const Occurrence& first = group.front();
    const std::string source = phrase(part_.source(), first.source_span);
    variants_.clear();
    std::string_view rest = texts_;
    for (const auto& [target, form, count] : sizes_) {
      variants_.push_back({source, rest.substr(0, target), rest.substr(target, form), count});
      rest.remove_prefix(target + form);
    }
    append_source(shards[shard_of(source, shards.size())], variants_);
  }

 private:
  void add_pair(std::span<const Occurrence> same) {
    const std::string target = phrase(part_.target(), same.front().target_span);
    forms_.clear();
    for (const Occurrence& occurrence : same) {
      const PhrasePairSpan pair{code_.begin(occurrence.source_span), code_.length(occurrence.source_span),
                                code_.begin(occurrence.target_span), code_.length(occurrence.target_span)};
      std::string form;
      append_form(form, part_, pair, orientations_ ? orientations_->orientations(pair) : Orientations());
      ++forms_[std::move(form)];
    }
    for (const auto& [form, count] : forms_) {
      texts_ += target;
      texts_ += form;
      sizes_.emplace_back(target.size(), form.size(), count);
    }
  }

  std::string phrase(const BitextSide& side, std::uint32_t span) const {
    std::string bytes;
    append_phrase(bytes, std::span(side.words).subspan(code_.begin(span), code_.length(span)));
    return bytes;
  }

  const Bitext& part_;
  SpanCode code_;
  std::optional<OrientationCounter> orientations_;
  std::string texts_;  // target and form of each variant
  std::vector<std::tuple<std::size_t, std::size_t, std::uint32_t>> sizes_;
  std::map<std::string, std::uint32_t> forms_;
  std::vector<Variant> variants_;
};

/// The target phrases of a shard, in order, and the number of each variant's target phrase.
struct ShardTargets {
  explicit ShardTargets(std::string_view pairs) {
    std::vector<std::pair<std::string_view, std::uint32_t>> all;
    read_pairs(pairs, [&](const Variant& variant) {
      if (all.size() == kMost) throw InputError("too many phrases in one shard: use more shards");
      all.emplace_back(variant.target, static_cast<std::uint32_t>(all.size()));
    });
    std::sort(all.begin(), all.end());
    of_variants.resize(all.size());
    for (const auto& [target, variant] : all) {
      if (phrases.empty() || phrases.back() != target) phrases.push_back(target);
      of_variants[variant] = static_cast<PhraseNumber>(phrases.size() - 1);
    }
  }

  std::vector<std::string_view> phrases;
  std::vector<PhraseNumber> of_variants;
};

/// Number of occurrences of a target phrase, and number of its pairs.
struct TargetTotal {
  std::uint64_t count = 0;
  PairsOfPhrase pairs;
};

void append_total(std::string& bytes, const TargetTotal& total) {
  append_varint(bytes, total.count);
  append_varint(bytes, total.pairs.once);
  append_varint(bytes, total.pairs.twice);
  append_varint(bytes, total.pairs.all);
}

TargetTotal read_total(ByteReader& reader) {
  const auto number = [&] { return static_cast<std::uint32_t>(reader.number(kMost)); };
  TargetTotal total;
  total.count = number();
  total.pairs.once = number();
  total.pairs.twice = number();
  total.pairs.all = number();
  if (total.pairs.all > total.count || std::uint64_t{total.pairs.once} + total.pairs.twice > total.pairs.all)
    throw InputError("damaged: a phrase in more pairs than it can be");
  return total;
}

/// Reads the counts in the whole text of each target phrase of a shard.
void read_answers(const std::vector<std::string_view>& targets, std::span<const std::string_view> answers,
                  PhraseOccurrences& occurrences) {
  std::vector<ByteReader> readers(answers.begin(), answers.end());
  for (const std::string_view target : targets) {
    const TargetTotal total = read_total(readers[shard_of(target, readers.size())]);
    occurrences.target_counts.push_back(static_cast<std::uint32_t>(total.count));
    occurrences.target_pairs.push_back(total.pairs);
  }
  for (const ByteReader& reader : readers)
    if (!reader.at_end()) throw InputError("damaged: an answer to no request");
}

}  // namespace

std::vector<std::string> extract_shards(Bitext& part, std::uint32_t max_length, bool reordering, std::size_t shards,
                                        unsigned threads) {
  part.freeze();
  PhraseOccurrences occurrences = collect_occurrences(part, max_length, threads);
  std::vector<std::string> files(shards);
  SourceWriter writer(part, max_length, reordering);
  for (std::size_t source = 0; source + 1 < occurrences.offsets.size(); ++source) {
    const std::uint32_t begin = occurrences.offsets[source], end = occurrences.offsets[source + 1];
    if (end > begin) writer.write(std::span(occurrences.occurrences).subspan(begin, end - begin), files);
  }
  return files;
}

MergedShard merge_shard(std::span<const std::string_view> parts, std::size_t shards) {
  std::vector<Variant> variants;
  for (const std::string_view part : parts) read_pairs(part, [&](const Variant& variant) { variants.push_back(variant); });
  std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) {
    if (const int order = a.source.compare(b.source)) return order < 0;
    if (const int order = a.target.compare(b.target)) return order < 0;
    return a.form < b.form;
  });
  MergedShard merged;
  std::vector<std::pair<std::string_view, std::uint32_t>> joint;  // word numbers of all pairs' targets
  std::vector<Variant> group;
  for (auto at = variants.begin(); at != variants.end();) {
    const std::string_view source = at->source;
    group.clear();
    for (; at != variants.end() && at->source == source; ++at) {
      const bool same_pair = !group.empty() && group.back().target == at->target;
      if (!same_pair) joint.emplace_back(at->target, 0);
      if (at->count > kMost - joint.back().second) throw InputError("a phrase pair occurs more than 2^32 times");
      joint.back().second += at->count;
      if (same_pair && group.back().form == at->form)
        group.back().count += at->count;
      else
        group.push_back(*at);
      merged.occurrences += at->count;
    }
    append_source(merged.pairs, group);
  }
  variants = {};
  std::sort(joint.begin(), joint.end());
  merged.targets.resize(shards);
  for (auto at = joint.begin(); at != joint.end();) {
    const std::string_view target = at->first;
    TargetTotal total;
    for (; at != joint.end() && at->first == target; ++at) {
      total.count += at->second;
      total.pairs.add(at->second);
      merged.counts.add(at->second);
    }
    std::string& asked = merged.targets[shard_of(target, shards)];
    append_text(asked, target);
    append_total(asked, total);
  }
  return merged;
}

std::vector<std::string> target_totals(std::span<const std::string_view> asked) {
  struct Asked {
    std::string_view target;
    std::uint32_t shard;
    TargetTotal total;
  };
  std::vector<Asked> all;
  for (std::uint32_t shard = 0; shard < asked.size(); ++shard)
    for (ByteReader reader(asked[shard]); !reader.at_end();) {
      const std::string_view target = reader.text();
      all.push_back({target, shard, read_total(reader)});
    }
  std::sort(all.begin(), all.end(), [](const Asked& a, const Asked& b) {
    return std::tie(a.target, a.shard) < std::tie(b.target, b.shard);
  });
  std::vector<std::string> answers(asked.size());
  for (auto begin = all.begin(); begin != all.end();) {
    TargetTotal total;
    auto end = begin;
    for (; end != all.end() && end->target == begin->target; ++end) {
      total.count += end->total.count;
      total.pairs.once += end->total.pairs.once;
      total.pairs.twice += end->total.pairs.twice;
      total.pairs.all += end->total.pairs.all;
    }
    if (total.count > kMost) throw InputError("a phrase occurs more than 2^32 times: split the bitext");
    for (; begin != end; ++begin) append_total(answers[begin->shard], total);
  }
  return answers;
}

std::unique_ptr<ShardToScore> shard_to_score(const TextCounts& text, std::string_view pairs,
                                             std::span<const std::string_view> answers, std::uint32_t max_length,
                                             const PairsByCount& counts) {
  const ShardTargets targets(pairs);
  auto shard = std::make_unique<ShardToScore>(ShardToScore{text.part(), {}, {}, {}, {}, counts});
  read_answers(targets.phrases, answers, shard->occurrences);
  auto& [offsets, occurrences, target_counts, target_pairs] = shard->occurrences;
  std::vector<std::uint32_t> uncounted = target_counts;  // also in other shards
  const SpanCode code(max_length);
  std::string_view source_before, target_before;
  std::vector<WordId> source, target;
  std::vector<Link> links;
  std::size_t number = 0;
  const auto append = [&](const Variant& variant) {
    const PhraseNumber id = targets.of_variants[number++];
    if (variant.source != source_before) {
      read_phrase(variant.source, text.source().size(), source);
      offsets.push_back(static_cast<std::uint32_t>(occurrences.size()));
      source_before = variant.source;
      target_before = {};
    }
    if (variant.target != target_before) {
      read_phrase(variant.target, text.target().size(), target);
      target_before = variant.target;
    }
    if (source.size() > max_length || target.size() > max_length) throw InputError("damaged: a phrase that is too long");
    if (variant.count > uncounted[id]) throw InputError("damaged: a phrase that occurs more often than it was counted");
    uncounted[id] -= variant.count;
    const std::size_t source_at = shard->text.source().words.size(), target_at = shard->text.target().words.size();
    if (std::max(source_at, target_at) + max_length > kMost / max_length)
      throw InputError("too many phrases in one shard: use more shards");
    const Orientations orientations = read_form(variant.form, links);
    shard->text.append(source, target, links);
    shard->orientations.resize(shard->text.source().words.size());
    shard->orientations[source_at] = orientations;
    if (occurrences.size() + variant.count > kMost)
      throw InputError("more than 2^32 phrase pairs in one shard: use more shards");
    const Occurrence occurrence{
        id, code.encode(static_cast<std::uint32_t>(target_at), static_cast<std::uint32_t>(target.size())),
        code.encode(static_cast<std::uint32_t>(source_at), static_cast<std::uint32_t>(source.size()))};
    occurrences.insert(occurrences.end(), variant.count, occurrence);
  };
  read_pairs(pairs, append);
  offsets.push_back(static_cast<std::uint32_t>(occurrences.size()));
  shard->text.freeze();
  const auto [all, in_domain] = text.link_counts(shard->text);
  shard->lexical = lexical_weights(shard->text, all);
  if (text.has_in_domain()) shard->in_domain = lexical_weights(shard->text, all, &in_domain);
  return shard;
}

}  // namespace widl
