package model

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// TouchesOf returns the keys that every operation reads or writes, as in Instance.Touches, for a
// specification whose footprints say so; nil if draining added operations. The partition is on one
// object.
func TouchesOf(s Spec, p *Partition) [][]int32 {
	// by value and one more, NoKey: the number plus one
	numbers := make([]int32, p.History.Values.Len()+1)
	next := int32(0)
	touches := make([][]int32, p.Len())
	var touched []history.Value
	for i := range touches {
		g := p.Global(history.OpID(i))
		if g < 0 { // draining adds it
			return nil
		}
		touched = s.Footprint(p.History, g, touched[:0])
		keys := make([]int32, 0, len(touched))
		for _, v := range touched {
			if v == Everything {
				keys = nil
				break
			}
			if numbers[v+1] == 0 {
				next++
				numbers[v+1] = next
			}
			keys = append(keys, numbers[v+1]-1)
		}
		touches[i] = keys
	}
	return touches
}

// OfSeveral returns touches if some operation touches several keys, else nil.
func OfSeveral(touches [][]int32) [][]int32 {
	if slices.ContainsFunc(touches, func(keys []int32) bool { return len(keys) > 1 }) {
		return touches
	}
	return nil
}
