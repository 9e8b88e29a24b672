// Decides which progress messages of long work get a line in a log: each step once, and a further line from time to
// time if a step is long.

import type { Progress } from '../../core/operation.ts';

/** Milliseconds after which a step gets a further line. The interval doubles with each line. */
const FIRST_WAIT_MS = 60_000;
/** A short step before each check of a proposal, which gets no line. */
const BRIEF_STEP = 'Opening a sandbox';

/** Returns true if the message gets a line. `now`: a time in milliseconds. */
export type LogFilter = (progress: Pick<Progress, 'stage' | 'message'>, now: number) => boolean;

/**
 * Creates the filter. A step is named by the part of a message before a colon (`Tests: 12 s with the change`) or before
 * its time (`pnpm install, 12 s`), without a leading number of files. Only verification and installation have steps: of
 * each other stage, only the first message gets a line, and of proposing, the first one after each verification.
 */
export function createLogFilter(): LogFilter {
  const shownMessages = new Set<string>();
  let [stage, step] = ['', ''];
  let lastLineAt = 0;
  let intervalMs = FIRST_WAIT_MS;
  return (progress, now) => {
    if (progress.message === BRIEF_STEP) return false;
    const hasSteps = progress.stage === 'verifying' || progress.stage === 'installing';
    const [name = ''] = hasSteps ? progress.message.replace(/^[\d,]+ files? /, '').split(/: |, (?=\d+ s$)/) : [''];
    const isSame = progress.stage === stage && name === step;
    [stage, step] = [progress.stage, name];
    if (isSame && (!hasSteps || now - lastLineAt < intervalMs)) return false;
    intervalMs = isSame ? intervalMs * 2 : FIRST_WAIT_MS;
    lastLineAt = now;
    const key = `${stage}\0${stage === 'realising' ? progress.message : name}`;
    const isNew = !shownMessages.has(key);
    shownMessages.add(key);
    return isNew || isSame;
  };
}
