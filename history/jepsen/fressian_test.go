package jepsen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history/internal/historytest"
)

// A writer of Fressian and of Jepsen's blocks, as far as the tests need one.

// pack concatenates bytes, integers of one byte, and strings.
func pack(parts ...any) []byte {
	var all []byte
	for _, p := range parts {
		switch p := p.(type) {
		case []byte:
			all = append(all, p...)
		case string:
			all = append(all, p...)
		case int:
			all = append(all, byte(p))
		}
	}
	return all
}

// fText is a text of fewer than 64 bytes.
func fText(s string) []byte {
	if len(s) < 8 {
		return pack(codeText0+len(s), s)
	}
	return pack(codeText, len(s), s)
}

func fKey(s string) []byte { return pack(codeKeyword, codeNull, codePutCached, fText(s)) }

// fList is a list of fewer than 64 elements.
func fList(elements ...[]byte) []byte {
	if len(elements) < 8 {
		return pack(codeList0+len(elements), bytes.Join(elements, nil))
	}
	return pack(codeList, len(elements), bytes.Join(elements, nil))
}

func fStruct(tag string, components ...[]byte) []byte {
	return pack(codeStructNew, fText(tag), len(components), bytes.Join(components, nil))
}

// fOp is an event of process, whose kind and function are keywords.
func fOp(process, kind, f, value []byte) []byte {
	return fStruct("jepsen.history.Op", []byte{0}, []byte{1}, kind, process, f, value,
		pack(codeMap, fList(fKey("error"), fText("x"))))
}

func fMap(pairs ...[]byte) []byte { return pack(codeMap, fList(pairs...)) }

// block is a block with its head.
func block(kind int, data []byte) []byte {
	head := make([]byte, blockHead)
	binary.BigEndian.PutUint64(head, uint64(blockHead+len(data)))
	binary.BigEndian.PutUint16(head[12:], uint16(kind))
	binary.BigEndian.PutUint32(head[8:], crc32.Update(crc32.ChecksumIEEE(data), crc32.IEEETable, head))
	return append(head, data...)
}

// jepsenFile is a file of blocks numbered from 1, of which the first is the test.
func jepsenFile(blocks ...[]byte) []byte {
	file := append([]byte(jepsenMagic), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
	index := binary.BigEndian.AppendUint32(nil, 1)
	for i, b := range blocks {
		index = binary.BigEndian.AppendUint32(index, uint32(i+1))
		index = binary.BigEndian.AppendUint64(index, uint64(len(file)))
		file = append(file, b...)
	}
	binary.BigEndian.PutUint64(file[len(jepsenMagic)+4:], uint64(len(file)))
	return append(file, block(blockIndex, index)...)
}

// vector is a block that lists others.
func vector(blocks ...uint32) []byte {
	data := make([]byte, 8)
	for _, b := range blocks {
		data = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(data, 0), b)
	}
	return block(blockVector, data)
}

// testOf is the map of a test whose history is block n.
func testOf(n int) []byte {
	return fMap(fKey("name"), fText("a test"), fKey("nodes"), fList(fText("n1")),
		fKey("history"), fStruct("block-ref", []byte{byte(n)}),
		fKey("model"), fStruct("record", pack(codeSymbol, codeNull, fText("knossos.model.CASRegister")),
			fMap(fKey("value"), []byte{3})))
}

// sampleFile is a test in blocks: two streams of events.
func sampleFile() []byte {
	nemesis, invoke, ok, info, read := fKey("nemesis"), fKey("invoke"), fKey("ok"), fKey("info"), fKey("read")
	zero, one, null := []byte{0}, []byte{1}, []byte{codeNull}
	return jepsenFile(block(blockFressian, testOf(2)), vector(3, 4),
		block(blockStream, pack(fOp(zero, invoke, read, null), fOp(nemesis, info, fKey("start"), fText("n1")),
			fOp(zero, ok, read, []byte{3}))),
		block(blockStream, pack(fOp(one, invoke, fKey("cas"), fList([]byte{3}, []byte{4})),
			fOp(one, info, fKey("cas"), fList([]byte{3}, []byte{4})))))
}

