// Asks a proposer for two or three examples of a migration. A recipe that is learned from them makes the rest without
// further questions.

import { SelfwareError } from '../../../util/typedError.ts';
import type { FileVersions } from '../../learn/recipes/mine.ts';
import type { Usage } from '../../model/asks.ts';
import type { FileEdit } from '../../model.ts';
import type { TeachingAuthor } from '../../model/learnedRecipes.ts';
import type { Operation } from '../../operation.ts';
import { askUntilFit } from '../ask/askUntilFit.ts';
import type { SessionContext } from '../context.ts';
import type { EditSource } from './learned.ts';
import { isLearnedFrom } from './learnedPlaces.ts';
import { mineVersions, type ReadEdits } from './readingEdits.ts';

/** What the next question about the same migration says. */
const SHOWN = 'A recipe was learned from these examples, and was shown to the person.';

interface AskedEdits extends ReadEdits {
  readonly author: TeachingAuthor;
  readonly usage: Usage;
}

/**
 * The edits of an answer from which at least one recipe can be learned. Throws `usage` for empty words, `notFound` if no
 * answer was of use, and what `askUntilFit` throws.
 */
export async function askedEdits(
  context: SessionContext,
  { words, proposer, fresh = false }: Extract<EditSource, { readonly kind: 'asked' }>,
  operation: Operation,
): Promise<AskedEdits> {
  if (words.trim() === '') throw new SelfwareError('usage', 'Say in words what is to be migrated.');
  const outcome = await askUntilFit(
    context,
    { ...operation, task: { migration: words }, proposer, fresh },
    { shown: SHOWN, fit: ({ edits, author }) => examplesIn(context, edits, { author, words }, operation) },
  );
  if (!('refused' in outcome)) return outcome;
  throw new SelfwareError('notFound', `No recipe could be learned from what ${proposer} answered. ${outcome.refused}`, {
    action: 'Say it in other words, or make the change by hand in two places and use --from-diff.',
  });
}

type Examples = Omit<AskedEdits, 'usage'>;

/** The examples among the edits, or what is wrong with them. */
async function examplesIn(
  context: SessionContext,
  edits: readonly FileEdit[],
  { author, words }: { readonly author: TeachingAuthor; readonly words: string },
  operation: Operation,
): Promise<Examples | { readonly refused: string }> {
  const versions: FileVersions[] = [];
  for (const { path, before, after } of edits) {
    if (before === null || after === null || !isLearnedFrom(path))
      return { refused: `It changed ${path}. The examples have to be edits of existing scripts that are no tests.` };
    versions.push({ commit: null, subject: words.trim(), path, before, after });
  }
  const read = await mineVersions(context, versions, operation);
  const input = { edits: read.edits, options: { isRequested: true } };
  const { recipes, rejected } = await context.ports.jobs.run('induceRecipes', input, operation.signal);
  if (recipes.length > 0) return { ...read, author };
  const [first] = rejected;
  if (first) return { refused: `${first.pattern} → ${first.replacement} cannot be repeated. ${first.reason}` };
  return {
    refused: `The edits have no shape in common. At least two of them must change an expression in the same way; ${read.edits.length} changed one.`,
  };
}
