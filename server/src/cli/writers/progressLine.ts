// One line of progress on a terminal, rewritten in place; on anything else a line per stage, so that logs stay short.

import type { Progress } from '../../core/session.ts';

export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

/** Writes to `stream` (stderr): stdout belongs to the answer. */
export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = false;
  let lastStage = '';
  let lastAt = 0;
  return {
    show(progress) {
      const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
      if (!stream.isTTY) {
        if (progress.stage !== lastStage || progress.stage === 'verifying') stream.write(`${progress.stage} … ${progress.message}\n`);
        lastStage = progress.stage;
        return;
      }
      // At most 20 a second: a terminal is slower than the work.
      const now = performance.now();
      if (progress.stage === lastStage && now - lastAt < 50) return;
      [lastStage, lastAt, shown] = [progress.stage, now, true];
      const text = `${progress.stage}${count} ${progress.message}`;
      stream.write(`\r\u001b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
    },
    clear() {
      if (shown) stream.write('\r\u001b[2K');
      shown = false;
    },
  };
}
