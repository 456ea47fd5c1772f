// Zoom and pan of the drawing: it gets larger and smaller, and its window scrolls.

const SMALLEST_SCALE = 0.2;
const LARGEST_SCALE = 4;
const ZOOM_STEP = 1.25;
const SLACK = 4; // pixels that a click may wander

class Zoom {
  constructor(view) {
    this.view = view;
    this.scale = 1;
  }

  get drawing() {
    return this.view.querySelector("svg");
  }

  // Give the drawing its size on the screen.
  apply() {
    const { width, height } = this.drawing.viewBox.baseVal;
    this.drawing.setAttribute("width", width * this.scale);
    this.drawing.setAttribute("height", height * this.scale);
    this.view.classList.toggle("fits", isPressed("fit"));
    byId("zoom-reset").textContent = shareText(this.shownScale());
  }

  shownScale() {
    const { width } = this.drawing.getBoundingClientRect();
    return width > 0 ? width / this.drawing.viewBox.baseVal.width : this.scale;
  }

  // Zoom so that the drawing stays where it is at one point of the screen.
  to(scale, point = this.middle()) {
    const before = this.drawing.getBoundingClientRect();
    const across = (point.clientX - before.left) / before.width;
    const down = (point.clientY - before.top) / before.height;
    this.scale = Math.min(Math.max(scale, SMALLEST_SCALE), LARGEST_SCALE);
    press("fit", false);
    this.apply();
    const after = this.drawing.getBoundingClientRect();
    this.view.scrollLeft += after.left + across * after.width - point.clientX;
    this.view.scrollTop += after.top + down * after.height - point.clientY;
    byId("announce").textContent = `Zoom ${shareText(this.scale)}`;
  }

  by(factor, point) {
    this.to(factor * this.shownScale(), point);
  }

  middle() {
    const { left, top, width, height } = this.view.getBoundingClientRect();
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }

  listen() {
    const moves = {
      "zoom-out": () => this.by(1 / ZOOM_STEP),
      "zoom-reset": () => this.to(1),
      "zoom-in": () => this.by(ZOOM_STEP),
    };
    for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", move);
    const keys = { "-": "zoom-out", "0": "zoom-reset", "+": "zoom-in", "=": "zoom-in" };
    this.view.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
      if (Object.hasOwn(keys, key) && !ctrlKey && !metaKey) moves[keys[key]]();
    });
    this.view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.by(Math.exp(-event.deltaY / 300), event);
    }, { passive: false });
    this.listenForDragging();
  }

  // The pointer is only captured once it moves: a click still reaches the node under it.
  listenForDragging() {
    const { view } = this;
    let start = null;
    view.addEventListener("pointerdown", ({ clientX, clientY, pointerType, button, target }) => {
      if (pointerType !== "mouse" || button !== 0 || target === view) return;
      start = { clientX, clientY, left: view.scrollLeft, top: view.scrollTop };
    });
    view.addEventListener("pointermove", ({ clientX, clientY, buttons, pointerId }) => {
      if (!(buttons & 1)) start = null;
      if (!start) return;
      const [across, down] = [clientX - start.clientX, clientY - start.clientY];
      if (!view.hasPointerCapture(pointerId)) {
        if (Math.hypot(across, down) < SLACK) return;
        view.setPointerCapture(pointerId);
      }
      view.scrollLeft = start.left - across;
      view.scrollTop = start.top - down;
    });
  }
}
