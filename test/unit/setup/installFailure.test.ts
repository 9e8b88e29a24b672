// What a person reads of an installation that failed: always how it ended, what it said, and what to do.

import { expect, test } from 'vitest';
import type { InstallResult, StepResult } from '../../../server/src/core/ports/packages.ts';
import { describeFailure } from '../../../server/src/core/setup/installFailure.ts';

const AGAIN = 'Run `selfware setup` again while the machine does little else.';
const failed = (step: Partial<StepResult>, more: Partial<InstallResult> = {}) => {
  const steps = [
    { command: ['npm', 'ci'], exitCode: 1, outcome: 'exited', output: '', millis: 61_000, ...step } as const,
  ];
  return describeFailure({ steps, refusedHosts: [], kept: null, ...more });
};

test.each<[string, Partial<StepResult>, string, string]>([
  [
    'its errors',
    { output: 'added 3\nnpm error code E404\nnpm error A complete log of this run is elsewhere' },
    '`npm ci` ended with 1. It says: npm error code E404',
    'Fix what it names, then run `selfware setup` again.',
  ],
  [
    'its last lines, if none names an error',
    { output: 'one\ntwo\n\nthree\nThe engine is too old.' },
    '`npm ci` ended with 1. It says: two three The engine is too old.',
    'Fix what it names, then run `selfware setup` again.',
  ],
  [
    'a limit',
    {
      exitCode: null,
      exceeded: 'more than 4 GB of memory',
      output: 'Ended by Selfware: the command took more than 4 GB of memory.',
    },
    '`npm ci` was ended: it took more than 4 GB of memory. It printed nothing.',
    AGAIN,
  ],
  ['the time', { exitCode: null, outcome: 'timedOut' }, '`npm ci` was ended after 61 s. It printed nothing.', AGAIN],
  ['a signal', { exitCode: null }, '`npm ci` was ended by a signal after 61 s. It printed nothing.', AGAIN],
  [
    'a missing program',
    { exitCode: null, outcome: 'notFound', command: ['pnpm', 'install'] },
    '`pnpm install` could not be started. It printed nothing.',
    'Install `pnpm`, then run `selfware setup` again.',
  ],
])('a failed installation names %s', (_what, step, what, action) => {
  expect(failed(step)).toEqual({ what: `the packages: ${what}`, action });
});

test('an installation that asked for refused hosts says how they are allowed', () => {
  expect(failed({}, { refusedHosts: ['a.example', 'b.example'] }).action).toBe(
    'If you trust them, allow the hosts that were refused: --allow-host a.example --allow-host b.example.',
  );
});
