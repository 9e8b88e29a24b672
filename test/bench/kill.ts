// Kills a process at random moments while it indexes, and checks the index after the next start.

import { join } from 'node:path';
import { runKills, type KillReport } from '../kill/indexKills.ts';
import type { Bench } from './support/bench.ts';

/** Number of kills for each store. */
const kills = { tiny: 3, default: 20, large: 200 } as const;
/** The folder whose files are indexed. */
const sources = join(import.meta.dirname, '..', '..', 'server', 'src', 'core', 'index');
const stores = ['lancedb', 'lexical'] as const;

/** The bench: the number of kills and of faults that were found after them, for each store. */
export const kill: Bench = {
  name: 'kill',
  describe:
    'A process that indexes is killed (SIGKILL) at random moments; after each kill the next start is compared with a clean index of the same tree.',
  async run(options, signal) {
    const reports: KillReport[] = [];
    for (const store of stores) {
      signal.throwIfAborted();
      reports.push(
        await runKills({
          store,
          kills: kills[options.size],
          seed: options.seed,
          sources,
          note: (text) => options.note(`${store}: ${text}`),
        }),
      );
    }
    return [
      {
        title: 'Kills while indexing',
        columns: [
          { name: 'store' },
          { name: 'killed' },
          { name: 'in a first run' },
          { name: 'in an update' },
          { name: 'after a change of profile' },
          { name: 'acknowledged chunks lost' },
          { name: 'disk', unit: '× text', digits: 2 },
          { name: 'faults' },
        ],
        rows: reports.map(({ killed, killedWhile, lost, disk, faults }, index) => [
          stores[index]!,
          killed,
          killedWhile.first,
          killedWhile.update,
          killedWhile.profile,
          lost,
          disk,
          faults.length,
        ]),
        notes: [
          'Compared: records, rows with terms and vectors, answers, work left for a second start, the lock, the disk once idle.',
          ...reports.flatMap(({ faults }) => faults),
        ],
      },
    ];
  },
};
