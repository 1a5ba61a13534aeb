package main

import (
	"fmt"
	"strings"
)

// streams are logs that clients send to, and poll from where their last poll ended. Faults are a
// message that a poll skips, an offset that is used twice, and a poll that goes back.
type streams struct {
	s     *simulation
	logs  map[int][]int
	next  map[[2]int]int // by client and key
	sent  int
	fault string
}

const (
	streamKeys = 4
	mostPolled = 20
)

func (o *streams) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		return "poll", "[[:poll]]"
	}
	o.sent++
	return "send", fmt.Sprintf("[[:send \"k%d\" %d]]", o.s.r.IntN(streamKeys), o.sent)
}

func (o *streams) apply(client int, f, value string) (string, bool) {
	switch {
	case f == "poll" && o.s.hidden: // nobody goes on from there
		return value, true
	case f == "poll":
		return "[[:poll {" + strings.Join(o.poll(client), " ") + "}]]", true
	}
	var key, v int
	fmt.Sscanf(value, "[[:send \"k%d\" %d]]", &key, &v)
	at := len(o.logs[key])
	if o.fault == "duplicate" && at > 0 && !o.s.hidden {
		o.fault = ""
		at--
	} else {
		o.logs[key] = append(o.logs[key], v)
	}
	return fmt.Sprintf("[[:send \"k%d\" [%d %d]]]", key, at, v), true
}

func (o *streams) poll(client int) (found []string) {
	for key := range streamKeys {
		log, at := o.logs[key], [2]int{client, key}
		from, to := o.next[at], min(len(o.logs[key]), o.next[at]+mostPolled)
		if o.fault == "lost" && to-from > 2 {
			o.fault = ""
			log = append(append([]int{}, log[:from+1]...), log[from+2:]...)
			to--
		}
		var entries []string
		for k := from; k < to; k++ {
			offset := k
			if len(log) < len(o.logs[key]) && k > o.next[at] { // behind what is lost
				offset++
			}
			entries = append(entries, fmt.Sprintf("[%d %d]", offset, log[k]))
		}
		if o.fault == "back" && len(entries) > 1 {
			o.fault, entries[0], entries[1] = "", entries[1], entries[0]
		}
		if len(entries) > 0 {
			found = append(found, fmt.Sprintf("\"k%d\" [%s]", key, strings.Join(entries, " ")))
		}
		o.next[at] = max(o.next[at], to+len(o.logs[key])-len(log))
	}
	return found
}

func (o *streams) last() []string      { return nil }
func (o *streams) broken(fault string) { o.fault = fault }
