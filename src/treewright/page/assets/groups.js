// How the tree does in parts of the hold-out set, by the values of a column that the reader chooses.

class Groups {
  constructor(page, groupings) {
    this.page = page;
    this.groupings = groupings;
    this.choice = byId("grouping");
    if (!this.choice) return;
    this.choice.append(...groupings.map(({ name }, place) => make("option", { value: place }, name)));
    this.choice.addEventListener("change", () => this.fill());
  }

  number(value) {
    if (value === null) return "–";
    return this.page.percent ? shareText(value) : value.toLocaleString("en", { maximumSignificantDigits: 3 });
  }

  interval(low, high) {
    return low === null ? "–" : `${this.number(low)} to ${this.number(high)}`;
  }

  // Columns of the table: words, and what they say of a group.
  columns() {
    const { classes, stated, measure } = this.page;
    const proportion = (value) => (value === null ? "–" : shareText(value));
    const score = classes.length ? measure : "mean absolute error";
    const shown = [
      [score, ([value]) => this.number(value)],
      ["95 % interval", ([, low, high]) => this.interval(low, high)],
    ];
    if (!classes.length) {
      return [...shown, ["mean", (one) => this.number(one[3])], ["mean predicted", (one) => this.number(one[4])]];
    }
    const isKnown = this.page.part("groups").some((figures) => figures.some((one) => one[3] !== null));
    if (!isKnown) return shown;
    return [
      ...shown,
      [`${stated}: true`, (one) => proportion(one[3])],
      ["predicted", (one) => proportion(one[4])],
      ["recall", (one) => proportion(one[5])],
    ];
  }

  fill() {
    if (!this.choice) return;
    const place = Number(this.choice.value);
    const figures = this.page.part("groups")[place];
    const { words, rows } = this.groupings[place];
    if (!figures) {
      byId("groups").replaceChildren("Kept for the recommended size only.");
      byId("groups-words").textContent = "";
      return;
    }
    const columns = this.columns();
    const head = ["group", "rows", ...columns.map(([title]) => title)].map((title, position) =>
      make("th", { scope: "col", class: position ? "number" : null }, title));
    const body = words.map((word, group) => make("tr", {},
      make("th", { scope: "row" }, name(word)),
      make("td", { class: "number" }, rows[group].toLocaleString("en")),
      ...columns.map(([, say]) => make("td", { class: "number" }, say(figures[group])))));
    byId("groups").replaceChildren(make("table", {},
      make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
    byId("groups-words").textContent = this.farApart(figures)
      ? "Some intervals lie apart: the tree is not equally good for all groups."
      : "No two intervals lie apart: these rows show no difference between the groups.";
  }

  // Whether the interval of one group lies wholly above that of another.
  farApart(figures) {
    const known = figures.filter(([, low]) => low !== null);
    return Math.max(...known.map(([, low]) => low)) > Math.min(...known.map(([, , high]) => high));
  }
}
