// The table of recipes: what each is and what may be done with it. Plain data, without the compiler behind it.

export interface RecipeFacts {
  readonly id: string;
  readonly title: string;
  /** Page about it, from the repository's root of the product. */
  readonly docs: string;
  /** What keeps the behaviour as it is, in one sentence. */
  readonly safety: string;
  /** Meant to change what code does: a person judges what comes of it, and old and new are not held to be the same. */
  readonly changesBehavior?: true;
  /** It has looked for whoever may import what it takes away, entry points of the package included. */
  readonly looksForImporters?: true;
  /** Its result needs a person's eye, however safe it is: a name made by a machine. */
  readonly needsPerson?: true;
}

/**
 * A row here, its function in recipes.ts, a page in docs/recipes and fixtures in test/fixtures/recipes make a recipe.
 */
export const recipeTable = [
  {
    id: 'remove-unused',
    title: 'Remove unused imports and locals',
    docs: 'docs/recipes/remove-unused.md',
    safety: 'What has effects when it is evaluated stays as a statement, and a file stays a module.',
  },
  {
    id: 'guard-clauses',
    title: 'Flatten a nested if by guard clauses',
    docs: 'docs/recipes/guard-clauses.md',
    safety: 'Only the last statement of a function or loop is turned around, and no name changes its scope unseen.',
  },
  {
    id: 'remove-else',
    title: 'Remove else after a branch that leaves',
    docs: 'docs/recipes/remove-else.md',
    safety: 'Every branch before the else leaves, and no name changes its scope unseen.',
  },
  {
    id: 'doc-comment',
    title: 'Turn a leading comment into a doc comment',
    docs: 'docs/recipes/doc-comment.md',
    safety: 'Only comments change; those that tools read stay as they are.',
  },
  {
    id: 'document-from-evidence',
    title: 'Document an export from evidence',
    docs: 'docs/recipes/document-from-evidence.md',
    safety: 'Only comments change, and they say what tests assert and what the code says.',
  },
  {
    id: 'extract-function',
    title: 'Extract a function from an over-complex one',
    docs: 'docs/recipes/extract-function.md',
    safety: 'Statements move unchanged; what they read comes in as parameters, and at most one value goes out.',
    needsPerson: true,
  },
  {
    id: 'remove-copy',
    title: 'Remove a needless copy',
    docs: 'docs/recipes/remove-copy.md',
    safety: 'The compiler knows what is copied to be a list that nobody else holds or that stays as it is.',
  },
  {
    id: 'hoist-from-loop',
    title: 'Take repeated work out of a loop',
    docs: 'docs/recipes/hoist-from-loop.md',
    safety: 'What it is made of stays the same while the loop runs, and what is made is only looked at.',
  },
  {
    id: 'unexport',
    title: 'Remove an unused export',
    docs: 'docs/recipes/unexport.md',
    looksForImporters: true,
    safety: 'No file of the repository takes the name, and what has effects when it is evaluated stays.',
  },
  {
    id: 'keyed-lookup',
    title: 'Look up by key instead of searching a list',
    docs: 'docs/recipes/keyed-lookup.md',
    safety:
      'The list stays as it is while the loop runs, and what is equal for the search is equal for the collection.',
  },
  {
    id: 'remove-parameter',
    title: 'Remove parameters that nothing reads',
    docs: 'docs/recipes/remove-parameter.md',
    safety: 'Every use of the function is a call in its file, and what the callers give has no effects.',
  },
  {
    id: 'remove-unreachable',
    title: 'Remove code that nothing reaches',
    docs: 'docs/recipes/remove-unreachable.md',
    safety: 'A statement before it always leaves, and what is hoisted out of it stays.',
  },
  {
    id: 'remove-await',
    title: 'Remove needless promises and awaits',
    docs: 'docs/recipes/remove-await.md',
    safety:
      'Nothing that others could notice runs sooner than before, except that the function settles a step or two sooner.',
  },
  {
    id: 'merge-if',
    title: 'Merge nested ifs',
    docs: 'docs/recipes/merge-if.md',
    safety: 'Neither if has an else, and nothing stands between them.',
  },
  {
    id: 'simplify-boolean',
    title: 'Say a condition once',
    docs: 'docs/recipes/simplify-boolean.md',
    safety: 'Where its value is used, the condition is proved to give true or false and nothing else.',
  },
  {
    id: 'use-const',
    title: 'Use const for what is never written to',
    docs: 'docs/recipes/use-const.md',
    safety: 'Nothing in the scope of the names writes to a name of that text.',
  },
  {
    id: 'optional-chain',
    title: 'Ask by ?.',
    docs: 'docs/recipes/optional-chain.md',
    safety: 'Of what is asked for, only null and undefined are falsy, as far as the types tell, and no getter is read.',
  },
  {
    id: 'nullish-coalescing',
    title: 'Use ?? for a replacement',
    docs: 'docs/recipes/nullish-coalescing.md',
    safety: 'The test tells both null and undefined from the rest, or the types rule out the other one.',
  },
  {
    id: 'parallel-awaits',
    title: 'Wait for independent results at once',
    docs: 'docs/recipes/parallel-awaits.md',
    safety:
      'What is waited for only reads, no turn writes to anything or looks at the results of another, and the results keep their order.',
    changesBehavior: true,
  },
  {
    id: 'for-of',
    title: 'Go through a list by for … of',
    docs: 'docs/recipes/for-of.md',
    safety:
      'The list is an array, its index is used for nothing else, and nothing that acts runs before an element is read.',
  },
  {
    id: 'template-string',
    title: 'Write a text as a template',
    docs: 'docs/recipes/template-string.md',
    safety: 'Every value in it is a string, a number or the like, which a template prints as + does.',
  },
  {
    id: 'deduplicate',
    title: 'Share a function that two files have',
    docs: 'docs/recipes/deduplicate.md',
    safety:
      'Both functions are the same word for word, every name in them means the same, and no circle of imports comes of it.',
  },
  {
    id: 'else-if',
    title: 'Make an if alone in an else an else if',
    docs: 'docs/recipes/else-if.md',
    safety: 'The else holds nothing but the if, and no else behind it changes its owner.',
  },
  {
    id: 'remove-branch',
    title: 'Remove the empty side of an if',
    docs: 'docs/recipes/remove-branch.md',
    safety: 'The side does nothing, and the condition is asked once, as before.',
  },
  {
    id: 'remove-catch',
    title: 'Remove a catch that throws what it caught',
    docs: 'docs/recipes/remove-catch.md',
    safety: 'What is thrown goes on as it is, and no name changes its scope unseen.',
  },
  {
    id: 'remove-jump',
    title: 'Remove a needless return or continue',
    docs: 'docs/recipes/remove-jump.md',
    safety: 'Control goes to the same place without it.',
  },
] as const satisfies readonly RecipeFacts[];
export type RecipeId = (typeof recipeTable)[number]['id'];

/** What is known of a recipe by its id; null for changes that no recipe of the table makes. */
export function recipeFacts(id: string | null): RecipeFacts | null {
  return recipeTable.find((row) => row.id === id) ?? null;
}
