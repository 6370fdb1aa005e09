package browser

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestPages opens the pages of a check and of a plan in one browser.
func TestPages(t *testing.T) {
	b := newBrowser(t)
	pages := map[string]string{
		"one":      b.write(t, "one", oneCR(), "check", ".", "--offline"),
		"fleet":    b.write(t, "fleet", fleet(40), "check", ".", "--offline"),
		"thousand": b.write(t, "thousand", fleet(1000), "check", ".", "--offline"),
		"hostile":  b.write(t, "hostile", hostile(), "check", ".", "--offline"),
		"plan":     b.writeIn(t, "plan", root+"/examples/plan", planOf...),
		"changes":  b.writeIn(t, "changes", changed(t), "check", ".", "--offline", "--base", "HEAD~1"),
	}
	for name, path := range pages {
		t.Run("looks/"+name, func(t *testing.T) { b.looks(t, path) })
	}
	t.Run("filter", func(t *testing.T) { b.filters(t, pages["fleet"]) })
	t.Run("filter of 1,000 clusters", func(t *testing.T) { b.filtersMany(t, pages["thousand"]) })
	t.Run("fold", func(t *testing.T) { b.folds(t, pages["fleet"]) })
	t.Run("anchors", func(t *testing.T) { b.anchors(t, pages["fleet"]) })
	t.Run("keyboard", func(t *testing.T) { b.keyboard(t, pages["one"]) })
	t.Run("print", func(t *testing.T) { b.prints(t, pages["fleet"]) })
	t.Run("first screen", func(t *testing.T) { b.firstScreen(t, pages) })
	t.Run("hostile names", func(t *testing.T) { b.hostileNames(t, pages["hostile"]) })
	t.Run("changes", func(t *testing.T) { b.changes(t, pages["changes"]) })
	t.Run("plan", func(t *testing.T) { b.plan(t, pages["plan"]) })
}

// planOf are the arguments of a plan in examples/plan.
var planOf = []string{"plan", "hyperconverged.yaml", "--live", "before.yaml", "--release", "4.22", "--add-architecture", "arm64"}

// looks tests what is so of each page: on a desk, on a phone and on paper nothing is cut, whoever reads it with other eyes finds
// the way, and nothing goes out or fails.
func (b browser) looks(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	for _, s := range []screen{desk, desk.inTheDark(), phone, paper, paper.inTheDark()} {
		p.look(s)
		if wide := ask[int64](p, `document.documentElement.scrollWidth`); wide > s.width {
			t.Errorf("%v: the page is %d wide", s, wide)
		}
		if cut := ask[[]string](p, cut); len(cut) > 0 {
			t.Errorf("%v: beyond the edge: %q", s, cut)
		}
		if faint := ask[[]string](p, faint); len(faint) > 0 {
			t.Errorf("%v: less contrast than 4.5: %q", s, faint)
		}
	}
	p.look(desk)
	for expression, want := range map[string]int{
		`document.querySelectorAll("body > header, body > main, body > footer").length`: 3,
		`document.querySelectorAll("h1").length`:                                        1,
		`document.querySelectorAll("th:not([scope])").length`:                           0,
		`[...document.querySelectorAll("section")].filter(e => !(e.ariaLabel || document.getElementById(e.getAttribute("aria-labelledby")))).length`: 0,
		`[...document.querySelectorAll("input, select")].filter(e => e.labels.length !== 1).length`:                                                  0,
		`(ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(e => e.id))`:                                             0,
		`[...document.querySelectorAll("a[href^='#']")].filter(e => !document.getElementById(e.hash.slice(1))).length`:                               0,
		`[...document.querySelectorAll("h1, h2, h3")].map(e => +e.tagName[1]).filter((n, i, all) => i > 0 && n > all[i-1] + 1).length`:               0,
		`document.querySelectorAll("script").length`: 1,
	} {
		if got := ask[int](p, expression); got != want {
			t.Errorf("want %d, got %d: %s", want, got, expression)
		}
	}
}

// cut returns the elements beyond the edge of the page. On a screen, a table scrolls.
const cut = `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility() &&
	(matchMedia("print").matches || !e.closest(".table"))).map(e => e.tagName + " " + e.textContent.slice(0, 40))`

