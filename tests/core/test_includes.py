"""Each file of the core includes the headers of the standard names that it uses, itself or in the header of its name.

Files are compiled together, and standard libraries include one another: compilers don't notice what is missing.
"""

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
FILES = sorted(CORE.rglob("*.[ch]pp"))

NAMES = {
    "algorithm": "sort stable_sort partial_sort nth_element max_element min_element minmax_element fill fill_n find "
    "find_if find_if_not any_of all_of none_of count count_if lower_bound upper_bound equal_range "
    "binary_search max min clamp minmax reverse reverse_copy unique remove remove_if copy copy_if copy_n "
    "copy_backward transform push_heap pop_heap make_heap sort_heap equal mismatch merge inplace_merge "
    "set_union set_intersection set_difference includes rotate generate for_each is_sorted "
    "lexicographical_compare replace partition partition_point adjacent_find",
    "array": "array to_array",
    "atomic": "atomic atomic_flag memory_order_relaxed memory_order_acquire memory_order_release",
    "bit": "popcount countr_zero countl_zero countr_one bit_ceil bit_width bit_cast has_single_bit rotl endian",
    "bitset": "bitset",
    "cctype": "isalnum isalpha isdigit ispunct isspace",
    "charconv": "from_chars to_chars chars_format",
    "chrono": "chrono",
    "cmath": "exp exp2 log log1p expm1 log2 log10 sqrt pow isnan isinf isfinite floor ceil round lround llround "
    "fabs fmod nextafter ldexp frexp hypot tanh signbit copysign trunc",
    "compare": "strong_ordering weak_ordering partial_ordering",
    "concepts": "same_as convertible_to integral floating_point unsigned_integral invocable derived_from predicate",
    "condition_variable": "condition_variable",
    "cstddef": "size_t ptrdiff_t byte nullptr_t max_align_t",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t",
    "cstdio": "FILE fopen fclose fread fwrite fprintf printf snprintf fseek setvbuf",
    "cstdlib": "getenv strtod abort malloc realloc free strtoull",
    "cstring": "memcpy memcmp memset memmove memchr strlen strerror",
    "deque": "deque",
    "exception": "exception exception_ptr current_exception rethrow_exception make_exception_ptr uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream fstream filebuf",
    "functional": "function greater reference_wrapper ref cref invoke plus not_fn equal_to identity",
    "future": "future async",
    "initializer_list": "initializer_list",
    "iostream": "cout cerr cin",
    "iterator": "back_inserter make_move_iterator distance advance prev istreambuf_iterator ostream_iterator "
    "forward_iterator_tag input_iterator_tag random_access_iterator_tag iterator_traits inserter "
    "reverse_iterator ssize",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr make_unique make_shared make_unique_for_overwrite weak_ptr allocator addressof "
    "allocator_traits enable_shared_from_this const_pointer_cast",
    "mutex": "mutex lock_guard unique_lock scoped_lock once_flag call_once",
    "new": "bad_alloc launder nothrow_t",
    "numeric": "accumulate iota partial_sum inner_product gcd lcm reduce exclusive_scan inclusive_scan",
    "optional": "optional nullopt",
    "queue": "queue priority_queue",
    "random": "mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution bernoulli_distribution",
    "regex": "regex smatch regex_search regex_replace",
    "set": "set multiset",
    "shared_mutex": "shared_lock shared_mutex",
    "span": "span as_bytes",
    "sstream": "ostringstream istringstream stringstream",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range length_error",
    "string": "string to_string stoi stoul stoull stod",
    "string_view": "string_view",
    "system_error": "system_error error_code errc generic_category",
    "thread": "thread jthread this_thread",
    "tuple": "tuple tie make_tuple forward_as_tuple apply",
    "type_traits": "is_same_v enable_if_t decay_t conditional_t is_integral_v remove_cvref_t is_trivially_copyable_v "
    "invoke_result_t is_floating_point_v is_unsigned_v is_signed_v is_void_v underlying_type_t "
    "remove_reference_t is_const_v make_unsigned_t is_constructible_v is_convertible_v "
    "is_default_constructible_v integral_constant true_type remove_const_t",
    "typeinfo": "type_info",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "pair move forward swap exchange as_const declval make_pair in_range cmp_less index_sequence "
    "make_index_sequence integer_sequence make_integer_sequence",
    "variant": "variant visit get_if holds_alternative monostate",
    "vector": "vector",
}
HEADERS = {name: {header} for header, names in NAMES.items() for name in names.split()} | {
    "abs": {"cmath", "cstdlib"},
    "less": {"functional", "map", "set"},
    "move": {"algorithm", "utility"},
    "ranges": {"algorithm", "ranges"},
    "size_t": {"cstddef", "cstdio", "cstdlib", "cstring"},
}
"""The headers that define a name: one of them is enough."""


def included(text: str) -> set[str]:
    return set(re.findall(r"^#include <([^>]+)>", text, re.MULTILINE))


def missing(text: str, of_header: str = "") -> set[str]:
    """The names of the standard library in a file whose headers neither it nor the header of its name includes."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|R\"\(.*?\)\"", "", text, flags=re.DOTALL)
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', "", code)
    headers = included(text) | included(of_header)
    used = set(re.findall(r"\bstd::(\w+)", code)) & HEADERS.keys()
    return {name for name in used if headers.isdisjoint(HEADERS[name])}


def test_a_missing_header_is_found() -> None:
    text = '#include <vector>\n// std::map\nstd::vector<int> a; auto b = "std::set"; auto c = std::abs(-1);\n'
    assert missing(text) == {"abs"}
    assert missing(text, "#include <cmath>\n") == set()
    assert missing("#include <string>\n" + text) == {"abs"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORE)))
def test_a_file_includes_what_it_uses(path: Path) -> None:
    header = path.with_name(f"{path.stem.removesuffix('_test')}.hpp")
    of_header = header.read_text(encoding="utf-8") if path.suffix == ".cpp" and header.exists() else ""
    assert missing(path.read_text(encoding="utf-8"), of_header) == set()
