package testenv

// shortShare is the part of a sample that go test -short takes: a larger share finds more under the
// race detector, and takes longer.
const shortShare = 20
