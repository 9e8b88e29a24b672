// A proposal whose proof needs a quieter machine: nobody is asked, it is first in line next time, and not for ever.

import { expect, test } from 'vitest';
import type { CycleEvent, ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import { findBestProposal } from '../../../server/src/core/session/propose/bestProposal.ts';
import { createSessionWorld, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';
import type { Machine } from '../../../server/src/core/ports/system.ts';

/** Tests do not end in time as long as the machine is busy. */
async function worldWith(machine: { busy: boolean }): Promise<SessionWorld> {
  const load: Machine['load'] = () => ({ running: machine.busy ? 9 : 1, cores: 2 });
  return createSessionWorld(flawed, {
    load,
    commands: {
      'run-tests': () => (machine.busy ? { ...passingRun, outcome: 'timedOut', exitCode: null } : passingRun),
    },
  });
}

const improving = (changes: Partial<ImproveRequest> = {}): ImproveRequest => ({
  cycles: 1,
  dryRun: false,
  approval: 'minimal',
  maxChanges: 100,
  signal: never,
  decide: async () => ({ verdict: 'deferred', by: 'charter', reason: 'Nobody is there.' }),
  ...changes,
});

test('it is deferred with what was measured, waits for nobody, and comes first when the machine is quiet', async () => {
  const machine = { busy: true };
  await using world = await worldWith(machine);
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  const events: CycleEvent[] = [];
  const asked: string[] = [];
  const decide: ImproveRequest['decide'] = async ({ id }) => {
    asked.push(id);
    return { verdict: 'deferred', by: 'charter', reason: 'Nobody is there.' };
  };
  const summary = await session.improve(improving({ cycles: 3, decide, onEvent: (event) => void events.push(event) }));
  const putOff = events.flatMap((event) => (event.type === 'putOff' ? [event] : []));
  expect(putOff.length).toBe(3);
  expect(putOff[0]?.reason).toMatch(
    /^Machine busy: Tests: .*The machine was busy \(9\.0 running or waiting to run on 2 cores\), so this proves nothing\.$/,
  );
  expect(summary).toMatchObject({ putOff: 3, refused: 0, verified: 0 });
  expect(asked).toEqual([]);
  // Each had its turn once in this run, and none is judged.
  expect(new Set(putOff.map(({ proposal }) => proposal.id)).size).toBe(3);
  expect(putOff.map(({ proposal }) => [proposal.status, proposal.verdicts.length, proposal.deferredBusy])).toEqual([
    ['deferred', 0, 1],
    ['deferred', 0, 1],
    ['deferred', 0, 1],
  ]);

  machine.busy = false;
  const next = await session.proposals.propose({ signal: never });
  expect(next.proposal?.id).toBe(putOff[0]?.proposal.id);
  const verified = await session.verification.verify(next.proposal!.id, { signal: never });
  expect(verified.status).toBe('verified');
  expect((await session.proposals.propose({ signal: never })).proposal?.id).toBe(putOff[1]?.proposal.id);
});

test('after three times a person decides, and hears why', async () => {
  await using world = await worldWith({ busy: true });
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  const { proposal } = await session.proposals.propose({ signal: never });
  const { id } = proposal!;
  for (const times of [1, 2, 3])
    expect(await session.verification.verify(id, { signal: never })).toMatchObject({
      status: 'deferred',
      deferredBusy: times,
      verdicts: [],
    });
  expect((await session.verification.verify(id, { signal: never })).status).toBe('verified');
  expect(await session.proposals.explainNeedToAsk(id)).toMatch(
    /^The machine was busy with other work \(it was deferred 3 times\), .*9\.0 running/,
  );
});

test('another session on the same repository takes it up first, too', async () => {
  const machine = { busy: true };
  await using world = await worldWith(machine);
  const first = await world.session();
  const { proposal } = await first.proposals.propose({ signal: never });
  await first.verification.verify(proposal!.id, { signal: never });
  machine.busy = false;
  const second = await world.session();
  expect((await second.proposals.propose({ signal: never })).proposal?.id).toBe(proposal!.id);
});

test('a person who waits for the answer gets the first, with what the machine was too busy to show', async () => {
  await using world = await worldWith({ busy: true });
  const session = await world.session();
  const unattended = await findBestProposal(session, undefined, { signal: never });
  expect(unattended.verified).toBeNull();
  expect(unattended.refused.length).toBeGreaterThan(1);
  const { verified, refused } = await findBestProposal(session, undefined, { signal: never, atOnce: true });
  expect(refused).toEqual([]);
  expect(verified).toMatchObject({ status: 'verified', id: unattended.refused[0]?.id });
  expect(verified?.verdicts.find(({ gate }) => gate === 'tests')).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringContaining('The machine was busy'),
  });
});

test('a run that asks a person puts nothing off', async () => {
  await using world = await worldWith({ busy: true });
  const session = await world.session();
  expect(await session.improve(improving({ personWaits: true }))).toMatchObject({ putOff: 0, verified: 1 });
});

test('what was shown before it was put off is not run again when it comes first in line', async () => {
  const machine = { busy: true };
  let typeChecks = 0;
  await using world = await createSessionWorld(flawed, {
    load: () => ({ running: machine.busy ? 9 : 1, cores: 2 }),
    commands: {
      'check-types': () => ((typeChecks += 1), passingRun),
      'run-tests': () => (machine.busy ? { ...passingRun, outcome: 'timedOut', exitCode: null } : passingRun),
    },
  });
  const session = await world.session({ settings: { 'verify.typesCommand': 'check-types' } });
  const { proposal } = await session.proposals.propose({ signal: never });
  expect((await session.verification.verify(proposal!.id, { signal: never })).status).toBe('deferred');
  const before = typeChecks;
  expect(before).toBeGreaterThan(0);
  machine.busy = false;
  const { status, verdicts } = await session.verification.verify(proposal!.id, { signal: never });
  expect([status, verdicts.find(({ gate }) => gate === 'types')?.outcome]).toEqual(['verified', 'passed']);
  expect(typeChecks).toBe(before);
});
