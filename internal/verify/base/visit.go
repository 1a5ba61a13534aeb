package base

import "context"

// Visit visits every configuration that can be reached from first, depth first and none twice,
// until one is done. It returns how many it visited and whether it met one that is done;
// ErrTooLarge beyond limit, and the cause where ctx ended it. key appends the name of a
// configuration, next appends those that follow, the last of which is visited first.
func Visit[C any](ctx context.Context, first C, limit int, done func(C) bool, key func(name []byte, c C) []byte,
	next func(stack []C, c C) []C) (cases int, met bool, err error) {
	seen := map[string]bool{}
	stack := []C{first}
	var name []byte
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done(c) {
			return len(seen), true, nil
		}
		name = key(name[:0], c)
		if seen[string(name)] {
			continue
		}
		if len(seen) >= limit {
			return len(seen), false, ErrTooLarge
		}
		seen[string(name)] = true
		if len(seen)%1024 == 0 && ctx.Err() != nil {
			return len(seen), false, context.Cause(ctx)
		}
		stack = next(stack, c)
	}
	return len(seen), false, nil
}
