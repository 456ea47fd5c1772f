// Try a row: values picked from the sample or typed, the answer, and the way there in words.

// The columns a tree reads, in the order it asks for them; those of surrogate tests last.
function columnsInUse(tree) {
  const asked = tree.nodes.flatMap(({ test }) => (test ? columnsOf(test) : []));
  const backUps = tree.nodes.flatMap(({ surrogates = [] }) => surrogates.map(({ test }) => test.column));
  return [...new Set([...asked, ...backUps])];
}

class RowExplainer {
  constructor(page) {
    this.page = page;
    this.row = page.columns.map(() => NaN);
    this.picked = null;
    byId("clear").addEventListener("click", () => this.clear());
    byId("row-form").addEventListener("submit", (event) => event.preventDefault());
    if (!page.sample) return;
    const number = byId("row-number");
    number.addEventListener("change", () => this.pick(number.valueAsNumber - 1));
    number.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") this.pick(number.valueAsNumber - 1);
    });
    byId("another").addEventListener("click", () => {
      this.pick(Math.floor(Math.random() * page.sample.answers.length));
    });
  }

  // Begin with the first row of the sample, or with nothing known.
  start() {
    if (this.page.sample) this.pick(0, false);
    else this.fill();
  }

  pick(index, trace = true) {
    const last = this.page.sample.answers.length - 1;
    this.picked = Math.min(Math.max(Number.isFinite(index) ? Math.trunc(index) : 0, 0), last);
    byId("row-number").value = this.picked + 1;
    this.row = sampleRow(this.page.sample, this.picked);
    this.fill(trace);
  }

  clear() {
    this.row.fill(NaN);
    this.picked = null;
    this.fill(true);
  }

  // Make a field for each column that the tree shown reads.
  fill(trace = false) {
    const fields = columnsInUse(this.page.tree).map((column) => this.field(column));
    byId("fields").replaceChildren(...fields);
    this.show(trace);
  }

  field(column) {
    const { name: title, unit } = this.page.columns[column];
    const id = `field-${column}`;
    const input = valueInput(id, this.page.columns[column], this.row[column]);
    input.addEventListener("input", () => {
      this.row[column] = numberIn(input);
      this.picked = null;
      this.show(true);
    });
    return make("div", { class: "field" }, make("label", { for: id }, name(title)), input,
      make("span", { class: "unit" }, unit));
  }

  show(trace) {
    const { tree } = this.page;
    const { steps, ends, mixed, value } = predict(tree, this.row);
    const parts = [make("p", { class: "answer" }, `${this.page.target}: `,
      make("strong", {}, name(this.page.answerText(value))))];
    if (this.picked !== null) parts.push(this.truth(value));
    if (tree.task === "classification") parts.push(shareBars(mixed, this.page.classes));
    parts.push(make("ol", { class: "way" }, ...steps.filter((step) => tree.nodes[step.node].test)
      .map((step) => this.step(step))));
    parts.push(this.nearest());
    const passed = new Set(steps.map((step) => step.node));
    const link = make("a", { href: "#tree-heading", onclick: () => this.page.light(passed) },
      "See the path in the tree");
    parts.push(make("p", { class: "muted" }, `${this.ending(ends)} `, link));
    byId("row-result").replaceChildren(...parts);
    if (trace) this.page.light(passed);
  }

  truth(value) {
    const truth = this.page.sample.answers[this.picked];
    const words = this.page.answerText(truth);
    const isRight = this.page.tree.task === "classification" && truth === value;
    const mark = this.page.tree.task === "regression" ? "" : isRight ? " – right" : " – wrong";
    return make("p", { class: "truth" }, "In the data: ", name(words), mark);
  }

  // One question on the way: what the row has, and where that leads.
  step({ node, how, surrogate, next }) {
    const { test, children } = this.page.tree.nodes[node];
    const [child] = next;
    const isTaken = how !== "fraction" && how !== "stop";
    const lead = isTaken ? inFull(...this.page.branchWords(node, children.indexOf(child)),
      (text) => make("strong", {}, name(text))) : null;
    const has = columnsOf(test).map((column) => this.valueText(column)).join(", ");
    const why = {
      value: has,
      surrogate: surrogate ? `${has}; decided by ${this.valueText(columnsOf(surrogate.test)[0])}` : "",
      default: `${has}; the tree then takes this branch`,
      fraction: `${has}; every branch counts by its proportion of the rows`,
      stop: `${has}; the tree stops here`,
    }[how];
    const terms = contributionBars(this.page, test);
    return make("li", {}, ...[lead, make("span", { class: "muted" }, name(why)), terms].filter(Boolean));
  }

  // The smallest change of one value that would give another prediction, in words.
  nearest() {
    const { tree, columns } = this.page;
    const isWhole = (column) => this.isWhole(column);
    const found = nearestChange(tree, this.row, columns, isWhole, this.page.sample);
    if (!found) {
      const words = tree.nodes.length > 1 ? "No change of one known value gives another prediction."
        : "The tree predicts this for every row.";
      return make("p", { class: "nearest" }, words);
    }
    const { column, value, answer, mixed } = found;
    const sure = tree.task === "classification" ? ` (${shareText(mixed[answer])})` : "";
    const change = `${this.changedText(column, value)} instead of ${this.cellText(column)}`;
    return make("p", { class: "nearest" }, "Nearest counterfactual: ",
      make("strong", {}, name(this.page.answerText(answer))), `${sure} with `, name(change), ".");
  }

  // Whether a column holds whole numbers, as far as the rows of the page tell.
  isWhole(column) {
    const cells = this.page.sample?.columns[column] ?? [];
    return [this.row[column], ...cells].every((cell) => cell === null || Number.isInteger(cell));
  }

  cellText(column, value = this.row[column]) {
    const { unit, levels, flags } = this.page.columns[column];
    return flags ? flags[value] : levels ? levels[value] : `${value}${unit ? ` ${unit}` : ""}`;
  }

  changedText(column, value) {
    const { name: title, flags } = this.page.columns[column];
    return flags ? flags[value] : `${title} ${this.cellText(column, value)}`;
  }

  valueText(column) {
    const isKnown = !Number.isNaN(this.row[column]);
    const { name: title, flags } = this.page.columns[column];
    if (flags && isKnown) return this.cellText(column);
    return `${title} is ${isKnown ? this.cellText(column) : "not known"}`;
  }

  ending(ends) {
    const { tree } = this.page;
    const rows = ends.reduce((sum, { node }) => sum + tree.nodes[node].rows, 0);
    const count = Math.round(rows).toLocaleString("en");
    return `It rests on ${count} training ${count === "1" ? "row" : "rows"} that took the same path.`;
  }
}
