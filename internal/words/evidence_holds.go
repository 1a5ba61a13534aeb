package words

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// holds says how two owners hold one lock at a time, or which operation contradicts who holds it.
func (w *witnessed) holds(e *proof.HoldConflict) (string, error) {
	parts, err := verify.HoldOf(w.b, e)
	if err != nil {
		return "", err
	}
	switch parts.Rule {
	case proof.HoldOwn:
		w.claim(claim.Holds{Op: e.Ops[0], Since: parts.By, Times: parts.Held})
		op, since := w.op(e.Ops[0]), "before its first operation"
		if parts.By >= 0 {
			since = fmt.Sprintf("since %s", w.op(parts.By))
		}
		switch parts.Held {
		case 0:
			return fmt.Sprintf("the owner of %s does not hold the lock then, %s", op, since), nil
		case 1:
			return fmt.Sprintf("the owner of %s holds the lock then, %s", op, since), nil
		}
		return fmt.Sprintf("the owner of %s holds the lock %d times then, %s", op, parts.Held, since), nil
	case proof.HoldNobody:
		text := fmt.Sprintf("%s was refused, and nobody can have held the lock then", w.op(e.Ops[0]))
		w.claim(claim.Refused{Op: e.Ops[0]})
		released, acquired := parts.Ends[0], parts.Ends[1]
		whole := claim.Of(w.b, 0)
		if !whole.All([]claim.Claim{claim.Before{A: released, B: e.Ops[0]}, claim.Before{A: e.Ops[0], B: acquired}}) {
			return text, nil // how that follows takes more than one operation on each side
		}
		w.claim(claim.Before{A: released, B: e.Ops[0]}, claim.Before{A: e.Ops[0], B: acquired})
		switch {
		case released >= 0 && acquired >= 0:
			text += fmt.Sprintf(": it was given up by %s at the latest and not acquired before %s was called",
				w.op(released), w.op(acquired))
		case released >= 0:
			text += fmt.Sprintf(": it was given up by %s at the latest", w.op(released))
		case acquired >= 0:
			text += fmt.Sprintf(": it was not acquired before %s was called", w.op(acquired))
		}
		return text, nil
	}
	one, other := claim.HeldThroughout{Acquisition: e.Ops[0], Release: parts.Ends[0]},
		claim.HeldThroughout{Acquisition: e.Ops[1], Release: parts.Ends[1]}
	w.claim(claim.AtOnce{A: one, B: other})
	return fmt.Sprintf("two owners hold the lock at one time: one %s, the other %s", w.held(e.Ops[0], parts.Ends[0]),
		w.held(e.Ops[1], parts.Ends[1])), nil
}

// held says from when to when an owner certainly holds the lock.
func (w *witnessed) held(acquisition, release history.OpID) string {
	text := "from the start"
	if acquisition >= 0 {
		text = fmt.Sprintf("from the return of %s", w.op(acquisition))
	}
	if release >= 0 {
		return text + fmt.Sprintf(" to the call of %s", w.op(release))
	}
	return text + " on"
}
