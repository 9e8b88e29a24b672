// Measures whether Selfware learns: in two nights of questions about missing tests, more answers of the second night
// should be kept if it uses what the first night has taught.

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { computeSignTest } from '../../server/src/core/learn/ruleTrial.ts';
import { compareModels } from '../../server/src/core/learn/training/evaluation.ts';
import { readDemands, judgeFirst, judgeSecond, rejectFirst, findRejection } from './learning/judgeNights.ts';
import { leaveNights, leaveTaughtNight } from './learning/leaveNights.ts';
import {
  createLearningPlace,
  mailFolderOf,
  readKept,
  writeKept,
  type Arm,
  type Judged,
  type LearningPlace,
  type Nights,
} from './learning/learningPlace.ts';
import type { Bench, Table } from './support/bench.ts';
import { computeWilsonInterval } from './support/wilson.ts';

/** Maximum number of questions for each repository, over both nights. */
const MAX_QUESTIONS = { tiny: 2, default: 4, large: 12 } as const;

/** The bench: each run does the next step that is possible; the tables show the outcomes so far. */
export const learning: Bench = {
  name: 'learning',
  describe:
    'Two nights of questions about missing tests (--at DIR[,DIR…]: checkouts that can run their tests) for somebody who sees nothing else. The first run leaves questions in PATH/NAME/mail-first and mail-without (--keep PATH, --inputs N of each repository). Once they are answered, the next run judges them. PATH/NAME/demands.json then says what a person demands beyond the checks: [{"reason", "of", "every", "none"}], patterns for added lines; [] = nothing. The next run rejects by it and leaves the questions of the second night again, with what was learned, in mail-with; the last run judges these, too.',
  async run({ at, keep, inputs, size, note }, signal) {
    if (keep === null || at.length === 0) {
      note('name checkouts (--at) and a folder for questions and answers (--keep)');
      return [];
    }
    const places = at.map((dir) => createLearningPlace(resolve(dir), resolve(keep)));
    for (const place of places) {
      signal.throwIfAborted();
      if (!readKept<Nights>(place, 'nights.json'))
        await leaveNights(place, inputs ?? MAX_QUESTIONS[size], note, signal);
      else note(`${place.name}: ${await takeNextStep(place, signal)}`);
    }
    return [createSummaryTable(places), createQuestionsTable(places)];
  },
};

/** Does the next steps for which the answers and demands are there. Returns what is missing now. */
async function takeNextStep(place: LearningPlace, signal: AbortSignal): Promise<string> {
  const { first, second } = readKept<Nights>(place, 'nights.json')!;
  if (readKept(place, 'first.json') === null) {
    if (countAnswers(place, 'first') < first.length) return 'the questions of the first night wait for answers';
    writeKept(place, 'first.json', await judgeFirst(place, first, signal));
  }
  if (readKept(place, 'without.json') === null) {
    if (countAnswers(place, 'without') < second.length) return 'the questions of the second night wait for answers';
    writeKept(place, 'without.json', await judgeSecond(place, 'without', second, signal));
  }
  if (readKept(place, 'demands.json') === null) return 'demands.json is missing';
  if (readKept(place, 'same.json') === null) {
    writeKept(place, 'first.json', await rejectFirst(place, readKept<readonly Judged[]>(place, 'first.json')!, signal));
    await leaveTaughtNight(place, signal);
  }
  return (await judgeTaught(place, second, signal))
    ? 'all is judged'
    : 'the questions with what was learned wait for answers';
}

/**
 * Judges the answers to the questions with what was learned. If a question is the same as without it, the judgement of
 * its answer is reused. Returns false if answers are missing.
 */
async function judgeTaught(place: LearningPlace, paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  if (readKept(place, 'with.json') !== null) return true;
  const unchangedPaths = readKept<readonly string[]>(place, 'same.json')!;
  const otherPaths = paths.filter((path) => !unchangedPaths.includes(path));
  if (countAnswers(place, 'with') < otherPaths.length) return false;
  const judgedBefore = readKept<readonly Judged[]>(place, 'without.json')!.filter(({ path }) =>
    unchangedPaths.includes(path),
  );
  writeKept(place, 'with.json', [...judgedBefore, ...(await judgeSecond(place, 'with', otherPaths, signal))]);
  return true;
}

