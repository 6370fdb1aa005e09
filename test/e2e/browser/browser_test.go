package browser

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// browser is a Chromium, with the pages that goldenarch wrote.
type browser struct {
	context context.Context
	program string // goldenarch
	dir     string // of the pages
}

// newBrowser starts Chromium. Without it the test fails: a page that nobody opened is not proven.
func newBrowser(t *testing.T) browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Fatal("no chromium, without which this test proves nothing: 'make hosts' installs it (Debian: chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	started, stop := chromedp.NewContext(allocated)
	t.Cleanup(stop)
	if err := chromedp.Do(started); err != nil {
		t.Fatalf("cannot start %s, without which this test proves nothing: %v", program, err)
	}
	return browser{started, buildGoldenarch(t), t.TempDir()}
}

// buildGoldenarch builds the program.
func buildGoldenarch(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "goldenarch")
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build goldenarch: %v\n%s", err, text)
	}
	return path
}

// root is that of the repository.
const root = "../../.."

// write runs goldenarch in a directory of files, and returns the page that it prints.
func (b browser) write(t *testing.T, name string, files map[string]string, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	filetest.Write(t, dir, files)
	return b.writeIn(t, name, dir, args...)
}

// writeIn is write in a directory that is there.
func (b browser) writeIn(t *testing.T, name, dir string, args ...string) string {
	t.Helper()
	command := exec.Command(b.program, append(args, "-o", "html")...)
	command.Dir = dir
	command.Stderr = nil
	text, _ := command.Output() // the status is that of the check
	if !strings.HasPrefix(string(text), "<!DOCTYPE html>") {
		t.Fatalf("goldenarch %s prints no page:\n%.500s", strings.Join(args, " "), text)
	}
	path := filepath.Join(b.dir, name+".html")
	filetest.File(t, path, string(text))
	return path
}

// screen is how somebody looks at a page.
type screen struct {
	width, height int64
	dark, print   bool
}

var (
	desk  = screen{width: 1280, height: 800}
	phone = screen{width: 390, height: 844}
	paper = screen{width: 718, height: 1000, print: true} // A4 within margins of 1 cm
)

func (s screen) inTheDark() screen {
	s.dark = true
	return s
}

// tab is a page that is open.
type tab struct {
	t       *testing.T
	context context.Context
}

// open opens a page, at the element of a fragment unless that is empty. A message in the console, an error of the script and a
// request for another file fail the test.
func (b browser) open(t *testing.T, path, fragment string, s screen) tab {
	t.Helper()
	limited, stop := context.WithTimeout(b.context, time.Minute)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(limited)
	t.Cleanup(cancel)
	address := "file://" + path
	heard := &complaints{}
	if err := chromedp.Listen(ctx, func(event any) { heard.hear(event, address) }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, one := range heard.all() {
			t.Errorf("%s: %s", filepath.Base(path), one)
		}
	})
	out := tab{t, ctx}
	call(out, network.Enable, network.EnableParams{})
	call(out, log.Enable, cdp.Empty{})
	out.look(s)
	if err := chromedp.Do(ctx, chromedp.Navigate(address+"#"+fragment)); err != nil {
		t.Fatal(err)
	}
	return out
}

// look shows the page on another screen.
func (p tab) look(s screen) {
	p.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme(s.dark)}}}
	if s.print {
		media.Media = "print"
	}
	call(p, emulation.SetEmulatedMedia, media)
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.width < 600,
	})
}

func scheme(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

// complaints are what a page must not cause.
type complaints struct {
	sync.Mutex

	list []string
}

func (c *complaints) hear(event any, address string) {
	c.Lock()
	defer c.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		c.list = append(c.list, "the console has a message of the page")
	case *runtime.EventExceptionThrown:
		c.list = append(c.list, "an error of the script: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		c.list = append(c.list, "the console has "+e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		c.list = append(c.list, "a dialog opens: "+e.Message)
	case *network.EventRequestWillBeSent:
		if e.Request.URL != address {
			c.list = append(c.list, "the page asks for "+e.Request.URL)
		}
	}
}

func (c *complaints) all() []string {
	c.Lock()
	defer c.Unlock()
	return c.list
}

// call sends a command of the protocol to the tab.
func call[P, R any](p tab, command cdp.Command[P, R], params P) {
	p.t.Helper()
	if _, err := chromedp.Call(p.context, command, params); err != nil {
		p.t.Fatal(err)
	}
}

// do returns the result of an action in the tab.
func do[T any](p tab, action chromedp.Action[T]) T {
	p.t.Helper()
	out, err := chromedp.Run(p.context, action)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// do does something in the tab.
func (p tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.context, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// becomes waits until an expression is true.
func (p tab) becomes(expression string) bool {
	p.t.Helper()
	for range 100 {
		if ask[bool](p, expression) {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// ask returns the value of an expression in the page.
func ask[T any](p tab, expression string) T {
	p.t.Helper()
	return do(p, chromedp.Evaluate[T](expression))
}

// set sets a field of the filter: types a text, or chooses an option by its text.
func (p tab) set(name, value string) {
	p.t.Helper()
	do(p, chromedp.Evaluate[chromedp.Void](`(field => {
		const option = [...(field.options || [])].find(one => one.text === `+quoted(value)+`);
		field.value = option ? option.value : `+quoted(value)+`;
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})(document.querySelector("#filter [name=`+name+`]"))`))
}

// shown returns the texts of the elements of a selector that are on the page.
func (p tab) shown(selector string) []string {
	p.t.Helper()
	return ask[[]string](p, `[...document.querySelectorAll(`+quoted(selector)+`)].filter(e => e.checkVisibility()).map(e => e.textContent.trim())`)
}

// quoted returns a text as one of JavaScript.
func quoted(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}
