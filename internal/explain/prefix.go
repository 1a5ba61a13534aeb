package explain

import (
	"context"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// Prefix is a prefix of a partition that is linearizable: what was called before some return, with
// what returned later as pending.
type Prefix struct {
	Returned, Of int          // how many operations returned in it, and in the partition
	Last         history.OpID // the last of them
}

// LongestPrefix finds, of a partition that stayed undecided, the longest prefix that it can show to
// be linearizable until ctx is done; false if there is none. Prefixes of doubled length are decided
// as long as that works, and then lengths between the longest that did and the shortest that did
// not are bisected. A question may take a part of the time that is left, so that one hard prefix
// does not use up all of it. Every witness is replayed.
func LongestPrefix(ctx context.Context, s model.Spec, p *model.Partition,
	decide func(context.Context, *engine.Task) (engine.Answer, error)) (Prefix, bool) {
	returns := byReturn(p, history.Never)
	works := func(n int) bool {
		ctx := ctx
		if deadline, limited := ctx.Deadline(); limited {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, time.Until(deadline)/prefixShare)
			defer stop()
		}
		b, err := engine.Bind(s, p.Prefix(p.Ops[returns[n-1]].Return))
		if err != nil {
			return false
		}
		a, err := decide(ctx, &engine.Task{Instance: b})
		return err == nil && a.Verdict == engine.Linearizable && verify.Witness(b, a.Witness) == nil
	}
	// the first low returns work; the first high did not, or were not decided
	low, high := 0, len(returns)
	for n := 1; n < high && ctx.Err() == nil; n = min(2*n, max(n+1, high-1)) {
		if !works(n) {
			high = n
			break
		}
		low = n
	}
	for low+1 < high && ctx.Err() == nil {
		if at := low + (high-low)/2; works(at) {
			low = at
		} else {
			high = at
		}
	}
	if low == 0 {
		return Prefix{}, false
	}
	return Prefix{low, len(returns), returns[low-1]}, true
}
