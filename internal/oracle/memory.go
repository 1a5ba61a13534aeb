package oracle

import "slices"

// Memory is reads and writes of objects by processes, in the order of their calls. No object is
// written one value twice, or the value 0, which it has at the start.
type Memory []MemoryOp

// MemoryOp is a read that found a value, or a write. A write that never returned took effect or
// not; a read of unknown result is not among them.
type MemoryOp struct {
	Process, Object, Value int
	Write, Pending         bool
}

// Session guarantees and causal consistency, from the definitions.
//
// A process sees writes in some order, a view: of its own reads and of all writes that take effect,
// each read being of the last write of its object. What the questions ask of views:
//
//   - PRAM [Lipton, Sandberg, 1988]: they extend the order of every process.
//   - causal memory [Ahamad, Neiger, Burns, Kohli, Hutto, 1995]: they extend causality, the closure
//     of the orders of processes and of who reads from whom.
//   - the session guarantees [Terry et al., PDIS 1994] in the form of Brzeziński, Sobaniec and
//     Wawrzyniak (PDP 2004), where views are those of servers: monotonic reads, what an earlier
//     read of the process shows comes before a later read; here the reads are in order. Read your
//     writes: the own writes come in order, and each before later own reads. Monotonic writes,
//     writes follow reads: monotonic reads, since a history has clients and no servers, and without
//     it every order of writes is allowed; and the writes of each process come in its order, or
//     what a process read comes before what it writes later.

// Guarantee says which of two operations come in order in a view of process p, where a is before b
// in one process and causal says that it is so by causality.
type Guarantee func(m Memory, p, a, b int) bool

// The guarantees that are about two operations of one process.
var (
	MonotonicReads Guarantee = func(m Memory, p, a, b int) bool {
		return m[a].Process == p && !m[a].Write && !m[b].Write
	}
	ReadYourWrites Guarantee = func(m Memory, p, a, b int) bool { return m[a].Process == p && m[a].Write }
	PRAM           Guarantee = func(m Memory, p, a, b int) bool { return true }
	// MonotonicWrites is to be asked together with MonotonicReads.
	MonotonicWrites Guarantee = func(m Memory, p, a, b int) bool {
		return m[a].Write && m[b].Write || MonotonicReads(m, p, a, b)
	}
)

// InViews reports whether every process has a view that keeps what a guarantee puts in order.
func (m Memory) InViews(g Guarantee) bool {
	return m.settled(func(settled Memory) bool {
		return settled.viewed(func(p, a, b int) bool {
			return a < b && settled[a].Process == settled[b].Process && g(settled, p, a, b)
		})
	})
}

// WritesFollowReads reports whether every process has a view in which its reads are in order, and
// what a process read comes before what it writes later.
func (m Memory) WritesFollowReads() bool {
	return m.settled(func(settled Memory) bool {
		return settled.viewed(func(p, a, b int) bool {
			if a < b && settled[a].Process == settled[b].Process && MonotonicReads(settled, p, a, b) {
				return true
			}
			for r := range settled {
				if settled[a].Write && settled[b].Write && settled.from(a, r) && r < b &&
					settled[r].Process == settled[b].Process {
					return true
				}
			}
			return false
		})
	})
}

// CausalMemory reports whether every process has a view that extends causality.
func (m Memory) CausalMemory() bool {
	return m.settled(func(settled Memory) bool {
		before, ok := settled.causality()
		return ok && settled.viewed(func(p, a, b int) bool { return before[a][b] })
	})
}

// CausalConvergence reports whether there is an order of all writes that extends causality such
// that each read shows the last one of its object among those that are causes of it [Bouajjani,
// Enea, Guerraoui, Hamza, POPL 2017, Table 1].
func (m Memory) CausalConvergence() bool {
	return m.settled(func(settled Memory) bool {
		before, ok := settled.causality()
		if !ok {
			return false
		}
		var writes []int
		for i := range settled {
			if settled[i].Write {
				writes = append(writes, i)
			}
		}
		return permuted(writes, func(order []int) bool {
			for k, b := range order {
				for _, a := range order[k+1:] {
					if before[a][b] {
						return false
					}
				}
			}
			for r := range settled {
				value := 0
				for _, w := range order {
					if before[w][r] && settled[w].Object == settled[r].Object {
						value = settled[w].Value
					}
				}
				if !settled[r].Write && settled[r].Value != value {
					return false
				}
			}
			return true
		})
	})
}

