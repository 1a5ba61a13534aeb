//go:build !linsat_native

package cdsspec_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// The program of docs/explore.md.

type fifo struct{ items []int }

var queueSpec = cdsspec.Structure[fifo]{HappensBefore: []string{"Enqueue -> Dequeue(found)"}}

var enqueue = cdsspec.Method[fifo, int, none]{
	Of: &queueSpec, Name: "Enqueue", Points: []string{"link"},
	SideEffect: func(s *fifo, v int, _ none) { s.items = append(s.items, v) },
}

// A dequeue that finds nothing returns 0.
var dequeue = cdsspec.Method[fifo, none, int]{
	Of: &queueSpec, Name: "Dequeue", Points: []string{"next"},
	Conditions: map[string]func(none, int) bool{"found": func(_ none, v int) bool { return v != 0 }},
	PreCondition: func(s *fifo, _ none, v int) bool {
		if len(s.items) == 0 {
			return v == 0
		}
		return v == s.items[0]
	},
	SideEffect: func(s *fifo, _ none, v int) {
		if v != 0 {
			s.items = s.items[1:]
		}
	},
}

type node struct {
	value *c11.Cell[int]
	next  *c11.Atomic[*node]
}

func newNode(x *c11.Exec, v int) *node {
	return &node{c11.NewCell(x, "value", v), c11.NewAtomic[*node](x, "next", nil)}
}

type queue struct{ last, first *node } // last is the producer's, first the consumer's

func (q *queue) Enqueue(x *c11.Exec, v int) {
	call := enqueue.Begin(x, q, v)
	n := newNode(x, v)
	q.last.next.Store(n, c11.Release)
	cdsspec.Point(x, true, "link")
	q.last = n
	call.End(none{})
}

func (q *queue) Dequeue(x *c11.Exec) int {
	call := dequeue.Begin(x, q, none{})
	v := 0
	n := q.first.next.Load(c11.Acquire)
	cdsspec.Point(x, true, "next")
	if n != nil {
		v, q.first = n.value.Load(), n
	}
	call.End(v)
	return v
}

func driver(x *c11.Exec) {
	dummy := newNode(x, 0)
	q := &queue{dummy, dummy}
	x.Go(func() { q.Enqueue(x, 1); q.Enqueue(x, 2) })
	x.Go(func() { q.Dequeue(x); q.Dequeue(x) })
}

func Example() {
	for _, link := range []c11.Order{c11.Release, c11.Relaxed} {
		r, err := cdsspec.Check(context.Background(), driver, cdsspec.Options{Options: c11.Options{
			// what changing the line in Enqueue does
			Orders: func(at c11.Site, o c11.Order) c11.Order {
				if strings.HasSuffix(at.Func, "Enqueue") {
					return link
				}
				return o
			},
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(strings.SplitN(r.Text(), "\n", 2)[0])
	}
	// Output:
	// passed: 4 executions
	// data race: 5 executions
}
