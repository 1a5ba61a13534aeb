package search

// maxClasses is how many operations a partition may have under the classes meaning. More decides
// longer partitions; in the worst case there is a configuration for every pair of a set of
// linearized and a set of applied operations.
const maxClasses = 12
