// Packs the session's knowledge into a context window, and describes the repository.

import { allocations, computeLayerBudgets } from '../../memory/allocations.ts';
import { createCodeCache, type CodeCache } from '../../memory/codeCache.ts';
import { createDetailOrderer, type DetailOrderer } from '../../memory/order.ts';
import { collectEpisodes, collectSnapshots } from '../../memory/episodes.ts';
import { packContext } from '../../memory/pack.ts';
import { MAX_RELATED, selectRelatedPlaces } from '../../memory/related.ts';
import { renderPack } from '../../memory/render.ts';
import { computeSelfModel, type SelfModel } from '../../memory/selfModel.ts';
import { createWorkingMemory, type WorkingMemory } from '../../memory/working.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { search } from './searching.ts';
import type { ContextPack, TaskType } from '../../memory/contextPack.ts';
import type { StoredEvent } from '../../ports/ledger.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/**
 * The request for a context. `task`: the task in words. `budget`: tokens; if absent, the setting
 * `memory.contextTokens`. `activeFiles`: files that the person has open.
 */
export interface ContextRequest {
  readonly task: string;
  readonly taskType: TaskType;
  readonly budget?: number;
  readonly activeFiles?: readonly string[];
  /** True if the request leaves no record, because a coding agent makes it. */
  readonly unrecorded?: true;
  /** True if only indexed files are read, even if `activeFiles` names others. */
  readonly onlyIndexed?: true;
}

/** Maximum number of events that are packed. Older ones stay in the ledger. */
const MAX_EVENTS = 5_000;

/** Size of the cache of recently read texts, in UTF-16 units. */
const MAX_CACHED_CHARACTERS = 64 * 1024 * 1024;
/**
 * The weight of an opened file in working memory, from 0 to 1. It is higher than the weight of a file that was only
 * read.
 */
const OPENED_WEIGHT = 0.8;

/** The state of packing that a session keeps between calls. */
interface SessionMemory {
  readonly packer: DetailOrderer;
  readonly working: WorkingMemory;
  readonly texts: CodeCache;
}

const memoryBySession = new WeakMap<SessionContext, SessionMemory>();

/** Packs the whole repository into the window of the settings, for the status. */
export async function packRepository(context: SessionContext, signal: AbortSignal): Promise<ContextPack> {
  const { state, settings } = context;
  return packContext(
    {
      records: [...state.records.values()],
      inDegree: state.inDegree,
      rank: state.rank,
      commits: state.commits,
      read: null,
      packer: getMemory(context).packer,
    },
    { task: '', taskType: 'SelfImprovement', budget: settings['memory.contextTokens'], activeFiles: [] },
    signal,
  );
}

/**
 * Packs the context of a task. The code that the search finds for the task is shown in most detail. Unless the request
 * is `unrecorded`, records how much each layer used, because the shares of the layers adapt to that.
 */
export async function packTask(
  context: SessionContext,
  request: ContextRequest,
  signal: AbortSignal,
): Promise<ContextPack> {
  const { ports, state, settings } = context;
  const events = await readRecentEvents(context);
  const { working, packer } = getMemory(context);
  if (request.task.trim() !== '' && !request.unrecorded) working.begin(request.task);
  const related = selectRelatedPlaces(await search(context, request.task, MAX_RELATED, signal));
  const readText = request.onlyIndexed ? readIndexedText : readTextForPacking;
  const pack = await packContext(
    {
      records: [...state.records.values()],
      inDegree: state.inDegree,
      rank: state.rank,
      commits: state.commits,
      ...(related && { relatedPlaces: related }),
      episodes: { all: collectEpisodes(events, state.commits), now: ports.clock.now() },
      snapshots: collectSnapshots(events),
      read: (path) => readText(context, path),
      working: working.items(),
      packer,
    },
    {
      task: request.task,
      taskType: request.taskType,
      budget: request.budget ?? settings['memory.contextTokens'],
      activeFiles: request.activeFiles ?? [],
    },
    signal,
  );
  if (request.unrecorded) return pack;
  const recalled = (pack.notes ?? []).flatMap(({ layer, id }) => (layer === 'episodic' && id !== null ? [id] : []));
  const layers = Object.fromEntries(
    Object.entries(pack.layers).map(([layer, { tokens, budget, wanted }]) => [
      layer,
      wanted === undefined ? { tokens, budget } : { tokens, budget, wanted },
    ]),
  );
  await fallBackIfDamaged(context, null, () =>
    context.ledger.record({
      type: 'packed',
      data: { taskType: request.taskType, budgetTokens: pack.budgetTokens, layers, recalled },
    }),
  );
  return pack;
}

