// Measures packs of a repository for a context window: the time, how full the window is, how much is shown, and how
// much of a pack stays the same after an edit.

import { buildImportGraph } from '../../server/src/core/index/graph/importGraph.ts';
import { createPacker } from '../../server/src/core/memory/order.ts';
import { packContext } from '../../server/src/core/memory/pack.ts';
import { corpusOf } from './corpus/corpus.ts';
import { grownChunks } from './corpus/grownChunks.ts';
import { realSources } from './corpus/sources.ts';
import type { Bench, Cell } from './support/bench.ts';
import { measure } from './support/measure.ts';
import { figureOf, percentile } from './support/statistics.ts';
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
    const corpus = await corpusOf('sources', realSources(options.grow, options.seed, sourcesOf[options.size]), signal);
    const rows: Cell[][] = [];
    for (const tokens of sizes[options.size]) {
      const records = recordsOf(tokens, (chunks) =>
        grownChunks(corpus, chunks, options.seed, signal).map(({ record }) => record),
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
        const packer = createPacker();
        const given = { inDegree, rank, read: null, packer };
        const before = await packContext({ ...given, records }, request, signal);
        const updates: number[] = [];
        let steady = 1;
        for (let edit = 0; edit < EDITS; edit++) {
          const edited = withEdit(records, Math.floor(((edit + 0.5) / EDITS) * records.length), edit);
          const { value, wallMs } = await measure(() => packContext({ ...given, records: edited }, request, signal));
          updates.push(wallMs);
          steady = Math.min(steady, unchangedShare(before, value));
        }
        rows.push([
          tokensOf(records),
          window,
          'Selfware',
          figureOf(cold),
          percentile(updates, 0.5),
          percentile(updates, 0.95),
          ...shownBy(before, records),
          before.quality ? 1 - before.quality.value / before.quality.bound : null,
          steady,
        ]);
        const files = await measure(() =>
          wholeFiles(
            records,
            inDegree,
            before.layers.semantic.budget + (before.layers.semantic.borrowed ?? 0),
            window,
            before.layers.reserve.budget,
          ),
        );
        rows.push([
          tokensOf(records),
          window,
          'whole files',
          files.wallMs,
          null,
          null,
          ...shownBy(files.value, records),
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
function recordsOf(tokens: number, grown: (chunks: number) => readonly FileRecord[]): FileRecord[] {
  let all: readonly FileRecord[] = [];
  for (let chunks = Math.ceil(tokens / 500); tokensOf(all) < tokens; chunks *= 2) all = grown(chunks);
  let sum = 0;
  return all.filter((record) => {
    const wanted = sum < tokens;
    sum += record.tokens;
    return wanted;
  });
}

function tokensOf(records: readonly FileRecord[]): number {
  return records.reduce((sum, record) => sum + record.tokens, 0);
}

/** The records after an edit that makes the file `at` longer, in its last definition if it has one. */
function withEdit(records: readonly FileRecord[], at: number, edit: number): FileRecord[] {
  return records.map((record, index) => {
    if (index !== at) return record;
    const more = Math.ceil(record.tokens * GROWTH);
    const symbolTokens = record.symbolTokens?.map((pair, symbol, all) =>
      symbol === all.length - 1 ? ([pair[0] + more, pair[1]] as const) : pair,
    );
    return {
      ...record,
      hash: `${record.hash}-${edit}`,
      tokens: record.tokens + more,
      ...(symbolTokens && { symbolTokens }),
    };
  });
}

/** How much a pack shows of the records; the shares are from 0 to 1. */
function shownBy(
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
function unchangedShare(before: ContextPack, after: ContextPack): number {
  const key = ({ path, symbol, resolution }: ContextPack['items'][number]) => `${path}\0${symbol}\0${resolution}`;
  const known = new Set(after.items.map(key));
  return before.items.filter((item) => known.has(key(item))).length / Math.max(1, before.items.length);
}

/** A peer: whole files, the most imported first; a file that does not fit is skipped. */
function wholeFiles(
  records: readonly FileRecord[],
  inDegree: ReadonlyMap<string, number>,
  room: number,
  window: number,
  reserve: number,
): ContextPack {
  let left = room;
  const items: ContextPack['items'][number][] = [];
  for (const { path, tokens, symbols } of [...records].sort(
    (a, b) => (inDegree.get(b.path) ?? 0) - (inDegree.get(a.path) ?? 0),
  )) {
    if (tokens > left) continue;
    left -= tokens;
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
    tokens: room - left,
    budgetTokens: window,
    utilisation: 0,
    layers: { working: none, episodic: none, semantic: none, reserve: { tokens: 0, budget: reserve } },
    items,
  };
}
