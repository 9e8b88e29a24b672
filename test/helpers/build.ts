// Before the tests that run the bundle: makes sure that the bundle is current. Pure tests need none, so a run of these
// alone, as for a proposal in this repository, builds nothing.

import { bundle } from '../../scripts/prepare.mjs';

/** Builds the bundle if it is not current. vitest calls this before the first test. */
export function setup(): void {
  bundle();
}
