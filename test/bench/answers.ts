// Measures how good answers to Selfware's questions about real repositories are. Questions and answers are files, so
// whatever can read and write files may answer.

import { resolve } from 'node:path';
import { KINDS } from './answers/kinds.ts';
import { leaveQuestions, placeOf, tasksIn, type Place } from './answers/questions.ts';
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
    const taken: Taken[] = [];
    for (const dir of options.at) {
      signal.throwIfAborted();
      const place = placeOf(resolve(dir), resolve(keep));
      // Questions that are left in this run have no answers yet.
      if (tasksIn(place).length === 0) await leave(place, options, signal);
      else taken.push(...(await takeAnswers(place, options.note, signal)));
    }
    return [byKind(taken), byGate(taken), each(taken)];
  },
};

/** Leaves the questions about one repository. */
async function leave(place: Place, options: BenchOptions, signal: AbortSignal): Promise<void> {
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
function byKind(taken: readonly Taken[]): Table {
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
      const all = taken.filter((one) => one.kind === kind);
      if (all.length === 0) return [];
      const answered = all.filter(({ answers: count }) => count > 0);
      const verified = answered.filter((one) => one.verified);
      const of = (strength: string) => verified.filter((one) => one.strength === strength).length;
      return [
        [
          kind,
          new Set(all.map(({ repository }) => repository)).size,
          all.length,
          answered.length,
          answered.filter(({ filed }) => filed).length,
          verified.length,
          verified.filter(({ answers: count }) => count === 1).length,
          answered.length === 0 ? null : (verified.length / answered.length) * 100,
          of('proven'),
          of('tested'),
          of('checked'),
        ],
      ];
    }),
    notes: [
      'Answered: an answer to the first question came. Filed: its edits had places. Verified: all checks passed, so that a person can decide.',
    ],
  };
}

/** The table of refusals by gate. */
function byGate(taken: readonly Taken[]): Table {
  const counts = new Map<string, number>();
  for (const { refusals, kind } of taken)
    for (const { by } of refusals) counts.set(`${kind}\n${by}`, (counts.get(`${kind}\n${by}`) ?? 0) + 1);
  return {
    title: 'Answers: what refused them',
    columns: [{ name: 'task' }, { name: 'refused by' }, { name: 'answers' }],
    rows: [...counts].toSorted().map(([key, count]) => [...key.split('\n'), count]),
    notes: ['All attempts, not only the last one of a task.'],
  };
}

/** The table with a row for each task. */
function each(taken: readonly Taken[]): Table {
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
    rows: taken.map(({ repository, kind, about, answers: count, cameTo, diff }) => [
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
