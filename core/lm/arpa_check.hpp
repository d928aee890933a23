#pragma once

#include <string>

namespace widl {

/// Checks an ARPA file before KenLM reads it. KenLM's own messages address its developers, and it trusts the counts in
/// the file's header, however large.
///
/// @returns whether any n-gram has a back-off weight above one (log10 above 0).
/// @throws InputError "path:line: …" for any error in the file's format.
bool check_arpa(const std::string& path);

}  // namespace widl
