package localize

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Sequence is the labels of a critical data race sequence, in order. It has the form (Wg|Bg)*(Bg|G)
// of Theorem 3.
type Sequence []Label

// String writes it as the paper does: WgWgG, Wg{5}G. Three or more of a kind are counted.
func (s Sequence) String() string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		switch {
		case n > 2:
			fmt.Fprintf(&b, "%s{%d}", s[i].Symbol(), n)
		default:
			b.WriteString(strings.Repeat(s[i].Symbol(), n))
		}
		i += n
	}
	return b.String()
}

// ParseSequence reads what String writes.
func ParseSequence(text string) (Sequence, error) {
	var s Sequence
	for rest := text; rest != ""; {
		var l Label
		switch {
		case strings.HasPrefix(rest, "Wg"):
			l = WhiteGrey
		case strings.HasPrefix(rest, "Bg"):
			l = BlackGrey
		case strings.HasPrefix(rest, "G"):
			l = Grey
		default:
			return nil, fmt.Errorf("sequence %q: Wg, Bg or G expected at %q", text, rest)
		}
		rest = rest[len(l.Symbol()):]
		n := 1
		if strings.HasPrefix(rest, "{") {
			if _, err := fmt.Sscanf(rest, "{%d}", &n); err != nil || n < 1 || n > 1000 {
				return nil, fmt.Errorf("sequence %q: {number} expected at %q", text, rest)
			}
			_, rest, _ = strings.Cut(rest, "}")
		}
		s = append(s, slices.Repeat([]Label{l}, n)...)
	}
	return s, nil
}

// WellFormed reports whether the sequence has the form (Wg|Bg)*(Bg|G).
func (s Sequence) WellFormed() bool {
	if len(s) == 0 || s[len(s)-1] == WhiteGrey {
		return false
	}
	for i, l := range s {
		if !l.Critical() || l == Grey && i < len(s)-1 {
			return false
		}
	}
	return true
}

// Pattern is a sequence with the number of failing traces that have it.
type Pattern struct {
	Sequence Sequence
	Traces   uint64 // math.MaxUint64: that many or more
}

// patterns counts, for every failing trace, the labels of its critical nodes; with onlyRaces, only
// of those at which the accesses race. Shorter sequences come first. It returns nil if there are
// too many.
func (g *graph) patterns(onlyRaces bool) []Pattern {
	if len(g.nodes) == 0 {
		return nil
	}
	// the rest of a sequence, one byte a label → traces
	memo := make([]map[string]uint64, len(g.nodes))
	total := 0
	var visit func(at int32)
	visit = func(at int32) {
		n := &g.nodes[at]
		if memo[at] != nil || total > maxPatterns {
			return
		}
		m := map[string]uint64{}
		memo[at] = m
		if n.kind == leaf {
			if n.failing > 0 {
				m[""] = 1
			}
			return
		}
		for i := range n.edges {
			child := n.edges[i].child
			if child < 0 || g.nodes[child].failing == 0 {
				continue
			}
			visit(child)
			prefix := ""
			if g.counts(n, i, onlyRaces) {
				prefix = string(rune(n.label))
			}
			for rest, traces := range memo[child] {
				m[prefix+rest] = add(m[prefix+rest], traces)
			}
		}
		total += len(m)
	}
	visit(0)
	if total > maxPatterns {
		return nil
	}
	var all []Pattern
	for s, traces := range memo[0] {
		p := Pattern{Sequence: make(Sequence, len(s)), Traces: traces}
		for i := range s {
			p.Sequence[i] = Label(s[i])
		}
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(len(a.Sequence), len(b.Sequence)), slices.Compare(a.Sequence, b.Sequence)) < 0
	})
	return all
}

// critical reports whether something is decided at n that its label shows.
func (n *node) critical() bool { return len(n.edges) > 1 && n.label.Critical() }

// counts reports whether n belongs to the sequence of a trace that takes that edge.
func (g *graph) counts(n *node, taken int, onlyRaces bool) bool {
	return n.critical() && (!onlyRaces || g.decisive(n, taken) != Commuting)
}
