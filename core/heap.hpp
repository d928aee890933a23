#pragma once

#include <cstddef>

namespace widl {

/// Replaces the top of a heap by an item that usually stays near the top: half the comparisons of std::pop_heap and
/// std::push_heap. `below` is the heap's order.
template <class Heap, class Below>
void replace_top(Heap& heap, const typename Heap::value_type& item, Below&& below) {
  std::size_t hole = 0;
  for (std::size_t child = 1; child < heap.size(); child = 2 * hole + 1) {
    if (child + 1 < heap.size() && below(heap[child], heap[child + 1])) ++child;
    if (!below(item, heap[child])) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = item;
}

}  // namespace widl