// faint returns the texts with too little contrast between letters and ground (WCAG AA), with the colors.
const faint = `(() => {
	const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126*r + .7152*g + .0722*b; };
	const seen = {}, out = [];
	for (const e of document.querySelectorAll("body *")) {
		let path = "";
		for (let at = e; at; at = at.parentElement) path += at.tagName + "." + at.className + " ";
		if (seen[path] || !e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		seen[path] = true;
		let ground = [255, 255, 255], opacity = 1;
		for (let at = e; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
		for (let at = e; at; at = at.parentElement) {
			const c = parse(getComputedStyle(at).backgroundColor);
			if (c.length === 3 || c[3] === 1) { ground = c.slice(0, 3); break; }
			if (c[3] > 0) out.push("half transparent: " + e.tagName);
		}
		const color = parse(getComputedStyle(e).color), a = light(color.slice(0, 3)), b = light(ground);
		if (opacity < 1 || (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5) {
			out.push(color + " on " + ground + ": " + e.tagName + " " + e.textContent.slice(0, 30));
		}
	}
	return out;
})()`

// rows are the clusters on the page, and findings the heads of its findings.
const rows, findings = ".clusters tbody th", "article.finding h3"

// filters tests each field of the filter.
func (b browser) filters(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	for _, tc := range []struct {
		reason     string
		set        map[string]string
		clusters   int    // how many are left
		cluster    string // one of them
		some, none string // what some finding has, and none
	}{
		{"nothing", nil, 40, "clusters/berlin-01", "GA107", "GA999"},
		{"the text of a cluster", map[string]string{"text": "Dublin-09"}, 1, "clusters/dublin-09", "GA904", "GA430"},
		{"the text of a finding", map[string]string{"text": "HCOGoldenImageWithNoArchitectureAnnotation"}, 0, "", "GA515", "GA104"},
		{"a cluster", map[string]string{"cluster": "clusters/dublin-09"}, 1, "clusters/dublin-09", "GA904", "GA104"},
		{"a cluster that no finding names", map[string]string{"cluster": "clusters/toronto-06"}, 1, "clusters/toronto-06", "GA104", "GA430"},
		{"a severity", map[string]string{"severity": "warning"}, 40, "clusters/berlin-01", "GA906", "error"},
		{"an architecture", map[string]string{"architecture": "arm64"}, 11, "clusters/dublin-02", "GA104", "GA515"},
		{"two fields", map[string]string{"severity": "error", "cluster": "clusters/toronto-06"}, 1, "clusters/toronto-06", "GA104", "info"},
		{"what nothing has", map[string]string{"text": "no such text"}, 0, "", "", "GA"},
		{"nothing again", nil, 40, "clusters/berlin-01", "GA107", "GA999"},
	} {
		do(p, chromedp.Evaluate[chromedp.Void](`document.getElementById("filter").reset()`))
		p.set("text", "")
		for name, value := range tc.set {
			p.set(name, value)
		}
		clusters, shown := p.shown(rows), strings.Join(p.shown(findings), "\n")
		if len(clusters) != tc.clusters || tc.cluster != "" && !slices.Contains(clusters, tc.cluster) {
			t.Errorf("%s: want %d clusters with %s, got %q", tc.reason, tc.clusters, tc.cluster, clusters)
		}
		if !strings.Contains(shown, tc.some) || strings.Contains(shown, tc.none) {
			t.Errorf("%s: want findings with %q and none with %q, got\n%s", tc.reason, tc.some, tc.none, shown)
		}
		if count := ask[string](p, `document.querySelector("#filter output").value`); (count == "") != (len(tc.set) == 0) {
			t.Errorf("%s: the filter says %q", tc.reason, count)
		}
	}
}

// filtersMany tests the filter of many clusters: each can be chosen, and finds its findings.
func (b browser) filtersMany(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	if n := ask[int](p, `document.querySelectorAll("#filter [name=cluster] option").length`); n != 1001 {
		t.Errorf("%d clusters can be chosen", n-1)
	}
	p.set("cluster", "clusters/"+clusterName(963)) // which lacks an architecture, as number 3
	if got := p.shown(rows); !slices.Equal(got, []string{"clusters/" + clusterName(963)}) {
		t.Errorf("left are %q", got)
	}
	if got := strings.Join(p.shown(findings), "\n"); !strings.Contains(got, "error GA104") || strings.Contains(got, "GA430") {
		t.Errorf("its findings are %s", got)
	}
}

