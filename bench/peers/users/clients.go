package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// turn is one operation of a client: it is called, takes effect and returns, at times in
// microseconds.
type turn struct {
	client           int
	from, effect, to int64
}

// schedule draws n turns of some clients, in the order in which they take effect. A client calls
// again when it has its answer. Most answers take around 20 ms, some ten times as long.
func schedule(r *rand.Rand, clients, n int) []turn {
	free := make([]int64, clients)
	turns := make([]turn, n)
	for k := range turns {
		c := 0
		for d := range free {
			if free[d] < free[c] {
				c = d
			}
		}
		took := 10_000 + r.Int64N(20_000)
		if r.IntN(20) == 0 {
			took *= 10
		}
		from := free[c] + 1 + r.Int64N(1000)
		turns[k] = turn{client: c, from: from, effect: from + 1 + r.Int64N(took-1), to: from + took}
		free[c] = from + took
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.effect, b.effect) })
	return turns
}

// late reports whether operation k of n is near the end, where the violations are.
func late(k, n int) bool { return k >= n*95/100 }

// longest is longer than any operation takes.
const longest = 400_000
