// Detects a run of far fewer tests than the repository has: something that they need is missing, so it shows nothing.

/** A base in which a smaller share ran cannot be compared with. */
const HOLLOW = 0.8;
/** With fewer tests, a share says nothing. */
const FEWEST = 20;

/** True if far fewer tests ran than when the repository was set up. */
export function isHollow(ran: number, expected: number): boolean {
  return expected >= FEWEST && ran < expected * HOLLOW;
}
