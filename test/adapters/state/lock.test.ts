// What a lock promises, in one process, between real processes, and after a kill -9.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createLock, acquireLock, withFileLock } from '../../../server/src/adapters/files/lock.ts';
import { createMemoryLock } from '../../helpers/memoryState.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Lock } from '../../../server/src/core/ports/system.ts';

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function stateDir(): Promise<string> {
  const repository = await createTemporaryRepository({}, { git: false });
  disposals.push(repository.dispose);
  return repository.dir;
}

const makers: Readonly<Record<string, () => Promise<[Lock, Lock]>>> = {
  'on disk': async () => {
    const dir = await stateDir();
    return [createLock(dir), createLock(dir)];
  },
  'in memory': async () => {
    const held = new Set<string>();
    return [createMemoryLock(held), createMemoryLock(held)];
  },
};

describe.each(Object.entries(makers))('Lock %s', (_name, make) => {
  it('is held by one at a time', async () => {
    const [one, other] = await make();
    const first = await one.acquire('apply');
    expect(first).not.toBeNull();
    expect(await other.acquire('apply')).toBeNull();
    expect(await one.acquire('apply')).toBeNull();
    await first?.release();
    const second = await other.acquire('apply');
    expect(second).not.toBeNull();
    // Releasing twice must not free what somebody else holds by now.
    await first?.release();
    expect(await one.acquire('apply')).toBeNull();
    await second?.release();
  });

  it('tells its names apart', async () => {
    const [one, other] = await make();
    const locks = [await one.acquire('apply'), await other.acquire('index')];
    expect(locks).not.toContain(null);
    await Promise.all(locks.map((lock) => lock?.release()));
  });

  it('goes to exactly one of many who ask at once', async () => {
    const [one, other] = await make();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => (index % 2 ? one : other).acquire('index')),
    );
    const winners = answers.filter((answer) => answer !== null);
    expect(winners).toHaveLength(1);
    await winners[0]?.release();
  });
});

interface Holder {
  readonly child: ChildProcess;
  ask(line: string): Promise<string>;
}

async function startHolder(dir: string): Promise<Holder> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', fileURLToPath(new URL('lockHolder.ts', import.meta.url)), dir],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  disposals.push(() => kill(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  expect(await next()).toBe('ready');
  return {
    child,
    ask: (line) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('Lock between processes', () => {
  it('goes to exactly one of several that race, round after round', async () => {
    const dir = await stateDir();
    const holders = await Promise.all(Array.from({ length: 4 }, () => startHolder(dir)));
    for (let round = 0; round < 25; round += 1) {
      const answers = await Promise.all(holders.map((holder) => holder.ask('acquire')));
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
      await holders[answers.indexOf('held')]?.ask('release');
    }
  });

  it('stays with a process that is suspended, which will go on writing, and is free when that one is killed', async () => {
    const dir = await stateDir();
    const holder = await startHolder(dir);
    expect(await holder.ask('acquire')).toBe('held');
    holder.child.kill('SIGSTOP');
    const place = join(dir, 'locks', 'apply.lock');
    expect(await acquireLock(place)).toBeNull();
    await expect(withFileLock(place, 50, async () => 'in')).rejects.toMatchObject({ reason: 'locked' });
    const waiting = withFileLock(place, 30_000, async () => 'in');
    await kill(holder.child);
    expect(await waiting).toBe('in');
    const taken = await acquireLock(place);
    expect(taken).not.toBeNull();
    await taken?.release();
  });

  it('is free again when its process was killed', async () => {
    const dir = await stateDir();
    const holder = await startHolder(dir);
    expect(await holder.ask('acquire')).toBe('held');
    const lock = createLock(dir);
    expect(await lock.acquire('apply')).toBeNull();
    await kill(holder.child);
    const taken = await lock.acquire('apply');
    expect(taken).not.toBeNull();
    await taken?.release();
  });
});