// folds tests that the rest is folded, opens, and opens for a filter.
func (b browser) folds(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	const predictions = `section[aria-label=Predictions] h3`
	if got := p.shown(predictions); len(got) != 0 {
		t.Errorf("%d predictions are open", len(got))
	}
	p.do(chromedp.Click[chromedp.CSS](`section[aria-label=Predictions] summary`))
	if got := p.shown(predictions); len(got) != 11 {
		t.Errorf("%d predictions are open", len(got))
	}
	q := b.open(t, path, "", desk)
	q.set("cluster", "clusters/dublin-02")
	if got := q.shown(predictions); len(got) != 1 || !strings.HasPrefix(got[0], "clusters/dublin-02: ") {
		t.Errorf("the prediction of the cluster is not the only one: %q", got)
	}
	q.set("cluster", "")
	if got := q.shown(predictions); len(got) != 0 {
		t.Errorf("without the filter %d predictions are open", len(got))
	}
}

// anchors tests that a link leads to a cluster, and to a finding wherever it is.
func (b browser) anchors(t *testing.T, path string) {
	for _, fragment := range []string{"cluster-40", "GA104-1", "GA107-1"} {
		p := b.open(t, path, "", desk)
		// As if more of the rest were folded than a page of few findings has.
		do(p, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(e => e.open = false)`))
		do(p, chromedp.Evaluate[chromedp.Void](`location.hash = `+quoted(fragment)))
		const onScreen = `(r => r.top >= 0 && r.bottom <= innerHeight && r.height > 0)(document.querySelector(":target").getBoundingClientRect())`
		if !p.becomes(onScreen) {
			t.Errorf("%s is not on the screen", fragment)
		}
		const uncovered = `(r => document.elementFromPoint(r.left + 5, r.top + 5).closest(":target") !== null)(
			document.querySelector(":target").getBoundingClientRect())`
		if !ask[bool](p, uncovered) {
			t.Errorf("something covers %s", fragment)
		}
	}
	p := b.open(t, path, "GA107-1", desk)
	if !p.becomes(`document.querySelector(":target").checkVisibility()`) {
		t.Error("a page that is opened at a finding does not show it")
	}
	p = b.open(t, path, "", desk)
	p.do(chromedp.Click[chromedp.CSS](`#cluster-1 a`))
	if hash := ask[string](p, `location.hash`); !strings.HasPrefix(hash, "#GA") || len(p.shown(":target")) != 1 {
		t.Errorf("the verdict of a cluster leads to %q", hash)
	}
}

// keyboard tests the page without a mouse: Tab reaches everything, Enter opens and copies.
func (b browser) keyboard(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	reached := map[string]bool{}
	for range 60 {
		p.do(chromedp.KeyEvent(kb.Tab))
		reached[ask[string](p, `(e => e.name || e.className || e.tagName + " " + e.textContent)(document.activeElement)`)] = true
	}
	for _, want := range []string{"text", "severity", "architecture", "table", "SUMMARY Notes", "A GA104", "BUTTON Copy"} {
		if !reached[want] {
			t.Errorf("Tab does not reach %s, but %v", want, reached)
		}
	}
	p.do(chromedp.Focus[chromedp.CSS](`pre.command button`))
	if outline := ask[string](p, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
		t.Error("nothing shows where the focus is")
	}
	p.do(chromedp.KeyEvent(kb.Enter))
	if got := ask[string](p, `document.activeElement.textContent`); got != "Copied" {
		t.Errorf("the button says %q", got)
	}
	p.do(chromedp.Focus[chromedp.CSS](`#filter [name=text]`))
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "v", Modifiers: 2, Commands: []string{"paste"}})
	if got := ask[string](p, `document.querySelector("#filter [name=text]").value`); got != "goldenarch fix . --offline" {
		t.Errorf("the copy is %q", got)
	}
	q := b.open(t, path, "", desk)
	q.do(chromedp.Focus[chromedp.CSS](`.prediction summary`), chromedp.KeyEvent(kb.Enter))
	if !q.becomes(`document.querySelector(".prediction details").open`) {
		t.Error("Enter opens nothing")
	}
	q.do(chromedp.Click[chromedp.CSS](`pre.command button`))
	if got := ask[string](q, `document.querySelector("pre.command button").textContent + getSelection()`); got != "Copiedgoldenarch fix . --offline" {
		t.Errorf("a click copies %q", got)
	}
}

