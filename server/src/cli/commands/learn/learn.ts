// `selfware learn recipes`: learns recipes from similar edits in the history or in the working tree, or from examples
// by a model; tries, accepts and forgets them. Also collects the subcommands for training a model.

import { findRequestText } from '../../../core/model/learnedRecipes.ts';
import type { EditSource, LearningReport, RecipeView } from '../../../core/session/recipes/recipeTypes.ts';
import { costSentence } from '../../../core/proposers/cost.ts';
import { tryRecipe } from '../../../core/session/recipes/tryingRecipe.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { formatCount } from '../../../util/counted.ts';
import { quoteText, escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
  type Invocation,
  type SetExitCode,
} from '../../invocation.ts';
import { requireConsent } from '../../agreement.ts';
import { createMaxCostOption, parseModelSettings } from '../../modelOptions.ts';
import { detectAuthor, requirePerson, requirePersonsCommand } from '../../person.ts';
import { formatProposal } from '../../writers/proposal.ts';
import { formatRecipe, formatRecipes } from '../../writers/recipes.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';
import {
  createExportCommand,
  createModelRollbackCommand,
  createTrainingStatusCommand,
  createTrainCommand,
} from './training.ts';

/** Maximum number of characters of the quoted description of a migration. */
const MAX_WORDS = 300;

interface LearnOptions extends CommonOptions {
  readonly since?: string;
  readonly commits: string;
  readonly fromDiff?: boolean;
  readonly ask?: string;
  readonly proposer?: string;
  readonly maxCost?: string;
  readonly again?: boolean;
  readonly after?: string;
  readonly accepted?: boolean;
  readonly all?: boolean;
  readonly try?: string;
  readonly accept?: string;
  readonly forget?: string;
  readonly verify: boolean;
}

/** The subcommand `learn`. The exit code of `recipes` is 1 if a recipe or a proposal waits for a decision. */
export const learnCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('learn', 'learns recipes from past edits, or trains a model of your own')
    .addCommand(
      createCommand(
        'recipes',
        'recipes from edits of one shape, and the places where they are left to do; changes nothing',
      )
        .option('--since <ref>', 'only commits after this branch, tag or commit')
        .option('--commits <number>', 'how many commits are read', '1000')
        .option('--from-diff', 'from two or more uncommitted edits of yours, instead of the history')
        .option(
          '--ask <words>',
          'from two or three places that --proposer changes as examples of this migration, such as "node-fetch → fetch"',
        )
        .option('--proposer <name>', 'with --ask: a language model or an agent (`selfware models`)')
        .addOption(createMaxCostOption())
        .option('--again', 'with --ask: earlier attempts do not count; with --try: also what was turned down before')
        .option('--after <words>', 'with --ask: the words of an earlier question; the model is told what it came to')
        .option('--accepted', 'the accepted recipes only')
        .option(
          '--all',
          'also recipes without a place left, and groups of edits that became no recipe, with the reason',
        )
        .option('--try <id>', 'proposes all its places and verifies them; you decide with `selfware proposals`')
        .option('--no-verify', 'with --try: files the proposal only')
        .option('--accept <id>', 'its places become opportunities')
        .option('--forget <id>', 'takes that back')
        .action((options: LearnOptions) => {
          rejectConflictingOptions(options);
          const commits = parseWholeNumber('--commits', options.commits);
          return withSession(createSessionOptions(options), (invocation) => {
            if (options.try !== undefined) return tryEverywhere(invocation, options.try, options, setExitCode);
            if (options.accept !== undefined) return acceptRecipe(invocation, options.accept);
            if (options.forget !== undefined) return forgetRecipe(invocation, options.forget);
            if (options.accepted) return printAcceptedRecipes(invocation);
            return learnRecipes(invocation, options, commits, setExitCode);
          });
        }),
    )
    .addCommand(createExportCommand())
    .addCommand(createTrainCommand(setExitCode))
    .addCommand(createTrainingStatusCommand())
    .addCommand(createModelRollbackCommand());

/** The options of the session. Only a question to a proposer needs the search. */
function createSessionOptions(options: LearnOptions) {
  const setOptions = [...options.set, ...parseModelSettings(options)];
  return { ...options, set: setOptions, ...(options.ask === undefined ? { searches: false } : {}) };
}

