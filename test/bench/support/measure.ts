// Times work by the wall and by the processor.

import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECTIONS = 3;

export interface Measured<T> {
  readonly value: T;
  readonly wallMs: number;
  /** User and system time of this process, all threads. */
  readonly cpuMs: number;
}

/** The same after a round that warms up and does not count. */
export async function timeEachWarm<T>(
  items: readonly T[],
  rounds: number,
  work: (item: T) => unknown,
  signal: AbortSignal,
): Promise<Times> {
  await timeEach(items, 1, work, signal);
  return timeEach(items, rounds, work, signal);
}

export async function measure<T>(work: () => T | Promise<T>): Promise<Measured<T>> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const value = await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { value, wallMs, cpuMs: (user + system) / 1000 };
}

/**
 * Milliseconds of each call. On a busy machine the wall says how long others had the processor; the processor's own
 * time does not.
 */
export interface Times {
  readonly wallMs: readonly number[];
  readonly cpuMs: readonly number[];
}

/** Each call, one after the other, `rounds` times over the items. */
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

/** Bytes that `make` leaves in memory: heap and buffers, after collection. */
export async function retained<T>(make: () => T | Promise<T>): Promise<{ readonly value: T; readonly bytes: number }> {
  const before = await occupied();
  const value = await make();
  return { value, bytes: Math.max(0, (await occupied()) - before) };
}

/**
 * Some turns apart: what is no longer used may still be held by the turn that is running, and buffers go after their
 * owners.
 */
async function occupied(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < COLLECTIONS; round++) {
    await setImmediate();
    (runInNewContext('gc') as () => void)();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
