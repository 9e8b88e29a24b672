// Gathers the data that decides the order of opportunities: imports, history, complexity, and earlier decisions.

import { NO_DECISIONS, type Decisions } from '../../prioritise/calibrate.ts';
import { computeChurn, type Churn } from '../../prioritise/churn.ts';
import { computeFileWeight, sumComplexity } from '../../prioritise/priority.ts';
import type { PriorityContext } from '../../prioritise/priorityContext.ts';
import type { Opportunity } from '../../model.ts';
import { RUBRIC_PATH, readRubric } from '../../prioritise/rubric.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { readExperience } from '../learn/trials.ts';
import { readTextOrNull } from '../search/packing.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/** Number of commits from which the frequency of changes is computed. Older ones hardly matter. */
const MAX_COMMITS = 1_000;
/** The name of the blob with the stored churn. */
const CHURN_BLOB = 'churn.json';

/** The frequency of changes by path, counted in the newest commits up to `head`; null without a commit. */
interface ChurnAtHead {
  readonly head: string | null;
  readonly churn: ReadonlyMap<string, Churn>;
}

/** Figures that are computed from the analyses of all files. */
interface FileMetrics {
  /** By path: the sum of the complexity of the file's functions. */
  readonly complexity: ReadonlyMap<string, number>;
  /** Opportunities that comments suppress. */
  readonly suppressed: readonly Opportunity[];
}

const churnByContext = new WeakMap<SessionContext, ChurnAtHead>();
const figuresByAnalyses = new WeakMap<ReadonlyMap<string, FileAnalysis>, FileMetrics>();

/**
 * Loads the data for the order. `usesHistory`: true to read the git history again if HEAD has moved, which is slow; if
 * false, the history is used only if it is already in memory. `refused` is empty; a caller that needs refusals adds
 * them.
 */
export async function loadPriorityContext(context: SessionContext, usesHistory: boolean): Promise<PriorityContext> {
  const { state, ledger, repositoryLedger } = context;
  const { complexity, suppressed } = collectMetrics(state.analyses);
  const churn = usesHistory ? await readChurn(context) : churnByContext.get(context)?.churn;
  return {
    inDegree: state.inDegree,
    pageRank: state.rank,
    ...(churn ? { churn } : {}),
    complexity,
    rubric: readRubric((await readTextOrNull(context, RUBRIC_PATH)) ?? ''),
    decisions: addSuppressed(
      await fallBackIfDamaged<ReadonlyMap<string, Omit<Decisions, 'suppressed'>>>(context, new Map(), () =>
        (repositoryLedger ?? ledger).decisions(),
      ),
      await countSuppressedByRule(context, suppressed),
    ),
    refused: new Set(),
  };
}

/**
 * Loads the data for the order of changes that nobody has asked for. In addition to the data of `loadPriorityContext`,
 * it contains refused opportunities, paused rules and unwanted changes, which are excluded, and the success of recipes.
 */
export async function loadTryingContext(context: SessionContext): Promise<PriorityContext> {
  const { ledger } = context;
  return {
    ...(await loadPriorityContext(context, true)),
    refused: await ledger.refused(),
    pausedRules: await ledger.pausedRules(),
    ...(await readExperience(context)),
  };
}

/** The paths sorted by centrality × churn × complexity, highest first. */
export async function sortByWeight(context: SessionContext, paths: readonly string[]): Promise<readonly string[]> {
  const priorities = await loadPriorityContext(context, true);
  const computeWeight = (path: string) => {
    const { centrality, churn, complexity } = computeFileWeight(path, priorities);
    return centrality * churn * complexity;
  };
  return paths
    .map((path) => ({ path, weight: computeWeight(path) }))
    .sort((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** The frequency of changes of files in the newest commits. Cached in memory and in a blob until HEAD moves. */
async function readChurn(context: SessionContext): Promise<ReadonlyMap<string, Churn>> {
  const { ports } = context;
  const head = (await ports.git.state())?.head ?? null;
  const cachedChurn = churnByContext.get(context);
  if (cachedChurn && cachedChurn.head === head) return cachedChurn.churn;
  const storedChurn = head === null ? null : decodeChurn(await ports.blobs.read(CHURN_BLOB));
  const currentChurn: ChurnAtHead =
    storedChurn?.head === head
      ? storedChurn
      : {
          head,
          churn: computeChurn(
            head === null ? [] : await ports.history.commits(MAX_COMMITS, new AbortController().signal),
          ),
        };
  churnByContext.set(context, currentChurn);
  if (currentChurn !== storedChurn && head !== null)
    await ports.blobs.write(
      CHURN_BLOB,
      new TextEncoder().encode(JSON.stringify({ head, churn: [...currentChurn.churn] })),
    );
  return currentChurn.churn;
}

/** The stored figures; null if the blob is missing or unreadable. */
function decodeChurn(bytes: Uint8Array | null): ChurnAtHead | null {
  if (!bytes) return null;
  try {
    const { head, churn } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly head: string;
      readonly churn: readonly (readonly [string, Churn])[];
    };
    return { head, churn: new Map(churn) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function collectMetrics(analyses: ReadonlyMap<string, FileAnalysis>): FileMetrics {
  const cachedMetrics = figuresByAnalyses.get(analyses);
  if (cachedMetrics) return cachedMetrics;
  const files = [...analyses.values()];
  const metrics: FileMetrics = {
    complexity: sumComplexity(files.flatMap(({ functions }) => functions)),
    suppressed: files.flatMap((file) => file.suppressed.map(({ opportunity }) => opportunity)),
  };
  figuresByAnalyses.set(analyses, metrics);
  return metrics;
}

/** Counts suppressed opportunities by rule. Skips the ones whose lesson a person has forgotten. */
async function countSuppressedByRule(
  context: SessionContext,
  suppressed: readonly Opportunity[],
): Promise<ReadonlyMap<string, number>> {
  const idsWithForgottenLessons = await fallBackIfDamaged<ReadonlySet<string>>(context, new Set(), () =>
    context.ledger.idsWithForgottenLessons(),
  );
  const counts = new Map<string, number>();
  for (const { id, rule } of suppressed)
    if (!idsWithForgottenLessons.has(id)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** Adds the numbers of suppressed opportunities to the decisions, by rule. */
function addSuppressed(
  decisions: ReadonlyMap<string, Omit<Decisions, 'suppressed'>>,
  suppressed: ReadonlyMap<string, number>,
): ReadonlyMap<string, Decisions> {
  return new Map(
    [...new Set([...decisions.keys(), ...suppressed.keys()])].map((rule) => [
      rule,
      { ...NO_DECISIONS, ...decisions.get(rule), suppressed: suppressed.get(rule) ?? 0 },
    ]),
  );
}
