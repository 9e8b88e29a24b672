// Before any test: makes sure that the bundle which users run is current, because tests run it.

import { bundle } from '../../scripts/prepare.mjs';

/** Builds the bundle if it is not current. vitest calls this before the first test. */
export function setup(): void {
  bundle();
}
