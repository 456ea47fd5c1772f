// The tree that is shown, as a drawing whose branches fold, or as an indented list.

const isPressed = (id) => byId(id)?.getAttribute("aria-pressed") === "true";

function press(id, isOn) {
  byId(id).setAttribute("aria-pressed", isOn);
}

const nodeOf = (box) => Number(box.dataset.node);

class Drawing {
  constructor(page) {
    this.page = page;
    this.view = byId("tree");
    this.zoom = new Zoom(this.view);
    this.folded = new Set();
  }

  // Another tree is shown; nothing of it is folded by hand.
  show() {
    this.folded.clear();
    this.draw();
  }

  // The drawing with small branches folded to fit, or all of it.
  draw() {
    const whole = this.page.part("whole");
    byId("all").disabled = !whole;
    this.view.innerHTML = (isPressed("all") && whole) || this.page.part("tree");
    const { drawing } = this.zoom;
    drawing.setAttribute("role", "group"); // a picture would hide its buttons
    this.boxes = [...drawing.querySelectorAll("[data-node]")];
    this.buttons = this.boxes.filter((box) => box.dataset.folds || this.childrenOf(nodeOf(box)).length);
    this.buttons.forEach((box, place) => this.makeButton(box, place === 0));
    this.room = drawing.viewBox.baseVal.height - this.lowest(this.boxes);
    if (isPressed("rows")) drawRows(this.page, drawing);
    this.fold();
    this.showRoot();
    light(this.page.lit);
  }

  makeButton(box, isFirst) {
    const words = [...box.querySelectorAll("text")].map(({ textContent }) => textContent);
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", words.join(" "));
    box.setAttribute("tabindex", isFirst ? 0 : -1);
  }

  childrenOf(node) {
    return this.page.tree.nodes[node].children ?? [];
  }

  lowest(boxes) {
    const bottoms = boxes.map((box) =>
      box.transform.baseVal[0].matrix.f + box.querySelector("rect").height.baseVal.value);
    return Math.max(...bottoms);
  }

  // Hide what is below folded nodes, say how much that is, and leave no empty room at the bottom.
  fold() {
    const { drawing } = this.zoom;
    const hidden = new Set();
    this.page.tree.nodes.forEach((_, node) => {
      if (this.folded.has(node) || hidden.has(node)) this.childrenOf(node).forEach((child) => hidden.add(child));
    });
    for (const part of drawing.querySelectorAll("[data-node], [data-branch]")) {
      part.toggleAttribute("hidden", hidden.has(Number(part.dataset.node ?? part.dataset.branch)));
    }
    for (const box of this.buttons) {
      box.querySelector(".note")?.remove();
      const isFolded = box.dataset.folds !== undefined || this.folded.has(nodeOf(box));
      box.setAttribute("aria-expanded", !isFolded);
      if (this.folded.has(nodeOf(box))) box.append(this.note(box));
    }
    const seen = this.boxes.filter((box) => !box.hasAttribute("hidden"));
    drawing.viewBox.baseVal.height = this.lowest(seen) + this.room + (this.folded.size ? 20 : 0);
    this.zoom.apply();
  }

  note(box) {
    const pending = [nodeOf(box)];
    let leaves = 0;
    while (pending.length) {
      const below = this.childrenOf(pending.pop());
      if (below.length) pending.push(...below);
      else leaves += 1;
    }
    const y = box.querySelector("rect").height.baseVal.value + 15;
    return makeSvg("text", { class: "s note", y }, `${leaves} leaves folded`);
  }

  // Fold or unfold what is below a node; a box that stands for small branches gives way to them.
  toggle(box) {
    const node = nodeOf(box);
    if (box.dataset.folds) {
      press("all", true);
      this.draw();
      this.focus(this.buttons.find((one) => nodeOf(one) === node) ?? this.buttons[0]);
      return;
    }
    if (!this.folded.delete(node)) this.folded.add(node);
    this.fold();
  }

  focus(box) {
    for (const button of this.buttons) button.setAttribute("tabindex", button === box ? 0 : -1);
    box.focus();
  }

  // The button that an arrow key leads to: the node above or the first below, or beside in reading order.
  neighbour(box, key) {
    const seen = this.buttons.filter((button) => !button.hasAttribute("hidden"));
    const place = seen.indexOf(box);
    const isBelow = (above, one) => this.childrenOf(nodeOf(above)).includes(nodeOf(one));
    return {
      ArrowLeft: () => seen[place - 1],
      ArrowRight: () => seen[place + 1],
      ArrowUp: () => seen.find((one) => isBelow(one, box)),
      ArrowDown: () => seen.find((one) => isBelow(box, one)),
    }[key]?.();
  }

  // Bring the root of a wide drawing to the middle of its window.
  showRoot() {
    const root = this.boxes[0].getBoundingClientRect();
    const { left, width } = this.view.getBoundingClientRect();
    this.view.scrollLeft += root.left + root.width / 2 - left - width / 2;
    this.view.scrollTop = 0;
  }

  // A list stands where there is no room for a drawing, unless the reader has said otherwise.
  listenForList() {
    const isNarrow = matchMedia("(max-width: 600px)");
    const show = (asList) => {
      press("list", asList);
      this.view.parentElement.dataset.view = asList ? "list" : "drawing";
      this.showRoot();
    };
    const follow = () => show(isNarrow.matches);
    isNarrow.addEventListener("change", follow);
    byId("list").addEventListener("click", () => {
      isNarrow.removeEventListener("change", follow);
      show(!isPressed("list"));
    });
    follow();
  }

  listenForFolding() {
    const buttonAt = (target) => this.buttons.find((button) => button.contains(target));
    this.view.addEventListener("click", ({ target }) => {
      const box = buttonAt(target);
      if (box) this.toggle(box);
    });
    this.view.addEventListener("keydown", (event) => {
      const box = buttonAt(event.target);
      if (!box) return;
      const isToggle = event.key === "Enter" || event.key === " ";
      const next = this.neighbour(box, event.key);
      if (isToggle) this.toggle(box);
      else if (next) this.focus(next);
      if (isToggle || next) event.preventDefault();
    });
  }

  listen() {
    for (const id of ["all", "fit"]) {
      byId(id).addEventListener("click", () => {
        press(id, !isPressed(id));
        this.zoom.scale = 1;
        this.draw();
      });
    }
    byId("rows")?.addEventListener("click", () => {
      press("rows", !isPressed("rows"));
      byId("rows-words").hidden = !isPressed("rows");
      this.draw();
    });
    this.listenForFolding();
    this.zoom.listen();
    this.draw();
    this.listenForList();
  }
}
