// Package guest runs the code of a caller's specification behind walls: a panic becomes an error
// that names the operation and the state, a step that does not end is named when the deadline
// passes, and sampled calls are repeated to find code that is not pure.
package guest
