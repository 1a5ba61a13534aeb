package shimrun

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/linsat/linsat/internal/schedule"
)

// Races reads what Go's race detector reports of the code under test. It reports accesses of the
// exploration itself, too, whose order is hidden from it; these are left out.
type Races struct {
	found int   // races so far, of both kinds
	read  int64 // bytes of the log
	seen  map[string]bool
}

// Begin skips what was reported before.
func (r *Races) Begin() {
	r.found, r.seen = schedule.Races(), map[string]bool{}
	if info, err := os.Stat(logFile()); err == nil {
		r.read = info.Size()
	}
}

// logFile is where the race detector writes.
func logFile() string { return fmt.Sprintf("%s.%d", Asked().RaceLog, os.Getpid()) }

// New returns the reports of races of the code under test since the last call, each once for its
// lines.
func (r *Races) New() (reports []string) {
	n := schedule.Races()
	if n == r.found {
		return nil
	}
	r.found = n
	f, err := os.Open(logFile())
	if err != nil {
		return []string{fmt.Sprintf("a race, but its report cannot be read: %v", err)}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return []string{fmt.Sprintf("a race, but its report cannot be read: %v", err)}
	}
	text := make([]byte, info.Size()-r.read)
	if _, err := f.ReadAt(text, r.read); err != nil {
		return []string{fmt.Sprintf("a race, but its report cannot be read: %v", err)}
	}
	r.read = info.Size()
	for report := range strings.SplitSeq(string(text), "==================\n") {
		both := accesses(report)
		if len(both) != 2 || !both[0].under() || !both[1].under() {
			continue
		}
		if text := both[0].String() + both[1].String(); !r.seen[text] {
			r.seen[text] = true
			reports = append(reports, text)
		}
	}
	return reports
}

// access is one of two accesses that race: what it does, and its stack, innermost frame first.
type access struct {
	what  string
	stack []frame
}

type frame struct{ function, line string }

// String writes the access and the frames of the code under test. Operations of sync/atomic are
// those by which the shims say what the code's own ones touch.
func (a access) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n", a.what)
	for _, f := range a.stack {
		if engine(f.function) {
			break
		}
		if strings.HasPrefix(f.function, "sync/atomic.") {
			continue
		}
		fmt.Fprintf(&b, "    %s %s\n", f.function, f.line)
	}
	return b.String()
}

// accesses returns the accesses of a report.
func accesses(report string) (all []access) {
	inside := false
	for line := range strings.Lines(report) {
		text := strings.TrimSpace(line)
		what, _, begins := strings.Cut(text, " at 0x")
		switch {
		case begins && strings.HasSuffix(text, ":"):
			all = append(all, access{what: strings.ToLower(what)})
			inside = true
		case text == "":
			inside = false
		case !inside:
		case strings.HasPrefix(line, "      "):
			stack := all[len(all)-1].stack
			stack[len(stack)-1].line, _, _ = strings.Cut(text, " +")
		default:
			a := &all[len(all)-1]
			a.stack = append(a.stack, frame{function: text})
		}
	}
	return all
}

// under reports whether an access is made by the code under test: whether the innermost frame that
// is not of the standard library is of it.
func (a access) under() bool {
	for _, f := range a.stack {
		if !strings.HasPrefix(f.line, library()) {
			return !engine(f.function)
		}
	}
	return false
}

// library returns the folder of the sources of the standard library, as stacks name it.
var library = sync.OnceValue(func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Index).Pointer()).FileLine(0)
	return strings.TrimSuffix(file, "strings/strings.go")
})

// engine reports whether a function is of what explores.
func engine(function string) bool {
	rest, ours := strings.CutPrefix(function, "github.com/linsat/linsat/")
	if !ours {
		return false
	}
	for _, p := range []string{"explore", "linsattest", "internal/"} {
		if strings.HasPrefix(rest, p+".") || strings.HasPrefix(rest, p+"/") || p == "internal/" &&
			strings.HasPrefix(rest, p) {
			return !strings.Contains(function, "_test.")
		}
	}
	return false
}
