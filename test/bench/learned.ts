// What could be learned from a repository's history: small edits that its commits repeat, as patterns with holes.

import { basename, dirname, join } from 'node:path';
import { learnPatterns } from './learned/learn.ts';
import { pastChanges } from './learned/pastChanges.ts';
import { smallEdits } from './learned/smallEdits.ts';
import type { Bench } from './support/bench.ts';

const commitsBySize = { tiny: 20, default: 700, large: 3000 } as const;
const SHOWN = 20;

export const learned: Bench = {
  name: 'learned',
  describe:
    'Patterns that the newest commits repeat (--at DIR[,DIR…]: git directories; else this repository), each held against every commit that it was not learned from. No recipe is made of them.',
  async run(options, signal) {
    const dirs = options.at.length > 0 ? options.at : [join(import.meta.dirname, '..', '..')];
    const rows: (string | number)[][] = [];
    const notes: string[] = [];
    for (const dir of dirs) {
      signal.throwIfAborted();
      const name = basename(dir) === 'repo' ? basename(dirname(dir)) : basename(dir);
      const changes = pastChanges(dir, commitsBySize[options.size]);
      const edits = changes.flatMap(({ commit, path, before, after }) => smallEdits(commit, path, before, after));
      const patterns = learnPatterns(edits);
      rows.push([
        name,
        new Set(changes.map(({ commit }) => commit)).size,
        changes.length,
        edits.length,
        patterns.length,
      ]);
      for (const { shown, commits, held } of patterns.slice(0, SHOWN))
        notes.push(
          `${name}, ${commits.length} commits, held in ${held}: \`${oneLine(shown.before)}\` → \`${oneLine(shown.after)}\``,
        );
    }
    return [
      {
        title: 'Patterns that commits repeat',
        columns: [
          { name: 'repository' },
          { name: 'commits' },
          { name: 'changed files' },
          { name: 'small edits' },
          { name: 'patterns' },
        ],
        rows,
        notes,
      },
    ];
  },
};

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
