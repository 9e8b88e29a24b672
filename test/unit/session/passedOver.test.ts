// What is left alone is recorded once with its reason, counted, and can be asked for again by who wants it.

import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import { describeSkippedRequest, type SkippedPlace } from '../../../server/src/core/model/skippedPlaces.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, hundred, never } from './flawed.ts';

const improving: ImproveRequest = {
  cycles: 1,
  dryRun: true,
  approval: 'strict',
  maxChanges: 100,
  signal: never,
  decide: async () => ({ verdict: 'rejected', reason: 'No.' }),
};

test('protected places, unfinished work and dismissed places are counted, and recorded once, however often they are met', async () => {
  await using world = await createSessionWorld(hundred);
  const session = await world.session({ protectedPaths: ['/guarded/'] });
  world.git.setDirty(
    Object.keys(hundred)
      .filter((path) => path.startsWith('dirty/'))
      .map((path) => ({ path, kind: 'modified' as const })),
  );
  await session.analysis.analyse({ signal: never });
  const [last] = (await session.opportunities.shown()).filter(
    ({ path, recipe }) => path === 'z/last.ts' && recipe !== null,
  );
  await session.opportunities.dismiss({ opportunity: last!.id, kind: 'later', reason: 'Next year.' });

  const { passedOver } = await session.improve(improving);
  expect(passedOver).toMatchObject({ protected: passedOver.unfinished, dismissed: 1 });
  expect(passedOver.unfinished).toBeGreaterThanOrEqual(30);

  const told = async () =>
    (await session.ledger.query({ types: ['passedOver'] })).flatMap(
      ({ data }) => (data as { readonly places: readonly SkippedPlace[] }).places,
    );
  const first = await told();
  expect(first).toContainEqual({
    opportunity: expect.any(String),
    rule: expect.any(String),
    path: expect.stringMatching(/^guarded\//),
    by: 'protected',
    reason: expect.stringContaining('may not be changed'),
  });
  expect(first).toContainEqual(
    expect.objectContaining({ by: 'unfinished', reason: 'The file has uncommitted changes.' }),
  );
  // A dismissal has an event of its own.
  expect(first.filter(({ by }) => by === 'dismissed')).toEqual([]);
  await session.improve(improving);
  await session.proposals.propose({ signal: never });
  expect(await told()).toEqual(first);
  expect(await session.ledger.verify()).toMatchObject({ intact: true });
});

test('what a person rejected says so when it is asked for, and is proposed once more only if they say so', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const { proposal } = await session.proposals.propose({ signal: never });
  const opportunity = proposal!.opportunity.id.split('+')[0]!;
  await session.verification.verify(proposal!.id, { signal: never });
  await session.proposals.decide({
    proposal: proposal!.id,
    verdict: 'rejected',
    by: 'person',
    reason: 'Not my style.',
  });
  const rejectedAt = (await session.ledger.query({ types: ['rejected'] }))[0]!.at;

  const alone = await session.proposals.propose({ opportunity, signal: never });
  if (alone.proposal === null)
    expect(alone.passedOver).toEqual([
      expect.objectContaining({
        opportunity,
        by: 'rejected',
        since: rejectedAt,
        reason: 'The same change was rejected before: Not my style.',
      }),
    ]);
  const unasked = await session.proposals.propose({ signal: never });
  expect(unasked.passedOver).toContainEqual(
    expect.objectContaining({ opportunity, by: 'rejected', reason: 'Not my style.', since: rejectedAt }),
  );
  expect(unasked.proposal?.opportunity.id).not.toBe(opportunity);

  const again = await session.proposals.propose({ opportunity, again: true, signal: never });
  expect(again.proposal).toMatchObject({ status: 'proposed' });
  expect(await session.verification.verify(again.proposal!.id, { signal: never })).toMatchObject({
    status: 'verified',
  });
});

test('what a recipe declines says since when', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run: (name, input, signal) =>
          name === 'applyRecipe'
            ? Promise.resolve({ refused: 'It is not worth it.' } as never)
            : jobs.run(name, input, signal),
      },
    }),
  });
  await session.analysis.analyse({ signal: never });
  const opportunity = (await session.opportunities.shown()).find(({ recipe }) => recipe !== null)!.id;
  const ask = async () => (await session.proposals.propose({ opportunity, signal: never })).passedOver;
  expect(await ask()).toEqual([
    expect.objectContaining({ by: 'declined', reason: 'It is not worth it.', since: null }),
  ]);
  const { at } = (await session.ledger.query({ types: ['attempt'] }))[0]!;
  expect(await ask()).toEqual([expect.objectContaining({ by: 'declined', since: at })]);
  expect(await ask()).toEqual([expect.objectContaining({ by: 'declined', since: at })]);
});

test('the reason of a recipe is given once; other causes are named before it', () => {
  const place = { opportunity: 'a', rule: 'cognitive-complexity', path: 'a.ts', since: null } as const;
  const reason = 'It is left to a person: no part would read better.';
  expect(describeSkippedRequest({ ...place, by: 'declined', reason })).toBe(
    'for cognitive-complexity in a.ts: no part would read better.',
  );
  expect(describeSkippedRequest({ ...place, by: 'protected', reason: 'The charter protects it.' })).toBe(
    'for cognitive-complexity in a.ts, protected: The charter protects it.',
  );
});
