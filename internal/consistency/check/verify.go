package check

import (
	"bytes"
	"context"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// Verify checks that c shows the answer to q about h, and reports whether that is yes. It asks no
// engine.
func Verify(ctx context.Context, s model.Spec, h *history.History, q *consistency.Question,
	c *consistency.Certificate) (holds bool, err error) {
	if c.Question != q.Name {
		return false, fmt.Errorf("it is about %s, and the question is %s", c.Question, q.Name)
	}
	if q.Registers {
		return verifyRegular(ctx, s, h, q, c)
	}
	if c.Order == nil {
		return false, fmt.Errorf("it has no order, and no refutation of all")
	}
	x, err := orderOf(s, h, q)
	if err != nil {
		return false, err
	}
	partition := model.ByKey
	if x.whole {
		partition = model.Unpartitioned
	}
	order, err := verify.ReadCertificate(bytes.NewReader(c.Order))
	if err != nil {
		return false, err
	}
	if err := verify.Verify(ctx, x.history, verify.Question{Spec: x.spec, Partition: partition}, order); err != nil {
		return false, err
	}
	return order.Verdict == engine.Linearizable, nil
}
