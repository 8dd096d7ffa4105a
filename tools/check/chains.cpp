// SPDX-License-Identifier: MIT
#include "tools/check/chains.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace cox::tools {
namespace {

/// Groups of pairs, which join() merges. of() returns the index of the pair that represents the group of pair `index`.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t of(std::size_t index) {
    while (parent_[index] != index) index = parent_[index] = parent_[parent_[index]];
    return index;
  }
  void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parent_;
};

bool is_before_as_root(const UnorderedPair &a, const UnorderedPair &b) {
  return a.later != b.later ? a.later < b.later : a.earlier > b.earlier;
}

}  // namespace

std::vector<Chain> chains_of(std::span<const UnorderedPair> pairs) {
  Groups groups(pairs.size());
  std::map<unsigned, std::size_t> by_queue;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (const unsigned queue : {pairs[i].from, pairs[i].to}) groups.join(i, by_queue.try_emplace(queue, i).first->second);
  }

  std::map<std::size_t, std::size_t> roots;  // maps the group of a chain, from groups.of(), to the index of the pair to report
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::size_t &root = roots.try_emplace(groups.of(i), i).first->second;
    if (is_before_as_root(pairs[i], pairs[root])) root = i;
  }
  // Maps the index of the pair to report to UnorderedPair::later of the other pairs in its chain.
  std::map<std::size_t, std::set<std::int32_t>> following;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t root = roots[groups.of(i)];
    std::set<std::int32_t> &later = following[root];
    if (pairs[i].later != pairs[root].later) later.insert(pairs[i].later);
  }
  std::vector<Chain> chains;
  for (const auto &[root, later] : following) chains.push_back({root, {later.begin(), later.end()}});
  return chains;
}

}  // namespace cox::tools
