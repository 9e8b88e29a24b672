// "Repeat an Edit…": finds edits that were made in several places in the same way, shows where else they fit, and
// proposes to make them there.

import * as vscode from 'vscode';
import type { FindRecipesParams, RecipeChoice } from '#protocol/recipes';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { folderOfSidebar } from '../folders.ts';
import { formatCount } from '../counted.ts';
import { areAiFeaturesOff } from '../improve.ts';
import { pickProposer } from '../models/pickProposer.ts';
import { withErrorBoundary, showFailure, showMessage } from '../messages.ts';
import { showPage } from '../pages/showPage.ts';
import { runOnce } from '../runOnce.ts';
import { showEvidence } from '../review/evidence.ts';
import { openReview } from '../review/openReview.ts';
import { withProgress } from '../server/withProgress.ts';
import { withConsents } from '../models/consents.ts';
import { askToSendCode } from '../models/sendCode.ts';

const TITLE = 'Repeat an Edit';

/** The sources of edits, by the names that the server knows, as entries of a list. */
const SOURCES = {
  diff: {
    label: '$(edit) My Uncommitted Edits',
    detail: 'Make the change by hand in two places; the places that are left are proposed.',
  },
  history: {
    label: '$(history) Edits of the Last 1,000 Commits',
    detail: 'Changes that were made again and again, with the places that were forgotten.',
  },
  asked: {
    label: '$(sparkle) Examples by a Model…',
    detail: 'A model changes two or three places; the rest is done without it.',
  },
  accepted: {
    label: '$(pass) Accepted Recipes',
    detail: 'Edits whose places you made opportunities.',
  },
} as const;

type EditSource = keyof typeof SOURCES;

/**
 * Runs the command. `presetSource`: the name of a source of edits; if it is missing or unknown, the person is asked.
 * Undefined if the person cancels, or only looks at the places.
 */
export async function repeatEdit(context: ClientContext, presetSource?: string): Promise<CommandOutcome | undefined> {
  const source = isSource(presetSource) ? presetSource : await pickSource();
  if (!source) return undefined;
  if (source === 'diff' && !(await offerToSaveAll(context))) return undefined;
  const params = source === 'asked' ? await askForMigration(context) : { source };
  return params && findAndDecide(context, params);
}

/** Looks for recipes, and asks what to do about one of them. Undefined if the person cancels. */
async function findAndDecide(context: ClientContext, params: FindRecipesParams): Promise<CommandOutcome | undefined> {
  const outcome = await findRecipes(context, params);
  if (!outcome) return undefined;
  if (!outcome.ok || !outcome.recipes?.length) {
    if (params.words !== undefined && !outcome.cancelled) void offerNextStep(context, outcome, params.words);
    else if (outcome.ok) void showMessage(outcome.message);
    else showFailure(outcome, context.output);
    return outcome;
  }
  const recipe = await pickRecipe(outcome.recipes);
  return recipe && chooseRecipeAction(context, recipe);
}

function isSource(name: string | undefined): name is EditSource {
  return name !== undefined && Object.hasOwn(SOURCES, name);
}

/** The source that the person picks; models are not offered if AI features are off. Undefined if they cancel. */
async function pickSource(): Promise<EditSource | undefined> {
  const items = (Object.keys(SOURCES) as EditSource[])
    .filter((source) => source !== 'asked' || !areAiFeaturesOff())
    .map((source) => ({ ...SOURCES[source], source }));
  const chosenItem = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: 'Which edits?' });
  return chosenItem?.source;
}

/**
 * Offers to save the documents of the folder, because edits are read from disk. False if the person cancels or a save
 * fails.
 */
async function offerToSaveAll({ feed }: ClientContext): Promise<boolean> {
  const folder = folderOfSidebar(feed);
  const unsavedDocuments = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) =>
      isDirty &&
      uri.scheme === 'file' &&
      vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder?.toString(),
  );
  if (unsavedDocuments.length === 0) return true;
  const saveLabel = 'Save and Continue';
  const choice = await vscode.window.showInformationMessage(
    `${formatCount(unsavedDocuments.length, 'file has', 'files have')} unsaved edits, which count once they are saved.`,
    { modal: true, detail: unsavedDocuments.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join('\n') },
    saveLabel,
  );
  if (choice !== saveLabel) return false;
  for (const document of unsavedDocuments) if (document.isDirty && !(await document.save())) return false;
  return true;
}

/**
 * Asks for a migration in words, and for the model that is to make its first examples. `previousWords`: the words of
 * the previous request, if this one repeats it. Undefined if the person cancels, or if no models can be listed.
 */
async function askForMigration(context: ClientContext, previousWords?: string): Promise<FindRecipesParams | undefined> {
  const words = await vscode.window.showInputBox({
    title: TITLE,
    prompt:
      previousWords === undefined
        ? 'What should become what? Name the old code, such as "Object.hasOwn instead of hasOwnProperty.call".'
        : 'Ask again, in these words or in better ones. The model is told what was refused, and why.',
    ...(previousWords === undefined
      ? {}
      : { value: previousWords, valueSelection: [previousWords.length, previousWords.length] as const }),
    ignoreFocusOut: true,
  });
  if (!words?.trim()) return undefined;
  const choices = await context.server.execute('improveWithModel', {});
  if (!choices.ok || !choices.models) {
    showFailure(choices, context.output);
    return undefined;
  }
  const proposer = await pickProposer(context, choices.models);
  if (proposer === undefined) return undefined;
  return {
    source: 'asked',
    words: words.trim(),
    proposer,
    ...(previousWords === undefined ? {} : { after: previousWords }),
  };
}

