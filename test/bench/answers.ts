// Measures how good answers to Selfware's questions about real repositories are. Questions and answers are files, so
// whatever can read and write files may answer.

import { resolve } from 'node:path';
import { KINDS } from './answers/kinds.ts';
import { leaveQuestions, createPlace, readTasks, type Place } from './answers/questions.ts';
import { takeAnswers, type Taken } from './answers/taken.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';

/** Maximum number of questions for each repository. */
const MAX_QUESTIONS = { tiny: 3, default: 20, large: 60 } as const;
/** Duration of the search for calls that break, in seconds. */
const SEARCH_SECONDS = { tiny: 0, default: 60, large: 300 } as const;

/** The bench: leaves questions in the first run, and judges the answers in later ones. */
export const answers: Bench = {
  name: 'answers',
  describe:
    'Questions about repositories (--at DIR[,DIR…]: checkouts that can run their tests) for somebody who sees nothing else. The first run leaves them in PATH/NAME/mail/requests (--keep PATH, --inputs N of each repository, or --each N of each kind and repository); answers go to PATH/NAME/mail/replies. The next run judges these, asks again about refused ones, and writes the diffs to PATH/NAME/diffs.',
  async run(options, signal) {
    const { keep } = options;
    if (keep === null || options.at.length === 0) {
      options.note('name checkouts (--at) and a folder for questions and answers (--keep)');
      return [];
    }
    const takenAnswers: Taken[] = [];
    for (const dir of options.at) {
      signal.throwIfAborted();
      const place = createPlace(resolve(dir), resolve(keep));
      // Questions that are left in this run have no answers yet.
      if (readTasks(place).length === 0) await leaveTasks(place, options, signal);
      else takenAnswers.push(...(await takeAnswers(place, options.note, signal)));
    }
    return [createKindTable(takenAnswers), createGateTable(takenAnswers), createTasksTable(takenAnswers)];
  },
};

/** Leaves the questions about one repository. */
async function leaveTasks(place: Place, options: BenchOptions, signal: AbortSignal): Promise<void> {
  const { size, inputs, each, kinds, note } = options;
  const limits = {
    most: inputs ?? MAX_QUESTIONS[size],
    each,
    kinds: kinds.length > 0 ? kinds : KINDS,
    seconds: SEARCH_SECONDS[size],
  };
  await leaveQuestions(place, limits, note, signal);
}

/** The table of outcomes by kind of task. */
function createKindTable(takenAnswers: readonly Taken[]): Table {
  return {
    title: 'Answers: by kind of task',
    columns: [
      { name: 'task' },
      { name: 'repositories' },
      { name: 'asked' },
      { name: 'answered' },
      { name: 'filed' },
      { name: 'verified' },
      { name: 'at the first attempt' },
      { name: 'verified', unit: '%', digits: 0 },
      { name: 'proven' },
      { name: 'tested' },
      { name: 'checked' },
    ],
    rows: KINDS.flatMap((kind) => {
      const takenOfKind = takenAnswers.filter((entry) => entry.kind === kind);
      if (takenOfKind.length === 0) return [];
      const answeredTasks = takenOfKind.filter(({ answers: count }) => count > 0);
      const verified = answeredTasks.filter((entry) => entry.verified);
      const countOfStrength = (strength: string) => verified.filter((entry) => entry.strength === strength).length;
      return [
        [
          kind,
          new Set(takenOfKind.map(({ repository }) => repository)).size,
          takenOfKind.length,
          answeredTasks.length,
          answeredTasks.filter(({ filed }) => filed).length,
          verified.length,
          verified.filter(({ answers: count }) => count === 1).length,
          answeredTasks.length === 0 ? null : (verified.length / answeredTasks.length) * 100,
          countOfStrength('proven'),
          countOfStrength('tested'),
          countOfStrength('checked'),
        ],
      ];
    }),
    notes: [
      'Answered: an answer to the first question came. Filed: its edits had places. Verified: all checks passed, so that a person can decide.',
    ],
  };
}

/** The table of refusals by gate. */
function createGateTable(takenAnswers: readonly Taken[]): Table {
  const counts = new Map<string, number>();
  for (const { refusals, kind } of takenAnswers)
    for (const { by } of refusals) counts.set(`${kind}\n${by}`, (counts.get(`${kind}\n${by}`) ?? 0) + 1);
  return {
    title: 'Answers: what refused them',
    columns: [{ name: 'task' }, { name: 'refused by' }, { name: 'answers' }],
    rows: [...counts].toSorted().map(([key, count]) => [...key.split('\n'), count]),
    notes: ['All attempts, not only the last one of a task.'],
  };
}

/** The table with a row for each task. */
function createTasksTable(takenAnswers: readonly Taken[]): Table {
  return {
    title: 'Answers: each task',
    columns: [
      { name: 'repository' },
      { name: 'task' },
      { name: 'about' },
      { name: 'answers' },
      { name: 'came to' },
      { name: 'diff' },
    ],
    rows: takenAnswers.map(({ repository, kind, about, answers: count, cameTo, diff }) => [
      repository,
      kind,
      about,
      count,
      cameTo.replace(/\s+/g, ' ').slice(0, 160),
      diff ?? '',
    ]),
    notes: [],
  };
}
