// Where a row goes in a tree, and what is said there: the rules of the library's core, over the
// tree's JSON as it stands in the model file. A row is an array of numbers, one a column: level
// codes for categories, NaN where nothing is known. How answers are mixed and chosen (`largest`,
// `mix`, `cheapest`) is what exported JavaScript says too, and stands before this script.

const UNKNOWN = -1;

// What a table says of the kind of a test; a kind that it lacks is an error and never skipped.
function byKind(table, { kind }) {
  if (!Object.hasOwn(table, kind)) throw new Error(`The page does not know splits of the kind "${kind}".`);
  return table[kind];
}

function axisBranch(test, row) {
  const x = row[test.column];
  return x <= test.threshold ? 0 : Number.isNaN(x) ? UNKNOWN : 1;
}

// What the coefficient of each term of a sum is multiplied by: a number, or whether it is a level.
function factorsOf({ columns, levels }, row) {
  return columns.map((column, i) => {
    const level = levels?.[i] ?? null;
    return level === null || Number.isNaN(row[column]) ? row[column] : Number(row[column] === level);
  });
}

function linearBranch(test, row) {
  let sum = 0;
  factorsOf(test, row).forEach((factor, i) => { sum += test.coefficients[i] * factor; });
  return sum <= test.threshold ? 0 : Number.isNaN(sum) ? UNKNOWN : 1;
}

function subsetBranch(test, row) {
  const level = row[test.column];
  return test.left.includes(level) ? 0 : test.right.includes(level) ? 1 : UNKNOWN;
}

function multiwayBranch(test, row) {
  return test.branches.findIndex((levels) => levels.includes(row[test.column]));
}

// Kleene's logic: a part that settles the answer alone needs no other part. Branch 0 is true.
function joinedBranch(connective, a, b) {
  const isKnown = a !== UNKNOWN && b !== UNKNOWN;
  switch (connective) {
    case "and": return a === 1 || b === 1 ? 1 : isKnown ? 0 : UNKNOWN;
    case "or": return a === 0 || b === 0 ? 0 : isKnown ? 1 : UNKNOWN;
    case "xor": return isKnown ? Number(a === b) : UNKNOWN;
    case "and not": return a === 1 || b === 0 ? 1 : isKnown ? 0 : UNKNOWN;
    default: throw new Error(`The page does not know the connective "${connective}".`);
  }
}

function machineBranch(test, row) {
  return largest(...test.scores.map(({ coefficients, intercept }) =>
    test.columns.reduce((score, column, i) => score + coefficients[i] * row[column], intercept)));
}

const BRANCH_OF = {
  axis: axisBranch,
  linear: linearBranch,
  subset: subsetBranch,
  multiway: multiwayBranch,
  pair: (test, row) =>
    joinedBranch(test.connective, branchOf(test.first, row), branchOf(test.second, row)),
  machine: machineBranch,
};

function branchOf(test, row) {
  return byKind(BRANCH_OF, test)(test, row);
}

const COLUMNS_OF = {
  axis: ({ column }) => [column],
  linear: ({ columns }) => [...new Set(columns)],
  subset: ({ column }) => [column],
  multiway: ({ column }) => [column],
  pair: ({ first, second }) => [...new Set([first.column, second.column])],
  machine: ({ columns }) => columns,
};

const columnsOf = (test) => byKind(COLUMNS_OF, test)(test);

function weightOf(tree, node) {
  const statistics = tree.nodes[node].statistics;
  if (tree.task === "regression") return statistics[0];
  return statistics.reduce((sum, weight) => sum + weight, 0);
}

// The children of a node with the share of its training rows that each of them got.
function sharesBelow(tree, node) {
  const children = tree.nodes[node].children;
  const weights = children.map((child) => weightOf(tree, child));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return children.map((child, i) => [child, total > 0 ? weights[i] / total : 1 / children.length]);
}

// Where a row goes from an inner node: pairs of a child and a share, none if it ends here. `how`
// says by what: its own value, a surrogate test, or the policy for missing values.
function nextOf(tree, node, row) {
  const { test, children, missing, default_branch: byDefault, surrogates = [] } = tree.nodes[node];
  const branch = branchOf(test, row);
  if (branch !== UNKNOWN) return { how: "value", next: [[children[branch], 1]] };
  if (missing === "fraction") {
    return { how: "fraction", next: sharesBelow(tree, node).filter(([, share]) => share > 0) };
  }
  if (missing.startsWith("surrogate")) {
    for (const surrogate of surrogates) {
      const backUp = branchOf(surrogate.test, row);
      if (backUp === UNKNOWN) continue;
      const taken = surrogate.swapped ? 1 - backUp : backUp;
      return { how: "surrogate", surrogate, next: [[children[taken], 1]] };
    }
  }
  if (missing.endsWith("stop")) return { how: "stop", next: [] };
  return { how: "default", next: [[children[byDefault], 1]] };
}

// All nodes a row passes, parents first, each with the share of the row that comes there.
function walk(tree, row) {
  const steps = [];
  const pending = [[0, 1]];
  while (pending.length) {
    const [node, share] = pending.pop();
    if (!tree.nodes[node].test) {
      steps.push({ node, share, ends: true });
      continue;
    }
    const { how, surrogate, next } = nextOf(tree, node, row);
    steps.push({ node, share, how, surrogate, ends: next.length === 0, next: next.map(([to]) => to) });
    for (const [child, part] of next.reverse()) pending.push([child, share * part]);
  }
  return steps;
}

// The class shares of a node, or its number as the only entry.
function answerOf(tree, node) {
  const { statistics, value } = tree.nodes[node];
  if (tree.task === "regression") return [value];
  const weight = weightOf(tree, node);
  return statistics.map((part, code) => (weight > 0 ? part / weight : Number(code === value)));
}

// What is known of rows that end in several nodes: answers mixed by share, and the class chosen
// or the number.
function answerOfEnds(tree, ends) {
  const mixed = mix(ends.map(({ node, share }) => [node, share]), (node) => answerOf(tree, node));
  if (tree.task === "regression") return { mixed, value: mixed[0] };
  if (ends.length === 1) return { mixed, value: tree.nodes[ends[0].node].value };
  const costs = tree.cost_matrix;
  return { mixed, value: costs ? cheapest(mixed, costs) : largest(...mixed) };
}

// The answer for a row: a position among the classes, or a number; with what it rests on.
function predict(tree, row) {
  const steps = walk(tree, row);
  const ends = steps.filter((step) => step.ends);
  return { steps, ends, ...answerOfEnds(tree, ends) };
}
