// Decides which progress messages of long work are worth a line in a log: each step once, and a sign of life in a long
// one.

import type { Progress } from '../../core/operation.ts';

/** Milliseconds of a step after which it gets another line. The interval doubles. */
const FIRST_WAIT_MS = 60_000;
/** A short step before each check of a proposal, which is not worth a line in a log. */
const BRIEF_STEP = 'Opening a sandbox';

/** Returns true if the message is worth a line; `now` in milliseconds. */
export type LogFilter = (progress: Pick<Progress, 'stage' | 'message'>, now: number) => boolean;

/**
 * Creates the filter. A step is the part of a message before a colon (`Tests: 12 s with the change`) or before its time
 * (`pnpm install, 12 s`), without a leading number of files. Of other stages than verification and installation, only
 * the first message is shown, and of proposing the first one after each verification.
 */
export function createLogFilter(): LogFilter {
  const shownMessages = new Set<string>();
  let [stage, step] = ['', ''];
  let lastIndex = 0;
  let wait = FIRST_WAIT_MS;
  return (progress, now) => {
    if (progress.message === BRIEF_STEP) return false;
    const hasSteps = progress.stage === 'verifying' || progress.stage === 'installing';
    const [name = ''] = hasSteps ? progress.message.replace(/^[\d,]+ files? /, '').split(/: |, (?=\d+ s$)/) : [''];
    const isSame = progress.stage === stage && name === step;
    [stage, step] = [progress.stage, name];
    if (isSame && (!hasSteps || now - lastIndex < wait)) return false;
    wait = isSame ? wait * 2 : FIRST_WAIT_MS;
    lastIndex = now;
    const key = `${stage}\0${stage === 'realising' ? progress.message : name}`;
    const isNew = !shownMessages.has(key);
    shownMessages.add(key);
    return isNew || isSame;
  };
}
