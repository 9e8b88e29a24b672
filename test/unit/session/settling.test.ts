// Bringing a round to its end where something goes wrong: a verification that breaks down, a pause.

import { expect, test } from 'vitest';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Breakdowns } from '../../../server/src/core/session/cycle/round.ts';
import { settleAll } from '../../../server/src/core/session/cycle/settling.ts';
import type { Steps } from '../../../server/src/core/session/cycle/steps.ts';
import type { CycleEvent, ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { CheckedTogether } from '../../../server/src/core/verify/checkedTogether.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { never } from './flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

function verified(id: string): Proposal {
  return { id, status: 'verified', opportunity: { id: `o-${id}`, rule: 'test', path: id, symbol: null } } as Proposal;
}

function set(...proposals: string[]): CheckedTogether {
  return { proposals, verdicts: [], reach: null };
}

/** Settles the proposals of these sets, which nobody is asked about, with some of the steps. */
async function settled(
  sets: readonly CheckedTogether[],
  { applyTogether, apply, verify }: Partial<Steps['changes'] & Steps['verification']>,
) {
  const steps = createPart<Steps>({
    proposals: { explainNeedToAsk: async () => null },
    changes: { applyTogether, apply },
    verification: { verify },
  });
  const events: CycleEvent[] = [];
  const request = { signal: never, onEvent: (event) => void events.push(event) } as ImproveRequest;
  const breakdowns: Breakdowns = { proposals: new Set(), consecutiveCount: 0 };
  const proposals = sets.flatMap((one) => one.proposals).map(verified);
  const outcomes = (await settleAll(steps, proposals, sets, request, breakdowns)).map(({ proposal, outcome }) => [
    proposal.id,
    outcome,
  ]);
  return { outcomes, events, broken: [...breakdowns.proposals] };
}

test('if a set falls apart, a verification that breaks down leaves the others their turn', async () => {
  const applied: string[] = [];
  const { outcomes, events, broken } = await settled([set('ant', 'bee', 'cat')], {
    applyTogether: async () => null,
    async verify(id) {
      if (id === 'bee') throw new SelfwareError('timedOut', 'It took too long.');
      return verified(id);
    },
    async apply({ proposal }) {
      applied.push(proposal);
      return { proposal: { ...verified(proposal), status: 'kept' }, checkpoint: {} as never, rest: null };
    },
  });
  expect(outcomes).toEqual([
    ['ant', 'kept'],
    ['cat', 'kept'],
  ]);
  expect(applied).toEqual(['ant', 'cat']);
  expect(events).toContainEqual(expect.objectContaining({ type: 'brokeDown', reason: 'It took too long.' }));
  expect(broken).toEqual(['bee']);
});

test('after a pause no other set is applied, and no other member of one that fell apart is verified', async () => {
  const paused = new SelfwareError('paused', 'The rate of the charter is reached.');
  const tried: string[] = [];
  const { outcomes } = await settled([set('ant', 'bee'), set('cat', 'dog')], {
    async applyTogether(requests) {
      tried.push(...requests.map(({ proposal }) => proposal));
      return [{ proposal: verified('ant'), error: paused }];
    },
  });
  expect(tried).toEqual(['ant', 'bee']);
  expect(outcomes).toEqual([
    ['ant', 'paused'],
    ['bee', 'passedOver'],
  ]);
  tried.length = 0;
  await settled([set('ant', 'bee')], {
    applyTogether: async () => null,
    async verify(id) {
      tried.push(id);
      return verified(id);
    },
    apply: () => Promise.reject(paused),
  });
  expect(tried).toEqual(['ant']);
});
