package consistency

import "github.com/linsat/linsat/internal/isolation"

// Transactions returns the accesses as transactions of one operation each, in the sessions of their
// processes: by position in History.Ops.
func (a *Accesses) Transactions() *isolation.History {
	h := &isolation.History{Txns: make([]isolation.Txn, len(a.Ops))}
	type value struct{ object, number int32 }
	numbers := map[value]int32{}
	number := func(object, v int32) int32 {
		n, met := numbers[value{object, v}]
		if !met {
			n = int32(len(h.Values))
			numbers[value{object, v}] = n
			h.Values = append(h.Values, "")
		}
		return n
	}
	for k, name := range a.Names {
		h.Objects = append(h.Objects, isolation.Object{Name: name, Initial: number(int32(k), a.Initial[k])})
	}
	room := make([]isolation.Access, 0, 2*len(a.Ops))
	for i := range a.Ops {
		x, o := &a.Ops[i], &a.History.Ops[i]
		from := len(room)
		add := func(kind isolation.Kind, v int32) {
			room = append(room, isolation.Access{Kind: kind, Object: x.Object, Value: number(x.Object, v)})
		}
		if x.Reads {
			add(isolation.Read, x.Found)
		}
		if x.Writes {
			add(isolation.Write, x.Left)
		}
		t := &h.Txns[i]
		t.Session, t.Call, t.Return, t.Accesses = o.Process, o.Call, o.Return, room[from:len(room):len(room)]
		if x.Pending {
			t.Status = isolation.Open
		}
	}
	return h
}
