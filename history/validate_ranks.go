package history

// rankSet notes ranks that are below twice the number of operations, as most readers give them.
type rankSet struct {
	words  []uint64 // a bit for each rank
	twice  uint64   // not 0 if some rank was noted twice
	beyond bool     // some rank has no bit
}

// newRankSet returns a set for a history of n operations, in room if that suffices.
func newRankSet(n int, room []uint64) rankSet {
	if words := 2*n/64 + 1; words > len(room) {
		room = make([]uint64, words)
	}
	return rankSet{words: room}
}

func (s *rankSet) note(r Rank) {
	at := uint64(r) / 64
	if at >= uint64(len(s.words)) {
		s.beyond = true
		return
	}
	bit := uint64(1) << (uint64(r) % 64)
	s.twice |= s.words[at] & bit
	s.words[at] |= bit
}

// add adds the ranks of another set, which it may keep.
func (s *rankSet) add(other *rankSet) {
	s.twice |= other.twice
	s.beyond = s.beyond || other.beyond
	if s.words == nil {
		s.words = other.words
		return
	}
	for at, word := range other.words {
		s.twice |= s.words[at] & word
		s.words[at] |= word
	}
}

// distinct reports whether all ranks have a bit and none was noted twice.
func (s *rankSet) distinct() bool { return s.twice == 0 && !s.beyond }

// sharedRank returns the first operation with a call or return of a rank that an operation before
// it has, too; -1 if all ranks are distinct. Engines compare ranks in either direction, so two of
// one rank would be ordered by some and concurrent for others.
func (h *History) sharedRank() (OpID, Rank) {
	most := Rank(0)
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Return != Never {
			most = max(most, o.Return)
		} else {
			most = max(most, o.Call)
		}
	}
	if int(most) > sparseRanks*(len(h.Ops)+1) { // no reader makes such ranks
		seen := make(map[Rank]bool, 2*len(h.Ops))
		return firstShared(h.Ops, func(r Rank) bool {
			before := seen[r]
			seen[r] = true
			return before
		})
	}
	seen := make([]uint64, most/64+1)
	return firstShared(h.Ops, func(r Rank) bool {
		word, bit := &seen[r/64], uint64(1)<<(r%64)
		before := *word&bit != 0
		*word |= bit
		return before
	})
}

// firstShared returns the first operation with a rank that was met before.
func firstShared(ops []Op, meet func(r Rank) bool) (OpID, Rank) {
	for i := range ops {
		if o := &ops[i]; meet(o.Call) {
			return OpID(i), o.Call
		} else if o.Return != Never && meet(o.Return) {
			return OpID(i), o.Return
		}
	}
	return -1, 0
}
