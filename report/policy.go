package report

// mostOfOrder is how many operations of an order Text shows: a screen, not a file.
const mostOfOrder = 24
