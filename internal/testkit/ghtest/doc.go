// Package ghtest plays GitHub for tests: REST and GraphQL over a state in memory
// that people change with the methods of this package and programs with requests.
//
// It refuses what GitHub refuses, and a test fails when a request arrives that it
// does not know. Faults can be put on any request. What it answers is held to the
// published descriptions of GitHub's interfaces; see .github/openapi.
//
//	Server   listens, keeps the log of requests and the faults that tests ask for
//	  call   one request: its route, its token, what its path names
//	    REST     rest_*.go, a list of routes and their handlers for each topic
//	    GraphQL  exec walks the selections of a query over what graph shows
//	  world  what there is: a clock, accounts, tokens, Apps, repositories
//	    Repo       access, git, labels, items, checks
//	      Issue    history, standing, labelling, conversation
//	        Pull   an Issue with ends, and a discussion of its lines
//
// Access, git, labels and checks know no repository; history, standing and labelling know
// no issue. A conversation and a discussion know the one that they belong to, because
// what they make points back to it. Most of REST's JSON needs only a site or an address.
package ghtest
