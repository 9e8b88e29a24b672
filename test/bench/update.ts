// Measures the time from saving a file until it can be searched, in a session that has the repository open.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { grow } from './corpus/grow.ts';
import { makeRepository } from './corpus/repository.ts';
import { collectSources } from './corpus/sources.ts';
import type { Bench, Cell } from './support/bench.ts';
import { openSession } from './support/ours.ts';
import { computePercentile } from './support/statistics.ts';

/** Numbers of files of the repositories. */
const sizes = { tiny: [20], default: [500, 2_000], large: [500, 5_000] } as const;
const TOP = 10;
const SOURCES = { tiny: 30, default: 3_000, large: 3_000 } as const;
/** Number of saved edits for each repository. */
const edits = { tiny: 3, default: 20, large: 20 } as const;

/** The bench: percentiles of the times until a saved file can be searched. */
export const update: Bench = {
  name: 'update',
  describe: 'A saved file until a search finds what is new in it, in a session that has the repository open.',
  async run(options, signal) {
    const sources = collectSources(options.grow, options.seed, SOURCES[options.size]);
    const rows: Cell[][] = [];
    for (const files of sizes[options.size]) {
      const grownSources = grow(sources, files, options.seed);
      const repository = await makeRepository(join(options.scratch, `repository-${files}`), grownSources, null, signal);
      const session = await openSession(repository.dir, join(options.scratch, `home-${files}`), signal);
      try {
        options.note(`indexing ${files} files`);
        await session.memory.index({ signal });
        const searchable: number[] = [];
        const finished: number[] = [];
        for (let edit = 0; edit < edits[options.size]; edit++) {
          const { path } = grownSources[Math.floor(((edit + 0.5) / edits[options.size]) * grownSources.length)]!;
          const word = `freshly${String(edit).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}minted`;
          await appendFile(join(repository.dir, path), `\n// ${word}\n`);
          const startedAt = performance.now();
          let isSettled = false;
          const indexing = session.memory.update([path], { signal }).finally(() => (isSettled = true));
          for (;;) {
            const before = isSettled;
            if ((await session.memory.search(word, TOP, signal)).some((hit) => hit.path === path)) break;
            if (before) throw new Error(`What was saved in ${path} is not found.`);
            await setImmediate();
          }
          searchable.push(performance.now() - startedAt);
          await indexing;
          finished.push(performance.now() - startedAt);
        }
        rows.push([
          files,
          edits[options.size],
          computePercentile(searchable, 0.5),
          computePercentile(searchable, 0.95),
          computePercentile(finished, 0.5),
          computePercentile(finished, 0.95),
        ]);
      } finally {
        await session.close();
      }
    }
    const ms = (name: string) => ({ name, unit: 'ms', digits: 0 });
    return [
      {
        title: 'From saved to searchable',
        columns: [
          { name: 'files' },
          { name: 'edits' },
          ms('searchable, p50'),
          ms('searchable, p95'),
          ms('index up to date, p50'),
          ms('up to date, p95'),
        ],
        rows,
        notes: ['From the moment that the session is told, in this process; the wait of a file watcher comes on top.'],
      },
    ];
  },
};
