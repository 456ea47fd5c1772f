// What matters in a sum: each coefficient in standard units, that is times the standard deviation of
// what it is multiplied by over the rows of the page's sample, as a proportion of all of them.

function deviationOf(numbers) {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length);
}

function contributionsOf(test, sample) {
  const rows = sample.answers.map((_, index) => factorsOf(test, sampleRow(sample, index)));
  const moves = test.coefficients.map((coefficient, term) =>
    Math.abs(coefficient) * (deviationOf(rows.map((factors) => factors[term]).filter(Number.isFinite)) || 0));
  const total = moves.reduce((sum, move) => sum + move, 0);
  return moves.map((move) => (total > 0 ? move / total : 0));
}

const HAS_CONTRIBUTIONS = {
  axis: () => false,
  linear: ({ columns }) => columns.length > 1,
  subset: () => false,
  multiway: () => false,
  pair: () => false,
  machine: () => false,
};

// The terms of a sum with their contributions as bars, the largest first; null for other splits.
function contributionBars(page, test) {
  if (!page.sample || !byKind(HAS_CONTRIBUTIONS, test)(test)) return null;
  const parts = contributionsOf(test, page.sample);
  const order = [...parts.keys()].sort((a, b) => parts[b] - parts[a]);
  const list = make("ul", { class: "terms" }, ...order.map((term) => {
    const { name: title, levels } = page.columns[test.columns[term]];
    const level = test.levels?.[term] ?? null;
    const words = level === null ? title : `${title} is ${levels[level]}`;
    return make("li", {}, make("span", {}, `${briefNumber(test.coefficients[term])} × `, name(words)),
      make("span", { class: "number" }, shareText(parts[term])), bar(parts[term], ""));
  }));
  const caption = "What moves the sum: coefficient times standard deviation in the sample, in proportion.";
  return make("div", {}, make("span", { class: "muted" }, caption), list);
}
