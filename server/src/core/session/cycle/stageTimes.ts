// The durations and outcomes of the stages of a run.

import type { Stage, StageFigures } from '../../model/nights.ts';

/** Collects the durations and outcomes of stages. */
export interface StageTimes {
  /** Adds one execution of a stage, which took `ms` milliseconds. */
  readonly add: (stage: Stage, ms: number, outcomes: readonly string[]) => void;
  /** The figures of the stages so far, in the order in which they first ended. */
  readonly figures: () => readonly StageFigures[];
}

/** Creates a record of the time that each stage takes, and of its outcomes. */
export function createStageTimes(): StageTimes {
  const timesByStage = new Map<Stage, { ms: number; outcomes: Map<string, number> }>();
  return {
    add(stage, ms, outcomes) {
      const stageTime = timesByStage.get(stage) ?? { ms: 0, outcomes: new Map<string, number>() };
      timesByStage.set(stage, stageTime);
      stageTime.ms += Math.round(ms);
      for (const outcome of outcomes) stageTime.outcomes.set(outcome, (stageTime.outcomes.get(outcome) ?? 0) + 1);
    },
    figures: () =>
      [...timesByStage].map(([stage, { ms, outcomes }]) => ({ stage, ms, outcomes: Object.fromEntries(outcomes) })),
  };
}
