#pragma once

#include <string>

#include "lm/binary_format.hh"
#include "lm/config.hh"

namespace widl {

/// Checks all that KenLM follows unseen in the body of a binary, so that no query can read outside of it or run
/// forever: word numbers of the vocabulary, an empty slot in every hash table, pointers of tries.
///
/// Probabilities are not looked at: whoever asks for them must look whether they are numbers (Scorer, LanguageModel::score_sentence).
/// Hash tables cost nearly nothing; of a trie all pointers are read.
///
/// The header must have been checked: orders, counts and the kind of model are those of `parameters`.
/// @throws InputError naming the file
/// @throws util::Exception what KenLM finds itself, such as a truncated file
void check_binary(const std::string& path, const lm::ngram::Parameters& parameters,
                  const lm::ngram::Config& config);

}  // namespace widl
