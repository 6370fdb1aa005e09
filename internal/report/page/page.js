(function () {
  document.querySelectorAll("pre.command").forEach(function (pre) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      getSelection().selectAllChildren(pre.firstElementChild);
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    });
    pre.appendChild(button);
  });
  var form = document.getElementById("filter");
  if (!form) return;
  var parts = document.querySelectorAll(".clusters tbody tr, .images tbody tr, .machines tbody tr, article");
  var folds = document.querySelectorAll("details"), open = [], names = {};
  folds.forEach(function (one) { open.push(one.open); });
  document.querySelectorAll(".clusters tbody tr").forEach(function (row) {
    names[row.dataset.in] = row.cells[0].textContent;
    form.cluster.add(new Option(names[row.dataset.in], row.dataset.in));
  });
  function has(part, name, value) {
    return part.matches("[data-" + name + '~="' + CSS.escape(value) + '"]');
  }
  function textOf(part) {
    var clusters = (part.dataset.in || "").split(" ").map(function (n) { return names[n] || ""; });
    return (part.textContent + " " + clusters.join(" ")).toLowerCase();
  }
  function lacks(part, architecture) {
    if (part.matches(".finding, .machines tr")) return textOf(part).indexOf(architecture) >= 0;
    return [part].concat(Array.from(part.querySelectorAll("tr"))).some(function (one) { return has(one, "lacks", architecture); });
  }
  function apply() {
    var text = form.text.value.trim().toLowerCase(), severity = form.severity.value, architecture = form.architecture.value;
    var cluster = form.cluster ? form.cluster.value : "", filters = text + severity + architecture + cluster !== "", shown = 0;
    parts.forEach(function (part) {
      var of = part.closest("[data-in]");
      var hides = text !== "" && textOf(part).indexOf(text) < 0 ||
        severity !== "" && part.dataset.severity !== undefined && part.dataset.severity !== severity ||
        architecture !== "" && !lacks(part, architecture) ||
        cluster !== "" && of !== null && !has(of, "in", cluster);
      part.toggleAttribute("data-hidden", hides);
      if (!hides) shown++;
    });
    form.count.value = filters ? shown + " of " + parts.length + " shown" : "";
    folds.forEach(function (one, i) { one.open = filters || open[i]; });
  }
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
})();
