// Measures the duration of work by the clock and by the processor, and the memory that it keeps.

import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECTIONS = 3;

/** The result of work, with its duration. */
export interface Measured<T> {
  readonly value: T;
  readonly wallMs: number;
  /** User and system time of this process, all threads. */
  readonly cpuMs: number;
}

/** Like `timeEach`, after a round for warming up that does not count. */
export async function timeEachWarm<T>(
  items: readonly T[],
  rounds: number,
  work: (item: T) => unknown,
  signal: AbortSignal,
): Promise<Times> {
  await timeEach(items, 1, work, signal);
  return timeEach(items, rounds, work, signal);
}

/** Does the work and measures it. */
export async function measure<T>(work: () => T | Promise<T>): Promise<Measured<T>> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const value = await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { value, wallMs, cpuMs: (user + system) / 1000 };
}

/**
 * Milliseconds of each call. On a busy machine, the time by the clock includes that of other programs; the processor
 * time does not.
 */
export interface Times {
  readonly wallMs: readonly number[];
  readonly cpuMs: readonly number[];
}

/** Measures a call for each item, one after the other, `rounds` times. */
export async function timeEach<T>(
  items: readonly T[],
  rounds: number,
  work: (item: T) => unknown,
  signal: AbortSignal,
): Promise<Times> {
  const samples = { wallMs: [] as number[], cpuMs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const item of items) {
      const cpu = process.cpuUsage();
      const startedAt = performance.now();
      await work(item);
      samples.wallMs.push(performance.now() - startedAt);
      const { user, system } = process.cpuUsage(cpu);
      samples.cpuMs.push((user + system) / 1000);
    }
    await setImmediate();
    signal.throwIfAborted();
  }
  return samples;
}

/** Calls `createValue`, and measures the bytes of heap and buffers that its result keeps, after garbage collection. */
export async function measureRetained<T>(
  createValue: () => T | Promise<T>,
): Promise<{ readonly value: T; readonly bytes: number }> {
  const before = await measureOccupied();
  const value = await createValue();
  return { value, bytes: Math.max(0, (await measureOccupied()) - before) };
}

/**
 * Bytes of heap and buffers after several garbage collections in different turns of the event loop. One would not be
 * enough, because the current turn may still refer to unused objects, and buffers are freed after their owners.
 */
async function measureOccupied(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < COLLECTIONS; round++) {
    await setImmediate();
    (runInNewContext('gc') as () => void)();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
