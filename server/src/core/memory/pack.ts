// Packs the memory of a repository into a context window. The budget decides in how much detail each part is shown; in
// a small window, some parts only have a name, or a folder stands for them.

import { throwIfCancelled } from '../../util/typedError.ts';
import { adaptShares } from './adaptation.ts';
import { layerBudgets, type Layer } from './allocations.ts';
import { choose } from './choose.ts';
import { episodeLabel, recall, retain, relatedEpisodes, wordSimilarity } from './episodic.ts';
import { packFocus } from './focus.ts';
import { headTokens } from './lines.ts';
import { createPacker, type Order, type OrderedFile } from './order.ts';
import { packWorking, type WorkingPart } from './packWorking.ts';
import { headingTokens } from './units.ts';
import type { ContextPack, LayerUse } from './contextPack.ts';
import type { PackContext, PackRequest } from './packRequest.ts';

type Item = ContextPack['items'][number];
type Note = NonNullable<ContextPack['notes']>[number];

/** Episodic memory keeps at most this share of the window, whatever its share in the task. */
const EPISODIC_CAPACITY = 0.2;

/**
 * Packs the context. Each layer first gets what it needs of its own share. Semantic memory borrows what working and
 * episodic memory leave; the reserve is never used. So the pack never exceeds the window minus the reserve, and no
 * layer loses tokens to another. The same arguments (and, with a packer, the same earlier calls) give the same pack.
 */
export async function packContext(
  context: PackContext,
  request: PackRequest,
  signal: AbortSignal,
): Promise<ContextPack> {
  throwIfCancelled(signal);
  const budgetTokens = Math.max(0, Math.floor(request.budget));
  const budgets = layerBudgets(adaptShares(request.taskType, context.snapshots ?? []), budgetTokens);
  const working = await packWorking(context, request, budgets.working);
  throwIfCancelled(signal);
  const episodic = packEpisodes(context, request.task, budgets.episodic, budgetTokens);
  const unused = { working: budgets.working - working.tokens, episodic: budgets.episodic - episodic.tokens };
  const room = budgets.semantic + (context.lend === false ? 0 : unused.working + unused.episodic);
  const semantic = await packSemantic(context, shownWhole(working), room, signal);
  const borrowed = Math.max(0, semantic.tokens - budgets.semantic);
  // Episodic memory lends first, because the conversation is what grows next.
  const lentByEpisodic = Math.min(borrowed, unused.episodic);
  const borrowedFrom = { working: borrowed - lentByEpisodic, episodic: lentByEpisodic };
  const layers: Record<Layer, LayerUse> = {
    working: { tokens: working.tokens, budget: budgets.working, lent: borrowedFrom.working, wanted: working.wanted },
    episodic: { tokens: episodic.tokens, budget: budgets.episodic, lent: lentByEpisodic, wanted: episodic.wanted },
    semantic: {
      tokens: semantic.tokens,
      budget: budgets.semantic,
      borrowed,
      ...(borrowed > 0 ? { borrowedFrom } : {}),
      wanted: context.records.reduce((sum, { path, tokens }) => sum + tokens + headingTokens(path), 0),
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

/** The episodes that help with the task, within `budget` tokens. `wanted`: the tokens that all of them would take. */
function packEpisodes(
  { episodes }: PackContext,
  task: string,
  budget: number,
  window: number,
): { readonly notes: Note[]; readonly tokens: number; readonly wanted: number } {
  if (!episodes) return { notes: [], tokens: 0, wanted: 0 };
  const { all, now, similarity = wordSimilarity } = episodes;
  const head = headTokens('episodic');
  const retained = retain(all, Math.floor(window * EPISODIC_CAPACITY), now);
  const wantedTokens = relatedEpisodes(retained, task, similarity, now).reduce((sum, { tokens }) => sum + tokens, 0);
  const recalled = recall(retained, task, similarity, now, budget - head);
  if (recalled.length === 0) return { notes: [], tokens: 0, wanted: wantedTokens + (wantedTokens > 0 ? head : 0) };
  const notes = recalled.map(
    (episode): Note => ({
      layer: 'episodic',
      id: episode.id,
      label: episodeLabel(episode),
      text: episode.text,
      tokens: episode.tokens,
    }),
  );
  return { notes, tokens: head + notes.reduce((sum, { tokens }) => sum + tokens, 0), wanted: wantedTokens + head };
}

/** The files that working memory shows in full. */
function shownWhole({ items }: WorkingPart): ReadonlySet<string> {
  return new Set(items.filter(({ resolution }) => resolution === 'body').map(({ path }) => path));
}

/** The semantic layer of a pack. */
interface SemanticPart {
  readonly items: readonly Item[];
  readonly tokens: number;
  /** Left out if a search decides what is shown first. */
  readonly quality?: ContextPack['quality'];
}

/** First the files that are related to the task, as far as they fit, then all others. */
async function packSemantic(
  context: PackContext,
  shownPaths: ReadonlySet<string>,
  room: number,
  signal: AbortSignal,
): Promise<SemanticPart> {
  const head = headTokens('semantic');
  const order = (context.packer ?? createPacker()).order(context.records, context);
  throwIfCancelled(signal);
  if (room <= head) return { items: [], tokens: 0, quality: { value: 0, bound: 0 } };
  const related = context.read ? context.related?.filter(({ path }) => !shownPaths.has(path)) : undefined;
  if (!related || !context.read) {
    const rest = packRest(withoutPaths(order, shownPaths), room - head, true);
    return { ...rest, tokens: rest.items.length === 0 ? 0 : rest.tokens + head };
  }
  const records = new Map(context.records.map((record) => [record.path, record]));
  const focus = await packFocus(related, records, context.read, room - head, signal);
  const paths = new Set([...shownPaths, ...related.map(({ path }) => path)]);
  const rest = focus.isComplete
    ? packRest(withoutPaths(order, paths), room - head - focus.tokens, false)
    : { items: [], tokens: 0 };
  const items = [...focus.items, ...rest.items];
  return { items, tokens: items.length === 0 ? 0 : focus.tokens + rest.tokens + head };
}

function withoutPaths({ files, steps }: Order, paths: ReadonlySet<string>): Order {
  return paths.size === 0
    ? { files, steps }
    : { files: files.filter(({ path }) => !paths.has(path)), steps: steps.filter(({ file }) => !paths.has(file.path)) };
}

/** `names`: everything is named first, as far as there is room for names. */
function packRest(order: Order, room: number, names: boolean): Required<SemanticPart> {
  const { levels, extra, folders, tokens, value, bound } = choose(order, room, names);
  const items: Item[] = folders.map(
    ({ path, tokens: taken }): Item => ({ path, symbol: null, resolution: 'name', tokens: taken }),
  );
  for (const file of order.files) {
    const shownLevels = levels.get(file)!;
    shownLevels.forEach((level, unit) => {
      if (level >= 0)
        items.push(...itemsOf(file, unit, level, extra?.file === file && extra.unit === unit ? extra.tokens : 0));
    });
  }
  return { items, tokens, quality: { value, bound } };
}

/** The shown items of a file. Definitions in the same line are shown together: the first one counts for all. */
function itemsOf({ path, units }: OrderedFile, unit: number, level: number, extra: number): Item[] {
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
