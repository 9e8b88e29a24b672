// A run of far fewer tests than a repository has: something that they need is missing, so it shows nothing.

/** A base of which fewer than this share ran cannot be compared with. */
const HOLLOW = 0.8;
/** Below that, a share says nothing. */
const FEWEST = 20;

/** True where far fewer tests ran than did when the repository was set up. */
export function isHollow(ran: number, expected: number): boolean {
  return expected >= FEWEST && ran < expected * HOLLOW;
}
