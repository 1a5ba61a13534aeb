package main

import (
	"fmt"
	"strings"
)

// bank has eight accounts of ten each. Faults: money is made or lost, or a read mixes two moments.
type bank struct {
	s        *simulation
	accounts [8]int
	old      [8]int
	age      int
	fault    string
}

func newBank(s *simulation) *bank {
	o := &bank{s: s}
	for a := range o.accounts {
		o.accounts[a] = 10
	}
	return o
}

func (o *bank) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		return "read", "nil"
	}
	from := o.s.r.IntN(8)
	return "transfer", fmt.Sprintf("{:from %d, :to %d, :amount %d}", from, (from+1+o.s.r.IntN(7))%8, 1+o.s.r.IntN(5))
}

func (o *bank) apply(_ int, f, value string) (string, bool) {
	if f == "read" {
		found := o.accounts
		if o.fault == "skew" && !o.s.hidden {
			if o.age == 0 {
				o.old = found
			}
			o.age++
			if o.age > 100 && o.old[0] != found[0] {
				found[0], o.fault = o.old[0], ""
			}
		}
		texts := make([]string, 8)
		for a, n := range found {
			texts[a] = fmt.Sprintf("%d %d", a, n)
		}
		return "{" + strings.Join(texts, ", ") + "}", true
	}
	var from, to, amount int
	fmt.Sscanf(value, "{:from %d, :to %d, :amount %d}", &from, &to, &amount)
	if o.accounts[from] < amount {
		return value, false
	}
	o.accounts[from] -= amount
	o.accounts[to] += amount
	if !o.s.hidden {
		switch o.fault {
		case "made":
			o.accounts[to]++
			o.fault = ""
		case "lost":
			o.accounts[to]--
			o.fault = ""
		}
	}
	return value, true
}

func (o *bank) last() []string      { return []string{"read"} }
func (o *bank) broken(fault string) { o.fault = fault }
