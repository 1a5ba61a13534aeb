package testenv

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
)

// Verdict is a recorded history with the verdict that is known of it.
type Verdict struct {
	Name         string // below the folder
	File         string
	Linearizable bool
}

// Verdicts lists the recorded histories of Porcupine's tests below a folder of theirs ("jepsen",
// "kv"), or all of them for "". Without recorded histories, t is skipped or fails.
func Verdicts(t testing.TB, folder string) []Verdict {
	t.Helper()
	f, err := os.Open(Recorded(t, "porcupine", "verdicts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []Verdict
	for _, row := range rows[1:] {
		if folder == "" || strings.HasPrefix(row[0], folder+"/") {
			all = append(all, Verdict{row[0], Recorded(t, "porcupine", row[0]), row[1] == "true"})
		}
	}
	return all
}