/** Renders a pack as the text that a model receives. `onlyIndexed`: true to omit files that are no longer indexed. */
export function renderTask(
  context: SessionContext,
  pack: ContextPack,
  signal: AbortSignal,
  { onlyIndexed }: Pick<ContextRequest, 'onlyIndexed'> = {},
): Promise<string> {
  const readText = onlyIndexed ? readIndexedText : readTextForPacking;
  return renderPack(pack, { records: context.state.records, read: (path) => readText(context, path) }, signal);
}

/** Describes the repository for newcomers. */
export async function loadSelfModel(context: SessionContext, signal: AbortSignal): Promise<SelfModel> {
  const { ports, state } = context;
  const hasHistory = (await ports.git.state())?.head != null;
  return computeSelfModel(
    {
      records: [...state.records.values()],
      edges: state.imports,
      inDegree: state.inDegree,
      complexity: state.lastAnalysis && sumComplexity(state.analyses.values()),
      commits: hasHistory ? state.commits : null,
      events: await readRecentEvents(context),
      read: (path) => readTextForPacking(context, path),
    },
    signal,
  );
}

/** The summed cyclomatic complexity of the functions of each file, by path. Skips files without functions. */
function sumComplexity(analyses: Iterable<FileAnalysis>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { path, functions } of analyses)
    if (functions.length > 0)
      sums.set(
        path,
        functions.reduce((sum, { cyclomatic }) => sum + cyclomatic, 0),
      );
  return sums;
}

/** Records that somebody works on a file. The file stays in working memory as long as it is one of the latest ones. */
export function recordFocus(context: SessionContext, path: string): void {
  const record = context.state.records.get(path);
  if (record) getMemory(context).working.access(path, record.tokens, OPENED_WEIGHT);
}

/**
 * The text of a file; null if it is missing or not text. For an indexed file, it may be the text as it was indexed,
 * from a cache.
 */
function readTextForPacking(context: SessionContext, path: string): Promise<string | null> {
  const hash = context.state.records.get(path)?.hash;
  return hash === undefined ? readTextOrNull(context, path) : getMemory(context).texts.read(path, hash);
}

/**
 * The text of an indexed file, as `readTextForPacking` returns it. Null for a file that is not indexed, such as one
 * that git ignores.
 */
async function readIndexedText(context: SessionContext, path: string): Promise<string | null> {
  return context.state.records.has(path) ? readTextForPacking(context, path) : null;
}

/** The current text of a file; null if it is missing or not UTF-8. */
export async function readTextOrNull({ ports }: SessionContext, path: string): Promise<string | null> {
  const bytes = await ports.files.read(path);
  if (!bytes) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw new SelfwareError('internal', `${path} could not be decoded.`, { cause: error });
  }
}

/** The newest events, in the order of time. Empty if the ledger cannot be read. */
async function readRecentEvents(context: SessionContext): Promise<readonly StoredEvent[]> {
  return (
    await fallBackIfDamaged(context, [], () => context.ledger.query({ limit: MAX_EVENTS, newestFirst: true }))
  ).toReversed();
}

/** The memory of a session, created at its first use. */
function getMemory(context: SessionContext): SessionMemory {
  const existingMemory = memoryBySession.get(context);
  if (existingMemory) return existingMemory;
  const { ports, settings } = context;
  // A conversation gives working memory the largest share of all kinds of tasks. A pack uses the share of its own kind.
  const largestWorkingBudget = computeLayerBudgets(allocations.Conversation, settings['memory.contextTokens']).working;
  const memory: SessionMemory = {
    packer: createDetailOrderer(),
    working: createWorkingMemory(ports.clock, largestWorkingBudget),
    texts: createCodeCache((path) => readTextOrNull(context, path), MAX_CACHED_CHARACTERS),
  };
  memoryBySession.set(context, memory);
  return memory;
}
