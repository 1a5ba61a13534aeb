// Package usermodel has models as a user of CheckOps writes them, for tests: the same objects as
// the shipped specifications register, queue and kv.
package usermodel

import (
	"slices"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/model"
)

// Call is an operation that is called: F says which.
type Call struct {
	F     string
	Key   string
	Value int
}

// Found is what an operation returns: a value, or nothing.
type Found struct {
	Value int
	OK    bool
}

// Register is a register that is written, swapped and read.
func Register() linsat.Model[Found, Call, Found] {
	return linsat.Model[Found, Call, Found]{
		Name: "my-register",
		Step: func(s Found, c Call) []linsat.Outcome[Found, Found] {
			switch c.F {
			case "write":
				return []linsat.Outcome[Found, Found]{{Next: Found{c.Value, true}, AnyOutput: true}}
			case "swap":
				return linsat.Returns(s, Found{c.Value, true})
			}
			return linsat.Returns(s, s)
		},
	}
}

// Queue has slices as states, and appends to them.
func Queue() linsat.Model[[]int, Call, Found] {
	return linsat.Model[[]int, Call, Found]{
		Name: "my-queue",
		Step: func(s []int, c Call) []linsat.Outcome[[]int, Found] {
			switch {
			case c.F == "enq":
				return linsat.Returns(Found{}, append(slices.Clone(s), c.Value))
			case len(s) == 0:
				return linsat.Returns(Found{}, s)
			}
			return linsat.Returns(Found{s[0], true}, s[1:])
		},
	}
}

// HashedQueue compares its states itself, and relates outputs to states.
func HashedQueue() linsat.Model[[]int, Call, Found] {
	step := Queue().Step
	next := func(s []int, c Call, fits func(out Found) bool) [][]int {
		for _, o := range step(s, c) {
			if fits(o.Output) {
				return [][]int{o.Next}
			}
		}
		return nil
	}
	return linsat.Model[[]int, Call, Found]{
		Name: "my-queue",
		Accept: func(s []int, c Call, out Found) [][]int {
			return next(s, c, func(o Found) bool { return c.F == "enq" || o == out })
		},
		Open:  func(s []int, c Call) [][]int { return next(s, c, func(Found) bool { return true }) },
		Equal: slices.Equal[[]int],
		Hash: func(s []int) uint64 {
			h := uint64(len(s))
			for _, x := range s {
				h = h*31 + uint64(x)
			}
			return h
		},
	}
}

// KV is one map; KVByKey is the same, key by key.
func KV() linsat.Model[map[string]int, Call, Found] {
	return linsat.Model[map[string]int, Call, Found]{
		Name: "my-kv",
		Step: func(s map[string]int, c Call) []linsat.Outcome[map[string]int, Found] {
			if c.F == "put" {
				next := map[string]int{c.Key: c.Value}
				for k, v := range s {
					if k != c.Key {
						next[k] = v
					}
				}
				return linsat.Returns(Found{}, next)
			}
			value, ok := s[c.Key]
			return linsat.Returns(Found{value, ok}, s)
		},
	}
}

// KVByKey is a register for every key.
func KVByKey() linsat.Model[Found, Call, Found] {
	return linsat.Model[Found, Call, Found]{
		Name: "my-kv",
		Step: func(s Found, c Call) []linsat.Outcome[Found, Found] {
			if c.F == "put" {
				return linsat.Returns(Found{}, Found{c.Value, true})
			}
			return linsat.Returns(s, s)
		},
		Key:      func(c Call) any { return c.Key },
		ReadOnly: func(c Call) bool { return c.F == "get" },
	}
}

// As says what the operations are in the shipped specification s, whose operations have the same
// names.
func As(s model.Public) *linsat.As[Call, Found] {
	return &linsat.As[Call, Found]{
		Spec: s,
		Operation: func(c Call) (f string, key, arg any) {
			if c.Key != "" {
				key = c.Key
			}
			switch c.F {
			case "write", "swap", "enq", "put":
				arg = c.Value
			}
			return c.F, key, arg
		},
		Result: func(_ Call, out Found) any {
			if !out.OK {
				return nil
			}
			return out.Value
		},
	}
}
