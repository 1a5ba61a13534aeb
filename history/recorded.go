package history

import (
	"unsafe"
)

// History ends the recording and returns what was recorded, or the first mistake in the
// use of the recorder. Operations that have not returned are pending; what they still report is
// ignored. The recorder must not be used afterwards.
func (r *Recorder) History() (*History, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended.Load() {
		r.mistake(&Error{What: "the recorder was used after History", Hint: "use a new recorder"})
	}
	if r.err != nil {
		return nil, r.err
	}
	// What an operation before the cut saw was called before the cut, and stands in its track.
	cut := r.clock.Load()
	r.ended.Store(true)
	b := r.builder()
	if err := r.collect(cut); err != nil {
		return nil, err
	}
	h, err := b.Finish()
	if err != nil {
		return nil, err
	}
	h.Format = "recorder"
	return h, nil
}

// called is an operation, its state when it was collected, and the track that it stands in.
type called struct {
	op    *recorded
	of    *track
	state uint32
}

// collect gives the builder the operations of all tracks in the order of their calls. Events from
// number cut on have not happened.
func (r *Recorder) collect(cut int64) error {
	var tracks []*track
	for _, t := range r.numbered() {
		if t != nil {
			tracks = append(tracks, t)
		}
	}
	for _, t := range r.others {
		tracks = append(tracks, t)
	}
	var all []called
	for _, t := range tracks {
		all = t.operations(all)
	}
	events := make([]called, cut) // by the number of the call
	for _, c := range all {
		if c.op.call < cut {
			events[c.op.call] = c
		}
	}
	if err := r.times(events, cut); err != nil {
		return err
	}
	// After the states: a result stands in the table before its state is set.
	adopted := map[*track][]Value{}
	for _, t := range tracks {
		adopted[t] = t.adoptedBy(r.b.Values)
	}
	last := make([]int32, 0, len(tracks)) // process → its record plus one, if that was abandoned
	for _, c := range events {
		if c.op == nil {
			continue // the number of a return
		}
		p := r.b.ProcessInt(int64(c.of.process))
		for int(p) >= len(last) {
			last = append(last, 0)
		}
		if last[p] != 0 {
			r.b.records[last[p]-1].Process = r.b.twin(p)
			last[p] = 0
		}
		record := c.record(r.b, adopted[c.of], cut)
		if r.timed {
			record.Call, record.Return = c.op.callAt, c.op.returnAt
		}
		record.Process = p
		position, err := r.b.Add(record)
		if err != nil {
			return err
		}
		if record.Pending {
			last[p] = int32(position) + 1
		}
	}
	return nil
}

// times looks whether operations state their times: then these take the place of the numbers.
func (r *Recorder) times(events []called, cut int64) error {
	stated, all := 0, 0
	for _, c := range events {
		if c.op == nil {
			continue
		}
		for k, known := range [...]bool{true, (c.state == hasReturned || c.state == hasFailed) && c.op.ret < cut} {
			if known {
				all++
				if c.op.stated[k] {
					stated++
				}
			}
		}
	}
	r.timed = stated > 0
	r.b.counting = !r.timed
	if r.timed && stated < all {
		return &Error{What: "some calls and returns of the recording state a time, and others do not",
			Hint: "record all of them with CallAt, ReturnAt and FailAt, or none"}
	}
	return nil
}

// operations appends what the track recorded to dst.
func (t *track) operations(dst []called) []called {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, buffer := range t.buffers {
		n := len(buffer)
		if i == len(t.buffers)-1 {
			n = int(t.used.Load())
		}
		for k := range buffer[:n] {
			dst = append(dst, called{&buffer[k], t, buffer[k].state.Load()})
		}
	}
	return dst
}

// adoptedBy interns the values of the track in another table, and returns their numbers there.
func (t *track) adoptedBy(table *Values) []Value {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		return nil
	}
	as := make([]Value, t.values.Len())
	for v := range as {
		as[v] = table.adopt(t.values, Value(v), as)
	}
	return as
}

// record returns the operation as a builder takes it, open if it had not returned before number
// cut. adopted has the builder's numbers of the values of its track.
func (c called) record(b *Builder, adopted []Value, cut int64) Record {
	value := func(w cell, kind cellKind) Value {
		switch kind {
		case cellFalse:
			return False
		case cellTrue:
			return True
		case cellInt:
			return b.Values.Int(w.n)
		case cellString:
			return b.Values.String(unsafe.String(w.text, w.n))
		case cellValue:
			return adopted[w.n]
		case cellNone:
			return NoKey
		}
		return Nil
	}
	op := c.op
	r := Record{F: b.Values.String(op.f), Key: value(op.key, op.kinds[0]), Arg: value(op.arg, op.kinds[1]),
		Call: op.call, Pending: true}
	switch {
	case c.state != hasReturned && c.state != hasFailed || op.ret >= cut:
	case c.state == hasReturned:
		r.Result, r.Return, r.Pending = value(op.result, op.kinds[2]), op.ret, false
	default:
		r.Return = op.ret
		r.end(false, true)
	}
	return r
}
