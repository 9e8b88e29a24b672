// Computes the key figures of unattended runs, each with its goal.

import type { Night } from '../nightTypes.ts';
import { collectNightFigures, type NightFigures } from './nightFigures.ts';
import { findSelfImprovementLevel } from './selfImprovementLevel.ts';
import { DAY_MS } from '../../../util/timing/durations.ts';

/** The goals. `success` and `rollbacks` are shares between 0 and 1, and `level` is a number of abilities. */
export const GOALS = { success: 0.7, rollbacks: 0.2, interventionsPerDay: 5, level: 8 } as const;

/**
 * A key figure. `value`: null if there is nothing to measure. `goal`: null if there is none. `isMet`: null if there is
 * no goal or nothing to measure.
 */
export interface Kpi {
  readonly value: number | null;
  readonly goal: number | null;
  readonly isMet: boolean | null;
}

/**
 * The key figures. A goal is met if `success` is above it, if `rollbacks` or `interventionsPerDay` is below it, or if
 * `level` reaches it.
 */
export interface Kpis {
  readonly success: Kpi;
  readonly rollbacks: Kpi;
  readonly interventionsPerDay: Kpi;
  readonly runtimeDays: Kpi;
  readonly level: Kpi;
}

/** The key figures of a night. `earlier`: the nights before it, which count for the level. */
export function measureKpis(night: Night, earlier: readonly Night[]): Kpis {
  const figures = collectNightFigures([night]);
  const computeRatio = ({ count, of }: NightFigures['passed']) => (of === 0 ? null : count / of);
  const levelReached = findSelfImprovementLevel([...earlier, night]).shown.length;
  const createKpi = (value: number | null, goal: number, isMet: (value: number) => boolean): Kpi => ({
    value,
    goal,
    isMet: value === null ? null : isMet(value),
  });
  return {
    success: createKpi(computeRatio(figures.passed), GOALS.success, (share) => share > GOALS.success),
    rollbacks: createKpi(computeRatio(figures.rolledBack), GOALS.rollbacks, (share) => share < GOALS.rollbacks),
    interventionsPerDay: createKpi(
      computeInterventionsPerDay(figures),
      GOALS.interventionsPerDay,
      (rate) => rate < GOALS.interventionsPerDay,
    ),
    runtimeDays: { value: figures.runtimeMs / DAY_MS, goal: null, isMet: null },
    level: createKpi(levelReached, GOALS.level, (reached) => reached >= GOALS.level),
  };
}

/**
 * The number of interventions per day. A shorter period counts as a whole day, so that one call in an hour is not 24
 * calls per day.
 */
export function computeInterventionsPerDay({ interventions, runtimeMs }: NightFigures): number {
  return interventions / Math.max(1, runtimeMs / DAY_MS);
}
