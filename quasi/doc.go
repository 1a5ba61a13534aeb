// Package quasi says what quasi-linearizability asks: factors (a bound for each class of
// operations) and the two meanings. It holds no engine.
//
//	factor.go      factors, meanings, what --quasi takes
//	refutation.go  the certificate that a queue history is beyond a bound
package quasi
