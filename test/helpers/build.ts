// Builds the bundle before tests that run it. Tests of the project `pure` do not run the bundle, so a run of only these
// tests, as in the verification of a proposal to this repository, builds nothing.

import { buildIfChanged } from '../../scripts/prepare.mjs';

/** Builds the bundle if it is not current. vitest calls this before the first test. */
export function setup(): void {
  buildIfChanged();
}
