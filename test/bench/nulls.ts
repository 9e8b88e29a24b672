// Sends hundreds of changes that improve nothing to the real gates, and counts how many of them are accepted.

import { join } from 'node:path';
import { nullChanges, type NullOutcome } from '../redteam/nulls/nullChanges.ts';
import type { Bench } from './support/bench.ts';

/** Number of edits. */
const counts = { tiny: 22, default: 1000, large: 3000 } as const;
/** The folder whose files are edited. */
const sources = join(import.meta.dirname, '..', '..', 'server', 'src', 'core', 'propose');

/** The bench: for each kind of edit, how many changes were accepted or refused, and by which gate. */
export const nulls: Bench = {
  name: 'nulls',
  describe:
    'Edits that change nothing that matters (layout, names, detours), each filed as a proposal and verified: none may be accepted.',
  async run(options, signal) {
    const outcomes: NullOutcome[] = [];
    for await (const outcome of nullChanges(sources, counts[options.size])) {
      signal.throwIfAborted();
      outcomes.push(outcome);
      if (outcomes.length % 100 === 0) options.note(`${outcomes.length} edits`);
    }
    const edits = [...new Set(outcomes.map(({ edit }) => edit))];
    const countOutcomes = (edit: string | null, by: string) =>
      outcomes.filter(
        (outcome) =>
          (edit === null || outcome.edit === edit) &&
          (by === 'verified' ? outcome.outcome === 'verified' : outcome.outcome !== 'verified' && outcome.by === by),
      ).length;
    const reasons = [...new Set(outcomes.filter(({ outcome }) => outcome !== 'verified').map(({ by }) => by))].sort();
    return [
      {
        title: 'Changes that change nothing',
        columns: [
          { name: 'edit' },
          { name: 'brought' },
          { name: 'accepted' },
          ...reasons.map((by) => ({
            name: by === 'usage' || by === 'conflict' ? `not filed (${by})` : `refused by ${by}`,
          })),
        ],
        rows: [...edits, null].map((edit) => [
          edit ?? 'all',
          outcomes.filter((outcome) => edit === null || outcome.edit === edit).length,
          countOutcomes(edit, 'verified'),
          ...reasons.map((by) => countOutcomes(edit, by)),
        ]),
        notes: [
          '`usage`: the edit leaves the text as it is. `conflict`: the same edit was refused before.',
          ...outcomes
            .filter(({ outcome }) => outcome === 'verified')
            .map(({ edit, path }) => `Accepted: ${edit} in ${path}.`),
        ],
      },
    ];
  },
};
