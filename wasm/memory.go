package wasm

// memory is that of one instance after another, each of which finds zeros: to allocate it anew for
// every call would take most of its time.
type memory struct{ bytes []byte }

// Reallocate implements experimental.LinearMemory.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		larger := make([]byte, size, min(2*size, uint64(limits.Pages)<<16))
		copy(larger, m.bytes)
		m.bytes = larger
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free implements experimental.LinearMemory. It clears what the instance may have written.
func (m *memory) Free() {
	clear(m.bytes)
	m.bytes = m.bytes[:0]
}
