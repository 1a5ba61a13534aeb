package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// outcome is a result that is true or false.
type outcome uint8

const (
	unknown outcome = iota // not recorded: either is possible
	yes
	no
)

// truth reads the result of operation i as an outcome. A null result of a completed operation is
// unknown: many formats record none. ok is false for other values.
func truth(o *history.Op) (result outcome, ok bool) {
	switch {
	case o.Unknown || o.Result == history.Nil:
		return unknown, true
	case o.Result == history.True:
		return yes, true
	case o.Result == history.False:
		return no, true
	}
	return unknown, false
}

// casModes returns the modes of a compare-and-set from old to new. A pending one that fails might
// as well not take effect, so it only has the mode of success; from a value to itself, it may
// always.
func casModes(old, new int32, result outcome, pending bool) []model.Mode {
	success := model.Mode{Test: model.Is, V: old, Leaves: new}
	failure := model.Mode{Test: model.Not, V: old, Leaves: model.Keep}
	if old == new {
		success.Leaves = model.Keep
	}
	switch {
	case result == yes:
		return []model.Mode{success}
	case result == no:
		return []model.Mode{failure}
	case old == new:
		return []model.Mode{{Test: model.Any, Leaves: model.Keep}}
	case pending:
		return []model.Mode{success}
	}
	return []model.Mode{success, failure}
}
