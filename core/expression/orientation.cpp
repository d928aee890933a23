#include "expression/orientation.hpp"

#include <algorithm>

#include "errors.hpp"

namespace widl {
namespace {

using Type = OrientationModel::Type;
using Neighbour = OrientationModel::Neighbour;

[[noreturn]] void unknown(std::string_view name) {
  throw InputError("unknown reordering model '" + std::string(name) +
                   "'; a name is like msd-bidirectional-fe: msd, mslr or monotonicity, backward, forward or "
                   "bidirectional, f or fe; phrase- or hier- may stand in front");
}

}  // namespace

OrientationModel OrientationModel::named(std::string_view name) {
  if (name.empty()) return {};
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  OrientationModel model;
  if (parts.size() == 4) {
    if (parts[0] == "phrase") model.neighbour = Neighbour::phrase;
    else if (parts[0] == "hier") model.neighbour = Neighbour::block;
    else if (parts[0] != "wbe") unknown(name);
    parts.erase(parts.begin());
  }
  if (parts.size() != 3) unknown(name);
  if (parts[0] == "msd") model.type = Type::msd;
  else if (parts[0] == "mslr") model.type = Type::mslr;
  else if (parts[0] == "monotonicity") model.type = Type::monotonicity;
  else unknown(name);
  model.backward = parts[1] == "backward" || parts[1] == "unidirectional" || parts[1] == "bidirectional";
  model.forward = parts[1] == "forward" || parts[1] == "bidirectional";
  model.source_only = parts[2] == "f";
  if (model.scores() == 0 || (!model.source_only && parts[2] != "fe")) unknown(name);
  return model;
}

std::string OrientationModel::name() const {
  if (scores() == 0) return "";
  const std::string types = type == Type::msd ? "msd" : type == Type::mslr ? "mslr" : "monotonicity";
  const std::string neighbours = neighbour == Neighbour::word ? "" : neighbour == Neighbour::phrase ? "phrase-" : "hier-";
  return neighbours + types + (backward && forward ? "-bidirectional" : backward ? "-backward" : "-forward") +
         (source_only ? "-f" : "-fe");
}

std::vector<std::string> OrientationModel::feature_names() const {
  std::vector<std::string> orientations;
  if (type == Type::monotonicity) orientations = {"monotone", "other"};
  if (type == Type::msd) orientations = {"monotone", "swap", "discontinuous"};
  if (type == Type::mslr) orientations = {"monotone", "swap", "right", "left"};
  std::vector<std::string> names;
  if (backward)
    for (const std::string& one : orientations) names.push_back(one + "_backward");
  if (forward)
    for (const std::string& one : orientations) names.push_back(one + "_forward");
  return names;
}

}  // namespace widl
