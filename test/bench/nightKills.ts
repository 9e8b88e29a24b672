// Kills the real process of a night several times, and checks the state after its end.

import { createRandom } from '../kill/crashWorld.ts';
import { runNightKills } from '../kill/nightKills.ts';
import type { Bench } from './support/bench.ts';

/** Number of kills. */
const kills = { tiny: 4, default: 20, large: 50 } as const;

/** The bench: the number of kills, the outcome of the night, and the faults that were found. */
export const nightKills: Bench = {
  name: 'night-kills',
  describe:
    'The process of a night with a wish, prices and a limit of money is killed (SIGKILL): three times while it ' +
    'verifies one proposal, else at random moments. Then the night ends, and everything is looked at.',
  async run({ size, seed }) {
    const report = await runNightKills(kills[size], createRandom(seed));
    return [
      {
        title: 'Kills of a night',
        columns: [
          { name: 'kills' },
          { name: 'of them about one proposal' },
          { name: 'starts' },
          { name: 'commits' },
          { name: 'set aside' },
          { name: 'questions' },
          { name: 'money', digits: 2 },
          { name: 'limit' },
          { name: 'duration', unit: 's', digits: 0 },
          { name: 'faults' },
        ],
        rows: [
          [
            report.kills,
            report.killsOfVictim,
            report.starts,
            report.commits,
            report.setAside,
            report.questions,
            report.money,
            report.maxCost,
            report.seconds,
            report.faults.length,
          ],
        ],
        notes: [
          'Looked at: one night; its commits are those of git, each proposal once; limits of changes and money over all processes; the proposal that ended three processes is set aside; the files of the user; the ledger.',
          ...report.faults,
        ],
      },
    ];
  },
};
