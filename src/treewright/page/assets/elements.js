// Elements of the page and the words in them. Text only ever goes in as text, never as HTML.

const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// Only a pure 1 reads "100 %" and only a pure 0 reads "0 %".
function shareText(share) {
  const percent = Math.round(100 * share);
  if (percent === 100 && share < 1 - 1e-12) return ">99\u00a0%";
  if (percent === 0 && share > 0) return "<1\u00a0%";
  return `${percent}\u00a0%`;
}

function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function bar(share, kind) {
  const attributes = { class: `bar ${kind}`, viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" };
  return makeSvg("svg", attributes, makeSvg("rect", { class: "rail", width: 100, height: 10 }),
    makeSvg("rect", { class: "fill", width: 100 * share, height: 10 }));
}

const name = (text) => make("bdi", {}, text);

// Words of which a long set of levels is not written out, with all of them on demand.
function inFull(short, full, write = name) {
  if (short === full) return write(full);
  return make("details", { class: "levels" }, make("summary", {}, write(short)), name(full));
}

// Shares of the classes as bars, the largest first; those after the fifth together.
function shareBars(shares, classes) {
  const order = [...shares.keys()].filter((code) => shares[code] > 0);
  order.sort((a, b) => shares[b] - shares[a] || a - b);
  const list = make("ul", { class: "shares" });
  for (const code of order.slice(0, 5)) {
    list.append(make("li", {}, make("span", {}, name(classes[code])),
      make("span", { class: "number" }, shareText(shares[code])), bar(shares[code], `c${code % 8}`)));
  }
  const rest = order.slice(5).reduce((sum, code) => sum + shares[code], 0);
  if (rest > 0) list.append(make("li", {}, `${order.length - 5} others: ${shareText(rest)}`));
  return list;
}

// What was typed into a field; NaN for nothing.
const numberIn = (input) => (input.value === "" ? NaN : Number(input.value));

// A field for the value of a column: a choice of its levels, or a number.
function valueInput(id, { levels }, value) {
  if (levels) {
    return make("select", { id }, make("option", { value: "" }, "not known"),
      ...levels.map((level, code) => make("option", { value: code, selected: code === value }, level)));
  }
  const input = make("input", { id, type: "number", step: "any", placeholder: "not known" });
  if (!Number.isNaN(value)) input.value = value;
  return input;
}

function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
}

// Light up nodes of the drawing and of the list, and the branches that lead to them.
function light(nodes) {
  for (const view of [byId("tree"), byId("outline")]) {
    view.classList.toggle("traced", nodes.size > 0);
    for (const element of view.querySelectorAll("[data-node], [data-branch]")) {
      const { node, branch, folds } = element.dataset;
      const meant = folds ? folds.split(" ") : [node ?? branch];
      element.classList.toggle("lit", meant.some((id) => nodes.has(Number(id))));
    }
  }
}
