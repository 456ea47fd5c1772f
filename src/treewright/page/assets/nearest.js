// The nearest counterfactual: the smallest change of one value with which the tree answers otherwise,
// as the library's `explain` finds it. Sizes and digits are read off the tests of the tree. Between
// two neighbouring cuts along a column the answer is the same, so one number of each piece is given
// to the tree; what is shown was answered by it. Of changes that are equally large, the one to the
// most frequent level is taken: as the rows of the page count them, or else as the branches of the
// tree tell.

const MOST_DECIMALS = 9;
const OVERSHOOT = 0.05; // how much further a change may go for the sake of few digits
const LARGEST = 1.7e308;
const MOST_DIGITS = 17;

const itself = (test) => [test];
const none = () => [];

const PARTS_OF = {
  axis: itself,
  linear: itself,
  subset: itself,
  multiway: itself,
  pair: ({ first, second }) => [first, second],
  machine: itself,
};

const partsOf = (test) => byKind(PARTS_OF, test)(test);

// All tests of a tree and those that stand in for them, pairs taken apart.
function testsOf(tree) {
  return tree.nodes.flatMap(({ test, surrogates = [] }) =>
    (test ? [...partsOf(test), ...surrogates.map((surrogate) => surrogate.test)] : []));
}

// The sums of a test as [columns, coefficients, threshold, what the coefficients are multiplied by];
// of several scores the differences of two.
const SUMS_OF = {
  axis: none,
  linear: (test, row) => [[test.columns, test.coefficients, test.threshold, factorsOf(test, row)]],
  subset: none,
  multiway: none,
  pair: none,
  machine: ({ columns, scores }, row) => scores.flatMap((first, i) =>
    scores.slice(i + 1).map((second) => [columns,
      first.coefficients.map((a, j) => a - second.coefficients[j]), second.intercept - first.intercept,
      columns.map((column) => row[column])])),
};

const SCORES_OF = {
  axis: none,
  linear: ({ coefficients, threshold }) => [{ coefficients, intercept: threshold }],
  subset: none,
  multiway: none,
  pair: none,
  machine: ({ scores }) => scores,
};

const CUTS_OF = {
  axis: ({ column, threshold }) => [[column, threshold]],
  linear: none,
  subset: none,
  multiway: none,
  pair: none,
  machine: none,
};

// The cuts that a test makes right on a column.
const cutsOn = (test, column) => byKind(CUTS_OF, test)(test).filter(([cut]) => cut === column)
  .map(([, threshold]) => threshold);

// The numbers that a sum or score names for its columns.
function namedNumbers(test) {
  return byKind(SCORES_OF, test)(test).flatMap(({ coefficients, intercept }) => coefficients.flatMap((coefficient, i) => {
    const ratio = intercept / coefficient;
    return coefficient ? [[test.columns[i], Number.isFinite(ratio) ? ratio : 0]] : [];
  }));
}

// Where along a column some test may turn while all other values stay, rising.
function turningPoints(tests, row, column) {
  const points = new Set();
  const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  for (const test of tests) {
    for (const cut of cutsOn(test, column)) points.add(cut);
    for (const [columns, coefficients, threshold, factors] of byKind(SUMS_OF, test)(test, row)) {
      const place = columns.indexOf(column);
      if (place < 0 || coefficients[place] === 0) continue;
      const products = factors.map((factor, i) => coefficients[i] * factor);
      const rest = total(products.slice(0, place)) + total(products.slice(place + 1));
      const point = (threshold - rest) / coefficients[place];
      if (Number.isFinite(point)) points.add(point);
    }
  }
  return [...points].sort((a, b) => a - b);
}

function decimalsOf(number) {
  const [digits, exponent = "0"] = String(number).split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}

// The change of a column that counts as 1, the digits its numbers have (null for any number), and
// the least it may be changed to: what is not negative stays so, unless the tree cuts below 0.
function scaleOf(tests, column, value, isWhole) {
  const cuts = tests.flatMap((test) => cutsOn(test, column));
  const inSums = tests.flatMap(namedNumbers).filter(([named]) => named === column)
    .map(([, number]) => number);
  let size = Math.max(0, ...[...cuts, ...inSums].map(Math.abs));
  if (cuts.length) size = Math.max(size, Math.max(...cuts) - Math.min(...cuts));
  if (!(size > 0 && size < Infinity)) size = Math.abs(value) || 1;
  let decimals = cuts.length ? Math.max(...[...cuts, value].map(decimalsOf)) : null;
  if (isWhole && cuts.every((cut) => Number.isInteger(2 * cut))) decimals = 0;
  return {
    size,
    decimals: decimals !== null && decimals <= MOST_DECIMALS ? decimals : null,
    least: Math.min(value, ...cuts) >= 0 ? 0 : -Infinity,
  };
}

// The number of so many steps of the last decimal, read from its text so that it is the nearest one.
const onGrid = (steps, decimals) => Number(`${steps}e-${decimals}`);

// The number of steps up to a bound, which is small enough to be counted.
function stepsUpTo(bound, decimals) {
  let steps = Math.floor(bound * 10 ** decimals);
  while (onGrid(steps, decimals) > bound) steps -= 1;
  while (onGrid(steps + 1, decimals) <= bound) steps += 1;
  return steps;
}

const bits = new DataView(new ArrayBuffer(8));

