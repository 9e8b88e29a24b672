// Members of a round that were checked together: what a later one is told of the earlier ones.

import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import { verifyMembers } from '../../../server/src/core/session/cycle/round.ts';
import type { Steps } from '../../../server/src/core/session/cycle/steps.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { VerifyOptions } from '../../../server/src/core/verify/checkedTogether.ts';
import { createPart } from '../../helpers/createPart.ts';
import { never } from './flawed.ts';

test('a member that was refused or deferred, or whose verification broke down, is no companion of later ones', async () => {
  const members = ['a', 'b', 'c', 'd', 'e'].map((id) => createPart<Proposal>({ id, edits: [] }));
  const statuses: Readonly<Record<string, Proposal['status']>> = { a: 'refused', b: 'verified', d: 'deferred' };
  const told = new Map<string, readonly string[] | undefined>();
  const verification = {
    async verify(id: string, _: unknown, { together }: VerifyOptions) {
      told.set(
        id,
        together?.members?.map((member) => member.id),
      );
      if (id === 'c') throw new Error('No answer.');
      return createPart<Proposal>({ id, status: statuses[id] ?? 'verified' });
    },
  };
  const set = { proposals: members.map(({ id }) => id), members, verdicts: [], reach: null };
  const breakdowns = { proposals: new Set<string>(), consecutiveCount: 0 };
  const request = createPart<ImproveRequest>({ signal: never });
  const verified = await verifyMembers(createPart<Steps>({ verification }), members, [set], request, breakdowns);
  expect(verified.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e']);
  expect(Object.fromEntries(told)).toEqual({
    a: ['a', 'b', 'c', 'd', 'e'],
    b: ['b', 'c', 'd', 'e'],
    c: ['b', 'c', 'd', 'e'],
    d: ['b', 'd', 'e'],
    e: ['b', 'e'],
  });
});
