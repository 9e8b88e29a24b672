// Measures search quality: on labelled questions if there are any, and always on sentences of documentation comments.

import { plainBm25, splitBm25 } from './peers/bm25.ts';
import { chunkBm25 } from './peers/chunkBm25.ts';
import { ripgrep } from './peers/ripgrep.ts';
import { selfware } from './peers/selfware.ts';
import type { System } from './peers/system.ts';
import { measureDocumented } from './documented.ts';
import { measureLabelled } from './labelled.ts';
import type { Bench, Table } from './support/bench.ts';

const all: readonly System[] = [selfware, plainBm25, splitBm25, chunkBm25, ripgrep];

/** The bench: tables of quality by system. Systems that are not available here are named in the notes. */
export const quality: Bench = {
  name: 'quality',
  describe:
    'How good the answers are: NDCG@10, recall by token budget and reciprocal rank, ours beside BM25 and ripgrep on the same files.',
  async run(options, signal) {
    const systems = all.filter(({ absent }) => absent === null);
    const left = all.flatMap(({ name, absent }) => (absent === null ? [] : [`${name} is left out: ${absent}.`]));
    const tables: Table[] = [];
    if (options.labels !== null && options.manifest !== null)
      tables.push(...(await measureLabelled(options.labels, options.manifest, systems, options, signal)));
    tables.push(await measureDocumented(systems, options, signal));
    return tables.map((table, index) => (index === 0 ? { ...table, notes: [...table.notes, ...left] } : table));
  },
};
