// Lets Selfware improve real repositories unattended, and measures the outcomes of its proposals, and the repositories'
// own checks before and afterwards.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Proposal } from '../../server/src/core/model.ts';
import { typedProject } from '../helpers/sampleProject.ts';
import { sumGateTimes, type Spent } from './repositories/gateTimes.ts';
import { improveAlone } from './repositories/improveAlone.ts';
import { writeDiffs } from './repositories/keptDiffs.ts';
import { runOwnChecks, type Checked, type OwnChecks } from './repositories/ownChecks.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';

/** The outcome for one repository. */
interface Outcome {
  readonly name: string;
  readonly commit: string;
  readonly proposals: readonly Proposal[];
  /** Opportunities that a recipe refused. */
  readonly passedOver: number;
  readonly points: readonly [number | null, number | null];
  readonly before: OwnChecks;
  readonly after: OwnChecks;
}

/** The bench: tables of changes, own checks, gates and recipes. */
export const repositories: Bench = {
  name: 'repositories',
  describe:
    'Real repositories (--at DIR[,DIR…]: git checkouts that can run their tests; else a sample), each improved by recipes alone for --minutes N in a copy, nobody asked: proposals, gates, changes, and the own checks before and afterwards.',
  async run(options, signal) {
    const outcomes: Outcome[] = [];
    const dirs = options.at.length > 0 ? options.at : [createSample(join(options.scratch, 'made'))];
    for (const dir of dirs) {
      signal.throwIfAborted();
      outcomes.push(await improveCopy(dir, options, signal));
    }
    return [
      createChangesTable(outcomes, options),
      createChecksTable(outcomes),
      createGatesTable(outcomes),
      createRecipesTable(outcomes),
    ];
  },
};

/** Improves a copy of the checkout `dir`. */
async function improveCopy(dir: string, options: BenchOptions, signal: AbortSignal): Promise<Outcome> {
  const name = basename(dir);
  const copy = join(options.scratch, name);
  options.note(`${name}: copying`);
  // Everything is copied, node_modules included, so that nothing is written to the checkout.
  execFileSync('cp', ['-a', '--reflink=auto', dir, copy]);
  const commit = execFileSync('git', ['-C', copy, 'rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
  options.note(`${name}: its own checks, before`);
  const before = await runOwnChecks(copy, signal);
  signal.throwIfAborted();
  options.note(`${name}: ${options.minutes} minutes alone`);
  const { proposals, passedOver, points } = await improveAlone(
    copy,
    join(options.scratch, `${name}-home`),
    options.minutes,
    signal,
  );
  signal.throwIfAborted();
  const keptProposals = proposals.filter(({ status }) => status === 'kept');
  if (options.keep !== null) writeDiffs(join(options.keep, name), proposals);
  options.note(`${name}: ${keptProposals.length} kept of ${proposals.length}; its own checks, after`);
  return { name, commit, proposals, passedOver, points, before, after: await runOwnChecks(copy, signal) };
}

/** Makes a checkout for runs in which none is named: two files and their tests. Returns its path. */
export function createSample(folder: string): string {
  const dir = join(folder, 'sample');
  for (const [path, text] of Object.entries(typedProject)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=Sample', '-c', 'user.email=sample@localhost', ...args], {
      stdio: 'ignore',
    });
  git('init');
  git('add', '--all');
  git('commit', '--message', 'Sample');
  return dir;
}

function createChangesTable(outcomes: readonly Outcome[], options: BenchOptions): Table {
  const rows = outcomes.map(({ name, commit, proposals, passedOver, points }) => {
    const selectReached = (wantedGate: string) =>
      proposals.filter(({ verdicts }) => verdicts.some(({ gate }) => gate === wantedGate));
    const testedProposals = selectReached('tests');
    const passed = testedProposals.filter(({ verdicts }) =>
      verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === 'passed'),
    );
    const countStatuses = (...statuses: Proposal['status'][]) =>
      proposals.filter(({ status }) => statuses.includes(status)).length;
    const applied = countStatuses('kept', 'rolledBack', 'applied', 'conflicted');
    return [
      name,
      commit,
      passedOver,
      proposals.length,
      testedProposals.length,
      formatShare(passed.length, testedProposals.length),
      applied,
      countStatuses('kept'),
      formatShare(countStatuses('rolledBack', 'conflicted'), applied),
      proposals.filter((proposal) => proposal.status === 'deferred' && proposal.verdicts.length > 0).length,
      ...points,
    ];
  });
  return {
    title: `${options.minutes} minutes each, recipes only`,
    columns: [
      { name: 'repository' },
      { name: 'commit' },
      { name: 'refused by recipes' },
      { name: 'proposals' },
      { name: 'reached the tests' },
      { name: 'passed them' },
      { name: 'applied' },
      { name: 'kept' },
      { name: 'rolled back' },
      { name: 'wait for a person' },
      { name: 'points before', digits: 1 },
      { name: 'after', digits: 1 },
    ],
    rows,
    notes: ['A proposal that the end of the time cut off is counted among the proposals only.'],
  };
}

