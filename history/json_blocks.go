package history

import (
	"bytes"
	"errors"
	"runtime"
	"slices"

	"github.com/linsat/linsat/history/internal/lex"
)

// Operations read in parallel, of JSON Lines or of a list in one object.
// What: blocks of whole lines are parsed side by side, each into a builder of its own, and put into
// the builder of the history in the order of the lines. The result is what reading one operation
// after the other gives: the same numbers of values and processes, the same warnings and errors.
//
// A block's memory is used again, and the list has room for all operations from the start where the
// size of the input is known: new memory costs as much as parsing, above all while the garbage
// collector looks at it.
//
// How: a block stops before its first operation that is wrong, that goes on in the next block, or
// in a list that no comma follows, and putting it together stops before the first operation that
// the builder refuses (an id that an earlier block has used). From there on operations are read
// one by one, so errors come from that reader alone. It also reads what is near the memory limit,
// and inputs of few lines. For each operation a block keeps how many values and processes it had
// then: they are interned in the order of the input, also those of a field that stands twice.
//
// Invariants: after take, builder and values are as after reading the operations that it took, one
// by one. TestBlocksReadWhatLinesRead compares the two on random inputs with errors anywhere.
//
// Cost: a block is parsed once; what follows an error in it, and the blocks after it that were
// under way, twice.

// jsonBlockBytes is how much text one block has. It is a variable for the tests.
var jsonBlockBytes = 1 << 18

// jsonBlock holds parsed operations of some lines.
type jsonBlock struct {
	text    []byte
	line    int          // of its first byte
	builder *Builder     // of its own: records, values and processes
	ops     []blockOp    // parallel to the records
	strange []blockField // fields that operations do not have
	stop    blockPlace   // where the operation begins that is not in the block, or its end
}

// blockPlace is a place in the text of a block.
type blockPlace struct {
	offset int32
	line   int32
}

// blockOp is what is known of an operation beside its record.
type blockOp struct {
	at        blockPlace
	values    int32 // of the block, with this operation
	processes int32
}

// blockField is an unknown field of an operation.
type blockField struct {
	strangeField
	op int // position in the block
}

// blocks reads operations as long as they are easy, and leaves the rest to its caller. Those of a
// list are read with the commas that follow them.
func (r *jsonReader) blocks(list bool) {
	type parsing struct {
		text []byte
		line int
		done chan *jsonBlock
	}
	var under []parsing // in order
	var spare []*jsonBlock
	var taken [][]Record // what the list of the builder has no room for
	defer func() { r.b.records = joined(r.b.records, taken) }()
	position, more := len(r.b.records), true
	for {
		for more && len(under) < 2*runtime.GOMAXPROCS(0) {
			k := &jsonBlock{}
			if n := len(spare); n > 0 {
				k, spare = spare[n-1], spare[:n-1]
			}
			p := parsing{line: r.Line, done: make(chan *jsonBlock, 1)}
			if p.text = r.Block(jsonBlockBytes, k.text); p.text == nil {
				more = false
				break
			}
			go func() {
				r.parse(k, p.text, p.line, list)
				p.done <- k
			}()
			under = append(under, p)
		}
		if len(under) == 0 {
			return
		}
		b := <-under[0].done
		under = under[1:]
		n, at := r.take(b, position)
		records := b.builder.records[:n]
		if room := r.expected(n, len(b.text)); position == 0 && room > 0 {
			r.b.records = make([]Record, 0, room)
		}
		if len(r.b.records) == position && position+n <= cap(r.b.records) {
			r.b.records = append(r.b.records, records...)
		} else {
			taken = append(taken, slices.Clone(records))
		}
		position += n
		if int(at.offset) == len(b.text) {
			spare = append(spare, b)
			continue
		}
		rest := [][]byte{b.text[at.offset:]}
		for _, p := range under {
			<-p.done // nothing is left running
			rest = append(rest, p.text)
		}
		rest = append(rest, r.Buf[r.Pos:r.End])
		r.Unread(bytes.Join(rest, nil), int(at.line))
		return
	}
}

