// Kills a process at random moments while it applies, judges, rolls back, commits and prunes changes, and checks the
// state after the next start.

import { runCrashes } from '../kill/crashRuns.ts';
import type { Bench } from './support/bench.ts';

/** Number of kills. */
const kills = { tiny: 5, default: 100, large: 500 } as const;

/** The bench: the number of kills and of faults that were found after them. */
export const crash: Bench = {
  name: 'crash',
  describe:
    'A process that applies, judges, rolls back in any order, commits and prunes is killed (SIGKILL) at random moments; after each kill a start settles what it left, and everything is looked at.',
  async run(options) {
    const report = await runCrashes({ kills: kills[options.size], seed: options.seed, note: options.note });
    return [
      {
        title: 'Kills while the tree is changed',
        columns: [
          { name: 'kills' },
          { name: 'changes' },
          { name: 'kept' },
          { name: 'rolled back' },
          { name: 'settled by recovery' },
          { name: 'lines typed meanwhile' },
          { name: 'commits' },
          { name: 'faults' },
        ],
        rows: [
          [
            report.kills,
            report.changes,
            report.kept,
            report.rolledBack,
            report.settledByRecovery,
            report.typed,
            report.commits,
            report.faults.length,
          ],
        ],
        notes: [
          'Looked at: every change is in all of its files or in none, as the ledger says; every line that was typed is there; ledger, journal and receipts; HEAD, index, branches, stash, configuration; git fsck; that a second start changes nothing.',
          ...report.faults,
        ],
      },
    ];
  },
};
