// In which order a preview tries proposals.

import { expect, test } from 'vitest';
import { findBestProposal } from '../../../server/src/core/session/propose/bestProposal.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createPart } from '../../helpers/createPart.ts';

const never = new AbortController().signal;

/** A session with these proposals, in order. `slow`: those that need all tests; `good`: those that pass. */
function sessionWith(ids: readonly string[], slow: readonly string[], good: readonly string[]) {
  const previewed: string[] = [];
  const refused = new Set<string>();
  const proposal = (id: string, status: Proposal['status'] = 'proposed') =>
    createPart<Proposal>({ id, status, verdicts: [] });
  const session = {
    proposals: createPart<Session['proposals']>({
      propose: async ({ excludedProposals }: { readonly excludedProposals: ReadonlySet<string> }) => {
        const id = ids.find((candidate) => !excludedProposals.has(candidate) && !refused.has(candidate));
        return { proposal: id === undefined ? null : proposal(id), tried: [], passedOver: [] };
      },
    }),
    verification: createPart<Session['verification']>({
      needsManyTests: ({ id }: Proposal) => slow.includes(id),
      preview: async (id: string) => {
        previewed.push(id);
        if (!good.includes(id)) refused.add(id);
        return proposal(id, good.includes(id) ? 'verified' : 'rejected');
      },
      verify: async (id: string) => proposal(id, 'verified'),
    }),
  };
  const find = async (more: object = {}) => {
    const { verified } = await findBestProposal(session, undefined, { signal: never, isPreview: true, ...more });
    return { chosen: verified?.id ?? null, previewed };
  };
  return { find };
}

test.each<[string, readonly string[], readonly string[], string | null, readonly string[]]>([
  ['a proposal that needs all tests waits for the next', ['a'], ['a', 'b'], 'b', ['b']],
  ['it is tried if no other passes', ['a'], ['a'], 'a', ['b', 'c', 'a']],
  ['with only such proposals, the first is tried first', ['a', 'b', 'c'], ['a', 'b', 'c'], 'a', ['a']],
  ['nothing is left', ['a'], [], null, ['b', 'c', 'a']],
])('%s', async (_what, slow, good, chosen, previewed) => {
  expect(await sessionWith(['a', 'b', 'c'], slow, good).find()).toEqual({ chosen, previewed });
});

test('at most three are put off, and no more proposals fail than allowed', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  expect(await sessionWith(ids, ids, ['d']).find()).toEqual({ chosen: 'd', previewed: ['d'] });
  expect(await sessionWith(ids, ['a'], []).find({ maxRefused: 2 })).toEqual({ chosen: null, previewed: ['b', 'c'] });
});

test('whoever asks for verified proposals gets the first', async () => {
  expect((await sessionWith(['a', 'b'], ['a'], ['a', 'b']).find({ isPreview: false })).chosen).toBe('a');
});
