package jepsen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Jepsen's binary files, in which it stores a test with its history: test.jepsen, made of
// blocks, and the older test.fressian, a single object. fressian.go reads the objects.
//
// Source: the format is described in jepsen.store.format
// (https://github.com/jepsen-io/jepsen, jepsen/src/jepsen/store/format.clj).
//
//	"JEPSEN" | version, 4 bytes | where the index is, 8 bytes | blocks
//	a block: length with this head, 8 | CRC-32, 4 | type, 2 | 14 unused | data
//	the index: number of the block of the test, 4 | (block, 4 | where it is, 8) ...
//
// The history is an object, a stream of objects, or a vector of further blocks. Its events
// are rendered as EDN one by one, a line each, and read as history.edn is: so the line of a
// message about this file is the number of an event.
//
// The file is held in memory; its events are not.

const (
	jepsenMagic   = "JEPSEN"
	jepsenHead    = 6 + 4 + 8 // bytes before the first block
	blockHead     = 8 + 4 + 16
	blockIndex    = 1
	blockFressian = 2
	blockStream   = 4
	blockVector   = 5
)

// damaged returns an error about a binary file that is inconsistent.
func damaged(format string, args ...any) *history.Error {
	return &history.Error{What: fmt.Sprintf(format, args...),
		Hint: "the file is damaged or incomplete; history.edn or jepsen.log next to it hold the same history"}
}

// readFressian reads Jepsen's binary files.
func readFressian(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	data, err := s.Rest()
	if err != nil {
		return err
	}
	test, err := openTest(bytes.NewReader(data), int64(len(data)), s.Limit)
	if err != nil {
		return err
	}
	events := *b
	events.In = lex.NewSource(test, s.Limit)
	if err := readEDN(&events); err != nil {
		return err
	}
	return test.about.apply(b)
}

// binaryTest is a stored test; Read renders the events of its history.
type binaryTest struct {
	about testInfo
	file  *blockFile // nil of test.fressian
	seen  map[int32]bool
	room  *rendering
	parts []historyPart // that are still to be read
	text  bytes.Buffer
	err   error
}

// historyPart is a part of the history: a block that is not read yet, or a list, or objects
// up to the end.
type historyPart struct {
	block int32
	*fressian
	list  bool
	begun bool
	open  bool  // it may end with the data
	left  int64 // elements, -1 until the end
}

// next renders the next event; more is false if there is none.
func (p *historyPart) next() (more bool, err error) {
	if !p.begun {
		if p.begun, p.open, p.left = true, true, -1; p.list {
			if p.open, p.left, err = p.listHead(); err != nil {
				return false, err
			}
		}
	}
	if p.left == 0 || p.open && p.pos == len(p.data) {
		return false, nil
	}
	code, err := p.byte()
	if err != nil || p.list && p.left < 0 && code == codeEnd {
		return false, err
	}
	if p.left > 0 {
		p.left--
	}
	_, err = p.rest(code)
	return err == nil, err
}

// openTest finds the test, and its history, in a file of size bytes.
func openTest(in io.ReaderAt, size, limit int64) (*binaryTest, error) {
	t := &binaryTest{room: newRendering(size, limit), seen: map[int32]bool{}}
	var magic [len(jepsenMagic)]byte
	if _, err := in.ReadAt(magic[:], 0); err != nil || string(magic[:]) != jepsenMagic {
		if limit > 0 && size > limit {
			return nil, lex.TooLarge(0, limit)
		}
		data := make([]byte, size)
		if _, err := in.ReadAt(data, 0); err != nil {
			return nil, damaged("the file cannot be read: %v", err)
		}
		return t, t.object(data)
	}
	var err error
	if t.file, err = openBlocks(in, size, limit); err != nil {
		return nil, err
	}
	root, err := t.file.test()
	if err != nil {
		return nil, err
	}
	return t, t.object(root)
}

