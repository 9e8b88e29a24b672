// Server commands for learned recipes (changes that were learned from edits): find them, propose their remaining
// places, and turn these places into opportunities.

import type { FindRecipesParams, RecipeChoice } from '#protocol/recipes';
import { findRequestText } from '../../core/model/learnedRecipes.ts';
import type { LearningReport, RecipeView } from '../../core/session/recipes/recipeTypes.ts';
import { tryRecipe } from '../../core/session/recipes/tryingRecipe.ts';
import type { Session } from '../../core/session.ts';
import type { Operation } from '../../core/operation.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { offerReview } from '../offerReview.ts';
import type { ServerContext } from '../serverContext.ts';
import { toReview } from '../toProtocol.ts';
import { reportOutcome, runWithProgress, requireTrust, createSuccess, type ServerCommand } from './command.ts';
import { createConsentQuestion } from './consent.ts';
import { renderRecipePage } from './recipePage.ts';
import { parseDecideRecipeParams, parseFindRecipesParams, parseRepeatEditParams } from './recipeParams.ts';

/** Maximum number of commits whose edits are read; equal to the default of the command line. */
const MAX_COMMITS = 1000;

/**
 * Learns recipes from a source of edits, and lists those with remaining places, or lists the accepted recipes. If code
 * would go to a destination to which the person has not agreed, answers with the question (`consent`). Throws
 * `untrusted` if a proposer is to be asked in a workspace that is not trusted, and the errors of `learn`.
 */
export const findRecipesCommand: ServerCommand = async (context, request) => {
  const params = parseFindRecipesParams(request.args);
  const repository = context.repositories.chosen();
  await repository.session();
  const { proposer } = params;
  if (proposer !== undefined) {
    requireTrust(repository);
    // Only a client that asks the person itself can pass on the person's answer.
    const agreed = context.abilities.canAskModels ? params.agreed : undefined;
    const consent = await repository.use((session) => createConsentQuestion(session, proposer, agreed));
    if (consent) {
      const message = `Nothing was sent: code would go to ${consent.missing}`;
      return reportOutcome(context, { ok: false, message, review: null, consent });
    }
  }
  const title = `Selfware: ${proposer === undefined ? 'looking for edits to repeat' : `asking ${escapeInvisible(proposer)}`}`;
  const { views, message } = await runWithProgress(context, repository, title, request, async (session, operation) => {
    operation.report?.({ stage: 'indexing', done: 0, total: null, message: 'Waiting for the index' });
    await rejectWhenAborted(repository.settleIndex(), operation.signal);
    return findRecipes(session, params, operation);
  });
  const recipes = views.map((view) => createRecipeChoice(view, repository.rootDir));
  return reportOutcome(context, { ok: true, message, review: null, recipes });
};

/** Recipes, and a sentence with their number or the reason why there is none. */
interface FoundRecipes {
  readonly views: readonly RecipeView[];
  readonly message: string;
}

/** Lists accepted recipes, or learns recipes from the source. */
async function findRecipes(
  session: Session,
  { source, words = '', proposer = '', after }: FindRecipesParams,
  operation: Operation,
): Promise<FoundRecipes> {
  if (source === 'accepted') {
    const views = await session.recipes.accepted(operation.signal);
    return {
      views,
      message: views.length === 0 ? 'No recipe is accepted.' : `${formatCount(views.length, 'recipe')}.`,
    };
  }
  const report = await session.recipes.learn(
    source === 'diff'
      ? { kind: 'diff' }
      : source === 'history'
        ? { kind: 'history', since: null, commits: MAX_COMMITS }
        : { kind: 'asked', words, proposer, ...(after === undefined ? {} : { after, ignoresEarlier: true }) },
    operation,
  );
  const views = report.recipes.filter(({ places }) => places.length > 0);
  return {
    views,
    message: views.length > 0 ? `${formatCount(views.length, 'recipe')}.` : describeNothingFound(report, source),
  };
}

/**
 * The sentence with the reason why there is nothing to repeat: a recipe without remaining places, an edit from which no
 * recipe could be learned, or no suitable edits.
 */
