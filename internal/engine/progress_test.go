package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProgress(t *testing.T) {
	unwatched := ProgressOf(context.Background())
	assert.Nil(t, unwatched)
	unwatched.Begin(Deciding, nil)
	unwatched.Divided(3)
	unwatched.Decided()
	p := &Progress{}
	q := ProgressOf(WithProgress(context.Background(), p))
	assert.Same(t, p, q)
	assert.Zero(t, p.Steps())
	b := NewBudget(0, 0)
	q.Begin(Explaining, b)
	b.Spend(7)
	q.Divided(3)
	q.Decided()
	done, all := p.Partitions()
	assert.Equal(t, []int64{1, 3, 7, int64(Explaining)}, []int64{done, all, p.Steps(), int64(p.Phase())})
}
