// Detects a run of far fewer tests than the repository has. Such a run lacks something that the tests need, so it shows
// nothing.

/** The smallest share of the expected tests with which a base can be compared. */
const HOLLOW = 0.8;
/** With fewer expected tests, a share says nothing. */
const FEWEST = 20;

/** True if far fewer tests ran than when the repository was set up. */
export function isHollow(ran: number, expected: number): boolean {
  return expected >= FEWEST && ran < expected * HOLLOW;
}