// WeaklyCausal reports whether causality is an order in which each read can show what it does: what
// it shows is the last write of its object in some order of its causes [ibid., CC].
func (m Memory) WeaklyCausal() bool {
	return m.settled(func(settled Memory) bool {
		before, ok := settled.causality()
		for r := range settled {
			var past []int
			for i := range settled {
				if ok && before[i][r] && settled[i].Write {
					past = append(past, i)
				}
			}
			first := func(a, b int) bool { return before[a][b] }
			ok = ok && (settled[r].Write || settled.view(append(past, r), nil, first))
		}
		return ok
	})
}

// AnySources reports whether some choice of a write for each read makes a definition true: of
// memory whose values repeat, in which a read may be from each write of its value, or from the
// start if that is 0. The definition sees each write with a value of its own.
func (m Memory) AnySources(definition func(Memory) bool) bool {
	apart := slices.Clone(m)
	for i := range apart {
		if apart[i].Write {
			apart[i].Value = i + 1
		}
	}
	var choose func(r int) bool
	choose = func(r int) bool {
		switch {
		case r == len(m):
			return definition(apart)
		case m[r].Write:
			return choose(r + 1)
		}
		if apart[r].Value = 0; m[r].Value == 0 && choose(r+1) {
			return true
		}
		for w := range m {
			if apart[r].Value = w + 1; m.from(w, r) && choose(r+1) {
				return true
			}
		}
		return false
	}
	return choose(0)
}

// settled calls f for each set of pending writes that may have taken effect, until it is true.
func (m Memory) settled(f func(Memory) bool) bool {
	for i := range m {
		if m[i].Pending {
			took := slices.Clone(m)
			took[i].Pending = false
			return took.settled(f) || slices.Delete(slices.Clone(m), i, i+1).settled(f)
		}
	}
	return f(m)
}

// from reports whether read r shows what write w wrote.
func (m Memory) from(w, r int) bool {
	return m[w].Write && !m[r].Write && m[w].Object == m[r].Object && m[w].Value == m[r].Value
}

// causality is the closure of the orders of processes and of who reads from whom. It is false if
// that is no order.
func (m Memory) causality() (before [][]bool, ok bool) {
	n := len(m)
	before = make([][]bool, n)
	for a := range before {
		before[a] = make([]bool, n)
		for b := range before[a] {
			before[a][b] = m[a].Process == m[b].Process && a < b || m.from(a, b)
		}
	}
	for k := range n {
		for a := range n {
			for b := range n {
				before[a][b] = before[a][b] || before[a][k] && before[k][b]
			}
		}
	}
	for a := range n {
		if before[a][a] {
			return nil, false
		}
	}
	return before, true
}

// viewed reports whether each process has a view that keeps an order.
func (m Memory) viewed(before func(p, a, b int) bool) bool {
	for p := range m {
		process := m[p].Process
		var ops []int
		for i := range m {
			if m[i].Write || m[i].Process == process {
				ops = append(ops, i)
			}
		}
		if !m.view(ops, nil, func(a, b int) bool { return before(process, a, b) }) {
			return false
		}
	}
	return true
}

// view reports whether a beginning of a view can be continued by the rest.
func (m Memory) view(rest, order []int, before func(a, b int) bool) bool {
	if len(rest) == 0 {
		return true
	}
	for k, i := range rest {
		if slices.ContainsFunc(rest, func(j int) bool { return before(j, i) }) { // also i itself
			continue
		}
		value := 0
		for _, w := range order {
			if m[w].Write && m[w].Object == m[i].Object {
				value = m[w].Value
			}
		}
		if !m[i].Write && value != m[i].Value {
			continue
		}
		if m.view(slices.Delete(slices.Clone(rest), k, k+1), append(order[:len(order):len(order)], i), before) {
			return true
		}
	}
	return false
}

// permuted calls f for all orders until it is true.
func permuted(items []int, f func([]int) bool) bool {
	var try func(k int) bool
	try = func(k int) bool {
		if k == len(items) {
			return f(items)
		}
		for j := k; j < len(items); j++ {
			items[k], items[j] = items[j], items[k]
			if try(k + 1) {
				return true
			}
			items[k], items[j] = items[j], items[k]
		}
		return false
	}
	return try(0)
}