/** Throws `usage` for options that exclude each other, or that need another option. */
function rejectConflictingOptions({
  try: triedRecipe,
  accept: acceptedRecipe,
  forget: forgottenRecipe,
  fromDiff,
  since,
  ask,
  proposer,
  again,
  after,
  accepted: isAcceptedOnly,
  verify,
}: LearnOptions): void {
  if ((ask === undefined) !== (proposer === undefined))
    throw new SelfwareError('usage', '--ask says what is to be migrated, and --proposer who is asked. Give both.', {
      action: '`selfware models` lists who can be asked.',
    });
  const otherOptions = [triedRecipe, acceptedRecipe, forgottenRecipe, fromDiff, since, isAcceptedOnly].filter(
    (option) => option !== undefined,
  );
  if (ask !== undefined && otherOptions.length > 0)
    throw new SelfwareError(
      'usage',
      '--ask goes with none of --try, --accept, --forget, --accepted, --from-diff, --since.',
    );
  if (again && ask === undefined && triedRecipe === undefined)
    throw new SelfwareError('usage', '--again goes with --ask or --try.');
  if (after !== undefined && ask === undefined) throw new SelfwareError('usage', '--after goes with --ask.');
  if ([triedRecipe, acceptedRecipe, forgottenRecipe].filter((id) => id !== undefined).length > 1)
    throw new SelfwareError('usage', 'Give one of --try, --accept and --forget.');
  if (fromDiff && since !== undefined)
    throw new SelfwareError(
      'usage',
      '--from-diff reads uncommitted edits, and --since reads commits. Give one of them.',
    );
  if (!verify && triedRecipe === undefined) throw new SelfwareError('usage', '--no-verify goes with --try.');
}

/** Learns recipes and prints them. */
async function learnRecipes(
  invocation: Invocation,
  options: LearnOptions,
  commits: number,
  setExitCode: SetExitCode,
): Promise<void> {
  const { session, signal, report, json, colors, out, outJson, note } = invocation;
  const { all = false, proposer } = options;
  if (proposer !== undefined) await requireConsent(invocation, proposer);
  const source = createSource(options, commits);
  const learningReport = await session.recipes.learn(source, { signal, report });
  const listedRecipes = all ? learningReport.recipes : learningReport.recipes.filter(({ places }) => places.length > 0);
  if (listedRecipes.some(({ places, accepted }) => places.length > 0 && !accepted)) setExitCode(1);
  if (json) return outJson(learningReport);
  for (const line of formatRecipes(listedRecipes, colors)) out(line);
  if (all) {
    for (const { pattern, replacement, edits, reason } of learningReport.rejected)
      out(
        colors.dim(
          escapeInvisibleLine(`Not learned: ${pattern} → ${replacement} (${formatCount(edits, 'edit')}). ${reason}`),
        ),
      );
  }
  note(formatSummary(learningReport, listedRecipes, source.kind));
  if (learningReport.usage) {
    const estimateWord = learningReport.usage.estimated ? 'about ' : '';
    note(
      `${estimateWord}${learningReport.usage.input} tokens asked, ${estimateWord}${learningReport.usage.output} answered.`,
    );
  }
}

/** The source of edits that the options name. */
function createSource(
  { ask, proposer, since, fromDiff = false, again = false, after }: LearnOptions,
  commits: number,
): EditSource {
  if (ask !== undefined && proposer !== undefined)
    return {
      kind: 'asked',
      words: ask,
      proposer,
      ignoresEarlier: again,
      ...(after === undefined ? {} : { after }),
    };
  return fromDiff ? { kind: 'diff' } : { kind: 'history', since: since ?? null, commits };
}

