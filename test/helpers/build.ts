// Before any test: the bundle that users run is current, because the tests of the faces run it.

import { bundle } from '../../scripts/prepare.mjs';

export function setup(): void {
  bundle();
}
