// What errors cost: the slider moves the recommended tree and the threshold of its prediction.

const RATIOS = [1 / 20, 1 / 10, 1 / 5, 1 / 3, 1 / 2, 1, 2, 3, 5, 10, 20];

// Rows of the class that are found, and others that are taken for it, from a probability on.
function atThreshold(thresholds, threshold) {
  const reached = thresholds.filter(([probability]) => probability >= threshold - 1e-9);
  const [, found, alarms] = reached.at(-1) ?? [1, 0, 0];
  return { found, alarms };
}

// The mean cost of a row, where a row that is missed costs as many false alarms as the ratio says.
function costAt(thresholds, ratio, threshold) {
  const [, positives, others] = thresholds.at(-1);
  const { found, alarms } = atThreshold(thresholds, threshold);
  return (ratio * (positives - found) + alarms) / (positives + others);
}

// The tree that is cheapest, of equal ones the smallest.
function cheapestTree(trees, ratio) {
  const costs = trees.map((thresholds) => costAt(thresholds, ratio, 1 / (1 + ratio)));
  return costs.indexOf(Math.min(...costs));
}

class CostSlider {
  constructor(page, thresholds) {
    this.page = page;
    this.thresholds = thresholds;
    this.input = byId("cost");
    if (!this.input) return;
    const [missed, other] = [page.classes[page.positive], page.classes[1 - page.positive]];
    byId("cost-label").replaceChildren("Missing ", name(missed), ", against missing ", name(other));
    this.input.addEventListener("input", () => this.move());
    this.fill();
  }

  // How many errors of the other kind one missed row of the positive class costs.
  get ratio() {
    return RATIOS[this.input.valueAsNumber];
  }

  move() {
    const { models } = this.page;
    const isEven = this.ratio === 1;
    this.page.choose(0, isEven ? models[0].chosen : cheapestTree(this.thresholds, this.ratio));
  }

  fill() {
    if (!this.input) return;
    const value = this.ratio;
    const words = value >= 1 ? `${value} : 1` : `1 : ${Math.round(1 / value)}`;
    byId("cost-value").textContent = words;
    this.input.setAttribute("aria-valuetext", words);
    byId("cost-words").replaceChildren(...this.sentences());
  }

  sentences() {
    const { page, ratio } = this;
    if (page.model !== 0) return [make("p", {}, "Known for the recommended family only.")];
    if (ratio === 1) return [make("p", {}, "Both errors cost the same: the more probable class is predicted.")];
    const threshold = 1 / (1 + ratio);
    const ours = this.thresholds[page.step];
    const [, positives, others] = ours.at(-1);
    const { found, alarms } = atThreshold(ours, threshold);
    const [missed, other] = [page.classes[page.positive], page.classes[1 - page.positive]];
    const cost = (thresholds, at) => costAt(thresholds, ratio, at).toPrecision(3);
    const usual = this.thresholds[page.models[0].chosen];
    const leaves = page.tree.nodes.filter(({ test }) => !test);
    const stated = ({ id, probabilities }) => (probabilities ?? answerOf(page.tree, id))[page.positive];
    const changed = leaves.filter((leaf) => (stated(leaf) >= threshold - 1e-9) !== (leaf.value === page.positive));
    const size = leaves.length === 1 ? "1 leaf" : `${leaves.length} leaves`;
    return [
      make("p", {}, "Predict ", name(missed), ` from a probability of ${shareText(threshold)} on. `,
        `The tree above (${size}) then finds ${shareText(found / positives)} of `, name(missed),
        `, and takes ${shareText(alarms / others)} of `, name(other), " for it."),
      make("p", {}, `Mean cost of a row in cross-validation: ${cost(ours, threshold)}, `,
        `against ${cost(usual, 0.5)} for the recommended tree and its usual predictions.`),
      make("p", {}, changed.length
        ? `Predictions that change: ${changed.length} of ${size}, with a probability of `
          + `${listed(changed.map((leaf) => shareText(stated(leaf))))}.`
        : "No leaf of this tree changes its prediction."),
    ];
  }
}
