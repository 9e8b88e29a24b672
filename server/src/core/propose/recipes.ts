// The recipes that there are. A row here, a page in docs/recipes and fixtures in test/fixtures/recipes make a recipe.

import type { Recipe } from './recipe.ts';
import { docComment } from './recipes/docComment.ts';
import { extractFunction } from './recipes/extractFunction.ts';
import { guardClauses } from './recipes/guardClauses.ts';
import { removeElse } from './recipes/removeElse.ts';
import { removeUnused } from './recipes/removeUnused.ts';

export const recipes: readonly Recipe[] = [
  {
    id: 'remove-unused',
    title: 'Remove unused imports and locals',
    docs: 'docs/recipes/remove-unused.md',
    safety: 'What has effects when it is evaluated stays as a statement, and a file stays a module.',
    realise: removeUnused,
  },
  {
    id: 'guard-clauses',
    title: 'Flatten a nested if by guard clauses',
    docs: 'docs/recipes/guard-clauses.md',
    safety: 'Only the last statement of a function or loop is turned around, and no name changes its scope unseen.',
    realise: guardClauses,
  },
  {
    id: 'remove-else',
    title: 'Remove else after a branch that leaves',
    docs: 'docs/recipes/remove-else.md',
    safety: 'Every branch before the else leaves, and no name changes its scope unseen.',
    realise: removeElse,
  },
  {
    id: 'doc-comment',
    title: 'Turn a leading comment into a doc comment',
    docs: 'docs/recipes/doc-comment.md',
    safety: 'Only comments change; those that tools read stay as they are.',
    realise: docComment,
  },
  {
    id: 'extract-function',
    title: 'Extract a function from an over-complex one',
    docs: 'docs/recipes/extract-function.md',
    safety: 'Statements move unchanged; what they read comes in as parameters, and at most one value goes out.',
    realise: extractFunction,
  },
];
