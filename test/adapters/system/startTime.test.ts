// What PowerShell answers when it is asked for the start of a process, and how starts are compared.

import { expect, test } from 'vitest';
import { isSameStart, readStartTime, parsePowerShellTime } from '../../../server/src/adapters/system/startTime.ts';

test.each([
  ['2026-11-27T19:22:40.1234567Z\r\n', '2026-11-27T19:22:40.123Z'],
  ['2026-11-27T19:22:40.0000000Z', '2026-11-27T19:22:40.000Z'],
  ['A notice.\r\n2026-11-27T19:22:40Z\r\n', '2026-11-27T19:22:40.000Z'],
  ['', null],
  ['Get-Process : Cannot find a process with the process identifier 4711.', null],
  ['2026-99-27T19:22:40.1234567Z', null],
])('%j is %j', (printed, time) => expect(parsePowerShellTime(printed)).toBe(time));

test.each([
  ['2026-11-27T19:22:40.123Z', '2026-11-27T19:22:40.166Z', true],
  ['2026-11-27T19:22:40.123Z', '2026-11-27T19:22:45.123Z', false],
  ['2026-11-27T19:22:40.123Z', '', false],
  ['81234', '81234', true],
  ['81234', '81235', false],
  ['Fri Nov 27 19:22:40 2026', 'Fri Nov 27 19:22:41 2026', false],
])('%j and %j are the start of one process: %j', (one, other, same) => expect(isSameStart(one, other)).toBe(same));

test('a running process has a start, and one that is not there has none', async () => {
  expect(await readStartTime(process.pid)).toMatch(/\d/);
  expect(await readStartTime(2 ** 30)).toBeNull();
});
