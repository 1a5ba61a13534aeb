// Package specs holds the specifications that linsat ships, one file each, and what they share: the
// resolution of names and values, machines with large states, relaxed semantics, and the
// recognition of a specification from a history.
package specs
