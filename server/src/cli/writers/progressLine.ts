// One line of progress on a terminal, rewritten in place; on anything else a line per stage, so that logs stay short.

import { rewriteLine, showsProgress, writeError } from '../../adapters/system/terminal.ts';
import type { Progress } from '../../core/session.ts';

export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

/** Goes to standard error: standard output belongs to the answer. */
export function createProgressLine(): ProgressLine {
  let shown = false;
  let lastStage = '';
  let lastAt = 0;
  return {
    show(progress) {
      const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
      if (!showsProgress()) {
        if (progress.stage !== lastStage || progress.stage === 'verifying')
          writeError(`${progress.stage} … ${progress.message}`);
        lastStage = progress.stage;
        return;
      }
      // At most 20 a second: a terminal is slower than the work.
      const now = performance.now();
      if (progress.stage === lastStage && now - lastAt < 50) return;
      [lastStage, lastAt, shown] = [progress.stage, now, true];
      rewriteLine(`${progress.stage}${count} ${progress.message}`);
    },
    clear() {
      if (shown) rewriteLine(null);
      shown = false;
    },
  };
}
