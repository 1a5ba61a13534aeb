// Package quasi describes questions of quasi-linearizability: factors, which bound each class of
// operations, and the two meanings. It contains no engine.
package quasi
