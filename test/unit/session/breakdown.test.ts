// Verifications that break down through a fault of ours: what becomes of a run.

import { expect, test } from 'vitest';
import type { CycleEvent, ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { Ports } from '../../../server/src/core/ports.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';
import type { JobTable } from '../../../server/src/core/jobs.ts';

const night: ImproveRequest = {
  cycles: Infinity,
  dryRun: false,
  approval: 'minimal',
  maxChanges: 100,
  signal: never,
  decide: async () => ({ verdict: 'approved', reason: null }),
};

/** A session whose verifications break down while `breaks` says so, as through a fault of ours. */
function breakingDown(breaks: (path: string) => boolean) {
  return {
    change: ({ jobs }: Ports) => ({
      jobs: {
        ...jobs,
        run: ((name, input, signal) => {
          const [file] = name === 'inventory' ? (input as JobTable['inventory']['input']) : [];
          return file && breaks(file.path)
            ? Promise.reject(new TypeError('parameters is not iterable'))
            : jobs.run(name, input, signal);
        }) as typeof jobs.run,
      },
    }),
  };
}

test('a verification that breaks down does not end a night: its proposal waits, the others go on', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session(breakingDown((path) => path === 'src/one.ts'));
  const events: CycleEvent[] = [];
  const summary = await session.improve({ ...night, onEvent: (event) => void events.push(event) });
  expect(summary.kept).toBeGreaterThanOrEqual(1);
  const broken = events.flatMap((event) => (event.type === 'brokeDown' ? [event] : []));
  expect(broken.length).toBeGreaterThanOrEqual(1);
  for (const { proposal, reason } of broken) {
    expect(reason).toContain('parameters is not iterable');
    expect(await session.proposals.get(proposal.id)).toMatchObject({ status: 'deferred', verdicts: [] });
  }
  expect(events.at(-1)).toMatchObject({ type: 'stopped' });
});

test('where every verification breaks down, the run ends with what went wrong', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session(breakingDown(() => true));
  await expect(session.improve(night)).rejects.toThrow('parameters is not iterable');
  expect(world.written).toEqual([]);
});
