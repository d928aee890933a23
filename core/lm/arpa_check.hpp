#pragma once

#include <string>

namespace widl {

/// Reads through an ARPA file before KenLM does, whose own messages are for its developers and
/// which believes the counts on top of the file, however large.
///
/// @returns whether any n-gram has a back-off weight above one (log10 above 0).
/// @throws InputError "path:line: …" for any error in the file's format.
bool check_arpa(const std::string& path);

}  // namespace widl
