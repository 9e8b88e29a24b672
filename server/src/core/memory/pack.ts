// Packs the memory of a repository into a context window. The budget determines the detail of each part; in a small
// window, some parts only have a name, or a folder replaces its files.

import { throwIfCancelled } from '../../util/typedError.ts';
import { adaptShares } from './adaptation.ts';
import { computeLayerBudgets, type MemoryLayer } from './allocations.ts';
import { chooseDetailLevels } from './chooseDetails.ts';
import {
  formatEpisodeLabel,
  recallEpisodes,
  retainEpisodes,
  findRelatedEpisodes,
  computeWordSimilarity,
} from './episodic.ts';
import { packFocus } from './focus.ts';
import { countHeadTokens } from './packLines.ts';
import { createDetailOrderer, type DetailOrder, type OrderedFile } from './order.ts';
import { packWorking, type WorkingPart } from './packWorking.ts';
import { countHeadingTokens } from './packingUnits.ts';
import type { ContextPack, LayerUse } from './contextPack.ts';
import type { PackContext, PackRequest } from './packRequest.ts';

type Item = ContextPack['items'][number];
type Note = NonNullable<ContextPack['notes']>[number];

/** Episodic memory keeps at most this share of the window, whatever its share in the task. */
const EPISODIC_CAPACITY = 0.2;

/**
 * Packs the context. Working and episodic memory use as much of their shares as they need. Semantic memory borrows what
 * they leave unused. The reserve is never used, so the pack never exceeds the window minus the reserve, and no layer
 * loses tokens that it needs. The same arguments (and, with a packer, the same earlier calls) give the same pack.
 * Throws `cancelled`.
 */
export async function packContext(
  context: PackContext,
  request: PackRequest,
  signal: AbortSignal,
): Promise<ContextPack> {
  throwIfCancelled(signal);
  const budgetTokens = Math.max(0, Math.floor(request.budget));
  const budgets = computeLayerBudgets(adaptShares(request.taskType, context.snapshots ?? []), budgetTokens);
  const working = await packWorking(context, request, budgets.working);
  throwIfCancelled(signal);
  const episodic = packEpisodes(context, request.task, budgets.episodic, budgetTokens);
  const unusedTokens = { working: budgets.working - working.tokens, episodic: budgets.episodic - episodic.tokens };
  const room = budgets.semantic + (context.canLend === false ? 0 : unusedTokens.working + unusedTokens.episodic);
  const semantic = await packSemantic(context, listFullyShownPaths(working), room, signal);
  const borrowed = Math.max(0, semantic.tokens - budgets.semantic);
  // Episodic memory lends first, because the conversation is expected to grow next.
  const borrowedFromEpisodic = Math.min(borrowed, unusedTokens.episodic);
  const borrowedFrom = { working: borrowed - borrowedFromEpisodic, episodic: borrowedFromEpisodic };
  const layers: Record<MemoryLayer, LayerUse> = {
    working: { tokens: working.tokens, budget: budgets.working, lent: borrowedFrom.working, wanted: working.wanted },
    episodic: {
      tokens: episodic.tokens,
      budget: budgets.episodic,
      lent: borrowedFromEpisodic,
      wanted: episodic.wanted,
    },
    semantic: {
      tokens: semantic.tokens,
      budget: budgets.semantic,
      borrowed,
      ...(borrowed > 0 ? { borrowedFrom } : {}),
      wanted: context.records.reduce((sum, { path, tokens }) => sum + tokens + countHeadingTokens(path), 0),
    },
    reserve: { tokens: 0, budget: budgets.reserve },
  };
  const tokens = working.tokens + episodic.tokens + semantic.tokens;
  return {
    tokens,
    budgetTokens,
    utilisation: budgetTokens === 0 ? 0 : tokens / budgetTokens,
    layers,
    items: [...working.items, ...semantic.items],
    notes: [...working.notes, ...episodic.notes],
    ...(semantic.quality && { quality: semantic.quality }),
  };
}

