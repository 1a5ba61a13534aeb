package words

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/stale"
)

// Row is how many objects have a least bound: stale.Never if none is enough.
type Row struct {
	Bound   int64
	Objects int
}

// Rows counts the objects by what is known to be enough, the least bound first.
func Rows(bounds []stale.Bound) []Row {
	number := map[int64]int{}
	for _, b := range bounds {
		number[b.High]++
	}
	var rows []Row
	for bound, n := range number {
		rows = append(rows, Row{bound, n})
	}
	compare := func(a, b Row) int { return cmp.Compare(a.Bound, b.Bound) }
	sort.Slice(rows, func(i, j int) bool { return compare(rows[i], rows[j]) < 0 })
	return rows
}

// Histogram draws how many objects have which least bound, many bounds in ranges of powers of two.
func Histogram(bounds []stale.Bound) []string {
	rows := Rows(bounds)
	names := make([]string, len(rows))
	for k, r := range rows {
		names[k] = bound(r.Bound)
	}
	if len(rows) > mostRows {
		rows, names = ranges(rows)
	}
	width, most := 0, 0
	for k := range rows {
		width, most = max(width, len(names[k])), max(most, rows[k].Objects)
	}
	var lines []string
	for k, r := range rows {
		bar := strings.Repeat("█", max(1, r.Objects*barWidth/most))
		lines = append(lines, fmt.Sprintf("%*s  %s %d", width, names[k], bar, r.Objects))
	}
	return lines
}

func bound(b int64) string {
	if b == stale.Never {
		return "never"
	}
	return strconv.FormatInt(b, 10)
}

// ranges joins rows whose bounds have the same number of bits.
func ranges(rows []Row) (joined []Row, names []string) {
	bits := func(b int64) int { return len(strconv.FormatInt(b, 2)) }
	for _, r := range rows {
		last := len(joined) - 1
		if last < 0 || r.Bound == stale.Never || r.Bound == 0 || joined[last].Bound == 0 ||
			bits(joined[last].Bound) != bits(r.Bound) {
			joined, names = append(joined, r), append(names, bound(r.Bound))
			continue
		}
		first, _, _ := strings.Cut(names[last], "–")
		joined[last].Objects += r.Objects
		names[last] = first + "–" + bound(r.Bound)
	}
	return joined, names
}

// zero is how many objects are linearizable.
func zero(rows []Row) int {
	if len(rows) > 0 && rows[0].Bound == 0 {
		return rows[0].Objects
	}
	return 0
}

// Shares says in a line how the least bounds are distributed.
func Shares(bounds []stale.Bound, what string) string {
	rows := Rows(bounds)
	share := func(n int) string {
		return strings.TrimSuffix(strconv.FormatFloat(100*float64(n)/float64(len(bounds)), 'f', 1, 64), ".0") + " %"
	}
	var parts []string
	if len(rows) > mostRows {
		return fmt.Sprintf("%s of %d %s are linearizable", share(zero(rows)), len(bounds), what)
	}
	rest := 0
	for k, r := range rows {
		switch {
		case r.Bound == 0:
			parts = append(parts, fmt.Sprintf("%s of %d %s are linearizable", share(r.Objects), len(bounds), what))
		case k > 3 && len(rows) > 5 && r.Bound != stale.Never:
			rest += r.Objects
		case r.Bound == stale.Never:
			parts = append(parts, share(r.Objects)+" never")
		default:
			parts = append(parts, share(r.Objects)+" at "+bound(r.Bound))
		}
	}
	if rest > 0 {
		parts = append(parts, share(rest)+" above that")
	}
	if len(rows) > 0 && rows[0].Bound != 0 {
		parts = append([]string{fmt.Sprintf("none of %d %s is linearizable", len(bounds), what)}, parts...)
	}
	return strings.Join(parts, ", ")
}
