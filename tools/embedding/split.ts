// Which repositories are learned from, and which are only measured.

/** Every so manieth repository is kept apart. */
const EVERY = 12;

/** By the place of the repository in the sorted list. */
export function isHeldOut(index: number): boolean {
  return index % EVERY === EVERY / 2;
}
