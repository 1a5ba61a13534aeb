package cdcl

// heap holds the variables that are not assigned, and perhaps others, the most active first.
type heap struct {
	order    []int32
	at       []int32 // by variable: its place in order, or -1
	activity []float64
}

// init fills the heap with variables 1..n-1.
func (h *heap) init(n int) {
	h.order, h.at, h.activity = make([]int32, 0, n), make([]int32, n), make([]float64, n)
	for v := int32(1); int(v) < n; v++ {
		h.at[v] = int32(len(h.order))
		h.order = append(h.order, v)
	}
}

// push puts a variable back.
func (h *heap) push(v int32) {
	if h.at[v] >= 0 {
		return
	}
	h.at[v] = int32(len(h.order))
	h.order = append(h.order, v)
	h.up(h.at[v])
}

// pop removes and returns the most active variable that is wanted; 0 if there is none. It drops the
// others that it meets.
func (h *heap) pop(wanted func(v int32) bool) int32 {
	for len(h.order) > 0 {
		v := h.order[0]
		h.at[v] = -1
		last := len(h.order) - 1
		if last > 0 {
			h.order[0] = h.order[last]
			h.at[h.order[0]] = 0
		}
		h.order = h.order[:last]
		if last > 0 {
			h.down(0)
		}
		if wanted(v) {
			return v
		}
	}
	return 0
}

// raise raises the activity of a variable, and returns it.
func (h *heap) raise(v int32, by float64) float64 {
	h.activity[v] += by
	if h.at[v] >= 0 {
		h.up(h.at[v])
	}
	return h.activity[v]
}

// scale multiplies all activities.
func (h *heap) scale(by float64) {
	for v := range h.activity {
		h.activity[v] *= by
	}
}

func (h *heap) up(k int32) {
	v := h.order[k]
	for k > 0 {
		parent := (k - 1) / 2
		u := h.order[parent]
		if h.activity[u] >= h.activity[v] {
			break
		}
		h.order[k], h.at[u] = u, k
		k = parent
	}
	h.order[k], h.at[v] = v, k
}

func (h *heap) down(k int32) {
	v := h.order[k]
	for {
		child := 2*k + 1
		if int(child) >= len(h.order) {
			break
		}
		if int(child)+1 < len(h.order) && h.activity[h.order[child+1]] > h.activity[h.order[child]] {
			child++
		}
		u := h.order[child]
		if h.activity[u] <= h.activity[v] {
			break
		}
		h.order[k], h.at[u] = u, k
		k = child
	}
	h.order[k], h.at[v] = v, k
}
