package specs

// The contents of an etcd store as trees that share what is equal.
//
// A tree has a leaf for each key that may exist, in their order, and equal subtrees are one node:
// two contents are equal exactly if their roots have one number, and a put makes as many nodes as
// the tree is high. So 60,000 revisions of 1,000 keys take 600,000 nodes rather than 60 million
// leaves, and a range counts its keys without visiting them.
//
// Invariants: node 0 stands for a subtree without keys; no node has two such children; nodes are
// different from each other.

// etcdLeaf is a key that exists. What no operation observes is 0.
type etcdLeaf struct {
	value                int32 // a history.Value, or someValue
	lease                int32 // the number of the lease plus 1, 0 for none
	create, mod, version int64
}

// etcdNode is a subtree: two children, or a leaf, of which left is leafMark and right the number.
type etcdNode struct{ left, right int32 }

const leafMark = -1

// etcdPast is what ranges can still read at an earlier revision: a list, the latest first.
type etcdPast struct {
	before   int32 // the number of the rest plus 1
	root     int32
	revision int64
}

// etcdTrees interns nodes, leaves and pasts.
type etcdTrees struct {
	nodes  []etcdNode
	counts []int32 // of the keys in a node
	nodeOf map[etcdNode]int32
	leaves []etcdLeaf
	leafOf map[etcdLeaf]int32
	pasts  []etcdPast
	pastOf map[etcdPast]int32
}

func newEtcdTrees() *etcdTrees {
	return &etcdTrees{nodes: make([]etcdNode, 1), counts: make([]int32, 1), nodeOf: map[etcdNode]int32{},
		leafOf: map[etcdLeaf]int32{}, pastOf: map[etcdPast]int32{}}
}

func (t *etcdTrees) node(n etcdNode) int32 {
	if n.left == 0 && n.right == 0 {
		return 0
	}
	if k, known := t.nodeOf[n]; known {
		return k
	}
	k := int32(len(t.nodes))
	count := int32(1)
	if n.left != leafMark {
		count = t.counts[n.left] + t.counts[n.right]
	}
	t.nodes, t.counts = append(t.nodes, n), append(t.counts, count)
	t.nodeOf[n] = k
	return k
}

// leaf returns the node of a leaf.
func (t *etcdTrees) leaf(l etcdLeaf) int32 {
	k, known := t.leafOf[l]
	if !known {
		k = int32(len(t.leaves))
		t.leaves = append(t.leaves, l)
		t.leafOf[l] = k
	}
	return t.node(etcdNode{leafMark, k})
}

// get returns a leaf of a tree, nil if there is none.
func (t *etcdTrees) get(root int32, levels int, key int32) *etcdLeaf {
	for level := levels - 1; level >= 0 && root != 0; level-- {
		if n := t.nodes[root]; key>>level&1 == 0 {
			root = n.left
		} else {
			root = n.right
		}
	}
	if root == 0 {
		return nil
	}
	return &t.leaves[t.nodes[root].right]
}

// set returns the tree with another leaf: the node of one, or 0.
func (t *etcdTrees) set(root int32, levels int, key, leaf int32) int32 {
	if levels == 0 {
		return leaf
	}
	n := t.nodes[root]
	if key>>(levels-1)&1 == 0 {
		n.left = t.set(n.left, levels-1, key, leaf)
	} else {
		n.right = t.set(n.right, levels-1, key, leaf)
	}
	return t.node(n)
}

// count returns how many keys from lo up to hi exist.
func (t *etcdTrees) count(root int32, levels, lo, hi int) int {
	switch {
	case root == 0 || lo >= 1<<levels || hi <= 0 || lo >= hi:
		return 0
	case lo <= 0 && hi >= 1<<levels:
		return int(t.counts[root])
	}
	n, half := t.nodes[root], 1<<levels>>1
	return t.count(n.left, levels-1, lo, hi) + t.count(n.right, levels-1, lo-half, hi-half)
}

// walk calls visit with the keys from lo up to hi that exist, in order, until it returns false.
func (t *etcdTrees) walk(root int32, levels, first, lo, hi int, visit func(key int32, leaf *etcdLeaf) bool) bool {
	if root == 0 || first >= hi || first+1<<levels <= lo {
		return true
	}
	n := t.nodes[root]
	if n.left == leafMark {
		return visit(int32(first), &t.leaves[n.right])
	}
	return t.walk(n.left, levels-1, first, lo, hi, visit) &&
		t.walk(n.right, levels-1, first+1<<levels>>1, lo, hi, visit)
}

// past returns the number of a list plus 1.
func (t *etcdTrees) past(p etcdPast) int32 {
	if k, known := t.pastOf[p]; known {
		return k
	}
	t.pasts = append(t.pasts, p)
	t.pastOf[p] = int32(len(t.pasts))
	return int32(len(t.pasts))
}

// compact returns the list without the revisions before one.
func (t *etcdTrees) compact(past int32, revision int64) int32 {
	if past == 0 {
		return 0
	}
	p := t.pasts[past-1]
	if p.revision < revision {
		return 0
	}
	p.before = t.compact(p.before, revision)
	return t.past(p)
}

// adopt copies a tree of others.
func (t *etcdTrees) adopt(from *etcdTrees, root int32, as map[int32]int32) int32 {
	if root == 0 {
		return 0
	}
	if k, known := as[root]; known {
		return k
	}
	n := from.nodes[root]
	var k int32
	if n.left == leafMark {
		k = t.leaf(from.leaves[n.right])
	} else {
		k = t.node(etcdNode{t.adopt(from, n.left, as), t.adopt(from, n.right, as)})
	}
	as[root] = k
	return k
}

// adoptPast copies a list of others.
func (t *etcdTrees) adoptPast(from *etcdTrees, past int32, as map[int32]int32) int32 {
	var all []etcdPast
	for k := past; k != 0; k = from.pasts[k-1].before {
		all = append(all, from.pasts[k-1])
	}
	k := int32(0)
	for j := len(all) - 1; j >= 0; j-- {
		k = t.past(etcdPast{k, t.adopt(from, all[j].root, as), all[j].revision})
	}
	return k
}

// bytes estimates the memory.
func (t *etcdTrees) bytes() int64 {
	return int64(len(t.nodes))*(8+4+2*12) + int64(len(t.leaves))*(32+2*36) + int64(len(t.pasts))*(16+2*20)
}