/**
 * Finds recipes. If code would leave this machine, asks the person first, and repeats the request with their consent.
 */
function findRecipes(context: ClientContext, params: FindRecipesParams): Promise<CommandOutcome | undefined> {
  return withConsents((agreed) => {
    const agreedParams = { ...params, ...(agreed === undefined ? {} : { agreed }) };
    return runOnce(`find recipes ${JSON.stringify(agreedParams)}`, () =>
      withProgress(context, TITLE, 'findRecipes', agreedParams),
    );
  }, askToSendCode);
}

/** The recipe that the person picks; undefined if they cancel. */
async function pickRecipe(recipes: readonly RecipeChoice[]): Promise<RecipeChoice | undefined> {
  const items = recipes.map((recipe) => ({
    recipe,
    label: recipe.title,
    description: `${formatCount(recipe.places, 'place')} left in ${formatCount(recipe.files, 'file')}${recipe.accepted ? ', accepted' : ''}`,
    detail: `${recipe.example}${recipe.seldom ? ' · It may be right for some places only.' : ''}`,
  }));
  const chosenItem = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: 'Which edit? Nothing is written before you approve.',
    matchOnDetail: true,
  });
  return chosenItem?.recipe;
}

/** Asks what to do about the recipe, and does it. Undefined if the person cancels, or only looks at the places. */
async function chooseRecipeAction(context: ClientContext, recipe: RecipeChoice): Promise<CommandOutcome | undefined> {
  const placesText = formatCount(recipe.places, 'place');
  const proposeItem = {
    label: `$(check-all) Propose All ${placesText.replace('place', 'Place')}`,
    detail: 'The checks run; you review the diff.',
  };
  const showItem = { label: '$(list-unordered) Show the Places', detail: 'A page with the examples and each place.' };
  const acceptItem = {
    label: '$(lightbulb) Show Them as Opportunities',
    detail: 'Also in new code. Nights may propose them.',
  };
  const forgetItem = { label: '$(trash) No Longer Show Them as Opportunities', detail: 'Changes that it made stay.' };
  const answer = await vscode.window.showQuickPick(
    [...(recipe.places > 0 ? [proposeItem] : []), showItem, recipe.accepted ? forgetItem : acceptItem],
    { title: TITLE, placeHolder: recipe.title },
  );
  if (answer === proposeItem) return repeatRecipe(context, recipe);
  if (answer === showItem) {
    await showPage(context, recipe.page);
    return undefined;
  }
  if (!answer) return undefined;
  const verdict = answer === acceptItem ? 'accepted' : 'forgotten';
  const outcome = await context.server.execute('decideRecipe', { recipe: recipe.id, verdict });
  await context.feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, context.output);
  return outcome;
}

/**
 * Proposes all places of the recipe, and opens the first proposal. `isRepeated`: true to include changes that were
 * turned down before.
 */
async function repeatRecipe(
  context: ClientContext,
  recipe: RecipeChoice,
  isRepeated = false,
): Promise<CommandOutcome | undefined> {
  const { id } = recipe;
  const outcome = await runOnce(`repeat ${id}`, () =>
    withProgress(context, TITLE, 'repeatEdit', { recipe: id, again: isRepeated }),
  );
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.review) context.reviews.put(outcome.review);
  if (outcome.ok && outcome.review) await openReview(outcome.review);
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else if (outcome.cancelled || (!outcome.review && outcome.again === undefined && recipe.words === undefined))
    showFailure(outcome, context.output);
  else void offerNextStep(context, outcome, recipe.words, recipe);
  return outcome;
}

/**
 * Shows the reason why there is no change, with buttons: read the evidence of the checks, check changes again that were
 * turned down, or ask a model again. `words`: the words of the last request to a model. Callers do not await the
 * result, because a message may stay open for hours.
 */
async function offerNextStep(
  context: ClientContext,
  { message, review, again }: CommandOutcome,
  words: string | undefined,
  recipe?: RecipeChoice,
): Promise<void> {
  const [evidenceLabel, retryLabel, askLabel] = ['Show Evidence', 'Try Again', 'Ask Again…'];
  const choices = [
    ...(review ? [evidenceLabel] : []),
    ...(recipe && again !== undefined ? [retryLabel] : []),
    ...(words === undefined || areAiFeaturesOff() ? [] : [askLabel]),
  ];
  const choice = await showMessage(message, ...choices);
  await withErrorBoundary(context.output, async () => {
    if (choice === evidenceLabel && review) await showEvidence(context, review.id);
    if (choice === retryLabel && recipe) await repeatRecipe(context, recipe, true);
    const params = choice === askLabel ? await askForMigration(context, words) : undefined;
    if (params) await findAndDecide(context, params);
  });
}