// object reads name, model and history from the map that is the test.
func (t *binaryTest) object(data []byte) error {
	o := newFressian(data, t.room)
	wrong := func(err error) error {
		return damaged("the test cannot be read, at byte %d of its data: %v", o.pos, err)
	}
	code, err := o.byte()
	if err == nil && code != codeMap {
		err = errors.New("it is not a map")
	}
	if err == nil {
		code, err = o.byte()
	}
	if err != nil {
		return wrong(err)
	}
	key, found := "", false
	var about []byte
	err = o.elements(code, func(code byte) error {
		if key == ":history" && code >= codeList0 && code <= codeListOpen {
			part := *o
			part.pos, part.out = o.pos-1, nil
			part.cache, part.kinds = append([]fressianValue(nil), o.cache...), append([]fressianKind(nil), o.kinds...)
			t.parts, found = []historyPart{{fressian: &part, list: true}}, true
		}
		start := len(o.out)
		_, err := o.rest(code)
		text := string(o.out[start:])
		o.out = o.out[:start]
		switch {
		case err != nil:
			return err
		case key == "":
			key = text
			return nil
		case key == ":history" && t.file != nil && !found:
			var block int32
			if _, err := fmt.Sscanf(text, "#block-ref [%d]", &block); err == nil {
				t.parts, found = []historyPart{{block: block}}, true
			}
		case key == ":name", key == ":model":
			about = append(append(append(append(about, key...), ' '), text...), ' ')
		}
		key = ""
		return nil
	})
	var e *history.Error
	switch {
	case errors.As(err, &e):
		return e
	case err != nil:
		return wrong(err)
	case !found:
		return &history.Error{What: "the test has no history",
			Hint: "it ended before its history was stored; jepsen.log next to it may have the events"}
	}
	t.about = readTestInfo(bytes.NewReader(append(append([]byte("{"), about...), '}')))
	return nil
}

// load reads the block of the first part, and replaces it by the parts that it consists of.
func (t *binaryTest) load() error {
	number := t.parts[0].block
	if t.seen[number] {
		return damaged("block %d of the history occurs twice", number)
	}
	t.seen[number] = true
	b, err := t.file.block(number)
	if err != nil {
		return err
	}
	var parts []historyPart
	switch b.kind {
	case blockFressian:
		if !bytes.Equal(b.data, []byte{codeNull}) {
			parts = []historyPart{{fressian: newFressian(b.data, t.room), list: true}}
		}
	case blockStream:
		parts = []historyPart{{fressian: newFressian(b.data, t.room)}}
	case blockVector:
		if len(b.data) < 8 || len(b.data)%12 != 8 {
			return damaged("block %d is not a list of blocks", number)
		}
		for rest := b.data[8:]; len(rest) > 0; rest = rest[12:] {
			parts = append(parts, historyPart{block: int32(binary.BigEndian.Uint32(rest[8:]))})
		}
	default:
		return damaged("the history is in a block of type %d", b.kind)
	}
	t.parts = append(parts, t.parts[1:]...)
	return nil
}

// Read gives the events as EDN, a line each.
func (t *binaryTest) Read(p []byte) (int, error) {
	for t.text.Len() == 0 {
		if t.err == nil {
			t.err = t.render()
		}
		if t.err != nil && t.text.Len() == 0 {
			return 0, t.err
		}
	}
	return t.text.Read(p)
}

// render renders more events, or returns io.EOF.
func (t *binaryTest) render() error {
	if len(t.parts) == 0 {
		return io.EOF
	}
	part := &t.parts[0]
	if part.fressian == nil {
		return t.load()
	}
	for t.text.Len() < enoughText {
		more, err := part.next()
		var e *history.Error
		if errors.As(err, &e) {
			return e
		}
		if err != nil {
			return damaged("an event cannot be read, at byte %d of its data: %v", part.pos, err)
		}
		if !more {
			t.parts = t.parts[1:]
			return nil
		}
		t.text.Write(part.out)
		t.text.WriteByte('\n')
		part.out = part.out[:0]
	}
	return nil
}

