// Decides which progress messages of long work are worth a line in a log: each new step, and then fewer and fewer.

import type { Progress } from '../../core/operation.ts';

/** Milliseconds after the first message of a step in which no other one is shown. */
const FIRST_WAIT_MS = 5_000;
/** Maximum number of milliseconds in which no message of a step is shown. */
const MAX_WAIT_MS = 60_000;
/** A short step before each check of a proposal, which is not worth a line in a log. */
const BRIEF_STEP = 'Opening a sandbox';

/** Returns true if the message is worth a line; `now` in milliseconds. */
export type LogFilter = (progress: Pick<Progress, 'stage' | 'message'>, now: number) => boolean;

/**
 * Creates the filter. A step is the part of a message before a colon (`Tests: 12 s with the change`) or before its time
 * (`pnpm install, 12 s`). Its first message is shown, the next after five seconds, and the interval doubles up to a
 * minute. Of stages other than verification, only the first message is shown.
 */
export function createLogFilter(): LogFilter {
  let step = '';
  let stage = '';
  let last = 0;
  let wait = FIRST_WAIT_MS;
  return (progress, now) => {
    if (progress.message === BRIEF_STEP) return false;
    const [name = ''] = progress.message.split(/: |, (?=\d+ s$)/);
    const isNew = progress.stage !== stage || (stage === 'verifying' && name !== step);
    [stage, step] = [progress.stage, name];
    if (isNew) wait = FIRST_WAIT_MS / 2;
    else if (stage !== 'verifying' || now - last < wait) return false;
    [last, wait] = [now, Math.min(MAX_WAIT_MS, wait * 2)];
    return true;
  };
}
