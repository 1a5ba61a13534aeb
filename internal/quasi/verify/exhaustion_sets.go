package verify

import (
	"encoding/binary"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// setPlaces are the places in bounded sets of operations (Round-Up, Definition 3), counted for each
// object, while an Exhaustion builds ρ′ and ρ″ in step. Under classes ρ′ grows in its own order
// only within each class: if a set has operations of several, every ρ′ is listed. The zero value
// bounds no sets.
type setPlaces struct {
	across bool         // ρ′ is listed
	of     [][]int32    // by operation: the sets that have it
	limits []int32      // by set
	count  [2][]int32   // of ρ′ and ρ″, by set: places filled
	at     [2][][]int32 // of ρ′ and ρ″, by operation: its place in each set of of
}

// bySets reads the sets that the question bounds. What the weakening of whole forgets must not
// change what is in them, since places in a set depend on what else is in it.
func (s *exhaustion) bySets(whole *model.Instance) error {
	if len(s.r.Sets) == 0 {
		return nil
	}
	p, groups := &s.sets, map[int32]int32{}
	objects := len(s.keys)
	p.of, p.limits = make([][]int32, s.n), make([]int32, objects*len(s.r.Sets))
	for k, set := range s.r.Sets {
		before, err := sets.Members(whole, set.Operations)
		if err != nil {
			return err
		}
		in, err := sets.Members(s.b, set.Operations)
		if err != nil {
			return err
		}
		for i := range s.n {
			if i < s.own && in[i] != before[i] {
				return base.Faultf(base.Op(whole.Partition, i), "what is forgotten of it puts it out of a bounded set")
			}
			if family := int32(k*objects + int(s.object[i])); in[i] {
				p.limits[family] = set.Bound
				p.of[i] = append(p.of[i], family)
				g, known := groups[family]
				p.across = p.across || s.r.Meaning == quasi.Classes && known && g != s.group[i]
				groups[family] = s.group[i]
			}
		}
	}
	for order := range p.count {
		p.count[order], p.at[order] = make([]int32, len(p.limits)), make([][]int32, s.n)
		for i := range p.of {
			p.at[order][i] = make([]int32, len(p.of[i]))
		}
	}
	return nil
}

func (p *setPlaces) clear() {
	for order := range p.count {
		clear(p.count[order])
	}
}

func orderOf(second bool) int {
	if second {
		return 1
	}
	return 0
}

// enter gives an operation the next places of its sets in ρ′, or in ρ″.
func (p *setPlaces) enter(i history.OpID, second bool) {
	if p.of == nil || p.across && !second {
		return
	}
	p.place(i, orderOf(second))
}

func (p *setPlaces) place(i history.OpID, order int) {
	for k, family := range p.of[i] {
		p.count[order][family]++
		p.at[order][i][k] = p.count[order][family]
	}
}

// leave takes them back, the last ones first.
func (p *setPlaces) leave(i history.OpID, second bool) {
	if p.of == nil || p.across && !second {
		return
	}
	for _, family := range p.of[i] {
		p.count[orderOf(second)][family]--
	}
}

// near reports whether an operation that is in both orders has moved within the bounds of its sets.
func (p *setPlaces) near(i history.OpID) bool {
	if p.of == nil {
		return true
	}
	for k, family := range p.of[i] {
		if move := p.at[0][i][k] - p.at[1][i][k]; max(move, -move) > p.limits[family] {
			return false
		}
	}
	return true
}

// key appends the places of an operation that is in one order only.
func (p *setPlaces) key(key []byte, i history.OpID, first bool) []byte {
	if p.of == nil {
		return key
	}
	for _, at := range p.at[orderOf(!first)][i] {
		key = binary.AppendUvarint(key, uint64(at))
	}
	return key
}