function createChecksTable(outcomes: readonly Outcome[]): Table {
  const toCells = (checked: Checked | null) => [
    checked?.passed ?? null,
    checked?.failed ?? null,
    checked?.exitCode ?? null,
  ];
  const rows = outcomes.map(({ name, before, after }) => [
    name,
    ...toCells(before.tests),
    ...toCells(after.tests),
    before.tests?.seconds ?? null,
    before.types?.exitCode ?? null,
    after.types?.exitCode ?? null,
    before.types?.seconds ?? null,
  ]);
  const tests = (when: string) => [{ name: `tests passed ${when}` }, { name: 'failed' }, { name: 'exit' }];
  return {
    title: 'Own checks of the repository, outside of any sandbox',
    columns: [
      { name: 'repository' },
      ...tests('before'),
      ...tests('after'),
      { name: 'tests', unit: 's', digits: 0 },
      { name: 'types before: exit' },
      { name: 'after' },
      { name: 'types', unit: 's', digits: 0 },
    ],
    rows,
    notes: ['–: there is no such check, its output names no count, or it was ended after ten minutes.'],
  };
}

function createGatesTable(outcomes: readonly Outcome[]): Table {
  const rows = sumGateTimes(outcomes.flatMap(({ proposals }) => proposals)).map(
    ({ gate, runs, failed, unknown, median, total }: Spent) => [gate, runs, failed, unknown, median, total],
  );
  return {
    title: 'Gates, over all repositories',
    columns: [
      { name: 'gate' },
      { name: 'runs' },
      { name: 'failed' },
      { name: 'unknown' },
      { name: 'median', unit: 's', digits: 1 },
      { name: 'in all', unit: 's', digits: 0 },
    ],
    rows,
    notes: [],
  };
}

function createRecipesTable(outcomes: readonly Outcome[]): Table {
  const allProposals = outcomes.flatMap(({ proposals }) => proposals);
  const names = [...new Set(allProposals.map(({ recipe }) => recipe))].sort();
  const rows = names.map((recipe) => {
    const ofRecipe = allProposals.filter((proposal) => proposal.recipe === recipe);
    const refusedProposals = ofRecipe.filter(({ status, verdicts }) => status === 'refused' && verdicts.length > 0);
    return [
      recipe,
      ofRecipe.length,
      ofRecipe.filter(({ status }) => status === 'kept').length,
      refusedProposals.map(({ verdicts }) => verdicts.at(-1)!.gate).join(' '),
    ];
  });
  return {
    title: 'Recipes, over all repositories',
    columns: [{ name: 'recipe' }, { name: 'proposals' }, { name: 'kept' }, { name: 'refused by' }],
    rows,
    notes: [],
  };
}

function formatShare(part: number, total: number): string {
  return total === 0 ? '0' : `${part} (${Math.round((100 * part) / total)} %)`;
}
