// An unattended run knows the learned recipes that a person has accepted in the repository, and those that were
// forgotten.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger, copyEventsToRun } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { foldAcceptedRecipes, RECIPE_EVENTS } from '../../../server/src/core/learn/recipes/acceptedRecipes.ts';
import type { LearnedRecipe } from '../../../server/src/core/model/learnedRecipes.ts';

const recipe = (id: string): LearnedRecipe => ({
  id,
  pattern: '$a.indexOf($b) !== -1',
  replacement: '$a.includes($b)',
  holes: { $a: 'any', $b: 'any' },
  names: {},
  examples: [],
  edits: 2,
  commits: 2,
  files: 2,
});

test('accepted recipes reach a run, forgotten ones do not', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-recipes-'));
  const log = { write: () => undefined };
  const [repository, run] = [await openLedger(join(dir, 'one'), log), await openLedger(join(dir, 'two'), log)];
  try {
    for (const id of ['aaaaaaaa', 'bbbbbbbb'])
      await repository.ledger.record({ type: 'recipeAccepted', data: { recipe: recipe(id) } });
    await repository.ledger.record({ type: 'recipeForgotten', data: { id: 'aaaaaaaa' } });
    await copyEventsToRun(repository, run);
    const known = foldAcceptedRecipes(await run.ledger.query({ types: RECIPE_EVENTS }));
    expect(known).toEqual([recipe('bbbbbbbb')]);
  } finally {
    await repository.close();
    await run.close();
    await rm(dir, { recursive: true, force: true });
  }
});