/** The numbers of edits, recipes and groups of edits without a recipe, and advice for the next step. */
function formatSummary(learned: LearningReport, shownRecipes: readonly RecipeView[], kind: EditSource['kind']): string {
  const sourceText =
    kind !== 'history'
      ? `${formatCount(learned.files, 'changed file')}`
      : `${formatCount(learned.commits, 'commit')}, ${formatCount(learned.files, 'changed file')}`;
  const omittedCount = learned.recipes.length - shownRecipes.length;
  const usableCount = learned.recipes.filter(({ places }) => places.length > 0).length;
  const doneCount = learned.recipes.length - usableCount;
  const doneText = doneCount > 0 ? ` ${formatCount(doneCount, 'recipe')} with no place left.` : '';
  const rejectedText =
    learned.rejected.length > 0 ? ` ${formatCount(learned.rejected.length, 'group')} of edits became no recipe.` : '';
  const hintText =
    omittedCount > 0 || (learned.rejected.length > 0 && shownRecipes.length === 0) ? ' `--all` shows them.' : '';
  const nextStepText =
    usableCount > 0
      ? ' Next: `selfware learn recipes --try ID` proposes its places; `--accept ID` makes them opportunities.'
      : kind === 'diff' && learned.edits < 2
        ? ' It takes two uncommitted edits of one shape, each within an expression of a script.'
        : '';
  return (
    `${formatCount(usableCount, 'recipe')} to use, from ${formatCount(learned.edits, 'small edit')} ` +
    `in ${sourceText}.${doneText}${rejectedText}${hintText}${nextStepText}`
  );
}

/** Proposes the change of a recipe at all its places, and verifies the proposals. */
async function tryEverywhere(
  { session, signal, report, json, colors, out, outJson, note }: Invocation,
  id: string,
  { verify, again = false }: Pick<LearnOptions, 'verify' | 'again'>,
  setExitCode: SetExitCode,
): Promise<void> {
  const outcome = await tryRecipe(session, id, { signal, report, verify, again, by: await detectAuthor() });
  if (outcome.waiting.length > 0) setExitCode(1);
  const filedProposals = [...outcome.refused, ...outcome.waiting];
  const cost = filedProposals[0] ? await session.proposals.cost(filedProposals[0].id) : null;
  if (json) return outJson({ ...outcome, cost });
  for (const proposal of filedProposals) out(formatProposal(proposal, colors));
  if (cost) out(escapeInvisible(costSentence(cost)));
  for (const { path, reason } of outcome.leftOut) note(escapeInvisibleLine(`${path}: ${reason}`));
  if (outcome.waiting.length + outcome.refused.length === 0) note('No place is left that it could change.');
  else
    note(
      `${formatCount(outcome.waiting.length, 'proposal')} to decide about, ${outcome.refused.length} refused: \`selfware proposals\`.`,
    );
  const description = findRequestText(await session.recipes.find(id));
  if (description !== null && outcome.refused.length + outcome.leftOut.length > 0)
    note(
      `Ask again (--ask, --proposer), and the model is told what was refused. The words ` +
        `were ${quoteText(description, MAX_WORDS)}; to use others, add these as --after.`,
    );
}

/** Asks the person to accept a recipe, so that its places become opportunities. */
async function acceptRecipe(
  { session, ownSettings, json, colors, out, outJson, note }: Invocation,
  id: string,
): Promise<void> {
  const recipeView = await session.recipes.find(id);
  await requirePerson({
    subject: 'Accepting a recipe',
    question: 'Make its places opportunities?',
    ownSettings,
    show: () => note(formatRecipe(recipeView, colors)),
  });
  const recipe = await session.recipes.accept(id);
  if (json) outJson(recipe);
  else
    out(
      `Accepted. Its places are opportunities now (\`selfware analyse --rule learned/${recipe.id}\`); the ` +
        `way back: selfware learn recipes --forget ${recipe.id}`,
    );
}

/** Forgets an accepted recipe. */
async function forgetRecipe({ session, json, out, outJson }: Invocation, id: string): Promise<void> {
  await requirePersonsCommand('Forgetting a recipe');
  const recipe = await session.recipes.forget(id);
  if (json) outJson(recipe);
  else out('Forgotten. Its places are no longer opportunities. The changes that it made stay.');
}

async function printAcceptedRecipes({ session, signal, json, colors, out, outJson, note }: Invocation): Promise<void> {
  const views = await session.recipes.accepted(signal);
  if (json) return outJson(views);
  for (const line of formatRecipes(views, colors)) out(line);
  if (views.length === 0) note('No learned recipe is accepted. `selfware learn recipes` looks for some.');
}
