package consistency

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// Where values repeat, a read may be from several writes. A choice of one for each such read makes
// an access history in which values tell the write, and the answer is yes if it is yes for some
// choice.

// Start stands for the start of an object as the source of a read.
const Start history.OpID = -1

// Choice says which write a read is from, or Start.
type Choice struct {
	Read  history.OpID `json:"read"`
	Write history.OpID `json:"write"`
}

// Choices says that for each choice of writes the answer is no.
type Choices struct {
	// Cases are choices for some reads, each with what shows a no whatever the others are from.
	Cases []ChoiceCase `json:"cases"`
	// Lemmas refute that a choice for all reads avoids all cases (internal/consistency/verify).
	Lemmas []proof.Lemma `json:"lemmas"`
}

// ChoiceCase is one of them: of Commits and Conflict one is set, as in Certificate.
type ChoiceCase struct {
	Chosen []Choice `json:"chosen"`
	Certificate
}

// Sources lists for each read, by position, what it may be from, Start first; nil for what reads
// nothing.
func (a *Accesses) Sources() [][]history.OpID {
	type value struct{ object, number int32 }
	writers := map[value][]history.OpID{}
	for k, v := range a.Initial {
		writers[value{int32(k), v}] = []history.OpID{Start}
	}
	for i := range a.Ops {
		if x := &a.Ops[i]; x.Writes {
			at := value{x.Object, x.Left}
			writers[at] = append(writers[at], history.OpID(i))
		}
	}
	sources := make([][]history.OpID, len(a.Ops))
	for i := range a.Ops {
		if x := &a.Ops[i]; x.Reads {
			sources[i] = slices.Clip(writers[value{x.Object, x.Found}])
			if sources[i] == nil {
				sources[i] = []history.OpID{}
			}
		}
	}
	return sources
}

// Chosen returns a with values that tell the write that a read is from: as chosen, or the only one.
// Reads with several that nothing is chosen for read nothing there. ok is false if a choice is
// none of the sources.
func (a *Accesses) Chosen(sources [][]history.OpID, chosen []Choice) (renamed *Accesses, ok bool) {
	from := make(map[history.OpID]history.OpID, len(chosen))
	for _, c := range chosen {
		if c.Read < 0 || int(c.Read) >= len(sources) || !slices.Contains(sources[c.Read], c.Write) {
			return nil, false
		}
		from[c.Read] = c.Write
	}
	b := *a
	b.Ops, b.Initial = slices.Clone(a.Ops), make([]int32, len(a.Initial))
	for i := range b.Ops {
		x := &b.Ops[i]
		x.Left = int32(i) + 1
		if !x.Reads {
			continue
		}
		w, is := from[history.OpID(i)]
		switch all := sources[i]; {
		case is:
			x.Found = int32(w) + 1
		case len(all) == 1:
			x.Found = int32(all[0]) + 1
		case len(all) == 0:
			x.Found = -1 // which nothing writes
		default:
			x.Reads = false
		}
	}
	return &b, true
}
