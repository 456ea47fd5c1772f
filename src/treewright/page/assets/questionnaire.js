// Question by question: only what the tree needs is asked, and "not sure" keeps every way open.
//
// The state is a list of places in the tree with the share of belief in each. An answer moves the
// place it is about to a child; "not sure" divides it among the children as the training rows were.
// Other places move too where it settles their question: nothing is asked twice.

// The answer "another level than those named": the node does what it does with a value it does not know.
const ANOTHER = -2;

// How the branch of a test is asked for.
const ASKED_BY = {
  axis: "yes or no",
  linear: "values",
  subset: "yes or no",
  multiway: "level",
  pair: "yes or no",
  machine: "values",
};

// The levels that a test names; undefined if all are on some branch, or it is not about levels.
const NAMED_LEVELS = {
  axis: () => undefined,
  linear: () => undefined,
  subset: ({ left, right }) => [...left, ...right],
  multiway: () => undefined,
  pair: () => undefined,
  machine: () => undefined,
};

// The branch of a test on a column that follows from the branch of another test on it.
const FOLLOWS = {
  axis: (test, asked, branch) => (asked.kind !== "axis" || asked.column !== test.column ? undefined
    : branch === 0 && asked.threshold <= test.threshold ? 0
      : branch === 1 && asked.threshold >= test.threshold ? 1 : undefined),
  linear: () => undefined,
  subset: () => undefined,
  multiway: () => undefined,
  pair: () => undefined,
  machine: () => undefined,
};

// The branch of a test that follows from answers, UNKNOWN for "not sure"; undefined if none is about it.
// An answer that may mean a level which the test does not name holds only where the same branch takes
// such levels.
function saidBranch(test, leftTo, answers) {
  for (const { test: asked, branch, leftTo: askedLeftTo } of answers) {
    if (JSON.stringify(asked) === JSON.stringify(test)) {
      if (branch >= 0 && askedLeftTo === branch && leftTo !== branch) continue;
      return branch;
    }
    const follows = byKind(FOLLOWS, test)(test, asked, branch);
    if (follows !== undefined) return follows;
  }
  return undefined;
}

class Questionnaire {
  constructor(page) {
    this.page = page;
  }

  restart(trace = false) {
    const row = this.page.columns.map(() => NaN);
    this.states = [{ places: [[0, 1]], row, answers: [], said: [] }];
    this.show(trace, false);
  }

  get state() {
    return this.states[this.states.length - 1];
  }

  // The inner node with the most belief, or undefined when all places are leaves.
  get open() {
    const { tree } = this.page;
    const inner = this.state.places.filter(([node, , ended]) => tree.nodes[node].test && !ended);
    return inner.sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  }

  answer(node, branch, words, row = this.state.row) {
    const { test } = this.page.tree.nodes[node];
    const answers = [...this.state.answers, { test, branch, leftTo: this.leftTo(node) }];
    const places = this.state.places.flatMap(([place, share, ended]) =>
      (ended ? [[place, share, ended]] : this.settle(place, share, row, answers)));
    this.states.push({ places, row, answers, said: [...this.state.said, words] });
    this.show(true, true);
  }

  // Where a place leads by what is known, with the shares of belief.
  settle(node, share, row, answers) {
    const { tree } = this.page;
    const { test, children } = tree.nodes[node];
    if (!test) return [[node, share]];
    const said = saidBranch(test, this.leftTo(node), answers);
    const branch = said ?? branchOf(test, row);
    if (branch === ANOTHER) return this.settleAnother(node, share, row, answers);
    if (branch !== UNKNOWN) return this.settle(children[branch], share, row, answers);
    if (said === undefined) return [[node, share]];
    return sharesBelow(tree, node).filter(([, part]) => part > 0)
      .flatMap(([child, part]) => this.settle(child, share * part, row, answers));
  }

