// Tests that do not end, and people who do not wait: nobody is left behind.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { livingIn, until } from '../../adapters/sandbox/sandboxOf.ts';
import { edit, told, toldBy, verifying, type Verifying } from './verifying.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

/** Starts a grandchild, which ignores SIGTERM and holds the output open; hangs when told to. */
const HANGING = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
if (readFileSync('mode.txt', 'utf8') === 'hang') {
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.stdout.write('ready');";
  spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'inherit', 'inherit'] });
  setInterval(() => {}, 1000);
} else console.log('TAP version 13\\nok 1 - ends\\n1..1');
`;

interface Hanging extends Verifying {
  /** Sandboxes in which a grandchild was seen so far. */
  seen(): number;
  living(): Promise<number>;
}

async function hangs(mode: string): Promise<Hanging> {
  const given = await verifying({ 'mode.txt': mode, 'hang.mjs': HANGING });
  const living = () => livingIn(given.stateDir);
  const seen = new Set<string>();
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      for (const { home, command } of await living()) if (command.includes('SIGTERM')) seen.add(home);
      await pause(50);
    }
  })();
  return {
    ...given,
    seen: () => seen.size,
    living: async () => (await living()).length,
    async [Symbol.asyncDispose]() {
      done.abort();
      await watching;
      await given[Symbol.asyncDispose]();
    },
  };
}

/** On a busy machine, two processes take seconds to start. */
const settings = { testCommand: 'node hang.mjs', timeoutSeconds: 12 };

thoroughTest('tests that hang with and without the change are unknown, and no process is left', async () => {
  await using given = await hangs('hang');
  const verification = await given.verify([edit('other.txt', null, 'x\n')], { settings });
  expect(toldBy('tests', verification)).toMatch(
    /^tests unknown: The tests were ended after \d+ s, even without the change\.$/,
  );
  expect(verification.verdicts.find(({ gate }) => gate === 'tests')?.evidence['exitCode']).toBeNull();
  // The candidate is not run: there would be nothing to compare it with.
  expect(given.seen()).toBe(1);
  await until(async () => (await given.living()) === 0);
});

test('tests that hang only with the change fail', async () => {
  await using given = await hangs('end');
  const verification = await given.verify([edit('mode.txt', 'end', 'hang')], {
    settings,
  });
  expect(told(verification).at(-1)).toMatch(
    /^tests failed: The tests do not end with the change: stopped after \d+ s, and without it they take \d s\.$/,
  );
  await until(async () => (await given.living()) === 0);
});

test('cancelling in the middle of the tests ends them and removes the sandboxes', async () => {
  await using given = await hangs('hang');
  const cancel = new AbortController();
  const verification = given.verify(
    [edit('other.txt', null, 'x\n')],
    { settings: { ...settings, timeoutSeconds: 300 } },
    cancel.signal,
  );
  await until(() => given.seen() === 1);
  cancel.abort();
  await expect(verification).rejects.toMatchObject({ reason: 'cancelled' });
  await until(async () => (await given.living()) === 0);
});

test('cancelled before the start, nothing is opened', async () => {
  await using given = await hangs('end');
  await given.verify([edit('a', null, 'b')]);
  await expect(given.verify([edit('a', null, 'b')], {}, AbortSignal.abort())).rejects.toMatchObject({
    reason: 'cancelled',
  });
});
