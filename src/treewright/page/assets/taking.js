// Take the tree that is shown away as a file: drawing, picture, model, table of rules, code.

// A name that every file system takes.
function fileName(page, ending) {
  const plain = page.target.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const leaves = page.tree.nodes.filter(({ test }) => !test).length;
  return `${plain.slice(0, 40).toLowerCase() || "tree"}-${leaves}-leaves.${ending}`;
}

function save(page, content, type, ending) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: fileName(page, ending) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  byId("announce").textContent = `Saved as ${link.download}`;
}

// The drawing with its style, as it can stand alone.
function drawingAlone(page) {
  const drawing = new DOMParser().parseFromString(page.part("whole") || page.part("tree"), "image/svg+xml").documentElement;
  drawing.prepend(makeSvg("style", {}, byId("tree-style").textContent));
  return drawing;
}

async function pictureOf(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const scale = Math.min(2, 8000 / Math.max(width, height));
  drawing.setAttribute("width", width * scale);
  drawing.setAttribute("height", height * scale);
  const address = URL.createObjectURL(new Blob([drawing.outerHTML], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = make("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0);
  URL.revokeObjectURL(address);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

// A cell that a spreadsheet reads as text: one that begins like a formula gets an apostrophe.
function cell(text) {
  const plain = text.replace(/\s+/g, " ").trim();
  const safe = /^[=+\-@]/.test(plain) && Number.isNaN(Number(plain)) ? `'${plain}` : plain;
  return `"${safe.replaceAll("\"", "\"\"")}"`;
}

// The text of a node of the page; of levels that are shown on demand, all of them.
function wholeText(node) {
  return (node.matches?.(".levels") ? node.lastChild : node).textContent;
}

function rulesAsCsv() {
  const lines = [...document.querySelectorAll("#rules table tr")].map((line) =>
    [...line.children].filter((one) => !one.matches(".picture"))
      .map((one) => cell([...one.childNodes].map(wholeText).join(" "))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function modelAsJson(page) {
  const { words, short, asked, ...tree } = page.tree;
  return `${JSON.stringify({ ...page.file, tree }, null, 1)}\n`;
}

const TAKEN = {
  svg: (page) => save(page, drawingAlone(page).outerHTML, "image/svg+xml", "svg"),
  png: async (page) => save(page, await pictureOf(drawingAlone(page)), "image/png", "png"),
  json: (page) => save(page, modelAsJson(page), "application/json", "model.json"),
  csv: (page) => save(page, `\ufeff${rulesAsCsv()}`, "text/csv", "rules.csv"),
};

function listenForTaking(page) {
  for (const button of document.querySelectorAll("button[data-take]")) {
    button.addEventListener("click", () => TAKEN[button.dataset.take](page));
  }
  for (const button of document.querySelectorAll("button[data-save]")) {
    button.addEventListener("click", () => {
      const code = button.parentElement.querySelector("code").textContent;
      save(page, code, "text/plain", button.dataset.save);
    });
  }
}