// blockFile is a file made of blocks.
type blockFile struct {
	in    io.ReaderAt
	size  int64
	limit int64 // bytes that a block may take, 0 for no limit
	root  int32
	at    map[int32]int64 // where a block is
}

// fileBlock is a block.
type fileBlock struct {
	kind int
	data []byte
}

// openBlocks reads the index of a file of size bytes. Blocks of more than limit bytes are refused,
// unless limit is 0.
func openBlocks(in io.ReaderAt, size, limit int64) (*blockFile, error) {
	f := &blockFile{in: in, size: size, limit: limit, at: map[int32]int64{}}
	var head [jepsenHead]byte
	if _, err := in.ReadAt(head[:], 0); err != nil {
		return nil, damaged("the file ends inside its head")
	}
	if version := binary.BigEndian.Uint32(head[len(jepsenMagic):]); version > 1 {
		return nil, &history.Error{What: fmt.Sprintf("version %d of Jepsen's file format", version),
			Hint: "versions 0 and 1 are known; history.edn next to it holds the same history"}
	}
	where := int64(binary.BigEndian.Uint64(head[len(jepsenMagic)+4:]))
	if where == 0 {
		return nil, damaged("the file has no index of its blocks")
	}
	index, err := f.blockAt(where)
	if err != nil {
		return nil, err
	}
	if index.kind != blockIndex || len(index.data) < 4 {
		return nil, damaged("no index at byte %d, where it should be", where)
	}
	f.root = int32(binary.BigEndian.Uint32(index.data))
	for rest := index.data[4:]; len(rest) >= 12; rest = rest[12:] {
		f.at[int32(binary.BigEndian.Uint32(rest))] = int64(binary.BigEndian.Uint64(rest[4:]))
	}
	return f, nil
}

// test returns the object that is the test.
func (f *blockFile) test() ([]byte, error) {
	root, err := f.block(f.root)
	if err == nil && root.kind != blockFressian {
		err = damaged("the test is in a block of type %d", root.kind)
	}
	return root.data, err
}

func (f *blockFile) block(number int32) (fileBlock, error) {
	where, ok := f.at[number]
	if !ok {
		return fileBlock{}, damaged("block %d is not in the index", number)
	}
	return f.blockAt(where)
}

// blockAt reads the block at an offset. Its checksum covers the data, then the header without the
// checksum.
func (f *blockFile) blockAt(where int64) (fileBlock, error) {
	if where < jepsenHead || where > f.size-blockHead {
		return fileBlock{}, damaged("no block at byte %d", where)
	}
	var head [blockHead]byte
	if _, err := f.in.ReadAt(head[:], where); err != nil {
		return fileBlock{}, damaged("the block at byte %d cannot be read: %v", where, err)
	}
	length := int64(binary.BigEndian.Uint64(head[:]))
	if length < blockHead || length > f.size-where {
		return fileBlock{}, damaged("the block at byte %d has %d bytes, and the file has %d", where, length, f.size)
	}
	if f.limit > 0 && length > f.limit {
		return fileBlock{}, lex.TooLarge(0, f.limit)
	}
	data := make([]byte, length-blockHead)
	if _, err := f.in.ReadAt(data, where+blockHead); err != nil && len(data) > 0 {
		return fileBlock{}, damaged("the block at byte %d cannot be read: %v", where, err)
	}
	sum := binary.BigEndian.Uint32(head[8:])
	clear(head[8:12])
	if crc32.Update(crc32.ChecksumIEEE(data), crc32.IEEETable, head[:]) != sum {
		return fileBlock{}, damaged("the block at byte %d has a wrong checksum", where)
	}
	return fileBlock{int(binary.BigEndian.Uint16(head[12:])), data}, nil
}
