// Rows inside the nodes of the drawing: how the rows of the page's sample that reach a node lie where
// its question divides them. One column is a histogram, two are points over the regions of the
// branches, levels and everything else are bars. For regression, targets stand over columns and levels.

const PANEL = 74; // height that a node grows by
const PLOT = 48;
const SIDES = 12;
const POINT = 3; // width of a point
const BINS = 16;
const MOST_BARS = 12;
const LETTER = 6.5; // width of one, about

const sampleRow = (sample, index) => sample.columns.map((column) => column?.[index] ?? NaN);

// The rows of the sample that reach each node, with their targets.
function rowsAtNodes({ sample, tree }) {
  const rows = tree.nodes.map(() => []);
  sample.answers.forEach((target, index) => {
    const row = sampleRow(sample, index);
    for (const { node } of walk(tree, row)) rows[node].push({ row, target });
  });
  return rows;
}

function depthsOf(tree) {
  const depths = tree.nodes.map(() => 0);
  tree.nodes.forEach(({ children = [] }, node) => {
    for (const child of children) depths[child] = depths[node] + 1;
  });
  return depths;
}

// The ends of some numbers, apart even if all are the same.
function endsOf(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

const briefNumber = (number) => String(Number(number.toPrecision(3)));

class Thumbnail {
  constructor(page, node, rows, width) {
    this.page = page;
    this.node = node;
    this.test = page.tree.nodes[node].test;
    this.rows = rows;
    this.width = width;
    this.plot = makeSvg("svg", { x: -width / 2, y: 2, width, height: PLOT, viewBox: `0 0 ${width} ${PLOT}` });
    this.group = makeSvg("g", { class: "thumbnail" },
      makeSvg("title", {}, `${rows.length.toLocaleString("en")} rows of the sample`), this.plot,
      makeSvg("path", { class: "axis", d: `M${-width / 2},${PLOT + 2}h${width}` }));
  }

  get isRegression() {
    return this.page.tree.task === "regression";
  }

  add(tag, attributes) {
    this.plot.append(makeSvg(tag, attributes));
  }

  label(text, look, x, room) {
    const most = Math.max(1, Math.floor(room / LETTER));
    const words = text.length > most ? `${text.slice(0, most - 1)}…` : text;
    this.group.append(makeSvg("text", { class: look, x: x - this.width / 2, y: PLOT + 17 }, words));
  }

  valueText(value, column) {
    return this.page.columns[column]?.levels?.[value] ?? briefNumber(value);
  }

  labelEnds(ends, column) {
    const [low, high] = ends.map((end) => this.valueText(end, column));
    this.label(low, "s k", 0, this.width / 2);
    this.label(high, "s e", this.width, this.width / 2);
  }

  // Rectangles upon each other, one per class, from the bottom up.
  stack(rows, left, width, most) {
    const counts = new Map();
    for (const { target } of rows) {
      const colour = `c${target % 8}`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    let y = PLOT;
    for (const [colour, count] of [...counts].sort()) {
      const height = (PLOT * count) / most;
      y -= height;
      this.add("rect", { class: colour, x: left, y, width: Math.max(width - 1, 1), height, "stroke-width": 0 });
    }
  }

  cut(d) {
    this.add("path", { class: "cut", d });
  }

  // Rows along a number: a bar per value if there are few, else a histogram with a bin that ends at
  // the threshold; for regression the targets over it.
  along(valueOf, threshold, column) {
    const known = this.rows.map(({ row, target }) => ({ row, target, value: valueOf(row) }))
      .filter(({ value }) => Number.isFinite(value));
    const values = [...new Set(known.map(({ value }) => value))].sort((a, b) => a - b);
    if (values.length <= MOST_BARS) {
      this.bars(values.map((value) => ({
        name: this.valueText(value, column),
        rows: known.filter((one) => one.value === value),
        branch: Number(value > threshold),
      })));
      return;
    }
    const ends = endsOf([threshold, ...values]);
    this.labelEnds(ends, column);
    if (this.isRegression) {
      this.points(known.map(({ value, target }) => [this.place(value, ends), this.height(target), "c0"]));
      this.cut(`M${this.place(threshold, ends)},0v${PLOT}`);
      return;
    }
    const step = (ends[1] - ends[0]) / BINS;
    const bins = new Map();
    for (const one of known) {
      const bin = Math.ceil((one.value - threshold) / step) - 1;
      bins.set(bin, [...(bins.get(bin) ?? []), one]);
    }
    const [first, last] = [Math.min(-1, ...bins.keys()), Math.max(0, ...bins.keys())];
    const width = this.width / (last - first + 1);
    const most = Math.max(...[...bins.values()].map(({ length }) => length));
    for (const [bin, rows] of bins) this.stack(rows, (bin - first) * width, width, most);
    this.cut(`M${-first * width - 0.5},0v${PLOT}`);
  }

  // Where a number stands across, with room for half a point on either side.
  place(value, [low, high], room = this.width) {
    return POINT + ((room - 2 * POINT) * (value - low)) / (high - low);
  }

  // How far down a number of the target stands; all nodes have one scale.
  height(target) {
    return PLOT - this.place(target, endsOf(this.page.sample.answers), PLOT);
  }

  // One path per colour, each point a line of no length.
  points(places) {
    const paths = new Map();
    for (const [x, y, colour] of places) {
      paths.set(colour, `${paths.get(colour) ?? ""}M${x.toFixed(1)},${y.toFixed(1)}h0`);
    }
    for (const [colour, d] of paths) this.add("path", { class: `p ${colour}`, d });
  }

  // Rows in the plane of two columns, over the regions of the branches.
  plane([first, second]) {
    const known = this.rows.filter(({ row }) => Number.isFinite(row[first]) && Number.isFinite(row[second]));
    if (known.length === 0) return;
    const across = endsOf(known.map(({ row }) => row[first]));
    const up = endsOf(known.map(({ row }) => row[second]));
    const x = (value) => this.place(value, across);
    const y = (value) => PLOT - this.place(value, up, PLOT);
    this.regions(first, second, across, up);
    this.points(known.map(({ row, target }) => [x(row[first]), y(row[second]), this.tintOf(target)]));
    this.labelEnds(across, first);
    const [name, other] = [first, second].map((column) => this.page.columns[column].name);
    this.group.querySelector("title").append(`; ${name} across, ${other} up`);
  }

  // The colour of a point: its class, or its number from low to high.
  tintOf(target) {
    if (!this.isRegression) return `c${target % 8}`;
    const [least, most] = endsOf(this.page.sample.answers);
    return `q${Math.min(4, Math.floor((5 * (target - least)) / (most - least)))}`;
  }

  // What does not take the first branch is shaded: in each column of pixels, runs of one branch.
  regions(first, second, across, up) {
    const row = this.page.columns.map(() => NaN);
    const valueAt = (pixel, [low, high], room) => low + ((pixel - POINT) * (high - low)) / (room - 2 * POINT);
    const branchAt = (x, y) => {
      row[first] = valueAt(x + 0.5, across, this.width);
      row[second] = valueAt(PLOT - y - 0.5, up, PLOT);
      return branchOf(this.test, row);
    };
    const columns = Array.from({ length: Math.ceil(this.width) }, (_, x) =>
      Array.from({ length: PLOT }, (_, y) => branchAt(x, y)));
    let [shade, edges] = ["", ""];
    columns.forEach((branches, x) => {
      const beside = columns[x + 1] ?? branches;
      let start = 0;
      branches.forEach((branch, y) => {
        if (branch !== beside[y]) edges += `M${x + 1},${y}v1`;
        if (branch === branches[y + 1]) return;
        if (y + 1 < PLOT) edges += `M${x},${y + 1}h1`;
        if (branch !== 0) shade += `M${x},${start}h1V${y + 1}h-1z`;
        start = y + 1;
      });
    });
    this.add("path", { class: "no", d: shade, "shape-rendering": "crispEdges" });
    this.cut(edges);
  }

  // A bar for each group of rows, with a line where another branch begins.
  bars(groups) {
    const width = this.width / groups.length;
    const most = Math.max(1, ...groups.map(({ rows }) => rows.length));
    groups.forEach(({ name: text, rows, branch }, place) => {
      if (this.isRegression) this.strip(rows, place * width, width);
      else this.stack(rows, place * width + 1, width - 1, most);
      if (place > 0 && groups[place - 1].branch !== branch) this.cut(`M${place * width},0v${PLOT}`);
      if (width >= LETTER * Math.min(text.length + 1, 5)) this.label(text, "s", (place + 0.5) * width, width);
    });
  }

  // Targets of some rows beside each other, spread by the golden ratio.
  strip(rows, left, width) {
    this.points(rows.map(({ target }, place) =>
      [left + width * (0.2 + 0.6 * ((0.618 * place) % 1)), this.height(target), "c0"]));
  }

  levels(column) {
    const { levels } = this.page.columns[column];
    const groups = levels.map((text, code) => ({
      name: text,
      rows: this.rows.filter(({ row }) => row[column] === code),
      branch: branchOf(this.test, this.page.columns.map((_, place) => (place === column ? code : NaN))),
    })).filter(({ rows }) => rows.length > 0).sort((a, b) => a.branch - b.branch);
    if (groups.length === 0 || groups.length > MOST_BARS) this.branches();
    else this.bars(groups);
  }

  branches() {
    const { children } = this.page.tree.nodes[this.node];
    const asked = this.page.asked[this.node];
    const nameOf = (branch) => (branch === asked ? "yes" : "no");
    this.bars(children.map((_, branch) => ({
      name: children.length === 2 ? nameOf(branch) : String(branch + 1),
      rows: this.rows.filter(({ row }) => branchOf(this.test, row) === branch),
      branch,
    })));
  }

  // Whether the question is of two numbers.
  isPlane() {
    const columns = columnsOf(this.test);
    return columns.length === 2 && columns.every((column) => !this.page.columns[column].levels);
  }

  sum() {
    const { coefficients, threshold } = this.test;
    this.along((row) => factorsOf(this.test, row)
      .reduce((sum, factor, i) => sum + coefficients[i] * factor, 0), threshold);
  }

  draw() {
    const { test } = this;
    byKind({
      axis: () => this.along((row) => row[test.column], test.threshold, test.column),
      linear: () => (this.isPlane() ? this.plane(columnsOf(test)) : this.sum()),
      subset: () => this.levels(test.column),
      multiway: () => this.levels(test.column),
      pair: () => (this.isPlane() ? this.plane(columnsOf(test)) : this.branches()),
      machine: () => (this.isPlane() ? this.plane(columnsOf(test)) : this.branches()),
    }, test)();
    return this.group;
  }
}

// Make room in every inner node of a drawing and put its rows there; what is below moves down.
function drawRows(page, drawing) {
  const { tree } = page;
  const [depths, rows] = [depthsOf(tree), rowsAtNodes(page)];
  for (const branch of drawing.querySelectorAll("[data-branch]")) {
    branch.setAttribute("transform", `translate(0,${PANEL * depths[branch.dataset.branch]})`);
  }
  for (const box of drawing.querySelectorAll("[data-node]")) {
    const node = nodeOf(box);
    const { e, f } = box.transform.baseVal[0].matrix;
    box.setAttribute("transform", `translate(${e},${f + PANEL * depths[node]})`);
    if (box.dataset.folds || !tree.nodes[node].test) continue;
    const ground = box.querySelector("rect");
    const [width, height] = [ground.width.baseVal.value, ground.height.baseVal.value];
    ground.setAttribute("height", height + PANEL);
    const thumbnail = new Thumbnail(page, node, rows[node], width - 2 * SIDES).draw();
    thumbnail.setAttribute("transform", `translate(0,${height})`);
    box.append(thumbnail);
  }
}
