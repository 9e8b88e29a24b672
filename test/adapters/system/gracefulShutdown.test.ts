// A process that is asked to end ends: in order where it can, by force where something hangs.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const script = join(import.meta.dirname, 'hangingProcess.ts');

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A test would be over before something with this bound is cut off. */
const NEVER_MS = 3_600_000;

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

async function hanging(how: string, bound: number): Promise<ChildProcess> {
  return hangingAs([process.execPath], how, bound, 'ignore');
}

async function hangingAs(
  [program = '', ...args]: readonly string[],
  how: string,
  bound: number,
  input: 'ignore' | number,
): Promise<ChildProcess> {
  const child = spawn(program, [...args, script, how, String(bound)], {
    stdio: [input, 'pipe', 'inherit'],
    // These tests may themselves be started by nohup.
    env: { ...process.env, _: '' },
  });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

async function endOf(child: ChildProcess, ...signals: readonly NodeJS.Signals[]): Promise<End> {
  for (const signal of signals) child.kill(signal);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

test('a job in an endless loop is ended in order', async () => {
  const { code, signal } = await endOf(await hanging('job in a loop', NEVER_MS), 'SIGTERM');
  expect([code, signal]).toEqual([143, null]);
});

test('a thread that hangs in a system call, which `process.exit` would wait for, is cut off', async () => {
  const { signal } = await endOf(await hanging('thread in a system call', 500), 'SIGINT');
  expect(signal).toBe('SIGINT');
});

test('what does not listen is cut off after the bound, not before', async () => {
  const begun = performance.now();
  const { signal } = await endOf(await hanging('deaf', 700), 'SIGTERM');
  expect(signal).toBe('SIGTERM');
  expect(performance.now() - begun).toBeGreaterThan(500);
});

test('a process may be given more time before it is cut off', async () => {
  const begun = performance.now();
  const { signal } = await endOf(await hanging('deaf, with more time', 1), 'SIGTERM');
  expect(signal).toBe('SIGTERM');
  expect(performance.now() - begun).toBeGreaterThan(500);
});

test('a second SIGHUP or SIGTERM cuts nothing off; a SIGINT then does', async () => {
  const child = await hanging('deaf, and says its signals', NEVER_MS);
  const signals: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGHUP', 'SIGTERM', 'SIGTERM', 'SIGINT'];
  const left = [...signals];
  const sendNext = () => void child.kill(left.shift() ?? 'SIGKILL');
  const said: string[] = [];
  createInterface(child.stdout!).on('line', (line) => {
    said.push(line);
    sendNext();
  });
  expect(await endOf(child, left.shift()!)).toEqual({ code: null, signal: 'SIGINT' });
  expect(said).toEqual(signals.slice(0, -1));
});

test('a second Ctrl+C ends it at once', async () => {
  const child = await hanging('deaf, and says its first Ctrl+C', NEVER_MS);
  // The system keeps only one signal of each kind, so the second one waits for the first to be handled.
  createInterface(child.stdout!).on('line', () => child.kill('SIGINT'));
  expect(await endOf(child, 'SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
});

test('a hangup ends nothing that nohup has started', async () => {
  const how = 'deaf, and says its signals';
  const unreadable = openSync('/dev/null', 'w');
  // The shell becomes nohup, which becomes Node.
  const byShell = ['bash', '-c', 'nohup "$@"', 'bash', process.execPath];
  const started = [
    await hangingAs(byShell, how, 1, 'ignore'),
    // On Linux, nohup itself opens this as standard input, instead of a terminal.
    ...(process.platform === 'linux' ? [await hangingAs([process.execPath], how, 1, unreadable)] : []),
  ];
  closeSync(unreadable);
  for (const child of started) {
    child.kill('SIGHUP');
    await once(child.stdout!, 'data');
    expect(await endOf(child, 'SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' });
  }
});

test('nor does it end git under such a process', async () => {
  const command = ['-c', 'nohup "$@"', 'bash', process.execPath, script, 'git that is hung up'];
  const child = spawn('bash', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  expect(said).toBe('survived\n');
});
