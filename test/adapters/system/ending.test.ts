// A process that is asked to end ends: in order where it can, by force where something hangs.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, 'hangingProcess.ts');

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly millis: number;
}

async function hanging(how: string, bound = 4_000): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, how, String(bound)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

async function endOf(child: ChildProcess, ...signals: readonly NodeJS.Signals[]): Promise<End> {
  const begun = performance.now();
  for (const signal of signals) child.kill(signal);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal, millis: performance.now() - begun };
}

test('a job in an endless loop is ended in order', async () => {
  const { code, signal, millis } = await endOf(await hanging('job in a loop'), 'SIGTERM');
  expect([code, signal]).toEqual([143, null]);
  expect(millis).toBeLessThan(4_000);
});

test('a thread that hangs in a system call, which `process.exit` would wait for, is cut off', async () => {
  const { signal, millis } = await endOf(await hanging('thread in a system call', 500), 'SIGINT');
  expect(signal).toBe('SIGINT');
  expect(millis).toBeLessThan(4_000);
});

test('what does not listen is cut off after the bound', async () => {
  const { signal, millis } = await endOf(await hanging('deaf', 700), 'SIGTERM');
  expect(signal).toBe('SIGTERM');
  expect(millis).toBeGreaterThan(500);
  expect(millis).toBeLessThan(4_000);
});

test('the second signal ends it at once', async () => {
  const child = await hanging('deaf', 60_000);
  child.kill('SIGTERM');
  // The second one may not overtake the first: the system keeps only one of each kind.
  const { signal, millis } = await endOf(child, 'SIGINT');
  expect(['SIGINT', 'SIGTERM']).toContain(signal);
  expect(millis).toBeLessThan(4_000);
});
