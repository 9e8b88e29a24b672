// Packs the memory of a repository into a context window: the budget decides how closely each part is shown, not whether.

import { throwIfCancelled } from '../../util/typedError.ts';
import { estimateTokens } from '../../util/tokens.ts';
import type { FileRecord } from '../indexPorts.ts';
import type { ContextPack, TaskType } from '../session.ts';
import { layerBudgets } from './allocations.ts';
import { unitsOf, type Unit } from './units.ts';

export interface PackContext {
  readonly records: readonly FileRecord[];
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** Text of a file that is not in the records; null = only indexed files can be active. */
  readonly read: ((path: string) => Promise<string | null>) | null;
}

export interface PackRequest {
  readonly task: string;
  readonly taskType: TaskType;
  /** Tokens of the whole window. */
  readonly budget: number;
  /** Most important first. */
  readonly activeFiles: readonly string[];
}

type Item = ContextPack['items'][number];
type Resolution = Item['resolution'];

/** S0.6. */
const MAX_ACTIVE_FILES = 10;
const MAX_ACTIVE_TOKENS = 10_000;
/** What the task is about may take this share of the semantic layer in full before everything else gets its signatures. */
const TASK_SHARE = 0.5;

/** No layer exceeds its share, whatever the budget. The same input gives the same pack. */
export async function packContext(context: PackContext, request: PackRequest, signal: AbortSignal): Promise<ContextPack> {
  throwIfCancelled(signal);
  const budgets = layerBudgets(request.taskType, request.budget);
  const working = await packActive(context, request.activeFiles, budgets.working);
  throwIfCancelled(signal);
  const shown = new Set(working.filter(({ resolution }) => resolution === 'body').map(({ path }) => path));
  const units = unitsOf(context.records.filter(({ path }) => !shown.has(path)), context.inDegree, request.task);
  const semantic = packUnits(units, budgets.semantic);
  const used = { working: total(working), episodic: 0, semantic: total(semantic), reserve: 0 };
  const tokens = used.working + used.semantic;
  const budgetTokens = Math.max(0, Math.floor(request.budget));
  return {
    tokens,
    budgetTokens,
    utilisation: budgetTokens === 0 ? 0 : tokens / budgetTokens,
    layers: {
      working: { tokens: used.working, budget: budgets.working },
      episodic: { tokens: used.episodic, budget: budgets.episodic },
      semantic: { tokens: used.semantic, budget: budgets.semantic },
      reserve: { tokens: used.reserve, budget: budgets.reserve },
    },
    items: [...working, ...semantic],
  };
}

/** At most ten files in full; a very long one, or one that no longer fits, is named only. */
async function packActive({ records, read }: PackContext, activeFiles: readonly string[], budget: number): Promise<Item[]> {
  const tokensOf = new Map(records.map(({ path, tokens }) => [path, tokens]));
  const items: Item[] = [];
  let left = budget;
  for (const path of [...new Set(activeFiles)].slice(0, MAX_ACTIVE_FILES)) {
    const text = tokensOf.has(path) ? null : await read?.(path);
    const tokens = tokensOf.get(path) ?? (typeof text === 'string' ? estimateTokens(text) : null);
    if (tokens === null) continue;
    const reference = estimateTokens(path) + 1;
    const item: Item = tokens <= MAX_ACTIVE_TOKENS && tokens <= left ? { path, symbol: null, resolution: 'body', tokens } : { path, symbol: null, resolution: 'name', tokens: reference };
    if (item.tokens > left) continue;
    left -= item.tokens;
    items.push(item);
  }
  return items;
}

/** Every part by name; then what the task is about in full; then signatures, then bodies, the most important first. */
function packUnits(units: readonly Unit[], budget: number): Item[] {
  const resolution = new Map<Unit, Resolution>();
  let left = budget;
  const upgrade = (unit: Unit, to: Resolution, spare = 0): void => {
    const from = resolution.get(unit);
    const price = unit.cost[to] - (from ? unit.cost[from] : 0);
    if (price > left - spare || (from && order[from] >= order[to])) return;
    resolution.set(unit, to);
    left -= price;
  };
  // The sort is stable, so equals stay in the order of paths and lines.
  const byImportance = [...units].sort((a, b) => b.relation - a.relation || b.importance - a.importance);
  // A window too small for every name shows at least the files.
  for (const unit of byImportance) if (unit.symbol === null) upgrade(unit, 'name');
  for (const unit of byImportance) upgrade(unit, 'name');
  const spare = Math.floor(left * (1 - TASK_SHARE));
  for (const unit of byImportance) if (unit.relation > 0) upgrade(unit, 'body', spare);
  for (const unit of byImportance) upgrade(unit, 'signature');
  for (const unit of byImportance) upgrade(unit, 'body');
  return units.flatMap((unit): Item[] => {
    const shown = resolution.get(unit);
    return shown ? [{ path: unit.path, symbol: unit.symbol, resolution: shown, tokens: unit.cost[shown] }] : [];
  });
}

const order: Readonly<Record<Resolution, number>> = { name: 0, signature: 1, body: 2 };

function total(items: readonly Item[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