function describeNothingFound(
  { recipes, rejected, edits }: LearningReport,
  source: FindRecipesParams['source'],
): string {
  if (recipes.length > 0)
    return `${formatCount(recipes.length, 'edit')} could be repeated, but no place is left: ${formatTitle(recipes[0]!)}.`;
  const [firstRejected] = rejected;
  if (firstRejected)
    return escapeInvisibleLine(
      `Nothing can be repeated. ${firstRejected.pattern} → ${firstRejected.replacement} was not learned: ${firstRejected.reason}`,
    );
  return source === 'diff'
    ? `Nothing can be repeated yet. It takes two uncommitted edits of one shape, each within an expression of a script; ${edits === 0 ? 'there is none' : `${edits} changed one`}.`
    : 'Nothing can be repeated: no edit was made twice that could be made elsewhere.';
}

function formatTitle({ recipe }: RecipeView): string {
  return escapeInvisibleLine(`${recipe.pattern} → ${recipe.replacement}`);
}

/** A recipe as an entry of a list, with its page. */
function createRecipeChoice(view: RecipeView, rootDir: string): RecipeChoice {
  const { recipe, places, accepted, seldom } = view;
  const [example] = recipe.examples;
  const description = findRequestText(recipe);
  return {
    id: recipe.id,
    title: formatTitle(view),
    example: example
      ? escapeInvisibleLine(`${example.before} → ${example.after}, ${example.path}:${example.line}`)
      : '',
    places: places.length,
    files: new Set(places.map(({ path }) => path)).size,
    accepted,
    seldom,
    ...(description === null ? {} : { words: description }),
    page: renderRecipePage(view, rootDir),
  };
}

/**
 * Proposes changes of all places of a recipe, verifies them, and offers those that pass for review. The outcome is `ok`
 * if at least one waits. Throws the errors of `tryRecipe`.
 */
export const repeatEditCommand: ServerCommand = async (context, request) => {
  const { recipe, again: isRetry = false } = parseRepeatEditParams(request.args);
  const repository = await findOwner(context, recipe);
  const outcome = await runWithProgress(
    context,
    repository,
    'Selfware: repeating the edit',
    request,
    (session, operation) => tryRecipe(session, recipe, { ...operation, verify: true, again: isRetry }),
  );
  const { waiting, refused, leftOut } = outcome;
  // Selfware's own client lists waiting proposals, so it gets only the first one; opening the others would hide that.
  for (const proposal of context.abilities.canReview ? waiting.slice(0, 1) : waiting)
    offerReview(context, repository, proposal);
  const [firstProposal] = [...waiting, ...refused];
  const reasons = leftOut.slice(0, 2).map(({ path, reason }) => escapeInvisibleLine(`${path}: ${reason}`));
  const omittedLines = leftOut.length > 2 ? [`${formatCount(leftOut.length - 2, 'more file')} left out.`] : [];
  const resultText = firstProposal
    ? `${formatCount(waiting.length, 'proposal waits', 'proposals wait')} for your decision${refused.length > 0 ? `, ${formatCount(refused.length, 'was', 'were')} refused by the checks` : ''}.`
    : 'No place is left that could be changed.';
  return reportOutcome(context, {
    ok: waiting.length > 0,
    message: [resultText, ...reasons, ...omittedLines].join(' '),
    review: firstProposal ? toReview(firstProposal, repository.uri) : null,
    ...(!firstProposal && leftOut.some(({ turnedDown }) => turnedDown) ? { again: recipe } : {}),
  });
};

/**
 * Accepts a recipe, so that its places become opportunities, or forgets it. Throws `untrusted` in a workspace that is
 * not trusted, and the errors of `recipes.accept` and `recipes.forget`.
 */
export const decideRecipeCommand: ServerCommand = async (context, { args }) => {
  const { recipe, verdict } = parseDecideRecipeParams(args);
  const repository = await findOwner(context, recipe);
  requireTrust(repository);
  await repository.use(({ recipes }) => (verdict === 'accepted' ? recipes.accept(recipe) : recipes.forget(recipe)));
  context.events.opportunities.fire({ repository, paths: null });
  const message =
    verdict === 'accepted'
      ? 'Its places are now opportunities.'
      : 'Its places are no longer opportunities. Changes that it made stay.';
  return reportOutcome(context, createSuccess(message));
};

/**
 * The repository in which this recipe was learned, once it is open; the chosen repository if no other one knows the
 * recipe. Throws `unavailable` if no folder is open.
 */
async function findOwner({ repositories }: ServerContext, id: string) {
  const owner = await repositories.owner((session) =>
    session.recipes.find(id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SelfwareError && error.reason === 'notFound') return false;
        throw error;
      },
    ),
  );
  await owner.session();
  return owner;
}