  // Where a level that no branch names leads. Back-up tests may read what was not asked: all ways stay.
  settleAnother(node, share, row, answers) {
    const { tree } = this.page;
    const { missing, surrogates = [] } = tree.nodes[node];
    const { how, next } = nextOf(tree, node, row);
    const isOpen = missing.startsWith("surrogate") && surrogates.length > 0;
    if (how === "stop" && !isOpen) return [[node, share, true]];
    const ways = isOpen ? sharesBelow(tree, node).filter(([, part]) => part > 0) : next;
    return ways.flatMap(([child, part]) => this.settle(child, share * part, row, answers));
  }

  // The branch of levels that the test does not name, ANOTHER if they are on none; undefined if it
  // names all.
  leftTo(node) {
    const { test, missing, default_branch: byDefault, surrogates = [] } = this.page.tree.nodes[node];
    const named = byKind(NAMED_LEVELS, test)(test);
    if (named === undefined || named.length >= this.page.columns[test.column].levels.length) return undefined;
    const isByDefault = missing === "default" || (missing === "surrogate" && !surrogates.length);
    return isByDefault ? byDefault : ANOTHER;
  }

  // Whether "no" would say too much: there are levels that neither branch takes.
  leavesLevels(node) {
    return this.leftTo(node) === ANOTHER;
  }

  show(trace, focus) {
    const node = this.open;
    const heading = node === undefined
      ? make("h3", { tabindex: "-1" }, "That is all the tree asks.")
      : make("h3", { tabindex: "-1" }, name(this.questionText(node)));
    const choices = node === undefined ? [] : this.choices(node);
    const lines = this.state.said.map((words) => make("li", {}, inFull(...words)));
    const said = make("ol", { class: "said" }, ...lines);
    byId("question").replaceChildren(heading, ...choices, said, this.moves());
    this.showPossible(node === undefined);
    if (focus) heading.focus();
    if (trace) this.page.light(this.passed());
  }

  questionText(node) {
    const { test } = this.page.tree.nodes[node];
    const names = columnsOf(test).map((column) => this.page.columns[column].name);
    if (this.asksForValues(test)) return `What is ${listed(names)}?`;
    if (this.asksForLevel(node)) return `Which ${names[0]}?`;
    return `${this.askedWords(node)[0]}?`;
  }

  askedWords(node) {
    return this.page.branchWords(node, this.page.asked[node]);
  }

  unsureWords(node) {
    return this.askedWords(node).map((words) => `not sure whether ${words}`);
  }

  // All levels of the branches that are asked about, on demand, where the question leaves some out.
  wholeWords(node) {
    if (!this.page.tree.short[node]) return [];
    const { words, asked } = this.page;
    const lines = this.asksForLevel(node) ? words[node] : [words[node][asked[node]]];
    return [make("details", { class: "whole" }, make("summary", {}, "All levels"),
      make("ul", {}, ...lines.map((line) => make("li", {}, name(line)))))];
  }

  // Whether the branches are named; a boolean is asked by yes or no.
  asksForLevel(node) {
    const { test } = this.page.tree.nodes[node];
    const isLevel = byKind(ASKED_BY, test) === "level" && !this.page.columns[test.column].flags;
    return isLevel || this.leavesLevels(node);
  }

  asksForValues(test) {
    return byKind(ASKED_BY, test) === "values";
  }

  choices(node) {
    const { test } = this.page.tree.nodes[node];
    const branches = this.page.words[node].map((_, branch) => branch);
    const unsure = make("button", { type: "button", class: "quiet", onclick: () =>
      this.answer(node, UNKNOWN, this.unsureWords(node)) }, "Not sure");
    if (this.asksForValues(test)) return this.valueForm(node, unsure);
    const isNamed = this.asksForLevel(node);
    const asked = this.page.asked[node];
    const inOrder = isNamed ? branches : [asked, 1 - asked];
    const buttons = inOrder.map((branch) => {
      const words = this.page.branchWords(node, branch);
      const label = isNamed ? words[0] : branch === asked ? "Yes" : "No";
      return make("button", { type: "button", onclick: () => this.answer(node, branch, words) }, label);
    });
    if (this.leavesLevels(node)) {
      const said = `another ${this.page.columns[test.column].name}`;
      const onclick = () => this.answer(node, ANOTHER, [said, said]);
      buttons.push(make("button", { type: "button", onclick }, "Another"));
    }
    return [...this.wholeWords(node), make("div", { class: "choices" }, ...buttons, unsure)];
  }