// expected returns how many operations the input has if it has so many in so many bytes, with some
// room; 0 if its size is not known, or if that many would pass the memory limit.
func (r *jsonReader) expected(operations, bytes int) int {
	room := int64(float64(operations) * float64(r.Size) / float64(bytes) * moreRecords)
	if r.Limit > 0 && room*lex.RecordBytes > r.Limit {
		return 0
	}
	return int(room)
}

// parse fills a block with operations until one is not complete or not right. Of the reader it uses
// only what reading does not change. The block may have been used before.
func (of *jsonReader) parse(k *jsonBlock, text []byte, line int, list bool) {
	s := &lex.Source{Buf: text, End: len(text), Line: line, Err: errBlockEnds, Limit: of.Limit}
	k.text, k.line, k.ops, k.strange = text, line, k.ops[:0], k.strange[:0]
	if k.builder == nil {
		k.builder = NewBuilder()
		k.builder.Values.loose = true
		k.builder.records = make([]Record, 0, len(text)/80)
		k.ops = make([]blockOp, 0, len(text)/80)
	} else {
		k.builder.reset()
	}
	r := &jsonReader{JsonLexer: lex.NewJSON[Value](s, k.builder.Values, false), b: k.builder, into: k}
	r.Depth = of.Depth
	r.opField = func(key []byte) error { return r.field(&r.op, key) }
	for {
		_, more := r.Space()
		k.stop = blockPlace{int32(s.Pos), int32(s.Line)}
		if !more || !r.plainOperation() && r.operation() != nil {
			return
		}
		if list {
			if c, _ := r.Space(); c != ',' {
				return
			}
			r.Pos++
		}
		k.ops = append(k.ops, blockOp{k.stop, int32(k.builder.Values.Len()), int32(len(k.builder.processes))})
	}
}

// errBlockEnds is what stops a block. It is never shown.
var errBlockEnds = errors.New("the block ends")

// take prepares the operations of a block for the builder, the first of them for the given
// position there. It returns how many it took, and where the next one begins.
func (r *jsonReader) take(k *jsonBlock, position int) (n int, next blockPlace) {
	local := k.builder
	if r.Limit > 0 {
		// More than what any value, or list of values that is being read, can take.
		most := int64(position+len(local.records)+1)*lex.RecordBytes + r.b.named + local.named + r.b.Values.bytes +
			local.Values.bytes + 16*int64(len(k.text))
		if most > r.Limit {
			return 0, blockPlace{0, int32(k.line)}
		}
	}
	values := make([]Value, True+1, local.Values.Len())
	for v := range values {
		values[v] = Value(v)
	}
	processes := make([]int32, 0, len(local.processes))
	strange := 0
	for i := range k.ops {
		op := &k.ops[i]
		for len(values) < int(op.values) {
			values = append(values, r.b.Values.adopt(local.Values, Value(len(values)), values))
		}
		for len(processes) < int(op.processes) {
			processes = append(processes, r.b.Process(local.processes[len(processes)]))
		}
		for ; strange < len(k.strange) && k.strange[strange].op <= i; strange++ {
			f := k.strange[strange]
			r.b.unknownField("an operation", f.name, lex.OperationFields, f.line)
		}
		record := &local.records[i]
		if r.b.admit(record, position+i) != nil {
			return i, op.at
		}
		if by, ok := local.expiries[int32(i)]; ok {
			if r.b.expiries == nil {
				r.b.expiries = map[int32]int64{}
			}
			r.b.expiries[int32(position+i)] = by
		}
		record.Process = processes[record.Process]
		record.F, record.Arg, record.Result = values[record.F], values[record.Arg], values[record.Result]
		if record.Key != NoKey {
			record.Key = values[record.Key]
		}
		if record.Revision != nil {
			record.Revision.Chain = values[record.Revision.Chain]
		}
	}
	return len(k.ops), k.stop
}

// joined appends the records of blocks, with one allocation and room for those of the last lines.
func joined(records []Record, blocks [][]Record) []Record {
	n := 0
	for _, b := range blocks {
		n += len(b)
	}
	if n == 0 {
		return records
	}
	records = slices.Grow(records, n+jsonBlockBytes/16)
	for i, b := range blocks {
		records, blocks[i] = append(records, b...), nil
	}
	return records
}
