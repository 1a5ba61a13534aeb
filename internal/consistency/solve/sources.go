package solve

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// start stands for the start of an object as the source of a read.
const start history.OpID = -1

// sources is whom each read is from.
type sources struct {
	*consistency.Accesses
	of      []history.OpID // of reads: the write that they are from, or start
	effect  []bool         // writes that take effect: those that returned, and those that are read
	thinAir history.OpID   // a read of what nobody wrote, -1 if there is none
	readers []int32        // processes that read something, by their first read
}

// newSources finds the sources. It says what is unclear if a read may be from several.
func newSources(a *consistency.Accesses) (s *sources, unclear string) {
	s = &sources{Accesses: a, of: make([]history.OpID, len(a.Ops)), effect: make([]bool, len(a.Ops)), thinAir: -1}
	type value struct{ object, number int32 }
	writer := make(map[value]history.OpID, len(a.Ops))
	several := map[value]bool{}
	for k, v := range a.Initial {
		writer[value{int32(k), v}] = start
	}
	for i := range a.Ops {
		x := &a.Ops[i]
		if !x.Writes {
			continue
		}
		s.effect[i] = !x.Pending
		at := value{x.Object, x.Left}
		if _, met := writer[at]; met {
			several[at] = true
		}
		writer[at] = history.OpID(i)
	}
	met := make([]bool, len(a.History.Processes))
	for i := range a.Ops {
		x := &a.Ops[i]
		if !x.Reads {
			continue
		}
		at := value{x.Object, x.Found}
		w, known := writer[at]
		switch {
		case !known:
			if s.thinAir < 0 {
				s.thinAir = history.OpID(i)
			}
			continue
		case several[at] && unclear == "":
			unclear = fmt.Sprintf("what operation %s read was written more than once, or is there at the start",
				a.History.ID(history.OpID(i)))
		}
		if s.of[i] = w; w != start {
			s.effect[w] = true
		}
		if !met[x.Process] {
			met[x.Process] = true
			s.readers = append(s.readers, x.Process)
		}
	}
	if s.thinAir >= 0 {
		unclear = ""
	}
	return s, unclear
}

// path is a path.
func path(ops ...history.OpID) []history.OpID { return ops }