/** The episodes that help with the task, within `budget` tokens. `wanted`: number of tokens of all of them. */
function packEpisodes(
  { episodes }: PackContext,
  task: string,
  budget: number,
  window: number,
): { readonly notes: Note[]; readonly tokens: number; readonly wanted: number } {
  if (!episodes) return { notes: [], tokens: 0, wanted: 0 };
  const { all, now, similarity = computeWordSimilarity } = episodes;
  const head = countHeadTokens('episodic');
  const retainedEpisodes = retainEpisodes(all, Math.floor(window * EPISODIC_CAPACITY), now);
  const wantedTokens = findRelatedEpisodes(retainedEpisodes, task, similarity, now).reduce(
    (sum, { tokens }) => sum + tokens,
    0,
  );
  const recalledEpisodes = recallEpisodes(retainedEpisodes, task, similarity, now, budget - head);
  if (recalledEpisodes.length === 0)
    return { notes: [], tokens: 0, wanted: wantedTokens + (wantedTokens > 0 ? head : 0) };
  const notes = recalledEpisodes.map(
    (episode): Note => ({
      layer: 'episodic',
      id: episode.id,
      label: formatEpisodeLabel(episode),
      text: episode.text,
      tokens: episode.tokens,
    }),
  );
  return { notes, tokens: head + notes.reduce((sum, { tokens }) => sum + tokens, 0), wanted: wantedTokens + head };
}

/** The files that working memory shows in full. */
function listFullyShownPaths({ items }: WorkingPart): ReadonlySet<string> {
  return new Set(items.filter(({ resolution }) => resolution === 'body').map(({ path }) => path));
}

/** The semantic layer of a pack. */
interface SemanticPart {
  readonly items: readonly Item[];
  readonly tokens: number;
  /** Absent if a search determines the order. */
  readonly quality?: ContextPack['quality'];
}

/**
 * Packs the files that are related to the task, as far as they fit, then all others. Files in `shownPaths` are left
 * out.
 */
async function packSemantic(
  context: PackContext,
  shownPaths: ReadonlySet<string>,
  room: number,
  signal: AbortSignal,
): Promise<SemanticPart> {
  const head = countHeadTokens('semantic');
  const order = (context.packer ?? createDetailOrderer()).order(context.records, context);
  throwIfCancelled(signal);
  if (room <= head) return { items: [], tokens: 0, quality: { value: 0, bound: 0 } };
  const related = context.read ? context.relatedPlaces?.filter(({ path }) => !shownPaths.has(path)) : undefined;
  if (!related || !context.read) {
    const remainingPart = packRemaining(removePaths(order, shownPaths), room - head, true);
    return { ...remainingPart, tokens: remainingPart.items.length === 0 ? 0 : remainingPart.tokens + head };
  }
  const records = new Map(context.records.map((record) => [record.path, record]));
  const focus = await packFocus(related, records, context.read, room - head, signal);
  const paths = new Set([...shownPaths, ...related.map(({ path }) => path)]);
  const remainingPart = focus.isComplete
    ? packRemaining(removePaths(order, paths), room - head - focus.tokens, false)
    : { items: [], tokens: 0 };
  const items = [...focus.items, ...remainingPart.items];
  return { items, tokens: items.length === 0 ? 0 : focus.tokens + remainingPart.tokens + head };
}

/** The order without the files at these paths. */
function removePaths({ files, steps }: DetailOrder, paths: ReadonlySet<string>): DetailOrder {
  return paths.size === 0
    ? { files, steps }
    : { files: files.filter(({ path }) => !paths.has(path)), steps: steps.filter(({ file }) => !paths.has(file.path)) };
}

/**
 * Packs the files that are not related to the task. `includesNames`: true to name everything first, until the room for
 * names is used up.
 */
function packRemaining(request: DetailOrder, room: number, includesNames: boolean): Required<SemanticPart> {
  const { levels, partlyShown, folders, tokens, value, bound } = chooseDetailLevels(request, room, includesNames);
  const items: Item[] = folders.map(
    ({ path, tokens: usedTokens }): Item => ({ path, symbol: null, resolution: 'name', tokens: usedTokens }),
  );
  for (const file of request.files) {
    const shownLevels = levels.get(file)!;
    shownLevels.forEach((level, unit) => {
      if (level >= 0)
        items.push(
          ...collectItems(
            file,
            unit,
            level,
            partlyShown?.file === file && partlyShown.unit === unit ? partlyShown.tokens : 0,
          ),
        );
    });
  }
  return { items, tokens, quality: { value, bound } };
}

/**
 * The items of a unit that is shown at this level. Definitions in the same line are shown together: the first one has
 * the tokens of all. `partlyShown`: tokens of further text that is shown.
 */
function collectItems({ path, units }: OrderedFile, unit: number, level: number, extra: number): Item[] {
  const { symbols, nameTokens, levels } = units[unit]!;
  const { resolution, tokens } = levels[level]!;
  if (symbols.length === 0) return [{ path, symbol: null, resolution, tokens: tokens + extra }];
  return symbols.map((symbol, index) => ({
    path,
    symbol,
    resolution,
    tokens: resolution === 'name' ? nameTokens[index]! : index === 0 ? tokens + extra : 0,
  }));
}
