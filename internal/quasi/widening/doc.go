// Package widening makes a plain history of one under a factor: it is linearizable if that one is
// quasi-linearizable. So what refutes the plain history refutes the question. It is not an engine.
package widening
