// Scores Selfware on fixed tasks in five dimensions. The result influences the order of opportunities in this
// repository: dimensions that lack the most points come first.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { summariseDimensions, writeRubric, type DimensionResult, type Item } from './rubric/dimensions.ts';
import { measureEdits } from './rubric/edits.ts';
import { measureFiles } from './rubric/files.ts';
import { measureHealing } from './rubric/healing.ts';
import { measureTasks } from './rubric/tasks.ts';
import type { Bench, Table } from './support/bench.ts';

const root = join(import.meta.dirname, '..', '..');

/** The bench: the points of each dimension and of each task. */
export const rubric: Bench = {
  name: 'rubric',
  describe:
    'Selfware scored on fixed tasks by real runs of the built command line: edit success, file discovery, ' +
    'task completion, self-healing, speed. Writes .selfware/rubric.json, by which the order of opportunities ' +
    'in this repository prefers what lacks the most points. What cannot be measured is null.',
  async run({ scratch, seed, size, note }, signal) {
    const index = 'server/src/core/index';
    const minutes: readonly (() => Promise<readonly Item[]>)[] = [
      () => measureEdits(scratch, note),
      () => measureTasks(note, signal),
      () => measureHealing(join(root, index), seed, note),
    ];
    const items = [...(await measureFiles(scratch, root, size === 'tiny' ? index : '.', signal))];
    for (const step of size === 'tiny' ? [] : minutes) {
      signal.throwIfAborted();
      items.push(...(await step()));
    }
    const results = summariseDimensions(items);
    const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    if (size !== 'tiny') note(`written: ${writeRubric(root, commit, results)}`);
    return [createSummaryTable(results), createTasksTable(results)];
  },
};

function createSummaryTable(results: readonly DimensionResult[]): Table {
  const gapOf = ({ measured, score }: DimensionResult) =>
    measured === null || score === null ? null : measured - score;
  return {
    title: 'Rubric',
    columns: [
      { name: 'dimension' },
      { name: 'points', digits: 1 },
      { name: 'measured', digits: 1 },
      { name: 'max' },
      { name: 'gap', digits: 1 },
    ],
    rows: results
      .toSorted((a, b) => (gapOf(b) ?? -1) - (gapOf(a) ?? -1))
      .map((result) => [result.name, result.score, result.measured, result.max, gapOf(result)]),
    notes: ['The largest gap first. The gap counts only what was measured.'],
  };
}

function createTasksTable(results: readonly DimensionResult[]): Table {
  return {
    title: 'Rubric: each task',
    columns: [
      { name: 'dimension' },
      { name: 'task' },
      { name: 'points', digits: 1 },
      { name: 'max', digits: 1 },
      { name: 'seen' },
    ],
    rows: results.flatMap(({ name, items }) => items.map((item) => [name, item.name, item.score, item.max, item.seen])),
    notes: [],
  };
}
