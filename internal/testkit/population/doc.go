// Package population measures the protocol on changes whose truth is known.
// It is a study, run as tests; no product code is in it.
//
// A change is planted: it has places, and the plan says which of them are
// defects and which only look like one. Simulated parties review it; knobs say
// how often they are right and how they behave. The same parties, with the same
// draws of luck, take part in a debate and in a plain vote, so that what differs
// is the way in which their answers are put together and nothing else.
//
// Every draw is a hash of the seed of the change and of what the draw is for. It
// does not depend on when it is asked for, which is what makes the comparison a
// paired one.
package population
