// The page comes alive: the packed trees are read, and slider, families, chart and look respond.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%/()*+-;,=.?@^_`{|}~";

// Bytes from their digits in base 85: five for four bytes, the largest first; fewer at the end.
function bytesFrom(text) {
  const valueOf = Object.fromEntries([...DIGITS].map((digit, value) => [digit, value]));
  const bytes = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
  for (let group = 0; 5 * group < text.length; group += 1) {
    const digits = [...text.slice(5 * group, 5 * group + 5).padEnd(5, "~")];
    bytes.setUint32(4 * group, digits.reduce((sum, digit) => 85 * sum + valueOf[digit], 0));
  }
  return new Uint8Array(bytes.buffer, 0, Math.floor((4 * text.length) / 5));
}

async function unpacked(text) {
  const stream = new Blob([bytesFrom(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

class Page {
  constructor(data, store) {
    Object.assign(this, data);
    this.parts = store.parts;
    this.sample = store.sample;
    this.file = store.file;
    this.panels = store.panels;
    this.first = {};
    for (const place of document.querySelectorAll("[data-part]")) {
      this.first[place.dataset.part] = place.innerHTML;
    }
    for (const place of document.querySelectorAll("[data-text]")) {
      if (place.textContent) this.first[place.dataset.text] = place.textContent;
    }
    this.model = 0;
    this.step = data.models[0].chosen;
    this.lit = new Set();
    this.takePlace();
    this.drawing = new Drawing(this);
    this.explainer = new RowExplainer(this);
    this.questionnaire = new Questionnaire(this);
    this.groups = new Groups(this, store.groupings);
    this.costs = new CostSlider(this, store.thresholds);
  }

  // The tree that the address of the page names, if it names one: #tree=2.5 is the fifth tree of the
  // second family.
  takePlace() {
    const [, family, size] = /^#tree=(\d+)\.(\d+)$/.exec(location.hash) ?? [];
    const [model, step] = [Number(family) - 1, Number(size) - 1];
    if (this.models[model]?.steps[step] === undefined) return false;
    this.model = model;
    this.step = step;
    return true;
  }

  // A link to the page then shows the same tree.
  keepPlace() {
    const isFirst = this.model === 0 && this.step === this.models[0].chosen;
    const fragment = isFirst ? "" : `#tree=${this.model + 1}.${this.step + 1}`;
    history.replaceState(null, "", location.href.split("#")[0] + fragment);
  }

  // A part of the tree shown. What stood in the page from the start is not packed again.
  part(kind) {
    const isFirst = this.model === 0 && this.step === this.models[0].chosen;
    return isFirst && kind in this.first ? this.first[kind] : this.parts[kind][this.model][this.step];
  }

  get tree() {
    return this.part("data");
  }

  get words() {
    return this.tree.words;
  }

  // The words of a branch with the first few levels of long sets only, and all of them.
  branchWords(node, branch) {
    const full = this.words[node][branch];
    return [this.tree.short[node]?.[branch] ?? full, full];
  }

  // The branch of each node whose words are asked.
  get asked() {
    return this.tree.asked;
  }

  answerText(value) {
    if (this.classes.length) return this.classes[value];
    if (this.decimals > 20) return value.toPrecision(3); // more than a browser writes out
    const digits = { minimumFractionDigits: this.decimals, maximumFractionDigits: this.decimals };
    return value.toLocaleString("en", digits);
  }

  // Show another tree everywhere on the page.
  show(model, step) {
    this.model = model;
    this.step = step;
    for (const place of document.querySelectorAll("[data-part]")) {
      place.innerHTML = this.part(place.dataset.part);
    }
    for (const place of document.querySelectorAll("[data-text]")) {
      place.textContent = this.part(place.dataset.text) ?? this.howToExport(place.dataset.text);
    }
    for (const button of document.querySelectorAll("button.copy")) button.textContent = "Copy";
    this.showPanels();
    this.showPlace();
    this.drawing.show();
    this.explainer.fill();
    this.questionnaire.restart();
    this.groups.fill();
    this.costs.fill();
    this.light(new Set());
  }

  light(nodes) {
    this.lit = nodes;
    light(nodes);
  }

  howToExport(kind) {
    const target = kind.replace("code-", "");
    const leaves = this.tree.nodes.filter(({ test }) => !test).length;
    const words = "Kept here for the recommended size only.";
    // The model file is that of the first family.
    if (this.model > 0) return words;
    return `${words} For this one:\n\ntreewright export MODEL.json --to ${target} --leaves ${leaves}\n`;
  }

  showPanels() {
    const figures = this.panels[this.model].map((drawing) => {
      const figure = make("figure", { class: "card" });
      figure.innerHTML = drawing;
      return figure;
    });
    byId("panels")?.replaceChildren(...figures);
  }

  // Show the tree that the reader asks for.
  choose(model, step) {
    this.show(model, step);
    this.keepPlace();
  }

  showPlace() {
    const { chosen, steps } = this.models[this.model];
    document.querySelector(`input[name=model][value="${this.model}"]`).checked = true;
    const size = byId("size");
    size.max = steps.length - 1;
    size.value = this.step;
    size.setAttribute("aria-valuetext", steps[this.step]);
    byId("size-words").textContent = steps[this.step];
    byId("recommended").disabled = this.step === chosen;
    for (const point of document.querySelectorAll(".effort .point")) {
      const isShown = Number(point.dataset.model) === this.model && Number(point.dataset.step) === this.step;
      if (!isShown) continue;
      const place = point.querySelector(".mark").getAttribute("transform");
      document.querySelector(".now").setAttribute("transform", place);
    }
    for (const series of document.querySelectorAll(".effort .series")) {
      series.classList.toggle("faint", Number(series.dataset.series) !== this.model);
    }
  }

  listen() {
    addEventListener("hashchange", () => {
      if (this.takePlace()) this.show(this.model, this.step);
    });
    byId("size").addEventListener("input", (event) => this.choose(this.model, event.target.valueAsNumber));
    byId("recommended").addEventListener("click", () => {
      this.choose(this.model, this.models[this.model].chosen);
      byId("size").focus();
    });
    this.drawing.listen();
    for (const input of document.querySelectorAll("input[name=model]")) {
      input.addEventListener("change", () => {
        const model = Number(input.value);
        this.choose(model, this.models[model].chosen);
      });
    }
    for (const point of document.querySelectorAll(".effort .point")) {
      point.addEventListener("click", () => {
        const model = Number(point.dataset.model);
        this.choose(model, Number(point.dataset.step));
      });
    }
  }
}

function listenForCopying() {
  document.addEventListener("click", async ({ target }) => {
    if (!target.matches("button.copy")) return;
    const code = target.parentElement.querySelector("code");
    getSelection().selectAllChildren(code);
    const isCopied = await navigator.clipboard.writeText(code.textContent)
      .then(() => true, () => document.execCommand("copy"));
    target.textContent = isCopied ? "Copied" : "Selected: press Ctrl+C";
    byId("announce").textContent = target.textContent;
  });
}

function prepareLook() {
  const button = byId("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen ? chosen === "dark" : prefersDark.matches;
    button.setAttribute("aria-pressed", isDark);
  };
  button.addEventListener("click", () => {
    const isDark = button.getAttribute("aria-pressed") === "true";
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
    show();
  });
  prefersDark.addEventListener("change", show);
  show();
}

async function start() {
  prepareLook();
  listenForCopying();
  const { store, ...data } = JSON.parse(byId("page-data").textContent);
  const page = new Page(data, await unpacked(store));
  page.listen();
  listenForTaking(page);
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  page.show(page.model, page.step);
  page.explainer.start();
  document.documentElement.dataset.ready = "";
}

start();
