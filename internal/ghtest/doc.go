// Package ghtest plays GitHub for tests: REST and GraphQL over a state in memory
// that people change with the methods of this package and programs with requests.
//
// It refuses what GitHub refuses, and a test fails when a request arrives that it
// does not know. Faults can be put on any request. What it answers is held to the
// published descriptions of GitHub's interfaces; see .github/openapi.
package ghtest
