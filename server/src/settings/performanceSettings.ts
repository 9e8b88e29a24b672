// Defines the setting of the targets for Selfware's own performance.

import * as z from 'zod';
import { METRICS, type Metric } from '../core/model/bottlenecks.ts';

const targetSchema = z.number().min(0).max(1e9).nullable().optional();

/** The schema of the setting, with its description. */
export const performanceSettings = {
  'performance.targets': z
    .strictObject(
      Object.fromEntries(METRICS.map((metric) => [metric, targetSchema])) as Record<Metric, typeof targetSchema>,
    )
    .default({})
    .describe(
      "Targets of the [figures of Selfware's own performance](learning.md#selfwares-own-performance), such as " +
        '`{"search": 50, "database": 500}`, in the units that `selfware performance` shows; `null` = no target. For ' +
        'whatever is left out, the default holds.',
    ),
} as const;
