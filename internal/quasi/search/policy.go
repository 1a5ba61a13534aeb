package search

// maxClasses is how many operations a partition may have under the classes meaning: more decides
// longer ones, at the price of a configuration for every pair of a set of linearized and a set of
// applied operations at worst.
const maxClasses = 12
