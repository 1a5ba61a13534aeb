package quasi

import "github.com/linsat/linsat/spec"

// RemovedEarly counts the removals that stand in order before the insertion of the value that
// they return: both meanings allow that, and people should know. It is 0 where the results do not say.
func RemovedEarly(b *spec.Bound, order []int32) int {
	c, ok := b.Theory.(*spec.Collection)
	if !ok {
		return 0
	}
	inside := make([]int32, c.Values)
	for _, contents := range c.Initial {
		for _, v := range contents {
			inside[v]++
		}
	}
	early := 0
	for _, i := range order {
		v := c.Value[i]
		switch {
		case v < 0:
		case c.Does[i] == spec.Insert:
			inside[v]++
		case c.Does[i] == spec.Remove:
			if inside[v]--; inside[v] < 0 {
				early++
			}
		}
	}
	return early
}
