// The order in which a preview tries what may be worth most. What each attempt does is tested elsewhere.

import { expect, test } from 'vitest';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { PossibleWork } from '../../../server/src/core/session/analyse/analysisTypes.ts';
import { findMostValuable } from '../../../server/src/core/session/propose/mostValuable.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { WRONG_EXAMPLE_RULE } from '../../../server/src/core/session/analyse/examples/storedExamples.ts';
import { never } from './flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

const [FAULT, REMOVAL] = ['unawaited-rejects', 'unused-import'];
const doable = createPart<PossibleWork>({
  ...{ analysed: true, barrier: null, languages: ['python'] as readonly string[] },
  improvable: [{ rule: REMOVAL }, { rule: FAULT }],
});

/** What is tried, in order, and the worth of what is proposed, if the recipes for these rules have a proposal. */
async function tried(...fixable: readonly string[]) {
  return triedIn(doable, fixable);
}

async function triedIn(work: PossibleWork, fixable: readonly string[]) {
  const order: string[] = [];
  const session = createPart<Parameters<typeof findMostValuable>[0]>({
    analysis: {
      counterexamples: async () => ({ finds: [] }),
      examples: async () => {
        order.push('examples');
        return { wrong: fixable.includes(WRONG_EXAMPLE_RULE) ? [{}] : [] };
      },
      unguarded: async () => {
        order.push('missing tests');
        throw new SelfwareError('unavailable', 'No test runs.', {});
      },
    },
    proposals: {
      propose: async ({ rules }: { readonly rules?: readonly string[] }) => {
        order.push(rules?.join() ?? 'any rule');
        const rule = rules?.find((one) => fixable.includes(one));
        const proposal = rule ? ({ id: 'p-1', status: 'verified', opportunity: { rule } } as Proposal) : null;
        return { proposal, tried: [], passedOver: [] };
      },
    },
  });
  const { worth, proposal } = await findMostValuable(session, work, 60, { signal: never });
  return { order, worth, rule: proposal?.opportunity.rule ?? null };
}

test('a fault that a recipe can fix comes before missing tests, and everything else after them', async () => {
  expect(await tried(FAULT, REMOVAL)).toEqual({ order: [FAULT], worth: 'fault', rule: FAULT });
  expect(await tried(REMOVAL)).toMatchObject({ order: [FAULT, 'missing tests', REMOVAL], rule: REMOVAL });
  expect((await tried()).order).toEqual([FAULT, 'missing tests', REMOVAL, 'any rule']);
});

test('a wrong example comes after faults of code and before missing tests, where functions can be called', async () => {
  const inScripts = createPart<PossibleWork>({ ...doable, languages: ['typescript'] });
  expect((await triedIn(inScripts, [REMOVAL])).order).toEqual([FAULT, 'examples', 'missing tests', REMOVAL]);
  expect(await triedIn(inScripts, [REMOVAL, WRONG_EXAMPLE_RULE])).toEqual({
    order: [FAULT, 'examples', WRONG_EXAMPLE_RULE],
    worth: 'fault',
    rule: WRONG_EXAMPLE_RULE,
  });
});
