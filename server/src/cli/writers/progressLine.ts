// Shows progress as one line that a terminal rewrites in place. Without a terminal, it prints only a few lines, so that
// logs stay short.

import { supportsControl, rewriteLine, writeError } from '../../adapters/system/terminal.ts';
import { createLogFilter } from './logFilter.ts';
import { nameStage, type Progress } from '../../core/operation.ts';

/**
 * Seconds after which an unchanged line also shows for how long it has not changed, so that nobody thinks that the
 * program hangs.
 */
const STALL_SECONDS = 5;

/** Minimum number of milliseconds between two updates of the line, because a terminal is slower than the work. */
const MIN_INTERVAL_MS = 50;

/** The line at the bottom of the terminal. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Removes the line, so that other text can be printed. */
  clear(): void;
}

/** Creates the line. It is written to standard error, because standard output is for the answer. */
export function createProgressLine(): ProgressLine {
  const isWorthLine = createLogFilter();
  let isShown = false;
  let lastStage = '';
  let lastShownAt = 0;
  let text = '';
  let timer: NodeJS.Timeout | null = null;
  const showStall = () => {
    const seconds = Math.floor((performance.now() - lastShownAt) / 1000);
    if (isShown && seconds >= STALL_SECONDS) rewriteLine(`${text} (${seconds} s)`);
  };
  return {
    show(progress) {
      const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
      if (!supportsControl(process.stderr.isTTY)) {
        if (isWorthLine(progress, performance.now())) writeError(`${nameStage(progress)} … ${progress.message}`);
        return;
      }
      const now = performance.now();
      if (progress.stage === lastStage && now - lastShownAt < MIN_INTERVAL_MS) return;
      [lastStage, lastShownAt, isShown] = [progress.stage, now, true];
      text = `${nameStage(progress)}${count} ${progress.message}`;
      rewriteLine(text);
      timer ??= setInterval(showStall, 1000).unref();
    },
    clear() {
      if (isShown) rewriteLine(null);
      isShown = false;
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}
