// Measures whether a second night is better than the first. In each repository, two nights run with recipes only. The
// second night uses what the first has learned; a control night starts on the same commit without it.

import { resolve } from 'node:path';
import { ARMS, runNights, type Nights } from './secondNight/arms.ts';
import type { NightOutcome } from './secondNight/nightWithin.ts';
import type { Bench, Table } from './support/bench.ts';
import { computeBootstrapMean } from './support/bootstrap.ts';

/** Kinds of claims of changes that do more than tidy up. */
const WEIGHTY: ReadonlySet<string | null> = new Set(['fix', 'tests', 'speed', 'memory', 'request']);
/** Outcomes that count as failures. A change that waits for a person or for a quiet machine has not failed. */
const FAILED: ReadonlySet<string> = new Set(['refused', 'rolledBack', 'brokeDown']);

/** The bench: a row for each night, and the differences between the second night and the control. */
export const secondNight: Bench = {
  name: 'second-night',
  describe:
    'Two nights with recipes alone (--at DIR[,DIR…]: checkouts that can run their tests), each with ' +
    '--minutes N of processor time; the branch of the first one is merged. The second one continues with ' +
    'what the first has learned; a control starts on the same commit with an empty state folder. What is ' +
    'kept, judged and tried again. Finished nights are stored in --keep PATH and not repeated.',
  async run({ at, keep, minutes, scratch, seed, note }, signal) {
    if (at.length === 0) {
      note('name checkouts (--at)');
      return [];
    }
    const allNights: Nights[] = [];
    for (const dir of at)
      allNights.push(await runNights(resolve(dir), resolve(keep ?? scratch), minutes, note, signal));
    return [createNightsTable(allNights), createDifferencesTable(allNights, seed)];
  },
};

/** The failures of a night, as keys: changes that a check refused, and attempts that a recipe refused. */
export function collectFailures({ missed, declined }: NightOutcome): ReadonlySet<string> {
  return new Set([
    ...missed.filter(({ what }) => FAILED.has(what)).map(({ rule, path, title }) => `${rule} ${path} ${title}`),
    ...declined,
  ]);
}

/** Number of failures of the later night that the first night had, too. */
export function countRepeated(first: NightOutcome, later: NightOutcome): number {
  const before = collectFailures(first);
  return [...collectFailures(later)].filter((failure) => before.has(failure)).length;
}

/** Number of kept changes with a claim in `WEIGHTY`. */
export function countWeighty({ claims }: NightOutcome): number {
  return claims.filter((claim) => WEIGHTY.has(claim)).length;
}

/** Number of changes that were judged. */
function countJudged({ kept, missed }: NightOutcome): number {
  return kept.length + missed.length;
}

function createNightsTable(allNights: readonly Nights[]): Table {
  return {
    title: 'Second night: each night',
    columns: [
      { name: 'repository' },
      { name: 'night' },
      { name: 'kept' },
      { name: 'of these tests or fixes' },
      { name: 'judged' },
      { name: 'declined by recipes' },
      { name: 'failures of night 1 again' },
      { name: 'mutants tried' },
      { name: 'processor', unit: 's', digits: 0 },
      { name: 'clock', unit: 's', digits: 0 },
      { name: 'ended by' },
    ],
    rows: allNights.flatMap(({ name, outcomes }) =>
      ARMS.map((arm) => {
        const night = outcomes[arm];
        return [
          name,
          arm,
          night.kept.length,
          countWeighty(night),
          countJudged(night),
          night.declined.length,
          arm === 'first' ? null : countRepeated(outcomes.first, night),
          night.mutants,
          night.cpuSeconds,
          night.wallSeconds,
          night.end.slice(0, 40),
        ];
      }),
    ),
    notes: ['budget: its processor time was used up.'],
  };
}

function createDifferencesTable(allNights: readonly Nights[], seed: number): Table {
  const measures: readonly (readonly [string, (later: NightOutcome, first: NightOutcome) => number])[] = [
    ['kept', ({ kept }) => kept.length],
    ['kept tests or fixes', countWeighty],
    ['judged', countJudged],
    ['declined by recipes', ({ declined }) => declined.length],
    ['failures of night 1 again', (later, first) => countRepeated(first, later)],
    ['mutants tried', ({ mutants }) => mutants],
    ['processor seconds', ({ cpuSeconds }) => cpuSeconds],
  ];
  return {
    title: 'Second night: with what was learned, without, and the difference for a repository',
    columns: [
      { name: 'of the second night' },
      { name: 'with', digits: 0 },
      { name: 'without', digits: 0 },
      { name: 'mean difference', digits: 2 },
      { name: '95 %' },
    ],
    rows: measures.map(([name, measure]) => {
      const valuesOf = (arm: 'second' | 'control') =>
        allNights.map(({ outcomes }) => measure(outcomes[arm], outcomes.first));
      const [secondValues, controlValues] = [valuesOf('second'), valuesOf('control')];
      const gains = secondValues.map((value, index) => value - controlValues[index]!);
      const { mean, low, high } = computeBootstrapMean(gains, seed);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      return [name, sum(secondValues), sum(controlValues), mean, `${low.toFixed(2)} to ${high.toFixed(2)}`];
    }),
    notes: ['The interval is a bootstrap over the repositories.'],
  };
}
