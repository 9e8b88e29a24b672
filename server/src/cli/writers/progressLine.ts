// Writes progress as one line that a terminal rewrites in place. Elsewhere it prints only a few lines, so that logs
// stay short.

import { supportsControl, rewriteLine, writeError } from '../../adapters/system/terminal.ts';
import { createLogFilter } from './logFilter.ts';
import { stageWord, type Progress } from '../../core/operation.ts';

/** The line at the bottom of the terminal. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Removes the line, so that other text can be printed. */
  clear(): void;
}

/** Writes to standard error, because standard output is for the answer. */
export function createProgressLine(): ProgressLine {
  const isWorthALine = createLogFilter();
  let isShown = false;
  let lastStage = '';
  let lastAt = 0;
  return {
    show(progress) {
      const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
      if (!supportsControl(process.stderr.isTTY)) {
        if (isWorthALine(progress, performance.now())) writeError(`${stageWord(progress)} … ${progress.message}`);
        return;
      }
      // At most 20 times a second, because a terminal is slower than the work.
      const now = performance.now();
      if (progress.stage === lastStage && now - lastAt < 50) return;
      [lastStage, lastAt, isShown] = [progress.stage, now, true];
      rewriteLine(`${stageWord(progress)}${count} ${progress.message}`);
    },
    clear() {
      if (isShown) rewriteLine(null);
      isShown = false;
    },
  };
}
