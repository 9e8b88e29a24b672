// Before any test: makes sure that the bundle which users run is current, because tests run it.

import { bundle } from '../../scripts/prepare.mjs';

export function setup(): void {
  bundle();
}
