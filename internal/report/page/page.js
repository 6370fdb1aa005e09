(function () {
  var form = document.getElementById("filter");
  var parts = document.querySelectorAll("tbody tr, article.finding");
  form.hidden = false;
  function apply() {
    var text = form.text.value.trim().toLowerCase();
    var severity = form.severity.value, architecture = form.architecture.value, shown = 0;
    parts.forEach(function (part) {
      var hides = text !== "" && part.textContent.toLowerCase().indexOf(text) < 0;
      if (severity !== "" && part.dataset.severity !== undefined) hides = hides || part.dataset.severity !== severity;
      if (architecture !== "" && part.dataset.severity === undefined) {
        hides = hides || (" " + (part.dataset.lacks || "") + " ").indexOf(" " + architecture + " ") < 0;
      }
      if (hides) part.dataset.hidden = ""; else { delete part.dataset.hidden; shown++; }
    });
    form.count.value = text + severity + architecture === "" ? "" : shown + " of " + parts.length + " shown";
    if (text + severity !== "") document.querySelectorAll("details").forEach(function (one) { one.open = true; });
  }
  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
})();
