#pragma once

#include <cstddef>
#include <cstdint>

/// The constants that trade time against memory or tightness. They do not affect correctness: a poor value makes search
/// slower or a bound looser, but proofs remain valid. `benchmarks/search_speed.py` and `benchmarks/exact_search.py`
/// measure all of them. Work is counted in ticks of some 10 ns (Budget).
namespace widl::constants {

// --- budgets (budget.hpp) ---

inline constexpr std::size_t kTicksPerReading = 10'000;  ///< the clock is read every 0.1 ms: reading it takes 20 ns
inline constexpr double kSecondsPerTick = 1e-8;
/// Memory guaranteed to a search, besides its input, for the initial size of its tables.
inline constexpr std::size_t kMinMemory = std::size_t{1} << 20;
inline constexpr std::size_t kSmallBlock = std::size_t{1} << 10;  ///< never refused, so that tables can begin
inline constexpr std::size_t kLargeBlock = std::size_t{1} << 20;  ///< counts as work, because its pages are created
inline constexpr std::size_t kBytesPerTick = 40, kBytesFreedPerTick = 400;  ///< of large blocks, 4 and 40 GB/s
/// Overtime after a budget has run out: first to sum up the pruned bounds, then to construct an answer.
inline constexpr double kSecondsToStop = 0.003, kSecondsToAnswer = 0.010;
inline constexpr std::size_t kOvertimeMemory = std::size_t{1} << 18;  ///< besides a twentieth of the limit

/// Fractions of the remaining budget for bounds that search can do without. Half leaves a search without them the other
/// half.
inline constexpr double kShareOfBounds = 0.5;
inline constexpr double kShareOfOwnContexts = 0.25;  ///< they tighten existing bounds
inline constexpr double kShareOfStages = 0.8;        ///< long sentences are proved only in stages

// --- rescue (rescue.hpp) ---

inline constexpr std::size_t kMaxRescueSteps = 200'000;  ///< a second or two: longer would be a search
inline constexpr std::size_t kMaxLookedAt = 200'000;     ///< nodes compared to choose one for completion: 1 ms
inline constexpr std::size_t kScoredInHurry = 16, kOpenInHurry = 1'000;
inline constexpr std::size_t kScoredUnhurried = 300, kOpenUnhurried = 100'000;

// --- exact search over tiles (search.hpp) ---

/// Pops of the cube pruning whose score is the floor: a tenth of the time of the exact search after it.
inline constexpr std::size_t kPopsForFloor = 200;
/// Largest distortion limit for which all coverages are solved or listed. Each increment doubles their number.
inline constexpr std::uint32_t kSolvableDistortionLimit = 8;
inline constexpr std::size_t kCubeItemsAtOnce =
    32;  ///< items of cube pruning realized side by side, to hide memory latency

// --- tile bound (tile_bounds/tile_bound.hpp) ---

inline constexpr unsigned kMaxRounds = 1000;
inline constexpr unsigned kRoundsPerLook = 8;          ///< rounds between two looks at the gain
inline constexpr double kMinGain = 0.04;               ///< of the gap between two looks; below it tightening stops
inline constexpr double kMinGainOfPositions = 0.02;    ///< multipliers of positions take more rounds
inline constexpr double kStep = 0.5;                   ///< of the way to equal max-marginals; 1 oscillates
inline constexpr double kPositionStep = 0.25;          ///< of the subgradient step that would close the gap
inline constexpr double kBelowFloor = 5;               ///< nats; lower max-marginals count as this much below the floor
inline constexpr unsigned kRoundsToRefine = 4;         ///< rounds before left contexts are refined
inline constexpr double kRefinedShare = 0.03;          ///< of the gap: derivations this near the best are refined
inline constexpr std::size_t kMaxRefinements = 10;     ///< a round, times the number of positions
inline constexpr std::size_t kMaxCoverages = 300'000;  ///< listed at once: 0.3 s
inline constexpr std::size_t kMaxInStages = 2'000'000, kMaxArcs = 32'000'000;  ///< 1 GB
inline constexpr unsigned kFirstRounds = 300, kRoundsOfStage = 20;             ///< the first stage has few states
inline constexpr int kTrackedAtOnce = 4;                                       ///< positions more in each stage
inline constexpr double kEnoughForStage = 0.5;  ///< gap in nats at which the next stage begins
/// Gap in nats at which the sweep begins. Closing such a gap by sweeping is faster than lowering the bound.
inline constexpr double kEnoughForSweep = 3;

// --- bounds of bags (bag_bound.hpp, sequence_bound.hpp, counting_bound.hpp) ---

inline constexpr double kMaxWorkOfBag = 2e8;    ///< sums of a pass, 0.1 s; larger bags have ContextBound
inline constexpr double kTighteningWork = 2e9;  ///< sums of all passes, 1 s
inline constexpr unsigned kFirstPasses = 100;   ///< then counting groups gains more, if the bag is short
inline constexpr std::uint32_t kShortBag = 25;  ///< phrases
/// Steps of the subgradient, as a fraction of a phrase's mean score. They shrink after kStepPatience passes without
/// gain.
inline constexpr double kFirstStep = 0.2, kLastStep = 0.002, kShrink = 0.7, kMomentum = 0.3;
inline constexpr unsigned kStepPatience = 5;
inline constexpr std::size_t kSumsPerUnit = 16;             ///< sums of row loops in a unit of work
inline constexpr double kEnoughForBag = 0.02;               ///< gap in nats that leaves almost no work for search
inline constexpr double kFirstGuess = 2, kMaxGuess = 1000;  ///< nats of gap, before a realization is known
inline constexpr std::size_t kMaxCountedSteps = 3'000'000;
inline constexpr unsigned kCountingPasses = 12,
                          kCountingPatience = 3;                     ///< subgradient steps between two counted groups
inline constexpr std::size_t kPartials = 100, kMorePartials = 1000;  ///< of the beam that raises the floor
inline constexpr double kFarAway = 2;                                ///< gap in nats above which the wider beam is used
inline constexpr std::size_t kCheapPass = 5'000'000, kMaxOfAPass = 200'000'000;  ///< sums
/// An expensive pass must gain a tenth of the gap within this many rounds.
inline constexpr std::size_t kRoundsToGain = 6;
inline constexpr std::size_t kShortStride = 32;  ///< indices: shorter strides are masked, longer ones skipped

// --- bound of contexts (context_bound.hpp) ---

inline constexpr std::size_t kMaxContexts = 300'000, kMaxContextEdges = 500;

}  // namespace widl::constants
