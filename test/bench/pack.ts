// Measures packs of a repository for a context window: the time, how full the window is, how much is shown, and how
// much of a pack stays the same after an edit.

import { buildImportGraph } from '../../server/src/core/index/graph/importGraph.ts';
import { createDetailOrderer } from '../../server/src/core/memory/order.ts';
import { packContext } from '../../server/src/core/memory/pack.ts';
import { createCorpus } from './corpus/corpus.ts';
import { growChunks } from './corpus/grownChunks.ts';
import { collectSources } from './corpus/sources.ts';
import type { Bench, Cell } from './support/bench.ts';
import { measure } from './support/measure.ts';
import { summariseSamples, computePercentile } from './support/statistics.ts';
import type { ContextPack } from '../../server/src/core/memory/contextPack.ts';
import type { FileRecord } from '../../server/src/core/ports/catalogue.ts';

/** Tokens of the repositories. */
const sizes = {
  tiny: [20_000],
  default: [100_000, 1_000_000, 5_000_000],
  large: [100_000, 1_000_000, 5_000_000],
} as const;
/** Tokens of the context windows. */
const WINDOWS = [200_000, 1_000_000];
const sourcesOf = { tiny: 20, default: 3_000, large: 3_000 } as const;
/** Number of edits after which a pack is made again. */
const EDITS = 10;
/** The share by which an edit makes a file longer. */
const GROWTH = 0.05;

/** The bench: a row for each size, window and system. */
export const pack: Bench = {
  name: 'pack',
  describe:
    'Packing a repository into a context window: time cold and after an edit, how full, how much is shown; beside taking whole files, most imported first.',
  async run(options, signal) {
    const corpus = await createCorpus(
      'sources',
      collectSources(options.grow, options.seed, sourcesOf[options.size]),
      signal,
    );
    const rows: Cell[][] = [];
    for (const tokens of sizes[options.size]) {
      const records = growRecords(tokens, (chunks) =>
        growChunks(corpus, chunks, options.seed, signal).map(({ record }) => record),
      );
      const { inDegree, rank } = buildImportGraph(records);
      for (const window of WINDOWS) {
        options.note(`${tokens} tokens into ${window}`);
        const request = { task: '', taskType: 'SelfImprovement', budget: window, activeFiles: [] } as const;
        const cold: number[] = [];
        for (let round = 0; round < options.repeats; round++)
          cold.push(
            (await measure(() => packContext({ records, inDegree, rank, read: null }, request, signal))).wallMs,
          );
        const packer = createDetailOrderer();
        const commonInput = { inDegree, rank, read: null, packer };
        const before = await packContext({ ...commonInput, records }, request, signal);
        const updates: number[] = [];
        let leastUnchanged = 1;
        for (let edit = 0; edit < EDITS; edit++) {
          const editedRecords = applyEdit(records, Math.floor(((edit + 0.5) / EDITS) * records.length), edit);
          const { value, wallMs } = await measure(() =>
            packContext({ ...commonInput, records: editedRecords }, request, signal),
          );
          updates.push(wallMs);
          leastUnchanged = Math.min(leastUnchanged, computeUnchangedShare(before, value));
        }
        rows.push([
          sumTokens(records),
          window,
          'Selfware',
          summariseSamples(cold),
          computePercentile(updates, 0.5),
          computePercentile(updates, 0.95),
          ...describeShown(before, records),
          before.quality ? 1 - before.quality.value / before.quality.bound : null,
          leastUnchanged,
        ]);
        const files = await measure(() =>
          packWholeFiles(
            records,
            inDegree,
            before.layers.semantic.budget + (before.layers.semantic.borrowed ?? 0),
            window,
            before.layers.reserve.budget,
          ),
        );
        rows.push([
          sumTokens(records),
          window,
          'whole files',
          files.wallMs,
          null,
          null,
          ...describeShown(files.value, records),
          null,
          null,
        ]);
      }
    }
    const share = (name: string) => ({ name, digits: 3 });
    return [
      {
        title: 'Packing for the task SelfImprovement',
        columns: [
          { name: 'tokens' },
          { name: 'window' },
          { name: 'system' },
          { name: 'cold', unit: 'ms', digits: 0 },
          { name: 'after an edit, p50', unit: 'ms', digits: 0 },
          { name: 'p95', unit: 'ms', digits: 0 },
          { name: 'tokens packed' },
          { name: 'over' },
          share('utilisation'),
          share('files shown'),
          share('definitions shown'),
          share('with signature or more'),
          { name: 'below the bound', digits: 6 },
          share('unchanged by an edit'),
        ],
        rows,
        notes: [
          'Utilisation: tokens packed ÷ window less the reserve for the reply; it cannot be full when the repository is smaller. Over: tokens beyond that, which must be 0.',
          'Below the bound: how far the worth of what is shown is from the most that any choice could reach (the relaxed knapsack). Unchanged: the least share of what is shown, over ten edits of one file each, that is shown as before.',
        ],
      },
    ];
  },
};