  valueForm(node, unsure) {
    const { test } = this.page.tree.nodes[node];
    const columns = columnsOf(test);
    const inputs = columns.map((column) =>
      valueInput(`asked-${column}`, this.page.columns[column], this.state.row[column]));
    const form = make("form", {}, ...columns.map((column, i) => make("div", { class: "field" },
      make("label", { for: `asked-${column}` }, name(this.page.columns[column].name)), inputs[i],
      make("span", { class: "unit" }, this.page.columns[column].unit))),
    make("div", { class: "choices" }, make("button", { type: "submit" }, "Go on"), unsure));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const row = [...this.state.row];
      columns.forEach((column, i) => { row[column] = numberIn(inputs[i]); });
      const branch = branchOf(test, row);
      const words = branch === UNKNOWN ? this.unsureWords(node) : this.page.branchWords(node, branch);
      this.answer(node, branch, words, row);
    });
    return [form];
  }

  moves() {
    const isFirst = this.states.length === 1;
    return make("div", { class: "moves" },
      make("button", { type: "button", class: "quiet", disabled: isFirst, onclick: () => {
        this.states.pop();
        this.show(true, true);
      } }, "Back"),
      make("button", { type: "button", class: "quiet", disabled: isFirst, onclick: () => {
        this.restart(true);
        byId("question").querySelector("h3").focus();
      } }, "Start again"));
  }

  showPossible(isDone) {
    const { tree, classes } = this.page;
    const ends = this.state.places.map(([node, share, ended]) => ({ node, share, ended }));
    const { mixed, value } = answerOfEnds(tree, ends);
    const title = isDone ? `${this.page.target}: ` : `${this.page.target}, as far as is known:`;
    const parts = [make("h3", {}, title)];
    if (tree.task === "classification") {
      if (isDone) parts[0].append(make("strong", {}, name(classes[value])));
      parts.push(shareBars(mixed, classes));
    } else {
      const leaves = this.endsBelow(ends).map((node) => tree.nodes[node].value);
      const range = [Math.min(...leaves), Math.max(...leaves)].map((value) => this.page.answerText(value));
      parts.push(make("p", { class: "answer" }, make("strong", {}, this.page.answerText(value))));
      if (range[0] !== range[1]) {
        parts.push(make("p", { class: "muted" }, `${range.join(" to ")} are still possible.`));
      }
    }
    const ways = this.endsBelow(ends).length;
    const left = ways === 1 ? "One path through the tree is left." : `${ways} paths through the tree are left.`;
    parts.push(make("p", { class: "muted" }, left));
    byId("possible").replaceChildren(...parts);
  }

  endsBelow(places) {
    const { tree } = this.page;
    const pending = [...places];
    const ends = [];
    while (pending.length) {
      const { node, ended } = pending.pop();
      const { test, children } = tree.nodes[node];
      if (test && !ended) pending.push(...children.map((child) => ({ node: child })));
      else ends.push(node);
    }
    return ends;
  }

  // The places and all nodes above them.
  passed() {
    const { tree } = this.page;
    const nodes = new Set(this.state.places.map(([node]) => node));
    for (let node = tree.nodes.length - 1; node >= 0; node -= 1) {
      if (tree.nodes[node].children?.some((child) => nodes.has(child))) nodes.add(node);
    }
    return nodes;
  }
}
