package browser

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// pictures is where pictures of the pages are written: make screenshots names the directory.
var pictures = flag.String("pictures", "", "write pictures of the pages, for people to look at, into this directory, and those of docs")

// TestPictures takes a picture of what each screen and paper shows of the pages.
func TestPictures(t *testing.T) {
	b := newBrowser(t)
	dir := cmp.Or(*pictures, t.TempDir())
	pages := map[string]string{
		"one":   b.write(t, "one", oneCR(), "check", ".", "--offline"),
		"fleet": b.write(t, "fleet", fleet(40), "check", ".", "--offline"),
		"plan":  b.writeIn(t, "plan", root+"/examples/plan", planOf...),
	}
	for name, path := range pages {
		p := b.open(t, path, "", desk)
		for _, s := range []screen{desk, desk.inTheDark(), phone, phone.inTheDark(), paper, paper.inTheDark()} {
			p.look(s)
			file := fmt.Sprintf("%s-%d-%s.png", name, s.width, scheme(s.dark))
			shot := smaller(t, do(p, chromedp.CaptureScreenshot()))
			filetest.File(t, filepath.Join(dir, file), string(shot))
			if *pictures != "" && s == desk && name != "plan" {
				filetest.File(t, filepath.Join(root, "docs", "report-"+name+".png"), string(shot))
			}
			if len(shot) < 5_000 || len(shot) > 150_000 {
				t.Errorf("the picture %s has %d bytes", file, len(shot))
			}
		}
		filetest.File(t, filepath.Join(dir, name+".pdf"), string(do(p, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))))
	}
}

// smaller returns a picture with the 256 colors that it has most of, in a third of the bytes.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	size := from.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			counts[from.At(x, y)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	to := image.NewPaletted(size, most[:min(256, len(most))])
	nearest := map[color.Color]uint8{}
	for c := range counts {
		nearest[c] = uint8(to.Palette.Index(c))
	}
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			to.SetColorIndex(x, y, nearest[from.At(x, y)])
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
