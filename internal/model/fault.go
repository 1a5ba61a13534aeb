package model

// Guarded calls code of a specification. It turns a panic into a *Fault; at says where it occurred.
func Guarded[T any](at func() Fault, call func() T) T {
	defer func() {
		if v := recover(); v != nil {
			panic(at().Of(v))
		}
	}()
	return call()
}
