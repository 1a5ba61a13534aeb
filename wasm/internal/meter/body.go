package meter

import "fmt"

// function is what the rewriting of a body has to know of its function.
type function struct {
	params  uint32
	results []byte // the type of a block that returns the same
}

// writer writes a body anew.
type writer struct {
	out                []byte
	steps, depth, grew uint32          // the indices of the globals
	temps              map[byte]uint32 // the locals that were added, by type
}

// body returns the body of a function with its charges.
func (m *module) body(f function, in []byte) ([]byte, error) {
	r := &reader{in: in}
	groups := r.count("groups of locals")
	total := uint64(0)
	declared := r.at
	for range groups {
		total += uint64(r.u32())
		r.valueType()
	}
	if r.err != nil {
		return nil, r.err
	}
	if total+uint64(f.params) > mostLocals {
		return nil, fmt.Errorf("it has %d locals, more than %d: compile with -O1 or higher",
			total+uint64(f.params), mostLocals)
	}
	if m.locals += int64(total); m.locals > allLocals {
		return nil, fmt.Errorf("its functions have more than %d locals together: compile with -O1 or higher", allLocals)
	}
	start := r.at
	costs, needed, branches, err := count(&reader{in: in, at: start})
	if err != nil {
		return nil, err
	}
	costs[0] += int64(total) / localsPerStep
	m.effort += branches*branches + 2*int64(len(in))
	w := &writer{steps: m.globals, depth: m.globals + 1, grew: m.globals + 2, temps: map[byte]uint32{}}
	extra := 0
	for _, t := range []byte{typeI32, typeF32, typeF64} {
		if needed[t] {
			w.temps[t] = f.params + uint32(total) + uint32(extra)
			extra++
		}
	}
	w.out = appendU32(w.out, uint32(groups+extra))
	w.out = append(w.out, in[declared:start]...)
	for _, t := range []byte{typeI32, typeF32, typeF64} {
		if needed[t] {
			w.out = append(w.out, 1, t)
		}
	}
	frame := 1 + int64(total+uint64(f.params))/localsPerFrame + int64(len(in))/bytesPerFrame
	w.enter(frame)
	w.op(opBlock, f.results...)
	if err := w.copy(r, costs); err != nil {
		return nil, err
	}
	w.leave(frame)
	w.op(opEnd)
	return w.out, nil
}

// count returns how many instructions follow the head of the body, and that of each loop, before
// another head; the types of locals that the charges need; and how many branches there will be.
func count(r *reader) (costs []int64, needed map[byte]bool, branches int64, err error) {
	costs, needed = []int64{0}, map[byte]bool{}
	heads := []int{0} // of what is open
	for len(heads) > 0 {
		i, err := r.next()
		if err != nil {
			return nil, nil, 0, err
		}
		head := heads[len(heads)-1]
		switch {
		case i.op == opLoop:
			head = len(costs)
			costs = append(costs, 0)
			heads = append(heads, head)
			branches += 2
		case i.op == opBlock || i.op == opIf:
			heads = append(heads, head)
			branches++
		case i.op == opEnd:
			heads = heads[:len(heads)-1]
		case i.op == opMemoryGrow || i.ranges():
			needed[typeI32] = true
			branches++
		case i.op == opBr || i.op == 0x0d || i.op == 0x0e:
			branches++
		}
		if t := notANumber(i.op); t != 0 {
			needed[t] = true
		}
		costs[head]++
	}
	if r.left() > 0 {
		return nil, nil, 0, fmt.Errorf("%d bytes follow the end of its body", r.left())
	}
	return costs, needed, branches, nil
}

// copy writes the instructions of a body up to its end, which ends the block around it.
func (w *writer) copy(r *reader, costs []int64) error {
	w.charge(costs[0])
	loops := 0
	for open := uint32(1); open > 0; {
		i, err := r.next()
		if err != nil {
			return err
		}
		raw := r.in[i.from:i.to]
		switch {
		case i.op == opReturn: // which would pass by the end of the block
			w.op(opBr)
			w.out = appendU32(w.out, open-1)
			continue
		case i.op == opEnd:
			open--
		case i.op == opBlock || i.op == opIf || i.op == opLoop:
			open++
		case i.ranges():
			w.chargeRange()
		}
		w.out = append(w.out, raw...)
		if i.op == opLoop {
			loops++
			w.charge(costs[loops])
		}
		if i.op == opMemoryGrow {
			w.checkGrown()
		}
		if t := notANumber(i.op); t != 0 {
			w.oneNaN(t)
		}
	}
	return nil
}

func (w *writer) op(op byte, immediates ...byte) {
	w.out = append(append(w.out, op), immediates...)
}

func (w *writer) index(op byte, index uint32) { w.out = appendU32(append(w.out, op), index) }

func (w *writer) constant(op byte, v int64) { w.out = appendSigned(append(w.out, op), v) }

// trapIf traps if the uppermost operand is not zero.
func (w *writer) trapIf() {
	w.op(opIf, typeEmpty)
	w.op(opUnreachable)
	w.op(opEnd)
}

// charge takes so many steps off the counter, and traps if it had fewer.
func (w *writer) charge(n int64) {
	w.index(opGlobalGet, w.steps)
	w.constant(opI64Const, n)
	w.op(opI64Sub)
	w.setSteps()
}

func (w *writer) setSteps() {
	w.index(opGlobalSet, w.steps)
	w.index(opGlobalGet, w.steps)
	w.constant(opI64Const, 0)
	w.op(opI64LtS)
	w.trapIf()
}

// chargeRange charges for as many bytes or elements as the uppermost operand says, which stays.
func (w *writer) chargeRange() {
	n := w.temps[typeI32]
	w.index(opLocalTee, n)
	w.index(opGlobalGet, w.steps)
	w.index(opLocalGet, n)
	w.op(opI64ExtendI32)
	w.constant(opI64Const, rangeShift)
	w.op(opI64ShrU)
	w.op(opI64Sub)
	w.setSteps()
}

// checkGrown traps if the memory was not granted.
func (w *writer) checkGrown() {
	pages := w.temps[typeI32]
	w.index(opLocalTee, pages)
	w.constant(opI32Const, -1)
	w.op(opI32Eq)
	w.op(opIf, typeEmpty)
	w.constant(opI32Const, 1)
	w.index(opGlobalSet, w.grew)
	w.op(opUnreachable)
	w.op(opEnd)
	w.index(opLocalGet, pages)
}

// oneNaN makes the uppermost operand the one pattern of bits if it is not a number.
func (w *writer) oneNaN(t byte) {
	v := w.temps[t]
	w.index(opLocalTee, v)
	equal := byte(opF32Eq)
	if t == typeF32 {
		w.op(opF32Const, 0, 0, 0xc0, 0x7f)
	} else {
		w.op(opF64Const, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)
		equal = opF64Eq
	}
	w.index(opLocalGet, v)
	w.index(opLocalGet, v)
	w.op(equal)
	w.op(opSelect)
}

// enter takes the frame of a function off the stack that is left, and leave gives it back.
func (w *writer) enter(frame int64) {
	w.addDepth(opI32Sub, frame)
	w.index(opGlobalGet, w.depth)
	w.constant(opI32Const, 0)
	w.op(opI32LtS)
	w.trapIf()
}

func (w *writer) leave(frame int64) { w.addDepth(opI32Add, frame) }

func (w *writer) addDepth(op byte, frame int64) {
	w.index(opGlobalGet, w.depth)
	w.constant(opI32Const, frame)
	w.op(op)
	w.index(opGlobalSet, w.depth)
}
