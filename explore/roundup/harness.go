package roundup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/explore"
)

// Dimension is the size of a test: calls of each thread, and of the main thread before and after
// them. The paper writes m*n+k for two threads.
type Dimension struct {
	Threads []int
	Main    int
}

// ParseDimension reads "4*4+0", "1*1+10" or "2*2*2+3".
func ParseDimension(text string) (Dimension, error) {
	var d Dimension
	threads, rest, ok := strings.Cut(text, "+")
	items := strings.Split(threads, "*")
	if ok {
		items = append(items, rest)
	}
	for i, item := range items {
		n, err := strconv.Atoi(item)
		if err != nil || n < 0 || !ok {
			return Dimension{}, fmt.Errorf("dimension %q is not like 4*4+0", text)
		}
		if i == len(items)-1 {
			d.Main = n
		} else {
			d.Threads = append(d.Threads, n)
		}
	}
	return d, nil
}

func (d Dimension) String() string {
	var items []string
	for _, n := range d.Threads {
		items = append(items, strconv.Itoa(n))
	}
	return strings.Join(items, "*") + "+" + strconv.Itoa(d.Main)
}

// Calls returns how many calls a test of the dimension has.
func (d Dimension) Calls() int {
	n := d.Main
	for _, t := range d.Threads {
		n += t
	}
	return n
}

// Methods are the operations from which tests are made: Insert is called with the numbers 1, 2, ...
// one after the other, Remove without argument.
type Methods struct{ Insert, Remove string }

// Harnesses returns the well-formed tests of a dimension: as many insertions as removals; the main
// thread inserts before and removes after the others. They differ in which calls of the threads are
// insertions; exchanging threads of equal length gives no new test. There is none for an odd number
// of calls, or for more than maxInside calls in the threads.
func Harnesses(o *explore.Object, m Methods, d Dimension) []*explore.Case {
	inside := d.Calls() - d.Main
	if d.Calls()%2 != 0 || inside > maxInside {
		return nil
	}
	var list []*explore.Case
	seen := map[string]bool{}
	for pattern := range 1 << inside {
		insertions, at := 0, 0
		threads := make([]string, len(d.Threads))
		for i, n := range d.Threads {
			b := make([]byte, n)
			for j := range b {
				b[j] = 'r'
				if pattern>>(inside-1-at)&1 == 0 {
					b[j] = 'i'
					insertions++
				}
				at++
			}
			threads[i] = string(b)
		}
		before := d.Calls()/2 - insertions
		if before < 0 || before > d.Main {
			continue
		}
		key := slices.Clone(threads)
		slices.Sort(key)
		if k := strings.Join(key, "|"); !seen[k] {
			seen[k] = true
			after := strings.Repeat("r", d.Main-before)
			list = append(list, m.Test(o, strings.Repeat("i", before), threads, after))
		}
	}
	return list
}

// Test makes one test from patterns of insertions (i) and removals (r), such as "iii", ["ir", "r"],
// "rr". It panics on other letters.
func (m Methods) Test(o *explore.Object, before string, threads []string, after string) *explore.Case {
	value := 0
	calls := func(pattern string) []explore.Call {
		var list []explore.Call
		for _, c := range pattern {
			switch c {
			case 'i':
				value++
				list = append(list, explore.Call{F: m.Insert, Arg: value})
			case 'r':
				list = append(list, explore.Call{F: m.Remove})
			default:
				panic(fmt.Sprintf("roundup: pattern %q has letters other than i and r", pattern))
			}
		}
		return list
	}
	c := &explore.Case{Object: o, Before: calls(before)}
	for _, p := range threads {
		c.Threads = append(c.Threads, calls(p))
	}
	c.After = calls(after)
	return c
}

// DimensionOf returns the dimension of a test.
func DimensionOf(c *explore.Case) Dimension {
	d := Dimension{Main: len(c.Before) + len(c.After)}
	for _, calls := range c.Threads {
		d.Threads = append(d.Threads, len(calls))
	}
	return d
}
