package sets

import (
	"math/bits"

	"github.com/linsat/linsat/explore/mem"
)

// splitOrdered keeps all keys in one list without locks, in the order of their reversed bits
// (chapter 13.3, Shalev and Shavit). A bucket is a reference into the list, to a node of its own
// that is made when the bucket is first used, so doubling the number of buckets moves nothing.
type splitOrdered struct {
	list    *harris
	buckets [mostBuckets]*mem.Atomic[*harrisNode]
	used    *mem.Int64 // how many buckets are in use
	size    *mem.Int64
}

func newSplitOrdered(m *mem.Memory) set {
	s := &splitOrdered{list: newHarris(m).(*harris), used: mem.NewInt64(m, "used", firstBuckets),
		size: mem.NewInt64(m, "size", 0)}
	for i := range s.buckets {
		s.buckets[i] = mem.NewAtomic[*harrisNode](m, named("bucket", i), nil)
	}
	n, _ := s.list.insert(s.list.head, bucketKey(0))
	s.buckets[0].Store(n)
	return s
}

// keyBits is how many bits of a key count.
const keyBits = 24

// itemKey and bucketKey are positions in the list: the reversed bits, then 1 for a key and 0 for
// the node of a bucket, which comes before all keys of the bucket.
func itemKey(key int) int { return reversed(key)<<1 | 1 }

func bucketKey(bucket int) int { return reversed(bucket) << 1 }

func reversed(key int) int { return int(bits.Reverse32(uint32(key)) >> (32 - keyBits)) }

// bucket returns the node of the bucket of a key.
func (s *splitOrdered) bucket(key int) *harrisNode {
	b := key % int(s.used.Load())
	if n := s.buckets[b].Load(); n != nil {
		return n
	}
	return s.initialize(b)
}

// initialize makes the node of a bucket, behind that of the bucket from which it was split: the one
// without the highest bit.
func (s *splitOrdered) initialize(b int) *harrisNode {
	parent := b &^ (1 << (bits.Len(uint(b)) - 1))
	from := s.buckets[parent].Load()
	if from == nil {
		from = s.initialize(parent)
	}
	n, _ := s.list.insert(from, bucketKey(b))
	s.buckets[b].Store(n)
	return n
}

func (s *splitOrdered) add(key int) bool {
	if _, added := s.list.insert(s.bucket(key), itemKey(key)); !added {
		return false
	}
	size, used := s.size.Add(1), s.used.Load()
	if size > keysInBucket*used && 2*used <= mostBuckets {
		s.used.CompareAndSwap(used, 2*used)
	}
	return true
}

func (s *splitOrdered) remove(key int) bool {
	if !s.list.removeFrom(s.bucket(key), itemKey(key)) {
		return false
	}
	s.size.Add(-1)
	return true
}

func (s *splitOrdered) contains(key int) bool { return s.list.holds(s.bucket(key), itemKey(key)) }