// prints tests the PDF: it has the name of each cluster, and no filter.
func (b browser) prints(t *testing.T, path string) {
	pdf := do(b.open(t, path, "", desk), chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	file := t.TempDir() + "/page.pdf"
	filetest.File(t, file, string(pdf))
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Fatal("no pdftotext, without which this test proves nothing: 'make hosts' installs it (Debian: poppler-utils)")
	}
	text, err := exec.Command(program, "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if !strings.Contains(string(text), "clusters/"+clusterName(i)) {
			t.Errorf("the PDF lacks %s", clusterName(i))
		}
	}
	for _, image := range images {
		if last := image.name[strings.LastIndexByte(image.name, '-')+1:]; !strings.Contains(string(text), last) {
			t.Errorf("the PDF lacks the column of %s", image.name)
		}
	}
	if strings.Contains(string(text), "Severity") || !strings.Contains(string(text), "goldenarch fix . --offline") {
		t.Errorf("the PDF has the filter, or lacks the command:\n%.3000s", text)
	}
}

// firstScreen tests that a person finds what is wrong, where, why, and the command without scrolling.
func (b browser) firstScreen(t *testing.T, pages map[string]string) {
	for name, selectors := range map[string][]string{
		"one":   {".sentence", `[data-lacks="arm64"]`, "#GA104-1 h3", "#GA104-1 pre.command"},
		"fleet": {".sentence", "#cluster-1", "#GA104-1 h3", "#GA104-1 pre.command"},
		"plan":  {".sentence", "#step-1", ".counts", "pre.command"},
	} {
		p := b.open(t, pages[name], "", desk)
		for _, selector := range selectors {
			if bottom := ask[float64](p, `document.querySelector(`+quoted(selector)+`).getBoundingClientRect().bottom`); bottom > float64(desk.height) {
				t.Errorf("%s: %s ends at %.0f", name, selector, bottom)
			}
		}
	}
}

// hostileNames tests that no name runs or becomes an element.
func (b browser) hostileNames(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	p.set("text", "<script>")
	if n := ask[int](p, `document.querySelectorAll("img, iframe, svg, object, main script, [onerror], [onload]").length`); n != 0 {
		t.Errorf("%d elements came out of names", n)
	}
	if ran := ask[bool](p, `"ran" in window`); ran {
		t.Error("a name ran")
	}
	if len(p.shown("article.finding, tbody tr")) == 0 {
		t.Error("the page shows no hostile name: this test proves nothing")
	}
}

// changes tests that what a commit changes comes first.
func (b browser) changes(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	order := ask[[]string](p, `[...document.querySelectorAll("main > section")].map(e => e.className)`)
	if len(order) < 3 || order[0] != "changes" {
		t.Errorf("the sections are %q", order)
	}
	got := p.shown(".changes h2, .changes h3")
	if len(got) != 5 || got[0] != "Since HEAD~1, 1 finding more and 1 finding less." || got[1] != "More" || !strings.HasPrefix(got[2], "error GA430") ||
		got[3] != "Less" || !strings.HasPrefix(got[4], "error GA104") {
		t.Errorf("the change is %q", got)
	}
}

// plan tests the page of a plan.
func (b browser) plan(t *testing.T, path string) {
	p := b.open(t, path, "", desk)
	if got, want := p.shown(".step h2"), []string{"Step 1: Apply the commit", "Step 2: The first workload node with arm64 arrives"}; !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	if got, want := p.shown(".counts b"), []string{
		"8 appear", "2 change", "4 disappear", "2 stay without an owner", "8 appear", "2 stay without an owner",
	}; !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	bars := ask[[]int](p, `(all => all.map(e => Math.round(100 * e.offsetWidth / Math.max(...all.map(one => one.offsetWidth)))))(
		[...document.querySelectorAll(".bar")])`)
	if want := []int{41, 83, 58, 58, 58, 100, 100, 100}; !slices.Equal(bars, want) { // of 50, 100, 70 and 120 GiB
		t.Errorf("the bars are as wide as %d, want %d", bars, want)
	}
	if got := p.shown("details li"); len(got) != 0 {
		t.Errorf("%d objects that appear are not folded", len(got))
	}
	p.do(chromedp.Click[chromedp.CSS](`.step summary`))
	if got := p.shown("details li"); len(got) != 8 {
		t.Errorf("%d objects that appear are shown", len(got))
	}
}
