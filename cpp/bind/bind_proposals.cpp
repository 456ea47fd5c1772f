// Pools of conditions for soft targets.
#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/split/subset/proposals.hpp"

namespace treewright::bind {

void bind_proposals(nb::module_& m) {
  using Dense = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "propose_conditions",
      [](const Dense& terms, const Dense& amounts, bool is_classification, std::size_t n_numeric,
         std::size_t n_terms, double min_weight, std::int32_t depth, std::int32_t sample_depth,
         std::int32_t n_samples, std::size_t screened, double shrinkage, double ridge,
         bool branches_on_all, std::size_t enough, std::uint64_t seed, const nb::object& progress) {
        SoftTable table;
        table.n_terms = terms.shape(0);
        table.n_rows = terms.shape(1);
        table.n_outputs = amounts.shape(1);
        table.values = {terms.data(), terms.size()};
        table.amounts = {amounts.data(), amounts.size()};
        table.is_classification = is_classification;
        table.n_numeric = n_numeric;
        require(amounts.shape(0) == table.n_rows, "Each row must have its amounts.");
        require(is_classification || table.n_outputs == 2, "Numbers have a weight and a sum.");
        ProposalOptions options;
        options.subset.n_terms = n_terms;
        options.subset.min_weight = min_weight;
        options.subset.screened = screened;
        options.subset.shrinkage = shrinkage;
        options.subset.ridge = ridge;
        options.depth = depth;
        options.sample_depth = sample_depth;
        options.n_samples = n_samples;
        options.branches_on_all = branches_on_all;
        options.enough = enough;
        options.seed = seed;
        Monitor monitor(std::nullopt, report_to(progress));
        std::vector<Proposal> found;
        {
          nb::gil_scoped_release release;
          found = propose(table, options, monitor);
        }
        nb::list conditions;
        for (const Proposal& proposal : found) {
          const SubsetCondition& c = proposal.condition;
          std::vector<std::int32_t> used(c.terms);
          std::vector<double> weights(c.weights);
          std::vector<std::uint8_t> met(proposal.is_met);
          conditions.append(nb::make_tuple(to_array(std::move(used)), to_array(std::move(weights)),
                                           c.threshold, to_array(std::move(met))));
        }
        return conditions;
      },
      nb::arg("terms"), nb::arg("amounts"), nb::arg("is_classification"), nb::arg("n_numeric"),
      nb::arg("n_terms"), nb::arg("min_weight"), nb::arg("depth"), nb::arg("sample_depth"),
      nb::arg("n_samples"), nb::arg("screened"), nb::arg("shrinkage"), nb::arg("ridge"),
      nb::arg("branches_on_all"), nb::arg("enough"), nb::arg("seed"),
      nb::arg("progress") = nb::none(),
      "Conditions of small greedy trees over soft targets: (terms, weights, threshold, rows that "
      "meet it).");
}

}  // namespace treewright::bind
