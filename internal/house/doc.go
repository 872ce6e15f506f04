// Package house holds no code, only the tests that keep the house in order: the
// arrows between packages, the purity of the pure ring, the package comments
// and the dependencies.
package house
