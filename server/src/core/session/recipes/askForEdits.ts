// Asks a proposer for two or three examples of a migration. A recipe that is learned from them makes the remaining
// changes without further questions.

import { isBuiltin } from 'node:module';
import { formatCount } from '../../../util/counted.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { shorten, escapeInvisibleLine } from '../../../util/visible.ts';
import type { FileVersions } from '../../learn/recipes/mineEdits.ts';
import { redact } from '../../ledger/redact.ts';
import type { Usage } from '../../model/asks.ts';
import type { FileEdit } from '../../model.ts';
import type { LearnedRecipe, TeachingAuthor } from '../../model/learnedRecipes.ts';
import type { Operation } from '../../operation.ts';
import { toModulePath } from '../../syntax/moduleOf.ts';
import type { TaskRequest } from '../ask/askTypes.ts';
import { askUntilFit } from '../ask/askUntilFit.ts';
import { describeAttempts, readAccount } from '../ask/pastAttempts.ts';
import { taskId } from '../ask/taskId.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { createFileChange } from './filingLearned.ts';
import type { EditSource } from './recipeTypes.ts';
import { isLearningSource, findCurrentPlaces } from './learnedPlaces.ts';
import { isHandwritten, mineVersions, type LearnedEdits } from './readingEdits.ts';

/** Maximum number of examples that the next question about the same migration shows. */
const MAX_EXAMPLES = 3;
/** Maximum number of characters of each side of such an example. */
const MAX_CHARACTERS = 120;
/** Maximum number of characters of the reasons why a change was refused before. */
const MAX_REASONS = 600;

/** The edits of an answer, with their author and the cost. */
interface AskedEdits extends LearnedEdits {
  readonly author: TeachingAuthor;
  readonly usage: Usage;
}

/** The edits of an answer from which recipes were learned. */
interface Examples extends Omit<AskedEdits, 'usage'> {
  /** The ids of the recipes that were learned from them. */
  readonly recipes: readonly string[];
}

/** An answer that cannot be used, and the reason. */
interface Refused {
  readonly refused: string;
}

/**
 * Asks for examples, and returns the edits of an answer from which a recipe can be learned that matches places in the
 * current tree. Throws `usage` for empty words, `unavailable` if there was no answer, `notFound` if no answer could be
 * used, and the errors of `askUntilFit`.
 */
export async function askForEdits(
  context: SessionContext,
  { words, proposer, ignoresEarlier = false, after }: Extract<EditSource, { readonly kind: 'asked' }>,
  operation: Operation,
): Promise<AskedEdits> {
  if (words.trim() === '') throw new SelfwareError('usage', 'Say in words what is to be migrated.');
  const isSameTask = after?.trim() === words.trim() && !ignoresEarlier;
  const earlier = after === undefined || isSameTask ? [] : await loadAttempts(context, { migration: after });
  const outcome = await askUntilFit<Examples>(
    context,
    { ...operation, task: { migration: words }, proposer, ignoresEarlier, earlier },
    {
      describeForLedger: (examples) => ({
        recipes: examples.recipes,
        reason: `A recipe was learned from these examples and shown to the person. ${formatExamples(examples)}`,
      }),
      fit: ({ edits, author }) => collectExamples(context, edits, { author, words }, operation),
    },
  );
  if (!('refused' in outcome)) return outcome;
  const { refused, isFinal, usage } = outcome;
  if (isFinal) throw new SelfwareError('unavailable', refused);
  const cost = `${formatCount(usage.input, 'token')} asked, ${usage.output} answered.`;
  throw new SelfwareError('notFound', `No recipe could be learned from what ${proposer} answered. ${refused} ${cost}`, {
    action:
      'Use different words, or make the change by hand in two places and run `selfware learn recipes --from-diff`.',
  });
}

/** The attempts at this task so far, as text. */
async function loadAttempts(context: SessionContext, request: TaskRequest): Promise<readonly string[]> {
  const { attempts } = await readAccount(context, taskId(request), false);
  return (await describeAttempts(context, attempts)).texts;
}