/**
 * Makes records with about this number of tokens. A chunk has some hundred tokens, so the number of chunks is doubled
 * until they are enough.
 */
function growRecords(tokens: number, growTo: (chunks: number) => readonly FileRecord[]): FileRecord[] {
  let grownRecords: readonly FileRecord[] = [];
  for (let chunks = Math.ceil(tokens / 500); sumTokens(grownRecords) < tokens; chunks *= 2)
    grownRecords = growTo(chunks);
  let sum = 0;
  return grownRecords.filter((record) => {
    const isWanted = sum < tokens;
    sum += record.tokens;
    return isWanted;
  });
}

function sumTokens(records: readonly FileRecord[]): number {
  return records.reduce((sum, record) => sum + record.tokens, 0);
}

/** The records after an edit that makes the file `editedIndex` longer, in its last definition if it has one. */
function applyEdit(records: readonly FileRecord[], editedIndex: number, edit: number): FileRecord[] {
  return records.map((record, index) => {
    if (index !== editedIndex) return record;
    const addedTokens = Math.ceil(record.tokens * GROWTH);
    const symbolTokens = record.symbolTokens?.map((pair, symbol, pairs) =>
      symbol === pairs.length - 1 ? ([pair[0] + addedTokens, pair[1]] as const) : pair,
    );
    return {
      ...record,
      hash: `${record.hash}-${edit}`,
      tokens: record.tokens + addedTokens,
      ...(symbolTokens && { symbolTokens }),
    };
  });
}

/** How much a pack shows of the records; the shares are from 0 to 1. */
function describeShown(
  packed: ContextPack,
  records: readonly FileRecord[],
): [tokens: number, over: number, utilisation: number, files: number, definitions: number, signatures: number] {
  const usable = packed.budgetTokens - packed.layers.reserve.budget;
  const definitions = records.reduce((sum, { symbols }) => sum + symbols.length, 0);
  const shown = packed.items.filter(({ symbol }) => symbol !== null);
  return [
    packed.tokens,
    Math.max(0, packed.tokens - usable),
    packed.tokens / usable,
    new Set(packed.items.map(({ path }) => path)).size / records.length,
    shown.length / definitions,
    shown.filter(({ resolution }) => resolution !== 'name').length / definitions,
  ];
}

/** The share of the items of `before` that `after` shows in the same detail. */
function computeUnchangedShare(before: ContextPack, after: ContextPack): number {
  const keyOf = ({ path, symbol, resolution }: ContextPack['items'][number]) => `${path}\0${symbol}\0${resolution}`;
  const keysAfter = new Set(after.items.map(keyOf));
  return before.items.filter((item) => keysAfter.has(keyOf(item))).length / Math.max(1, before.items.length);
}

/** A peer: whole files, the most imported first; a file that does not fit is skipped. */
function packWholeFiles(
  records: readonly FileRecord[],
  inDegree: ReadonlyMap<string, number>,
  room: number,
  window: number,
  reserve: number,
): ContextPack {
  let remainingRoom = room;
  const items: ContextPack['items'][number][] = [];
  for (const { path, tokens, symbols } of [...records].sort(
    (a, b) => (inDegree.get(b.path) ?? 0) - (inDegree.get(a.path) ?? 0),
  )) {
    if (tokens > remainingRoom) continue;
    remainingRoom -= tokens;
    items.push(
      { path, symbol: null, resolution: 'body', tokens },
      ...symbols.map((symbol): ContextPack['items'][number] => ({
        path,
        symbol: symbol.path,
        resolution: 'body',
        tokens: 0,
      })),
    );
  }
  const none = { tokens: 0, budget: 0 };
  return {
    tokens: room - remainingRoom,
    budgetTokens: window,
    utilisation: 0,
    layers: { working: none, episodic: none, semantic: none, reserve: { tokens: 0, budget: reserve } },
    items,
  };
}
