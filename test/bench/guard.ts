// Compares three ways to try mutants on real repositories: the gate guard with all mutants in one run of the tests, a
// run of the tests for each mutant, and StrykerJS on the same lines.

import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { planMutants, type Mutant } from '../../server/src/core/verify/guard/planMutants.ts';
import { isTestEdit } from '../../server/src/core/paths/testEdits.ts';
import { choosePlaces, type Place } from './guard/places.ts';
import { openGround, type Ground } from './guard/ground.ts';
import { askStryker, type PeerMutant } from './guard/stryker.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';

/** For each mutant, by the text that it makes: true if the tests notice it. */
type Answers = ReadonlyMap<string, boolean>;

/** The results for one function. */
interface Measured {
  readonly repository: string;
  readonly place: Place;
  readonly planned: number;
  readonly together: { readonly answers: Answers; readonly seconds: number; readonly runs: number };
  readonly apart: { readonly answers: Answers; readonly seconds: number };
  /** The results of StrykerJS; null if it did not start. */
  readonly peer: { readonly answers: Answers; readonly seconds: number } | null;
  readonly differing: readonly string[];
}

/** The bench: a row for each drawn function, and the mutants on which the three ways differ. */
export const guard: Bench = {
  name: 'guard',
  describe:
    'The gate guard on checkouts (--at DIR[,DIR…], with their packages): mutants of functions drawn by --seed, all in one run of the tests, one run each, and by StrykerJS (npm ci --prefix tools/guard) on the same lines. --inputs N mutants of each function.',
  async run(options, signal) {
    const measurements: Measured[] = [];
    if (options.at.length === 0) options.note('no checkout was named (--at)');
    for (const dir of options.at) measurements.push(...(await measure(dir, options, signal)));
    return [createTable(measurements), createDifferencesTable(measurements)];
  },
};

async function measure(dir: string, options: BenchOptions, signal: AbortSignal): Promise<Measured[]> {
  const repository = basename(dir);
  const copy = join(options.scratch, repository);
  execFileSync('cp', ['-a', '--reflink=auto', dir, copy]);
  const places = choosePlaces(copy, options.seed, options.size === 'large' ? 6 : options.size === 'tiny' ? 1 : 3);
  const measurements: Measured[] = [];
  await using ground = await openGround(copy, join(options.scratch, `${repository}-state`), signal);
  for (const place of places) {
    signal.throwIfAborted();
    options.note(`${repository}: ${place.path}:${place.from}–${place.to}`);
    measurements.push(await measureAt(repository, copy, ground, place, options, signal));
  }
  return measurements;
}

async function measureAt(
  repository: string,
  copy: string,
  ground: Ground,
  place: Place,
  options: BenchOptions,
  signal: AbortSignal,
): Promise<Measured> {
  const after = readFileSync(join(copy, place.path), 'utf8');
  const before = after
    .split('\n')
    .filter((_, index) => index + 1 < place.from || index + 1 > place.to)
    .join('\n');
  const plan = planMutants([{ path: place.path, before, after }], options.inputs ?? 20, isTestEdit);
  const name = (mutant: Pick<Mutant, 'start' | 'end' | 'text'>) =>
    applyMutant(after, mutant.start, mutant.end, mutant.text);
  const [together, apart] = [await ground.tryTogether(plan, after, signal), await ground.tryApart(plan, after, signal)];
  const byMutantName = (answers: ReadonlyMap<Mutant, boolean>) =>
    new Map([...answers].map(([mutant, noticed]) => [name(mutant), noticed]));
  const peer = await askStryker(copy, place, options, signal);
  const togetherAnswers = byMutantName(together.answers);
  const apartAnswers = byMutantName(apart.answers);
  const peerAnswers = peer && new Map(peer.mutants.map((mutant) => [nameOf(after, mutant), mutant.noticed]));
  const differing = [...together.answers.keys()].flatMap((mutant) => {
    const [togetherAnswer, apartAnswer, strykerAnswer] = [togetherAnswers, apartAnswers, peerAnswers].map((answers) =>
      answers?.get(name(mutant)),
    );
    const isDifferent = [apartAnswer, strykerAnswer].some(
      (answer) => answer !== undefined && answer !== togetherAnswer,
    );
    const describeAnswer = (isNoticed: boolean | undefined) =>
      isNoticed === undefined ? 'not judged' : isNoticed ? 'noticed' : 'missed';
    return isDifferent
      ? [
          `${repository} ${place.path}:${mutant.line} ${mutant.shown}: ${describeAnswer(togetherAnswer)} / ${describeAnswer(apartAnswer)} / ${describeAnswer(strykerAnswer)}`,
        ]
      : [];
  });
  return {
    repository,
    place,
    planned: plan.mutants.length,
    together: { answers: togetherAnswers, seconds: together.seconds, runs: together.runs },
    apart: { answers: apartAnswers, seconds: apart.seconds },
    peer: peer && { answers: peerAnswers!, seconds: peer.seconds },
    differing,
  };
}