/** Reads the examples among the edits of an answer; refused with the problem if no recipe can be learned from them. */
async function collectExamples(
  context: SessionContext,
  edits: readonly FileEdit[],
  { author, words }: { readonly author: TeachingAuthor; readonly words: string },
  operation: Operation,
): Promise<Examples | Refused> {
  const versions: FileVersions[] = [];
  for (const { path, before, after } of edits) {
    if (before === null || after === null || !isLearningSource(path) || !isHandwritten(path, after))
      return { refused: `It changed ${path}. The examples have to be edits of existing scripts that people write.` };
    if (redact(after) !== after && redact(before) === before)
      return { refused: `What it wrote into ${path} looks like a password or a key. Use another value.` };
    const answer = await context.charter.check([{ path }]);
    if (!answer.allowed) return { refused: `It changed ${path}, which is protected. ${answer.reason}` };
    versions.push({ commit: null, subject: words.trim(), path, before, after });
  }
  const minedEdits = await mineVersions(context, versions, operation);
  const input = { edits: minedEdits.edits, options: { isRequested: true } };
  const { recipes, rejected } = await context.ports.jobs.run('induceRecipes', input, operation.signal);
  const problem =
    recipes.length === 0
      ? createNoShapeRefusal(minedEdits, rejected.at(0))
      : await explainUselessEdits(context, recipes, operation);
  return problem === null
    ? { ...minedEdits, author, recipes: recipes.map(({ id }) => id) }
    : { refused: `${problem} ${formatExamples(minedEdits)}` };
}

/** Explains why no recipe was found: an example cannot be repeated, or the examples have nothing in common. */
function createNoShapeRefusal(
  { edits }: Pick<LearnedEdits, 'edits'>,
  rejected: { readonly pattern: string; readonly replacement: string; readonly reason: string } | undefined,
): string {
  return rejected
    ? `${rejected.pattern} → ${rejected.replacement} cannot be repeated. ${rejected.reason}`
    : `The edits have no shape in common. At least two of them must change an expression in the same way; ${edits.length} changed one.`;
}

/** The reason why none of the recipes can change the current tree; null if one can. */
async function explainUselessEdits(
  context: SessionContext,
  recipes: readonly LearnedRecipe[],
  operation: Operation,
): Promise<string | null> {
  const missingNames = await Promise.all(recipes.map((recipe) => findMissingName(context, recipe)));
  const usableRecipes = recipes.filter((_, index) => missingNames[index] === null);
  if (usableRecipes.length === 0) {
    return `${missingNames[0]} is not in the repository, and only the examples are used of an answer. Do it with what is there.`;
  }
  const { places, refused } = await findCurrentPlaces(context, usableRecipes, operation);
  if (places.length === 0) {
    const reasons = [...new Set(refused.map(({ reason }) => reason))].join(' ');
    return `The change could be repeated nowhere. ${reasons}`.trimEnd();
  }
  // If the checks have refused the change everywhere, showing it to a person would be useless.
  const reasons = new Set<string>();
  for (const { shape, path } of new Map(places.map((place) => [`${place.shape} ${place.path}`, place])).values()) {
    const change = await createFileChange(context, usableRecipes[shape]!, path, operation);
    if ('edits' in change) return null;
    reasons.add(change.refused);
  }
  return shorten([...reasons].join(' '), MAX_REASONS);
}

/** A name of the replacement that the current tree does not declare; null if there is none. */
async function findMissingName(context: SessionContext, { names, replacement }: LearnedRecipe): Promise<string | null> {
  for (const [name, origin] of Object.entries(names)) {
    const [, kind, from] = /^(file|module):(.*)#[^#]*$/.exec(origin) ?? [];
    if (from === undefined || !replacement.includes(name)) continue;
    const isAvailable = kind === 'module' ? isInstalled(context, from) : isDeclared(context, from, name);
    if (!(await isAvailable)) return name;
  }
  return null;
}

/** True for a module of Node, and for a module of a package that a manifest of the repository names. */
async function isInstalled(context: SessionContext, module: string): Promise<boolean> {
  if (isBuiltin(module)) return true;
  const name = module.split('/', module.startsWith('@') ? 2 : 1).join('/');
  for (const path of context.state.records.keys()) {
    const isManifest = path === 'package.json' || path.endsWith('/package.json');
    if (isManifest && (await readTextOrNull(context, path))?.includes(`"${name}"`)) return true;
  }
  return false;
}

/** True if a file of this module contains the name. */
async function isDeclared(context: SessionContext, module: string, name: string): Promise<boolean> {
  for (const path of context.state.records.keys()) {
    if (toModulePath(path) === module && (await readTextOrNull(context, path))?.includes(name)) return true;
  }
  return false;
}

/** The changed expressions, for the next question, because the proposer does not remember them. */
function formatExamples({ edits }: Pick<LearnedEdits, 'edits'>): string {
  const formatSide = (code: string) => shorten(escapeInvisibleLine(code.replace(/\s+/g, ' ')), MAX_CHARACTERS);
  const changes = edits
    .slice(0, MAX_EXAMPLES)
    .map(({ path, before, after }) => `${path}: ${formatSide(before)} → ${formatSide(after)}`);
  return changes.length === 0 ? '' : `It changed: ${changes.join('; ')}.`;
}
