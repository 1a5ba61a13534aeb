package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Semaphore returns the specification of a counting semaphore: acquire [n], release [n] and
// tryacquire [n], where n is 1 by default. Permits may be released that were never acquired. Its
// initial state is the number of permits; 1 by default.
func Semaphore() model.Spec { return semaphore }

var semaphore = newTable(table{
	info: model.Info{
		Name:    "semaphore",
		Summary: "permits that are acquired and released",
		Initial: "the number of permits (default: 1)",
		Example: `{"spec": "semaphore", "initial": 2, "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 3}, ` +
			`{"process": 1, "f": "acquire", "arg": 2, "call": 1, "return": 7}, {"process": 2, "f": "tryacquire", "call": 2, "return": 4, "result": true}, ` +
			`{"process": 0, "f": "release", "arg": 2, "call": 5, "return": 6}, {"process": 2, "f": "tryacquire", "call": 8, "return": 9, "result": false}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "acquire", Aliases: []string{"wait", "down", "p", "lock"},
			Arg: howManyPermits}, arg: somePermits, result: acquires},
		{Operation: model.Operation{Name: "release", Aliases: []string{"signal", "post", "up", "v", "unlock"},
			Arg: howManyPermits}, arg: somePermits,
			result: releases(
				"leave out how many permits there were before or after; one that did not take effect has the status " +
					"fail")},
		{Operation: model.Operation{Name: "tryacquire", Aliases: []string{"trywait", "trydown", "tryp", "trylock"},
			Arg:    howManyPermits,
			Result: "true if it acquired them, else false; null: not recorded"}, arg: somePermits, result: tries},
	},
	bind: (&lock{func(p *model.Partition) (int64, bool) {
		return holders(p, 1)
	}, stepSemaphore, permits, func(o lockOp, s int64) string {
		return fmt.Sprintf("there are %s, and it asks for %d", permits(s), o.n)
	}, nil, semaphoreTallies}).bind,
})

const howManyPermits = "how many permits (default: 1)"

var somePermits = &argument{"a number of permits from 0 to a million",
	func(t *history.Values, v history.Value) (int64, bool) {
		if v == history.Nil {
			return 1, true
		}
		n, isInt := t.AsInt(v)
		return n, isInt && n >= 0 && n <= maxHolders/1_000_000
	}}

// semRelease is the row of release; the others acquire.
const semRelease = 1

func stepSemaphore(o lockOp, s int64, dst []int64) []int64 {
	n := int64(o.n)
	enough := s >= n
	switch {
	case o.verb == semRelease:
		dst = append(dst, s+n)
	case enough && o.result != no:
		dst = append(dst, s-n)
	case !enough && o.result != yes:
		dst = append(dst, s)
	}
	return dst
}

// semaphoreTallies describes a semaphore by the number of permits.
func semaphoreTallies(init int64, ops []lockOp) *model.Tallies {
	t := &model.Tallies{Init: []int64{init}, Ways: make([][]model.Way, len(ops))}
	for i, o := range ops {
		n := int64(o.n)
		if o.verb == semRelease {
			t.Ways[i] = []model.Way{{Adds: []model.Added{{By: n}}}}
			continue
		}
		if o.result != no {
			t.Ways[i] = append(t.Ways[i], model.Way{Finds: []model.Found{model.AtLeast(0, n)},
				Adds: []model.Added{{By: -n}}})
		}
		if o.result != yes {
			t.Ways[i] = append(t.Ways[i], model.Way{Finds: []model.Found{model.AtMost(0, n-1)}})
		}
	}
	return t
}

func permits(n int64) string {
	if n == 1 {
		return "1 permit"
	}
	return fmt.Sprintf("%d permits", n)
}
