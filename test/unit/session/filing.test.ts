// Whose changes have to be proven in order to count as keeping behaviour, and whose words a title quotes.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { draftProposal } from '../../../server/src/core/session/propose/recordProposal.ts';
import { createLearnedRecipeName } from '../../../server/src/core/model/learnedRecipes.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createPart } from '../../helpers/createPart.ts';

type More = NonNullable<Parameters<typeof draftProposal>[5]>;

test.each<[string, string, More, boolean]>([
  ['a recipe of Selfware', 'unused-variable', {}, false],
  ['what is left of its change after a part was applied', 'unused-variable', { restOf: 'p-1' }, true],
  ['its change as a person has corrected it', 'unused-variable', { replaces: 'p-1', author: 'recipe' }, true],
  ['a linter', 'linter-fix', {}, true],
  ['a learned recipe', createLearnedRecipeName('abc'), {}, true],
  ['an agent', 'brought', { author: 'agent' }, true],
  ['a person', 'brought', { author: 'person' }, true],
  ['an unknown author', 'brought', {}, true],
])('%s', async (_, recipe, more, isExternal) => {
  const asked: unknown[] = [];
  const context = createPart<SessionContext>({
    ports: {
      ids: { next: () => 'p-2' },
      clock: { now: () => 0 },
      files: { rootDir: '/r' },
      jobs: { run: async (name: string, input: unknown) => (asked.push([name, input]), 'additive') },
    },
  });
  const opportunity = { id: 'o-1', rule: 'r', path: 'a.ts', symbol: null, recipe };
  const applied = { edits: [], title: '', rationale: '' };
  await draftProposal(context, opportunity, applied, null, never, more);
  expect(asked).toMatchObject([['safety', { isExternal }]]);
});

test.each([
  ['person', 'A person says: “Halve it”'],
  ['model', 'The model says: “Halve it”'],
  ['client', 'The agent says: “Halve it”'],
] as const)('the title of a change by a %s quotes its author', async (author, title) => {
  await using world = await createSessionWorld({ 'src/half.ts': 'export const half = 0.5;\n' });
  const session = await world.session();
  const request = { description: 'Halve it', edits: [{ file: 'src/half.ts', search: '0.5', replace: '1 / 2' }] };
  const proposal = await session.proposals.proposeTransform(request, { signal: never }, author);
  expect(proposal).toMatchObject({ title, author });
});
