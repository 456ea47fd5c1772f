// The tree that is shown, as a drawing or as an indented list.

const isPressed = (id) => byId(id).getAttribute("aria-pressed") === "true";

function press(id, isOn) {
  byId(id).setAttribute("aria-pressed", isOn);
}

class Drawing {
  constructor(page) {
    this.page = page;
    this.view = byId("tree");
  }

  // The drawing with small branches folded to fit, or all of it.
  draw() {
    const whole = this.page.part("whole");
    byId("all").disabled = !whole;
    this.view.classList.toggle("fits", isPressed("fit"));
    this.view.innerHTML = (isPressed("all") && whole) || this.page.part("tree");
    this.showRoot();
    light(this.page.lit);
  }

  // Bring the root of a wide drawing to the middle of its window.
  showRoot() {
    const root = this.view.querySelector("[data-node=\"0\"]").getBoundingClientRect();
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
      if (!asList) this.showRoot();
    };
    const follow = () => show(isNarrow.matches);
    isNarrow.addEventListener("change", follow);
    byId("list").addEventListener("click", () => {
      isNarrow.removeEventListener("change", follow);
      show(!isPressed("list"));
    });
    follow();
  }

  listen() {
    this.listenForList();
    for (const id of ["all", "fit"]) {
      byId(id).addEventListener("click", () => {
        press(id, !isPressed(id));
        this.draw();
      });
    }
  }
}
