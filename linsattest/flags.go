package linsattest

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"
)

var (
	duration = flag.Duration("linsat.duration", defaultDuration, "how long each linsattest check repeats its run")
	seed     = flag.Uint64("linsat.seed", 0, "seed of the first run of each linsattest check; 0 draws one")
	hang     = flag.Duration("linsat.hang", defaultHang, "how long one run of a linsattest check may take")
	folder   = flag.String("linsat.dir", "", "`folder` for the histories of failed linsattest checks")
)

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// directory returns where the files of a failed test go: the folder of the flag, that of go test
// -artifacts, or a new one for temporary files.
func directory(t testing.TB) (string, error) {
	name := unfit.ReplaceAllString(t.Name(), "-")
	if *folder != "" {
		dir := fmt.Sprintf("%s%c%s", *folder, os.PathSeparator, name)
		return dir, os.MkdirAll(dir, 0o755)
	}
	if kept := flag.Lookup("test.artifacts"); kept != nil && kept.Value.String() == "true" {
		if a, ok := t.(interface{ ArtifactDir() string }); ok {
			return a.ArtifactDir(), nil
		}
	}
	return os.MkdirTemp("", "linsat-"+name+"-")
}

// until returns when a test should end: after the duration of the flag, and well before the
// deadline of go test.
func until(t testing.TB, start time.Time) time.Time {
	end := start.Add(*duration)
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if last, ok := d.Deadline(); ok {
			if last = start.Add(last.Sub(start) / deadlineShare); last.Before(end) {
				end = last
			}
		}
	}
	return end
}
