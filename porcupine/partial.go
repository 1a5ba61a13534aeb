package porcupine

import "context"

// partial returns partial linearizations of a partition that is not linearizable, or not decided:
// for every operation the longest linearizable prefix that was found with it, each once, as
// Porcupine's picture shows them. It is a sequence of operations that the model allows, that
// respects the order of time, and that leaves out nothing which returned before an operation in it
// was called. The verdict does not depend on it, so the search ends when time or steps are used up.
func partial(ctx context.Context, m *Model, ops []Operation) [][]int {
	s := newTextbook(ctx, m, ops)
	s.longest = make([][]int, len(ops))
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	s.run(partialSteps)
	var all [][]int
	had := map[*int]bool{}
	for _, l := range s.longest {
		if l != nil && !had[&l[0]] {
			had[&l[0]] = true
			all = append(all, l)
		}
	}
	return all
}
