package monitor

import words "math/bits"

// momentSet is a set of moments that only grows. It finds the next and the previous member in O(log
// n / log 64): bits, bits that say which words of bits are not empty, and so on.
type momentSet [][]uint64

func newMomentSet(moments moment) momentSet {
	var s momentSet
	for n := int(moments); ; n = (n + 63) / 64 {
		s = append(s, make([]uint64, (n+63)/64))
		if n <= 64 {
			return s
		}
	}
}

func (s momentSet) add(g moment) {
	for level := range s {
		s[level][g>>6] |= 1 << (g & 63)
		g >>= 6
	}
}

// next returns the first one from g on, or -1.
func (s momentSet) next(g moment) moment {
	for level := 0; level < len(s); level++ {
		if int(g>>6) >= len(s[level]) {
			return -1
		}
		if w := s[level][g>>6] >> (g & 63); w != 0 {
			g += moment(words.TrailingZeros64(w))
			for ; level > 0; level-- {
				g = g<<6 + moment(words.TrailingZeros64(s[level-1][g]))
			}
			return g
		}
		g = g>>6 + 1
	}
	return -1
}

// previous returns the last one up to g, or -1.
func (s momentSet) previous(g moment) moment {
	for level := 0; level < len(s) && g >= 0; level++ {
		if w := s[level][g>>6] << (63 - g&63); w != 0 {
			g -= moment(words.LeadingZeros64(w))
			for ; level > 0; level-- {
				g = g<<6 + 63 - moment(words.LeadingZeros64(s[level-1][g]))
			}
			return g
		}
		g = g>>6 - 1
	}
	return -1
}
