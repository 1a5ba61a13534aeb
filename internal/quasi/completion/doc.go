// Package completion guesses a history without pending operations that is quasi-linearizable only
// if a given one is. It is not an engine: engines decide the completed history, which is easier for
// them, and the verifier replays what they find on the given one.
package completion