/**
 * The text that a mutant makes, without differences in quotes, spaces and brackets. It identifies the mutant, so that
 * mutants of both tools can be compared.
 */
function applyMutant(text: string, start: number, end: number, replacement: string): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`.replace(/["`]/g, "'").replace(/[\s;()]/g, '');
}

function nameOf(text: string, { from, to, replacement }: PeerMutant): string {
  const lines = text.split('\n');
  const offset = ({ line, column }: PeerMutant['from']) =>
    lines.slice(0, line - 1).reduce((sum, precedingLine) => sum + precedingLine.length + 1, 0) + column - 1;
  return applyMutant(text, offset(from), offset(to), replacement);
}

/** Number of mutants on which both agree, and of those that both have judged. */
function countAgreements(
  answers: Answers,
  otherAnswers: Answers | undefined,
): readonly [alike: number, common: number] {
  const common = [...answers].filter(([name]) => otherAnswers?.has(name));
  return [common.filter(([name, noticed]) => otherAnswers!.get(name) === noticed).length, common.length];
}

function createTable(measurements: readonly Measured[]): Table {
  const share = ([agreeing, common]: readonly [number, number]) => (common === 0 ? '–' : `${agreeing} of ${common}`);
  const rows = measurements.map(({ repository, place, planned, together, apart, peer }) => [
    `${repository} ${place.path}:${place.from}`,
    planned,
    together.answers.size,
    together.runs,
    together.seconds,
    apart.answers.size,
    apart.seconds,
    share(countAgreements(together.answers, apart.answers)),
    peer?.answers.size ?? null,
    peer?.seconds ?? null,
    share(countAgreements(together.answers, peer?.answers)),
  ]);
  return {
    title: 'Mutants of one function, judged by all tests of the repository',
    columns: [
      { name: 'function' },
      { name: 'mutants' },
      { name: 'judged together' },
      { name: 'runs' },
      { name: 'together', unit: 's', digits: 1 },
      { name: 'judged apart' },
      { name: 'apart', unit: 's', digits: 1 },
      { name: 'alike' },
      { name: 'StrykerJS judged' },
      { name: 'StrykerJS', unit: 's', digits: 1 },
      { name: 'alike' },
    ],
    rows,
    notes: [
      'Together: all mutants compiled in, one run of the repository’s own command in a sandbox. Apart: a run of it for each mutant, ended at the first failure. StrykerJS: with `--mutate` of the same lines, one test runner, without isolation; it makes more mutants.',
    ],
  };
}

function createDifferencesTable(measurements: readonly Measured[]): Table {
  return {
    title: 'Where they differ (together / apart / StrykerJS)',
    columns: [{ name: 'mutant' }],
    rows: measurements.flatMap(({ differing }) => differing.map((line) => [line])),
    notes: [],
  };
}
