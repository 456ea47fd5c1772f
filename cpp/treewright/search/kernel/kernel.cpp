#include "treewright/search/kernel/kernel.hpp"

#include <algorithm>
#include <vector>

namespace treewright::search {

std::span<const Kernel* const> usable_kernels() {
  static const std::vector<const Kernel*> kernels = [] {
    std::vector<const Kernel*> found{avx512_kernel(), avx512bw_kernel(), avx2_kernel(),
                                     neon_kernel(), &scalar_kernel};
    std::erase(found, nullptr);
    return found;
  }();
  return kernels;
}

const Kernel* find_kernel(std::string_view name) {
  const std::span<const Kernel* const> kernels = usable_kernels();
  if (name == "auto") return kernels.front();
  const auto found = std::ranges::find(kernels, name, &Kernel::name);
  return found == kernels.end() ? nullptr : *found;
}

}  // namespace treewright::search