function nextAbove(number) {
  if (number === Infinity) return number;
  if (number === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

// A number with few digits, not below `low` and below `high`.
function shortestBetween(low, high) {
  if (low <= 0 && high > 0) return 0;
  const middle = low / 2 + high / 2;
  const top = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  for (let digits = 0; digits <= MOST_DIGITS; digits += 1) {
    const exponent = top + 1 - digits;
    const around = Math.round(middle / 10 ** exponent);
    const inside = [around - 1, around, around + 1].map((steps) => Number(`${steps}e${exponent}`))
      .filter((number) => number >= low && number < high);
    if (inside.length) {
      return inside.reduce((best, number) =>
        (Math.abs(number - middle) < Math.abs(best - middle) ? number : best));
    }
  }
  return low;
}

// Numbers to try in a column of any numbers: in each piece the one nearest to `start`.
function* nearestOfPieces(points, start) {
  const reach = (bound) => OVERSHOOT * Math.abs(bound - start) || 1e-3 * Math.abs(bound) || 1e-3;
  for (const [place, point] of points.entries()) {
    if (point >= start) {
      const low = nextAbove(point);
      const end = points[place + 1] ?? Infinity;
      const high = Math.min(point + reach(point), nextAbove(end));
      if (low <= end) yield low < high ? shortestBetween(low, Math.min(high, LARGEST)) : low;
      continue;
    }
    for (const bound of [point, -nextAbove(-point)]) {
      const low = Math.max(bound - reach(bound), nextAbove(points[place - 1] ?? -Infinity));
      if (low < nextAbove(bound)) yield shortestBetween(Math.max(low, -LARGEST), nextAbove(bound));
    }
  }
}

function valuesToTry(points, start, decimals) {
  if (decimals === null) return [...nearestOfPieces(points, start)];
  // One step further, for sums that turn a hair beside where they should.
  return points.flatMap((point) => {
    const size = Math.abs(point);
    if (nextAbove(size) - size > 10 ** -decimals) { // neighbours are further apart than a step
      return [-nextAbove(-point), point, nextAbove(point), nextAbove(nextAbove(point))];
    }
    const steps = stepsUpTo(point, decimals);
    return [-1, 0, 1, 2].map((more) => onGrid(steps + more, decimals));
  });
}

// The levels of each branch of a split on levels, in the order of the branches.
const LEVELS_OF_BRANCH = {
  axis: none,
  linear: none,
  subset: ({ left, right }) => [left, right],
  multiway: ({ branches }) => branches,
  pair: none,
  machine: none,
};

// How frequent each level of a column without an order is, by the cells of rows; null if none is known.
function frequenciesInRows(cells, n) {
  const known = cells.filter((cell) => cell !== null);
  if (!known.length) return null;
  return Array.from({ length: n }, (_, code) => known.filter((cell) => cell === code).length / known.length);
}

// The same by the branches of the split on the column with most training rows, whose levels are taken
// to be equally frequent; null if there is no such split.
function frequenciesInTree(tree, column, n) {
  let largest = null;
  for (const [node, { test }] of tree.nodes.entries()) {
    const isOnLevels = test && test.column === column && byKind(LEVELS_OF_BRANCH, test)(test).length > 0;
    if (isOnLevels && (largest === null || weightOf(tree, node) > weightOf(tree, largest))) largest = node;
  }
  if (largest === null) return null;
  const frequencies = new Array(n).fill(0);
  const { test } = tree.nodes[largest];
  byKind(LEVELS_OF_BRANCH, test)(test).forEach((levels, branch) => {
    const [, share] = sharesBelow(tree, largest)[branch];
    for (const level of levels) frequencies[level] = share / levels.length;
  });
  return frequencies;
}

// The change of one value that gives another answer: { column, value, answer, mixed }, or null.
// `columns` has the levels of each column, or null, and whether they are ordered; `isWhole(column)`
// tells whether it holds whole numbers; `sample` has the rows of the page by column, if there are any.
function nearestChange(tree, row, columns, isWhole, sample) {
  const tests = testsOf(tree);
  const { value: own } = predict(tree, row);
  let best = null;
  for (const column of new Set(tests.flatMap(columnsOf).sort((a, b) => a - b))) {
    const start = row[column];
    if (Number.isNaN(start)) continue;
    const { levels, ordered } = columns[column];
    const scale = levels ? null : scaleOf(tests, column, start, isWhole(column));
    const values = levels ? [...levels.keys()]
      : valuesToTry(turningPoints(tests, row, column), start, scale.decimals)
        .filter((value) => Number.isFinite(value) && value >= scale.least);
    const frequencies = !levels || ordered ? null
      : sample?.columns[column] ? frequenciesInRows(sample.columns[column], levels.length)
        : frequenciesInTree(tree, column, levels.length);
    for (const value of values) {
      const changed = [...row];
      changed[column] = value;
      const { value: answer, mixed } = predict(tree, changed);
      if (answer === own) continue;
      const distance = Math.abs(value - start);
      const size = levels ? (ordered ? Math.max(1, levels.length - 1) : distance) : scale.size;
      const cost = distance / size;
      const rarity = frequencies ? 1 - frequencies[value] : 0;
      const isNearer = !best || cost < best.cost || (cost === best.cost && (rarity < best.rarity
        || (rarity === best.rarity && best.column === column && value < best.value)));
      if (isNearer) best = { cost, rarity, column, value, answer, mixed };
    }
  }
  return best;
}
