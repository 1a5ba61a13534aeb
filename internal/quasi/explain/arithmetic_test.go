package explain_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

const position = `(?:the (\d+)\w\w (removal|drain|place after all removals)|(a place before) the first removal)`

var (
	stepText      = regexp.MustCompile(`^(\d+)\. .*? (?:is|is due at) ` + position + ` or (later|earlier), since (.*)\.$`)
	displacedText = regexp.MustCompile(`(?:is|is due at) ` + position +
		` or (?:later|earlier)(?: \[(\d+)\]| \(.*\))?, and at bound (\d+) they`)
	countedText = regexp.MustCompile(`(.*?) \((?:each )?(?:due at )?` + position +
		` or (?:later|earlier)([ \[\]0-9]*)\)`)
	needText = regexp.MustCompile(`^it is not (?:later|earlier) than ` + position + `(?: \[(\d+)\]| \(.*\))?, and ` +
		position + ` (?:is|to ` + position + ` are all) needed by (.*)$`)
	endText = regexp.MustCompile(`(?:is|is due at) ` + position + ` or later(?: \[(\d+)\]| \(.*\))?, and ` +
		position + ` or earlier(?: \[(\d+)\]|)`)
	fullText = regexp.MustCompile(` from ` + position + ` to ` + position +
		`([ \[\]0-9]*): that is room for (\d+), but there are (\d+)`)
	operationText = regexp.MustCompile(`#\d+|the initial item|(\d+) more`)
	referenceText = regexp.MustCompile(`\[(\d+)\]`)
)

// addUp requires that the numbers of every sentence follow from those that it cites, by nothing but
// the text, and that it cites those of the sentences that it refers to.
func addUp(t *testing.T, seed uint64, b *model.Instance, sentences []string, checked map[string]int) {
	removals := 0
	for i, does := range b.Theory.(*model.CollectionTheory).Does {
		if does == model.Remove && !b.Partition.Ops[i].Pending() {
			removals++
		}
	}
	at := func(m []string) int {
		switch n, _ := strconv.Atoi(m[0]); {
		case m[2] != "" || m[0] == "":
			return 0
		case m[1] == "removal":
			return n
		default:
			return removals + n
		}
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	listed := func(s string) (n int) {
		for _, m := range operationText.FindAllStringSubmatch(s, -1) {
			n += max(1, number(m[1]))
		}
		return n
	}
	stated := map[string]int{}
	for _, x := range sentences {
		if m := stepText.FindStringSubmatch(x); m != nil {
			stated[m[1]] = at(m[2:])
		}
	}
	for _, x := range sentences {
		said := func(reference string, position int) {
			if reference != "" {
				require.Equal(t, stated[reference], position, "seed %d: %s\n%v", seed, x, sentences)
				checked["referred"]++
			}
		}
		if m := endText.FindStringSubmatch(x); m != nil {
			said(m[4], at(m[1:]))
			said(m[8], at(m[5:]))
			checked["contradiction"]++
			require.Greater(t, at(m[1:]), at(m[5:]), "seed %d: %v", seed, sentences)
		} else if m := fullText.FindStringSubmatch(x); m != nil {
			checked["overfull"]++
			require.Equal(t, number(m[8]), at(m[4:])-at(m[1:])+1, "seed %d: %v", seed, sentences)
			require.Greater(t, number(m[9]), number(m[8]), "seed %d: %v", seed, sentences)
		}
		m := stepText.FindStringSubmatch(x)
		if m == nil {
			continue
		}
		value, sign, reason := at(m[2:]), 1, m[6]
		if m[5] == "earlier" {
			sign = -1
		}
		if d := displacedText.FindStringSubmatch(reason); d != nil {
			require.Equal(t, at(d[1:])-sign*number(d[5]), value, "seed %d: %v", seed, sentences)
			said(d[4], at(d[1:]))
			checked["displacement"]++
		} else if n := needText.FindStringSubmatch(reason); n != nil {
			own, from := at(n[1:]), at(n[5:])
			to := from
			if n[8] != "" || n[10] != "" {
				to = at(n[8:])
			}
			if sign < 0 {
				require.Equal(t, from-1, value, "seed %d: %v", seed, sentences)
			} else {
				require.Equal(t, to+1, value, "seed %d: %v", seed, sentences)
			}
			require.True(t, from <= own && own <= to, "seed %d: %v", seed, sentences)
			require.Equal(t, to-from+1, listed(n[11]), "seed %d: %v", seed, sentences)
			said(n[4], own)
			checked["hall"]++
		} else if all := countedText.FindAllStringSubmatch(reason, -1); len(all) > 0 {
			c := all[len(all)-1]
			list := c[1]
			for _, start := range []string{"only after ", "nothing was found, and "} {
				if _, after, ok := strings.Cut(list, start); ok {
					list = after
				}
			}
			require.Equal(t, at(c[2:])+sign*listed(list), value, "seed %d: %v", seed, sentences)
			for _, r := range referenceText.FindAllStringSubmatch(c[5], -1) {
				require.GreaterOrEqual(t, sign*stated[r[1]], sign*at(c[2:]), "seed %d: %v", seed, sentences)
			}
			if listed(list) == 1 && c[5] != "" {
				said(strings.Trim(c[5], " []"), at(c[2:]))
			}
			checked["counted"]++
		} else {
			checked["other"]++
			require.Contains(t, reason, "only drains follow it", "seed %d: %v", seed, sentences)
		}
	}
}
