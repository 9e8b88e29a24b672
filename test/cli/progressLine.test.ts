// The line at the bottom of a terminal while something works.

import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgressLine } from '../../server/src/cli/writers/progressLine.ts';

test('a line that does not change shows for how long', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { isTTY } = process.stderr;
  const { TERM } = process.env;
  let written = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  process.stderr.isTTY = true;
  process.env.TERM = 'xterm';
  onTestFinished(() => {
    write.mockRestore();
    process.stderr.isTTY = isTTY;
    if (TERM === undefined) delete process.env.TERM;
    else process.env.TERM = TERM;
    vi.useRealTimers();
  });
  const line = createProgressLine();
  line.show({ stage: 'verifying', done: 0, total: null, message: 'Tests' });
  vi.advanceTimersByTime(4_900);
  expect(written).not.toMatch(/ s\)/);
  vi.advanceTimersByTime(1_100);
  expect(written).toContain('Tests (6 s)');
  line.clear();
  written = '';
  vi.advanceTimersByTime(10_000);
  expect(written).toBe('');
});
