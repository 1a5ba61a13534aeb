// Package cdsspec checks a lock-free structure, written over package c11, against a sequential
// specification on every execution that the memory model allows.
//
// It is the specification language of "CDSSpec: Testing Concurrent Data Structures Under the
// C/C++ Memory Model" (Ou and Demsky). The author says what each method does to a sequential
// state, and which atomic accesses order its calls (ordering points):
//
//	type snapshot struct{ data, version int }
//
//	var rcu = cdsspec.Structure[snapshot]{
//		HappensBefore: []string{"Update -> Read", "Update -> Update"},
//	}
//
//	var read = cdsspec.Method[snapshot, none, snapshot]{
//		Of: &rcu, Name: "Read", Points: []string{"read"},
//		PostCondition: func(s *snapshot, _ none, got snapshot) bool { return *s == got },
//	}
//
//	func (r *RCU) Read(x *c11.Exec) snapshot {
//		call := read.Begin(x, r, none{})
//		n := r.node.Load(c11.Acquire)
//		cdsspec.Point(x, true, "read")
//		got := snapshot{n.data.Load(), n.version.Load()}
//		call.End(got)
//		return got
//	}
//
// # The constructs of the paper
//
//	Figure 4                                    here
//	@Structure_Define                           a Structure[S]
//	@DeclareVar                                 the fields of S
//	@DeclareStruct, @DefineFunc                 Go types, and functions or methods of S
//	@InitVar                                    Structure.Init; without it the zero value
//	@Happens_Before: m(c) -> n(d)               Structure.HappensBefore: "m(c) -> n(d)"
//	@Method, method_begin, method_end           a Method[S, A, R], Begin, End
//	@Ordering_Point_Set: p | q                  Method.Points: p, q
//	@HB_Condition: c :: code                    Method.Conditions[c]
//	@ID: code                                   Method.ID; without it the object
//	@PreCondition, @PostCondition               Method.PreCondition, Method.PostCondition
//	@SideEffect                                 Method.SideEffect
//	@Potential_Ordering_Point: code @Label: p   PotentialPoint(x, code, p)
//	@Ordering_Point_Check: code                 ConfirmPoint(x, code, p, q)
//	    @Potential_Ordering_Point_Label: p @Label: q
//	@Ordering_Point_Label_Check: code @Label: q Point(x, code, q)
//	@Ordering_Point_Clear: code @Label: q       ClearPoints(x, code, q)
//
// # Meaning
//
// An annotation of an ordering point stands after an atomic access of its thread, the latest one,
// and is about the innermost open call. If the Points of that call name the label, the access is an
// ordering point of the call. It is one of the calls around it as well, if they are calls of the
// same object and name the label too.
//
// Points are ordered by reads-from and modification order (opo): if both are accesses of one
// location, then a write comes before the writes that follow it in modification order and before
// the reads of it and of those, and a read before the writes that follow what it read and before
// the reads of them. Fences and happens-before do not order points. Calls are ordered as their
// points are. If that order has a cycle, the specification does not order the calls: an outcome of
// its own. Otherwise every total order that respects it is a sequential history. It need not
// respect program order.
//
// In a sequential history each call is replayed on the state of its object: pre-condition, side
// effect, post-condition. Calls that share an ordering point, one inside the other, have one place:
// the pre-condition of the outer call, then the inner calls, then the side effect of the outer one
// (what it does beyond them) and its post-condition.
//
// Then synchronisation is checked: a rule asks that the beginning of a call happens before the end
// of every later call that it is about. Two calls may each happen before the other (a barrier). A
// call in an execution that ends too early, or is an aggregate, takes no part.
//
// Unlike in the paper, every object has a sequential state of its own, and the default ID is the
// object: the paper has one state and one ID for all objects of a class.
//
// # In shipping code
//
// With build tag linsat_native the annotations are empty functions, and c11 runs on sync/atomic.
package cdsspec
