package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzAB(f *testing.F)  { fuzz(f, soundAB, "testdata/two-servers.txt", "testdata/clean/ab*.txt") }
func FuzzWrk(f *testing.F) { fuzz(f, soundWrk, "testdata/wrk-corrected.txt", "testdata/clean/wrk.txt") }
func FuzzProse(f *testing.F) {
	fuzz(f, "Each test was run twice.\nFigure 1: Throughput of nginx vs haproxy\nFig. 2. memory of nginx\n", "testdata/pictures.md")
}
func FuzzCommands(f *testing.F) {
	fuzz(f, posted("ab -n 1000 -c 10 -p x http://h/a", "300000")+posted("ab -n1000 -c10 -p x 'http://h/abc?d'", "302000"), "testdata/two-servers.txt")
}
func FuzzTable(f *testing.F) {
	fuzz(f, soundTable, "testdata/*.md", "testdata/router*", "testdata/*.tsv")
}

// fuzz reads what may stand in a file: nothing panics, findings are of lines of the text, and all formats hold them.
func fuzz(f *testing.F, text string, patterns ...string) {
	f.Add(text)
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("seeds %s: %v", pattern, err)
		}
		for _, file := range files {
			seed, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(seed))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Read("x", text)
		lines := 1 + strings.Count(text, "\n")
		for _, x := range d.Findings {
			if x.Line < 1 || x.Line > lines || x.Off == "" || x.Figures == "" || strings.Contains(x.Off+x.Figures, "NaN") {
				t.Fatalf("%d lines: %+v", lines, x)
			}
		}
		all := []*Document{d}
		printed, err := JSON(all)
		if err != nil || !json.Valid([]byte(printed)) {
			t.Fatalf("%v: %s", err, printed)
		}
		if Text(all) == "" || Markdown(all) == "" {
			t.Fatal("nothing printed")
		}
	})
}