function countAnswers(place: LearningPlace, arm: Arm): number {
  const folder = join(mailFolderOf(place, arm), 'replies');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

/** The answers of an arm, judged by the current demands; null if they were not judged yet. */
function readJudged(place: LearningPlace, arm: Arm): readonly Judged[] | null {
  const demands = readDemands(place);
  return (
    readKept<readonly Judged[]>(place, `${arm}.json`)?.map((entry) => {
      const reason = entry.outcome === 'kept' ? findRejection(entry.added, demands) : null;
      return reason === null ? entry : { ...entry, outcome: 'rejected' as const, reason };
    }) ?? null
  );
}

/** The outcomes of one task of the second night without and with what was learned. */
interface Pair {
  readonly place: LearningPlace;
  readonly without: Judged;
  readonly withLessons: Judged;
}

/** The tasks of the second night that were judged both without and with what was learned. */
function createPairs(places: readonly LearningPlace[]): readonly Pair[] {
  return places.flatMap((place) => {
    const judgedWithLessons = readJudged(place, 'with');
    return (readJudged(place, 'without') ?? []).flatMap((without) => {
      const withLessons = judgedWithLessons?.find(({ path }) => path === without.path);
      return withLessons ? [{ place, without, withLessons }] : [];
    });
  });
}

const isKept = ({ outcome }: Judged) => outcome === 'kept';

function createSummaryTable(places: readonly LearningPlace[]): Table {
  const pairs = createPairs(places);
  const first = places.flatMap((place) => readJudged(place, 'first') ?? []);
  const rows = [
    createRow('first night', first),
    createRow(
      'second night, without lessons',
      pairs.map(({ without }) => without),
    ),
    createRow(
      'second night, with lessons',
      pairs.map(({ withLessons }) => withLessons),
    ),
  ];
  return {
    title: 'Learning: two nights',
    columns: [
      { name: 'questions' },
      { name: 'answers' },
      { name: 'refused by a check' },
      { name: 'rejected by the person' },
      { name: 'kept' },
      { name: 'kept', unit: '%', digits: 0 },
      { name: '95 %' },
    ],
    rows,
    notes: [
      'The budget is the same: one answer to each question. The interval is that of Wilson.',
      `The first night taught nothing that would change ${countSameQuestions(places)} of the ${pairs.length} questions of the second one. These were answered and judged once.`,
      describeDifference(pairs),
    ],
  };
}

/** Number of questions of the second night that are the same without and with what was learned. */
function countSameQuestions(places: readonly LearningPlace[]): number {
  return places.reduce((sum, place) => sum + (readKept<readonly string[]>(place, 'same.json') ?? []).length, 0);
}

function createRow(name: string, judgedAnswers: readonly Judged[]): Table['rows'][number] {
  const countOutcome = (outcome: Judged['outcome']) =>
    judgedAnswers.filter((entry) => entry.outcome === outcome).length;
  const keptCount = countOutcome('kept');
  const share = judgedAnswers.length === 0 ? null : (keptCount / judgedAnswers.length) * 100;
  const { low, high } = computeWilsonInterval(keptCount, judgedAnswers.length);
  return [
    name,
    judgedAnswers.length,
    countOutcome('refused'),
    countOutcome('rejected'),
    keptCount,
    share,
    `${formatPercent(low)}–${formatPercent(high)}`,
  ];
}

function formatPercent(share: number): string {
  return (share * 100).toFixed(0);
}

/** A sentence about the difference between both sides of the second night. */
function describeDifference(pairs: readonly Pair[]): string {
  const toModelAnswer = (judgedAnswer: Judged, id: number) => ({
    id: String(id),
    success: isKept(judgedAnswer),
    reply: null,
    logProbability: null,
    tokens: null,
  });
  const { gain, low, high } = compareModels(
    pairs.map(({ without }, index) => toModelAnswer(without, index)),
    pairs.map(({ withLessons }, index) => toModelAnswer(withLessons, index)),
  );
  const gainedCount = pairs.filter(({ without, withLessons }) => isKept(withLessons) && !isKept(without)).length;
  const lostCount = pairs.filter(({ without, withLessons }) => isKept(without) && !isKept(withLessons)).length;
  const interval =
    gain === null || low === null || high === null
      ? 'no answer differs in its outcome'
      : `${formatPercent(gain)} points (95 %: ${formatPercent(low)} to ${formatPercent(high)}, paired bootstrap)`;
  return `Difference of the two sides of the second night: ${interval}. Kept only with lessons: ${gainedCount}, only without: ${lostCount} (one-sided sign test: ${computeSignTest(gainedCount, lostCount).toFixed(3)}).`;
}

function createQuestionsTable(places: readonly LearningPlace[]): Table {
  return {
    title: 'Learning: each question',
    columns: [
      { name: 'repository' },
      { name: 'night' },
      { name: 'tests for' },
      { name: 'came to' },
      { name: 'by' },
      { name: 'reason' },
    ],
    rows: places.flatMap((place) =>
      (['first', 'without', 'with'] as const).flatMap((arm) =>
        (readJudged(place, arm) ?? []).map(({ path, outcome, by, reason }) => [
          place.name,
          arm,
          path,
          outcome,
          by ?? '',
          reason.replace(/\s+/g, ' ').slice(0, 160),
        ]),
      ),
    ),
    notes: [],
  };
}
