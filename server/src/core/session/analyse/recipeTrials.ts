// Tries the recipes that refuse most places, so that a finding names such a recipe only if it makes a change.

import { sha256 } from '../../../util/hash.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { findRecipeFacts } from '../../propose/recipeTable.ts';
import type { SessionContext } from '../context.ts';

/** The name of the blob with the stored answers of recipes. */
const BLOB_NAME = 'recipe-trials.json';
/** Maximum number of places that are tried in one tree, those of the highest impact first. The others get no recipe. */
const MAX_TRIALS = 60;
/** Maximum number of stored answers; the oldest are forgotten. */
const MAX_ANSWERS = 500;
/** Time limit for all trials of one analysis. It is short, because people may never ask for these changes. */
const TIME_LIMIT_MS = 5_000;

/** Answers of earlier trials, by key: true if the recipe made a change. */
type Answers = Readonly<Record<string, boolean>>;

/**
 * Returns the findings in the same order. If the facts of a recipe say that it must be `tried`, it is tried, and
 * removed from a finding at which it makes no change. Answers are stored until one of the files changes. `onMissed` is
 * called with the rule of each finding whose trial ended without an answer. Throws `cancelled`.
 */
export async function confirmRecipes(
  context: SessionContext,
  findings: readonly Opportunity[],
  onMissed: (rule: string) => void,
  signal: AbortSignal,
): Promise<readonly Opportunity[]> {
  const uncertainFindings = findings.filter(({ recipe }) => recipe !== null && findRecipeFacts(recipe)?.tried);
  if (uncertainFindings.length === 0) return findings;
  const earlierAnswers = await readAnswers(context);
  const triedFindings = uncertainFindings.toSorted((a, b) => b.impact - a.impact).slice(0, MAX_TRIALS);
  const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const answers: { readonly finding: Opportunity; readonly key: string; readonly makesChange: boolean | null }[] = [];
  let isFirst = true;
  // Tries one after another, so that a thread stays free for other work. The next analysis tries the remaining ones.
  for (const finding of triedFindings) {
    const key = keyOf(context, finding);
    let makesChange = earlierAnswers[key] ?? null;
    if (makesChange === null && !limitedSignal.aborted) {
      makesChange = await tryRecipe(context, finding, limitedSignal, signal);
      // A first trial that has used up all the time would not end the next time either.
      if (makesChange === null && isFirst && limitedSignal.aborted) makesChange = false;
      isFirst = false;
    }
    if (makesChange === null) onMissed(finding.rule);
    answers.push({ finding, key, makesChange });
  }
  const knownAnswers = answers.flatMap(({ key, makesChange }) =>
    makesChange === null ? [] : [[key, makesChange] as const],
  );
  if (knownAnswers.some(([key]) => earlierAnswers[key] === undefined)) {
    // Another analysis may have asked about other rules, whose answers are kept as well.
    const otherAnswers = Object.entries(earlierAnswers).filter(
      ([key]) => !knownAnswers.some(([knownKey]) => knownKey === key),
    );
    await storeAnswers(context, Object.fromEntries([...otherAnswers, ...knownAnswers].slice(-MAX_ANSWERS)));
  }
  const confirmedFindings = new Set(answers.flatMap(({ finding, makesChange }) => (makesChange ? [finding] : [])));
  const refusedFindings = new Set(uncertainFindings.filter((finding) => !confirmedFindings.has(finding)));
  return findings.map((finding) => (refusedFindings.has(finding) ? { ...finding, recipe: null } : finding));
}

/**
 * True if the recipe makes a change unasked; null if it took too long or failed. Throws `cancelled` for `signal` only.
 */
async function tryRecipe(
  { ports }: SessionContext,
  opportunity: Opportunity,
  limitedSignal: AbortSignal,
  signal: AbortSignal,
): Promise<boolean | null> {
  try {
    const input = { rootDir: ports.files.rootDir, opportunity };
    return !('refused' in (await ports.jobs.run('applyRecipe', input, limitedSignal)));
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && error.reason === 'cancelled' && !limitedSignal.aborted) throw error;
    const reason = describeError(error);
    ports.log.write('info', `${opportunity.recipe} was not tried on ${opportunity.path}: ${reason}`, error);
    return null;
  }
}

/**
 * The key of an answer. It contains everything on which the answer depends, as far as the files of the finding show it.
 */
function keyOf({ recordProfile, state }: SessionContext, { recipe, path, range, related }: Opportunity): string {
  const places = [{ path, range }, ...(related ?? []).map((place) => ({ path: place.path, range: place.range }))];
  const hashes = places.map((place) => state.analyses.get(place.path)?.hash ?? null);
  return sha256(new TextEncoder().encode(JSON.stringify([recordProfile, recipe, places, hashes])));
}

/** Reads the stored answers of recipes; empty if there are none, or if they are damaged. */
async function readAnswers({ ports }: SessionContext): Promise<Answers> {
  const bytes = await ports.blobs.read(BLOB_NAME);
  if (!bytes) return {};
  try {
    const storedAnswers: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof storedAnswers === 'object' && storedAnswers !== null ? (storedAnswers as Answers) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    ports.log.write('debug', 'The stored answers of recipes are damaged; the recipes are asked again.', error);
    return {};
  }
}

async function storeAnswers({ ports }: SessionContext, answers: Answers): Promise<void> {
  await ports.blobs.write(BLOB_NAME, new TextEncoder().encode(JSON.stringify(answers)));
}