// sampleFressian is a test as a single object.
func sampleFressian() []byte {
	event := func(kind, f string, value int) []byte {
		return fMap(fKey("process"), []byte{0}, fKey("type"), fKey(kind), fKey("f"), fKey(f), fKey("value"),
			[]byte{byte(value)})
	}
	return fMap(fKey("history"), fList(event("invoke", "write", 1), event("ok", "write", 1),
		event("invoke", "read", codeNull), event("ok", "read", 1)), fKey("name"), fText("old"))
}

// TestFressianSamples compares the samples with what they were written from.
func TestFressianSamples(t *testing.T) {
	for name, want := range map[string][]byte{"register.jepsen": sampleFile(), "register.fressian": sampleFressian()} {
		path := filepath.Join("..", "testdata", "samples", name)
		if testenv.Update() {
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// TestFressianObjects renders objects of every kind.
func TestFressianObjects(t *testing.T) {
	packed := func(parts ...any) []byte { return pack(parts...) }
	key := fKey("k")
	for _, row := range []struct {
		data []byte
		want string
	}{
		{packed(0), "0"}, {packed(0x3f), "63"}, {packed(codeMinusOne), "-1"},
		{packed(0x50, 0x40), "64"}, {packed(0x4f, 0xfe), "-2"}, {packed(0x40, 0), "-4096"},
		{packed(0x5f, 0xff), "4095"},
		{packed(0x68, 0x10, 0), "4096"}, {packed(0x60, 0, 0), "-524288"}, {packed(0x72, 0x08, 0, 0), "524288"},
		{packed(0x70, 0, 0, 0), "-33554432"},
		{packed(0x76, 0x02, 0, 0, 0), "33554432"}, {packed(0x74, 0, 0, 0, 0), "-8589934592"},
		{packed(0x7a, 0x02, 0, 0, 0, 0), "8589934592"},
		{packed(0x7e, 0x02, 0, 0, 0, 0, 0), "2199023255552"}, {packed(0x7c, 0, 0, 0, 0, 0, 0), "-562949953421312"},
		{packed(codeInt, 0x80, 0, 0, 0, 0, 0, 0, 0), "-9223372036854775808"},
		{packed(codeInt, 0x7f, 255, 255, 255, 255, 255, 255, 255), "9223372036854775807"},
		{packed(codeTrue), "true"}, {packed(codeFalse), "false"}, {packed(codeNull), "nil"},
		{packed(codeDouble0), "0.0"}, {packed(codeDouble1), "1.0"},
		{binary.BigEndian.AppendUint64([]byte{codeDouble}, math.Float64bits(1.5)), "1.5"},
		{binary.BigEndian.AppendUint64([]byte{codeDouble}, math.Float64bits(-3)), "-3.0"},
		{binary.BigEndian.AppendUint64([]byte{codeDouble}, math.Float64bits(math.NaN())), "##NaN"},
		{binary.BigEndian.AppendUint32([]byte{codeFloat}, math.Float32bits(float32(math.Inf(-1)))), "##-Inf"},
		{fText(`a "b" \` + "\n"), `"a \"b\" \\\n"`}, {fText(strings.Repeat("x", 20)),
			`"` + strings.Repeat("x", 20) + `"`},
		{packed(codeText0+3, "\xe2\x82\xac"), `"€"`}, {packed(codeText0+6, "\xed\xa0\xbd\xed\xb8\x80"), `"😀"`},
		{packed(codeTextChunk, 2, "ab", codeTextChunk, 1, "c", codeText, 1, "d"), `"abcd"`},
		{packed(codeTextChunk, 3, "\xed\xa0\xbd", codeText0+3, "\xed\xb8\x80"), `"😀"`},
		{packed(codeText0+1, 0xff), "\"\uFFFD\""},
		{packed(codeBytes0+2, 1, 0xfe), `"01fe"`}, {packed(codeBytesChunk, 1, 1, codeBytes, 1, 2), `"0102"`},
		{fList(), "[]"}, {fList([]byte{1}, fList([]byte{2})), "[1 [2]]"}, {packed(codeListClosed, 1, 2, codeEnd),
			"[1 2]"}, {packed(codeListOpen, 1, 2), "[1 2]"},
		{packed(codeList, 9, bytes.Repeat([]byte{7}, 9)), "[7 7 7 7 7 7 7 7 7]"},
		{fMap(key, []byte{1}), "{:k 1}"}, {fMap(), "{}"}, {packed(codeSet, fList([]byte{1}, []byte{2})), "#{1 2}"},
		{fStruct("persistent-hash-set", []byte{codeNull}), "#{}"},
		{fStruct("persistent-sorted-set", fList([]byte{1})), "#{1}"},
		{packed(codeKeyword, fText("a"), fText("b")), ":a/b"}, {packed(codeSymbol, codeNull, fText("s")), "s"},
		{packed(codeKeyword, codeNull, fText("no key")), `"no key"`}, {packed(codeSymbol, codeNull, fText("1")), `"1"`},
		{packed(codeInts, 2, 5, 6), "[5 6]"}, {packed(codeBooleans, 1, codeTrue), "[true]"},
		{packed(codeObjects, 1, key), "[:k]"},
		{packed(codeBigInt, codeBytes, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0), "18446744073709551616N"},
		{packed(codeBigInt, codeBytes0+1, 0xff), "-1N"},
		{packed(codeBigDecimal, codeBytes0+1, 15, 1), "15E-1M"},
		{packed(codeInstant, 0), `#inst "1970-01-01T00:00:00Z"`},
		{packed(codeUUID, codeBytes, 16, bytes.Repeat([]byte{0xab}, 16)), `"abababab-abab-abab-abab-abababababab"`},
		{fStruct("char", []byte{0x3f}), `"?"`},
		{fStruct("ratio", packed(codeBigInt, codeBytes0+1, 1), packed(codeBigInt, codeBytes0+1, 3)), "1/3"},
		{fStruct("map-entry", []byte{1}, []byte{codeNull}), "[1 nil]"}, {fStruct("vec", fList([]byte{1})), "[1]"},
		{fStruct("atom", key), ":k"},
		{fStruct("byte", []byte{5}), "5"}, {fStruct("multiset", fMap(key, []byte{2})), "{:k 2}"},
		{fStruct("record", packed(codeSymbol, codeNull, fText("a.B")), fMap(key, []byte{2})), "#a.B {:k 2}"},
		{fStruct("unheard-of", []byte{1}, []byte{2}), "#unheard-of [1 2]"}, {fStruct("un heard", []byte{1}), "[1]"},
		{fOp([]byte{7}, fKey("ok"), fKey("read"), []byte{codeNull}),
			`{:index 0, :time 1, :type :ok, :process 7, :f :read, :value nil, :error "x"}`},
		{fList(packed(codePutCached, fText("a")), packed(codeCached), packed(codeGetCached, 0)), `["a" "a" "a"]`},
		{fList(fStruct("vec", []byte{1}), packed(codeStructOf, 2), packed(codeStruct, 0, 3)), "[1 2 3]"},
		{fList(packed(codePutCached, 1), packed(codeReset, codePutCached, 2), packed(codeCached)), "[1 2 2]"},
	} {
		room := newRendering(0, 0)
		f := newFressian(row.data, room)
		_, err := f.object()
		require.NoError(t, err, row.want)
		assert.Equal(t, row.want, string(f.out))
		assert.Equal(t, len(row.data), f.pos, row.want)

		// no beginning of it is an object, but of what may end with the data
		for n := range row.data {
			short := newFressian(row.data[:n], room)
			if _, err := short.object(); row.data[0] != codeListOpen {
				assert.Error(t, err, "%d bytes of %s", n, row.want)
			}
		}
	}
}

// TestFressianRefuses covers data that is not an object, or stands for too much.
func TestFressianRefuses(t *testing.T) {
	doubling := []byte{codeList, 40, codePutCached, codeText0 + 1, 'x'}
	for i := range 31 {
		doubling = append(doubling, codePutCached, codeList0+7)
		doubling = append(doubling, bytes.Repeat([]byte{byte(codeCached + i)}, 7)...)
	}
	for _, row := range []struct {
		data []byte
		what string
	}{
		{pack(codeList, codeInt, 0x7f, 255, 255, 255, 255, 255, 255, 255),
			"9223372036854775807 of something where 0 bytes are left"},
		{pack(codeList, codeMinusOne), "-1 of something"},
		{pack(codeText, 10, "short"), "10 of something where 5 bytes are left"},
		{pack(codeList, fText("x")), "something else where an integer belongs"},
		{pack(codeMap, 1), "something else where a list belongs"},
		{pack(codeCached), "there is no cached object 0"},
		{pack(codePutCached, codeCached), "there is no cached object 0"},
		{pack(codeStructOf), "there is no kind 0 of structs"},
		{pack(codeEnd), "the code 0xfd begins no object"},
		{pack(0xbf), "the code 0xbf begins no object"},
		{pack(codeBigInt, fText("x")), "something else where the bytes of an integer belong"},
		{pack(codeTextChunk, 1, "x", 1), "a text that does not end"},
		{pack(codeBytesChunk, 1, 1, codeText0), "bytes that do not end"},
		{bytes.Repeat([]byte{codeList0 + 1}, 2000), "nested more than"},
		{bytes.Repeat([]byte{codePutCached}, 2000), "nested more than"},
		{bytes.Repeat([]byte{codeStructNew}, 2000), "nested more than"},
		{doubling, "the data stands for too much text"},
	} {
		f := newFressian(row.data, newRendering(int64(len(row.data)), 0))
		_, err := f.object()
		require.Error(t, err, row.what)
		assert.Contains(t, err.Error(), row.what)
		assert.Less(t, len(f.out), 1<<21)
	}
}

// TestJepsenFileRefuses covers files of blocks that are damaged.
func TestJepsenFileRefuses(t *testing.T) {
	whole := sampleFile()
	flip := func(at int) []byte {
		b := bytes.Clone(whole)
		b[at] ^= 1
		return b
	}
	test := block(blockFressian, testOf(2))
	for _, row := range []struct {
		name, what string
		data       []byte
	}{
		{"version", "f: version 2 of Jepsen's file format", pack(jepsenMagic, 0, 0, 0, 2, make([]byte, 8))},
		{"head", "f: the file ends inside its head", whole[:10]},
		{"no index", "f: the file has no index of its blocks", pack(jepsenMagic, 0, 0, 0, 1, make([]byte, 8))},
		{"index elsewhere", "f: no block at byte", whole[:len(whole)-100]},
		{"checksum of the test", "f: the block at byte 18 has a wrong checksum", flip(jepsenHead + blockHead + 3)},
		{"checksum of a head", "f: the block at byte 18 has a wrong checksum", flip(jepsenHead + 20)},
		{"length", "f: the block at byte 18 has", flip(jepsenHead)},
		{"history is not there", "f: block 2 is not in the index", jepsenFile(test)},
		{"history in the index", "f: the history is in a block of type 3", jepsenFile(test, block(3, nil))},
		{"history in a circle", "f: block 2 of the history occurs twice", jepsenFile(test, vector(2))},
		{"half a place", "f: block 2 is not a list of blocks", jepsenFile(test, block(blockVector, make([]byte, 12)))},
		{"test in a stream", "f: the test is in a block of type 4", jepsenFile(block(blockStream, testOf(2)))},
		{"test is not a map", "f: the test cannot be read, at byte 1 of its data: it is not a map",
			jepsenFile(block(blockFressian, []byte{codeNull}))},
		{"test without history", "f: the test has no history",
			jepsenFile(block(blockFressian, fMap(fKey("name"), fText("x"))))},
		{"nothing in it", "f: the history has no operations", jepsenFile(test, block(blockFressian, []byte{codeNull}))},
		{"event is cut off", "f: an event cannot be read, at byte 1 of its data: the data ends inside an object",
			jepsenFile(test, block(blockStream, []byte{codeMap}))},
		{"event is none", "f:1: '7' where an event belongs", jepsenFile(test, block(blockStream, []byte{7}))},
		{"return without call", "f:1: process 0 returns, but has no operation open",
			jepsenFile(test, block(blockStream, fOp([]byte{0}, fKey("ok"), fKey("read"), []byte{1})))},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := history.Read(bytes.NewReader(row.data), history.ReadOptions{Name: "f"})
			var e *history.Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, e.Error(), row.what)
			assert.NotEmpty(t, e.Hint)
		})
	}
	for n := range whole { // no beginning is read as a whole
		_, err := history.Read(bytes.NewReader(whole[:n]), history.ReadOptions{})
		require.Error(t, err, fmt.Sprint(n))
	}
	for n := range whole { // nor is a changed one, but where nothing is
		h, err := history.Read(bytes.NewReader(flip(n)), history.ReadOptions{})
		if err == nil {
			want, err := history.Read(bytes.NewReader(whole), history.ReadOptions{})
			require.NoError(t, err)
			assert.Equal(t, historytest.List(want), historytest.List(h), n)
		}
	}
	_, err := history.Read(bytes.NewReader(whole), history.ReadOptions{MemoryLimit: 100})
	assert.ErrorContains(t, err, "memory limit")
}

// FuzzFressian reads data as a binary file, as the events of one with right checksums, and as an
// object whose text must stay within its bounds.
func FuzzFressian(f *testing.F) {
	for _, data := range [][]byte{sampleFile(), sampleFressian(), fOp([]byte{0}, fKey("invoke"), fKey("read"),
		[]byte{codeNull}),
		fList(pack(codePutCached, fText("a")), pack(codeCached)), fStruct("ratio", []byte{1}, []byte{2})} {
		f.Add(data)
	}
	test := block(blockFressian, testOf(2))
	f.Fuzz(func(t *testing.T, data []byte) {
		historytest.Fuzzed(t, data, "fressian", 1<<24)
		for _, kind := range []int{blockFressian, blockStream, blockVector} {
			historytest.Fuzzed(t, jepsenFile(test, block(kind, data)), "fressian", 1<<24)
		}
		historytest.Fuzzed(t, jepsenFile(block(blockFressian, data)), "fressian", 1<<24)

		const limit = 1 << 16
		room := newRendering(int64(len(data)), limit)
		o := newFressian(data, room)
		_, err := o.object()
		require.LessOrEqual(t, o.held, int64(limit))
		require.LessOrEqual(t, len(o.out), limit)
		if err == nil {
			require.GreaterOrEqual(t, room.left, int64(0))
		}
	})
}

// TestHistoryBlocks reads the same history from the kinds of blocks that a test can have it in.
func TestHistoryBlocks(t *testing.T) {
	k := func(s string) []byte { return pack(codeKeyword, codeNull, fText(s)) }
	named := func(process []byte, kind string, value int) []byte {
		return fMap(process, []byte{0}, k("type"), k(kind), k("f"), k("read"), k("value"), []byte{byte(value)})
	}
	call, ret := named(k("process"), "invoke", codeNull), named(k("process"), "ok", 3)
	first := pack(codeKeyword, codeNull, codePutCached, fText("process"))
	again := pack(codeKeyword, codeNull, codeCached)
	callAgain, retAgain := named(again, "invoke", codeNull), named(again, "ok", 3)
	test := block(blockFressian, testOf(2))
	for name, data := range map[string][]byte{
		"a list":              jepsenFile(test, block(blockFressian, fList(call, ret))),
		"a closed list":       jepsenFile(test, block(blockFressian, pack(codeListClosed, call, ret, codeEnd))),
		"an open list":        jepsenFile(test, block(blockFressian, pack(codeListOpen, call, ret))),
		"a stream":            jepsenFile(test, block(blockStream, pack(call, ret))),
		"a vector of streams": jepsenFile(test, vector(3, 4), block(blockStream, call), block(blockStream, ret)),
		"a vector of a vector": jepsenFile(test, vector(3), vector(4, 5), block(blockStream, call),
			block(blockFressian, fList(ret))),
		"a vector with an empty": jepsenFile(test, vector(3, 4), block(blockFressian, []byte{codeNull}),
			block(blockStream, pack(call, ret))),
		"a list in the test":      fMap(fKey("history"), fList(call, ret), fKey("model"), []byte{codeNull}),
		"a cache before the list": fMap(first, []byte{7}, k("history"), fList(callAgain, retAgain)),
		"a cache in the stream": jepsenFile(test,
			block(blockStream, pack(named(first, "invoke", codeNull), retAgain))),
	} {
		h, err := history.Read(bytes.NewReader(data), history.ReadOptions{})
		require.NoError(t, err, name)
		assert.Equal(t, "fressian", h.Format)
		assert.Equal(t, []string{"0 read → 3 [0 1]"}, historytest.List(h), name)
	}
}

// TestValueWithinMemory refuses a value whose tree would take more than the memory limit, from EDN
// and from a binary file.
func TestValueWithinMemory(t *testing.T) {
	value := "[" + strings.Repeat(":a ", 8000) + "]"
	edn := "{:process 0 :type :invoke :f :write :value " + value + "}"
	cached := pack(codeListClosed, codePutCached, fList([]byte{1}, []byte{1}, []byte{1}),
		bytes.Repeat([]byte{codeCached}, 3000), codeEnd)
	k := func(s string) []byte { return pack(codeKeyword, codeNull, fText(s)) }
	binary := jepsenFile(block(blockFressian, testOf(2)), block(blockStream, fStruct("jepsen.history.Op", []byte{0},
		[]byte{1}, k("invoke"), []byte{0}, k("write"), cached, []byte{codeNull})))
	for _, data := range [][]byte{[]byte(edn), binary} {
		_, err := history.Read(bytes.NewReader(data), history.ReadOptions{MemoryLimit: 100_000})
		require.ErrorContains(t, err, "memory limit")
		h, err := history.Read(bytes.NewReader(data), history.ReadOptions{MemoryLimit: 4_000_000})
		require.NoError(t, err)
		assert.Len(t, h.Ops, 1)
	}
}

// TestFressianAgainstEDN writes random events as Fressian and as EDN, and reads the same history
// from both.
func TestFressianAgainstEDN(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	integer := func() (int64, []byte) {
		n := r.Int64() >> r.IntN(64)
		if r.IntN(2) == 0 {
			n = -n
		}
		return n, binary.BigEndian.AppendUint64([]byte{codeInt}, uint64(n))
	}
	word := func() string { return []string{"a", "x-y", "read", "longer-than-seven", "k9"}[r.IntN(5)] }
	var value func(depth int) (edn string, data []byte)
	value = func(depth int) (string, []byte) {
		switch k := r.IntN(10); {
		case k == 0:
			return "nil", []byte{codeNull}
		case k == 1:
			return "true", []byte{codeTrue}
		case k <= 3 || depth > 3:
			n, data := integer()
			return fmt.Sprint(n), data
		case k == 4:
			w := word()
			return `"` + w + ` \"q\""`, fText(w + ` "q"`)
		case k == 5:
			w := word()
			return ":" + w, pack(codeKeyword, codeNull, fText(w))
		case k == 6:
			a, x := value(depth + 1)
			b, y := value(depth + 1)
			return "[" + a + " " + b + "]", fStruct("map-entry", x, y)
		case k == 7:
			a, x := value(depth + 1)
			return "{:k " + a + "}", pack(codeMap, codeListClosed, pack(codeKeyword, codeNull, fText("k")), x, codeEnd)
		}
		var texts []string
		var data [][]byte
		for range r.IntN(10) {
			a, x := value(depth + 1)
			texts, data = append(texts, a), append(data, x)
		}
		return "[" + strings.Join(texts, " ") + "]", fList(data...)
	}
	k := func(s string) []byte { return pack(codeKeyword, codeNull, fText(s)) }
	for range 300 {
		var edn strings.Builder
		var data []byte
		for p := range 3 {
			f := word()
			for _, kind := range []string{"invoke", []string{"ok", "fail", "info"}[r.IntN(3)]} {
				text, raw := value(0)
				fmt.Fprintf(&edn, "{:process %d :type :%s :f :%s :value %s}\n", p, kind, f, text)
				data = append(data, fStruct("jepsen.history.Op", []byte{0}, []byte{1}, k(kind), []byte{byte(p)}, k(f),
					raw, []byte{codeNull})...)
			}
		}
		var want, got bytes.Buffer
		for in, out := range map[string]*bytes.Buffer{edn.String(): &want,
			string(jepsenFile(block(blockFressian, fMap(k("history"), fStruct("block-ref", []byte{2}))),
				block(blockStream, data))): &got} {
			h, err := history.Read(strings.NewReader(in), history.ReadOptions{Keyed: "never"})
			require.NoError(t, err, edn.String())
			require.NoError(t, history.WriteJSON(out, h))
		}
		require.Equal(t, want.String(), got.String(), edn.String())
	}
}
