// Measures what Selfware shows and does on real repositories without a model: findings by rule, and proposals by claim.
// Every kept change can be written as a diff for a person to judge.

import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Opportunity, Proposal } from '../../server/src/core/model.ts';
import { createSample } from './repositories.ts';
import { writeDiffs } from './repositories/keptDiffs.ts';
import { runNightAlone } from './repositories/nightAlone.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { runAnalyse } from './support/ours.ts';

/** The outcome for one repository. */
interface Outcome {
  readonly name: string;
  readonly commit: string;
  /** Seconds until the first list was shown. */
  readonly seconds: number;
  readonly shown: readonly Pick<Opportunity, 'rule'>[];
  readonly proposals: readonly Proposal[];
  /** Opportunities that a recipe refused. */
  readonly passedOver: number;
  readonly minutes: number;
}

/** The bench: tables of what was shown, of the outcomes of proposals, and of their claims. */
export const gains: Bench = {
  name: 'gains',
  describe:
    'Real repositories (--at DIR[,DIR…], with their packages installed; else a sample): what is shown, by rule; then each has a night of --minutes N in a copy, without a model, its search for missing tests included: proposals by claim, kept, minutes per kept change. --keep writes the diffs.',
  async run(options, signal) {
    const outcomes: Outcome[] = [];
    const dirs = options.at.length > 0 ? options.at : [createSample(join(options.scratch, 'made'))];
    for (const dir of dirs) {
      signal.throwIfAborted();
      outcomes.push(await measureGains(dir, options, signal));
    }
    return createGainTables(outcomes);
  },
};

/** The tables of what was shown, of the outcomes of proposals, and of their claims. */
export function createGainTables(outcomes: readonly Outcome[]): readonly Table[] {
  return [createShownTable(outcomes), createProposalsTable(outcomes), createClaimsTable(outcomes)];
}

/** Analyses a copy of one repository, and lets a night improve it. */
async function measureGains(dir: string, options: BenchOptions, signal: AbortSignal): Promise<Outcome> {
  const name = basename(dir);
  const copy = join(options.scratch, name);
  options.note(`${name}: copying`);
  execFileSync('cp', ['-a', '--reflink=auto', dir, copy]);
  const commit = execFileSync('git', ['-C', copy, 'rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
  const home = join(options.scratch, `${name}-home`);
  const analysisRun = await runAnalyse(copy, home, null, signal);
  const shown = JSON.parse(analysisRun.stdout) as Opportunity[];
  options.note(`${name}: ${shown.length} shown; ${options.minutes} minutes of a night`);
  const startedAt = performance.now();
  const { proposals, passedOver } = await runNightAlone(realpathSync(copy), home, options.minutes, signal);
  const minutes = (performance.now() - startedAt) / 60_000;
  if (options.keep !== null) writeDiffs(join(options.keep, name), proposals);
  options.note(`${name}: ${proposals.filter(({ status }) => status === 'kept').length} kept of ${proposals.length}`);
  return { name, commit, seconds: analysisRun.wallMs / 1000, shown, proposals, passedOver, minutes };
}

function createShownTable(outcomes: readonly Outcome[]): Table {
  return {
    title: 'Shown, by rule',
    columns: [
      { name: 'repository' },
      { name: 'commit' },
      { name: 'first list', unit: 's', digits: 1 },
      { name: 'shown' },
      { name: 'by rule' },
    ],
    rows: outcomes.map(({ name, commit, seconds, shown }) => [
      name,
      commit,
      seconds,
      shown.length,
      formatTally(shown.map(({ rule }) => rule)),
    ]),
    notes: [],
  };
}

function createProposalsTable(outcomes: readonly Outcome[]): Table {
  return {
    title: 'Proposals',
    columns: [
      { name: 'repository' },
      { name: 'refused by recipes' },
      { name: 'proposals' },
      { name: 'kept' },
      { name: 'wait for a person' },
      { name: 'minutes', digits: 1 },
      { name: 'minutes per kept change', digits: 1 },
      { name: 'refused by' },
    ],
    rows: outcomes.map(({ name, proposals, passedOver, minutes }) => {
      const keptCount = proposals.filter(({ status }) => status === 'kept').length;
      const refusedProposals = proposals.filter(({ status, verdicts }) => status === 'refused' && verdicts.length > 0);
      return [
        name,
        passedOver,
        proposals.length,
        keptCount,
        proposals.filter(({ status, verdicts }) => status === 'deferred' && verdicts.length > 0).length,
        minutes,
        keptCount === 0 ? null : minutes / keptCount,
        formatTally(refusedProposals.map(({ verdicts }) => verdicts.at(-1)!.gate)),
      ];
    }),
    notes: ['A proposal that the end of the time cut off is counted among the proposals only.'],
  };
}

function createClaimsTable(outcomes: readonly Outcome[]): Table {
  const allProposals = outcomes.flatMap(({ proposals }) => proposals);
  const kinds = [...new Set(allProposals.map(kindOfClaim))].sort();
  return {
    title: 'Proposals by claim, over all repositories',
    columns: [{ name: 'claim' }, { name: 'proposals' }, { name: 'kept' }, { name: 'recipes of the kept ones' }],
    rows: kinds.map((kind) => {
      const proposalsOfKind = allProposals.filter((proposal) => kindOfClaim(proposal) === kind);
      const keptProposals = proposalsOfKind.filter(({ status }) => status === 'kept');
      return [
        kind,
        proposalsOfKind.length,
        keptProposals.length,
        formatTally(keptProposals.map(({ recipe }) => recipe)),
      ];
    }),
    notes: ['none: no verdict has shown or claimed anything before the proposal ended.'],
  };
}

function kindOfClaim({ claim, claimed }: Proposal): string {
  return claim?.kind ?? claimed ?? 'none';
}

/** The number of each name, most frequent first: `2 a, 1 b`. */
function formatTally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
