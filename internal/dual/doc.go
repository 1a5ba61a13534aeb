// Package dual bounds what pending operations can do, by Lagrangian relaxation, for specifications
// with few states. It is a library of package wgl, which uses it when plain search gets stuck.
//
// In the relaxation every class of pending operations may be used without limit, at a cost: its
// multiplier. Called operations give a capacity, the sum of their multipliers. A linearization
// never costs more than the capacity. So if even the cheapest path of the relaxation does, the
// partition is not linearizable, and the multipliers prove it (proof.DualBound). If the cheapest
// path uses no more operations than there are, it is a linearization. If neither is found in time,
// the distances to the end are lower bounds by which the search cuts.
//
//	layout.Layout ─► Space: states, steps, reachability ─► relaxation: a layered graph
//	              ─► multipliers, moved by subgradients ─► refuted | linearizable | Bounds
package dual
