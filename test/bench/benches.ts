// The benches, in the order in which they run.

import { quality } from './quality.ts';
import { scale } from './scale.ts';
import type { Bench } from './support/bench.ts';

export const benches: readonly Bench[] = [quality, scale];
