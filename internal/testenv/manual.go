package testenv

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Manual runs every "$ program …" of a page and compares what it prints with what stands there,
// engines and times apart; a last line "…" stands for the rest. It returns how many there were. run
// takes the arguments, and returns the output.
func Manual(t *testing.T, page, program string, run func(args []string) string) int {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range strings.Split(string(text), "\n```\n$ "+program+" ")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		for _, printed := range strings.Split(block, "\n$ "+program+" ") {
			command, want, _ := strings.Cut(printed, "\n")
			rest := elided.MatchString(want)
			want, got := steady(elided.ReplaceAllString(want, "")), steady(run(Arguments(command)))
			if got != want && !(rest && strings.HasPrefix(got, want+"\n")) {
				t.Errorf("%s: %s prints\n%s\nand not\n%s", page, command, got, want)
			}
			ran++
		}
	}
	return ran
}

// Arguments divides a command line at its spaces; what stands in single quotes is one word.
func Arguments(command string) []string {
	var words []string
	for k, part := range strings.Split(command, "'") {
		if k%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

var (
	answeredBy = regexp.MustCompile(`(?m); by [^;\n]* in .*$`)
	elided     = regexp.MustCompile(`\n *…\s*$`)
	times      = regexp.MustCompile(`in [0-9.]+ ?(µs|ms|s)\b`)
)

// steady leaves out what differs from run to run.
func steady(text string) string {
	text = answeredBy.ReplaceAllString(text, "; by …")
	return strings.TrimSpace(times.ReplaceAllString(text, "in …"))
}
