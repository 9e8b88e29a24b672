// Files all places of a learned recipe as one proposal.

import { createLearnedRecipeName, createLearnedRuleName, type LearnedRecipe } from '../../model/learnedRecipes.ts';
import { refusalSentence } from '../../model/skippedPlaces.ts';
import { joinIds } from '../../ledger/opportunityIds.ts';
import { AUTHORS, type Author } from '../../model/authors.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { formatCount } from '../../../util/counted.ts';
import type { SessionContext } from '../context.ts';
import { requireHead } from '../analyse/possibleWork.ts';
import { isAlreadyFiled, recordProposal } from '../propose/recordProposal.ts';
import { formatEdits } from '../propose/formatEdits.ts';
import { readAccepted, getLearnedRecipe } from './storedCandidates.ts';
import type { FiledRecipe, LearnedRecipes } from './recipeTypes.ts';
import { createLearnedOpportunities, findCurrentPlaces } from './learnedPlaces.ts';
import { describeLearnedChange } from './applyLearnedRecipe.ts';

/**
 * Files the proposal. `by`: who tries the recipe. The author of the proposal is *recipe* if a person has accepted the
 * recipe. Otherwise it is either the author who tries the recipe (a person counts as *recipe*) or the model or agent
 * that made its examples, whichever is trusted less. Skips files that must not be changed and, without `again`, files
 * whose change was refused before. Throws `notFound`, `untrusted`, `notARepository`, `noCommit`, and the errors of
 * `recordProposal`.
 */
export async function fileLearnedRecipe(
  context: SessionContext,
  id: string,
  operation: Operation,
  { paths, by = 'person', again = false }: NonNullable<Parameters<LearnedRecipes['file']>[2]> = {},
): Promise<FiledRecipe> {
  const recipe = await getLearnedRecipe(context, id);
  const head = await requireHead(context);
  const learnedOpportunities = createLearnedOpportunities(
    [recipe],
    (await findCurrentPlaces(context, [recipe], operation, paths)).places,
  );
  const skipped: FiledRecipe['leftOut'][number][] = [];
  const edits: FileEdit[] = [];
  const touchedPaths = [...new Set(learnedOpportunities.map(({ path }) => path))];
  for (const [doneCount, path] of touchedPaths.entries()) {
    operation.report?.({ stage: 'realising', done: doneCount, total: touchedPaths.length, message: path });
    const change = await createFileChange(context, recipe, path, { again, signal: operation.signal });
    if ('refused' in change) {
      const { refused: reason, ...more } = change;
      skipped.push({ path, reason, ...more });
    } else edits.push(...change.edits);
  }
  const opportunities = learnedOpportunities.filter(({ path }) => edits.some((edit) => edit.path === path));
  const [first] = opportunities;
  if (!first) return { proposal: null, leftOut: skipped };
  if (await isAlreadyFiled(context, edits)) {
    const reason = 'A proposal with the same edits waits for a decision.';
    return { proposal: null, leftOut: [...skipped, ...edits.map(({ path }) => ({ path, reason }))] };
  }
  const author = findLessTrusted(recipe.author ?? null, by === 'person' ? null : by);
  const placeText = edits.length === 1 ? first.path : formatCount(edits.length, 'file');
  const proposal = await recordProposal(
    context,
    {
      id: joinIds(opportunities.map((opportunity) => opportunity.id)),
      rule: createLearnedRuleName(id),
      path: first.path,
      symbol: null,
      recipe: createLearnedRecipeName(id),
    },
    { edits, ...describeLearnedChange(recipe, placeText, opportunities.length) },
    head,
    operation.signal,
    author === null || (await readAccepted(context)).some((recipe) => recipe.id === id) ? {} : { author },
  );
  return { proposal, leftOut: skipped };
}

/**
 * The change of a recipe in one file. Refused if the file is protected, if the recipe changes nothing there or, without
 * `again`, if this change was turned down before.
 */
export async function createFileChange(
  context: SessionContext,
  learnedRecipe: LearnedRecipe,
  path: string,
  { again: isRetry = false, signal }: { readonly again?: boolean; readonly signal: AbortSignal },
): Promise<{ readonly edits: readonly FileEdit[] } | { readonly refused: string; readonly turnedDown?: true }> {
  const { ports, charter, ledger } = context;
  const answer = await charter.check([{ path }]);
  if (!answer.allowed) return { refused: answer.reason };
  const { rootDir } = ports.files;
  const outcome = await ports.jobs.run('rewriteShape', { rootDir, path, shape: learnedRecipe, at: null }, signal);
  if ('refused' in outcome) return outcome;
  const edits = await formatEdits(context, outcome.edits, signal);
  const refusal = isRetry ? null : await ledger.refusalOf(edits);
  return refusal ? { refused: refusalSentence(refusal), turnedDown: true } : { edits };
}

/** The author who is trusted less, which is the one that comes later in `AUTHORS`; null counts as the most trusted. */
function findLessTrusted(firstAuthor: Author | null, otherAuthor: Author | null): Author | null {
  const rankOf = (author: Author | null) => (author === null ? -1 : AUTHORS.indexOf(author));
  return rankOf(firstAuthor) > rankOf(otherAuthor) ? firstAuthor : otherAuthor;
}
