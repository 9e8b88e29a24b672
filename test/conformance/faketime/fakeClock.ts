// One clock for many processes, whose speed a test sets while they run: Debian's libfaketime, preloaded into each.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds within which every process has read a new speed: libfaketime reads it once a second. */
const READ_WITHIN_MS = 2_200;

export interface FakeClock {
  /** Variables for the environment of each process that shall live by this clock. Its children inherit them. */
  readonly env: Readonly<Record<string, string>>;
  /** The time of the clock in milliseconds since the epoch. */
  now(): number;
  /**
   * Sets the speed: 1 is that of the real clock. Resolves once all processes have read it. The clock never runs
   * backwards: it jumps forward by at most two seconds at the faster of the two speeds, which a process takes for a
   * short sleep of the machine.
   */
  setSpeed(speed: number): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * A clock that starts at the present time with the speed 1. All processes count from the same moment, also those that
 * start later: it lies in memory that they share, and that a process of `faketime` holds.
 */
export async function startFakeClock(): Promise<FakeClock> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-clock-'));
  const file = join(folder, 'speed');
  const holder = spawn('faketime', ['-f', '+0', 'sh', '-c', 'echo "$FAKETIME_SHARED"; echo "$LD_PRELOAD"; exec cat']);
  let text = '';
  holder.stdout.on('data', (data: Buffer) => (text += data));
  while (text.split('\n').length < 3) await once(holder.stdout, 'data');
  const [shared = '', library = ''] = text.split('\n');
  const env = {
    LD_PRELOAD: library,
    FAKETIME_SHARED: shared,
    FAKETIME_DONT_RESET: '1',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '0',
  };
  /** The moment that all processes count from; about this time until it is known. */
  let origin = Date.now();
  let set = { offset: 0, speed: 1 };
  const timeAt = (real: number) => origin + set.offset + (real - origin) * set.speed;
  const write = async () => {
    await writeFile(`${file}.new`, `${set.offset >= 0 ? '+' : ''}${(set.offset / 1000).toFixed(3)} x${set.speed}\n`);
    await rename(`${file}.new`, file);
  };
  set = { offset: 0, speed: 2 };
  await write();
  // At twice the speed, a process is ahead by the time that has passed since the moment.
  const probe = spawn('date', ['+%s%3N'], { env: { PATH: process.env['PATH'], ...env } });
  const [said] = (await once(probe.stdout, 'data')) as [Buffer];
  const real = Date.now();
  origin = 2 * real - Number(String(said));
  set = { offset: 0, speed: 1 };
  await write();
  return {
    env,
    now: () => timeAt(Date.now()),
    async setSpeed(speed) {
      // The old and the new speed show the same time at this moment. Until all have read it, the new one is ahead.
      const pivot = Date.now() + (speed < set.speed ? READ_WITHIN_MS : 0);
      set = { offset: timeAt(pivot) - origin - (pivot - origin) * speed, speed };
      await write();
      await sleep(READ_WITHIN_MS);
    },
    async dispose() {
      // Ended by its input, it removes the shared memory.
      holder.stdin.end();
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
