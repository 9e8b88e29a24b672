// Measures how much of the code that a task needs is shown by a context pack. The tasks are bug fixes of real
// repositories: the subject of a fix is the task, and the pack is made from its parent commit.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findFixes } from './packRelevance/fixes.ts';
import { judge, type Judged } from './packRelevance/judge.ts';
import { openPast } from './packRelevance/past.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { runGit } from './support/bareGit.ts';

/** Budgets of tokens of the text. */
const BUDGETS = [4_000, 8_000, 16_000, 32_000];
/** Number of fixes for each repository. */
const COMMITS = { tiny: 1, default: 15, large: 50 } as const;

/** The results by repository, then by the commit of the fix. */
type Kept = Record<string, Record<string, readonly Judged[]>>;

/** The bench: the shares of touched lines that are shown, and the tokens by kind of text. */
export const packRelevance: Bench = {
  name: 'pack-relevance',
  describe:
    'What a pack shows of the lines that bug fixes touched, asked by their subject and packed at the parent, beside whole files in the order of search (--at DIR[,DIR…]: repositories with their history, bare ones too; else this one).',
  async run(options, signal) {
    const stored = readStored(options);
    const results: Kept = {};
    for (const dir of options.at.length > 0 ? options.at : [process.cwd()]) {
      if (signal.aborted) break;
      const name = nameOfRepository(dir);
      results[name] = await judgeIn(dir, stored[name] ?? {}, options, signal, (ofRepository) => {
        stored[name] = ofRepository;
        if (options.keep) writeFileSync(options.keep, `${JSON.stringify(stored, null, 1)}\n`);
      });
    }
    return [createShareTable(results), createSpendingTable(results), createRepositoryTable(results)];
  },
};

/** Judges the fixes of one repository; `storedResults`: results of earlier runs, by commit. */
async function judgeIn(
  dir: string,
  storedResults: Readonly<Record<string, readonly Judged[]>>,
  { commits, size, note }: BenchOptions,
  signal: AbortSignal,
  keep: (results: Record<string, readonly Judged[]>) => void,
): Promise<Record<string, readonly Judged[]>> {
  const judged: Record<string, readonly Judged[]> = {};
  await runGit(dir, ['rev-parse', '--verify', '--quiet', 'HEAD'], signal).catch(() => {
    throw new Error(`${dir} is no git repository with a commit. Name clones or git directories with --at.`);
  });
  const fixes = await findFixes(dir, commits ?? COMMITS[size], signal);
  const missing = fixes.filter(({ hash }) => storedResults[hash] === undefined);
  const past = missing.length > 0 ? await openPast(dir, signal) : null;
  try {
    for (const fix of fixes) {
      judged[fix.hash] = storedResults[fix.hash] ?? (await judge(fix, await past!.at(fix.parent), BUDGETS, signal));
      keep({ ...storedResults, ...judged });
    }
  } finally {
    past?.close();
  }
  note(`${nameOfRepository(dir)}: ${fixes.length} fixes`);
  return judged;
}

/** The name of a repository; for `DIR/owner+name/repo` and `DIR/name/.git`, the name of the parent folder. */
function nameOfRepository(dir: string): string {
  const name = basename(dir);
  return name === 'repo' || name === '.git' ? basename(dirname(dir)) : name;
}

/** The results of earlier runs. */
function readStored({ keep }: BenchOptions): Kept {
  return keep && existsSync(keep) ? (JSON.parse(readFileSync(keep, 'utf8')) as Kept) : {};
}

/** All results for one budget. */
function selectBudget(results: Kept, budget: number): Judged[] {
  return Object.values(results)
    .flatMap((ofRepository) => Object.values(ofRepository).flat())
    .filter((entry) => entry.budget === budget);
}

function createShareTable(results: Kept): Table {
  const share = (name: string) => ({ name, digits: 3 });
  return {
    title: 'Share of touched lines that is shown',
    columns: [
      { name: 'tokens' },
      { name: 'fixes' },
      share('pack'),
      share('whole files'),
      share('files in a row, the last one cut'),
      share('pack, without tests'),
    ],
    rows: BUDGETS.map((budget) => {
      const ofBudget = selectBudget(results, budget);
      return [
        budget,
        ofBudget.length,
        mean(ofBudget.map(({ pack }) => pack)),
        mean(ofBudget.map(({ whole }) => whole)),
        mean(ofBudget.map(({ cut }) => cut)),
        mean(ofBudget.map(({ packWithoutTests }) => packWithoutTests)),
      ];
    }),
    notes: [
      'The mean over the fixes. Tokens are those of the text, without the reserve for the reply, for all systems. Touched: lines of code files that were changed or deleted, and those beside an insertion.',
      'Whole files: each that still fits, in the order of search.',
    ],
  };
}

function createSpendingTable(results: Kept): Table {
  const kinds = ['headings', 'bodies', 'boilerplate', 'outlines', 'memory'] as const;
  return {
    title: 'What the tokens of a pack are spent on',
    columns: [
      { name: 'tokens' },
      ...kinds.map((name) => ({ name, digits: 3 })),
      { name: 'unused', digits: 3 },
      { name: 'files', digits: 1 },
      { name: 'headings without anything below', digits: 1 },
    ],
    rows: BUDGETS.map((budget) => {
      const ofBudget = selectBudget(results, budget);
      return [
        budget,
        ...kinds.map((kind) => mean(ofBudget.map(({ spent }) => spent[kind] / budget))),
        mean(ofBudget.map(({ tokens }) => 1 - tokens / budget)),
        mean(ofBudget.map(({ headings }) => headings)),
        mean(ofBudget.map(({ emptyHeadings }) => emptyHeadings)),
      ];
    }),
    notes: [
      'Boilerplate: the comment at the top of a file if it names a licence, and lines that import. Memory: the task, and earlier commits. Unused: also where a repository is smaller than the window.',
    ],
  };
}

function createRepositoryTable(results: Kept): Table {
  return {
    title: 'Share of touched lines by repository: pack, and the better of the two others',
    columns: [
      { name: 'repository' },
      { name: 'fixes' },
      ...BUDGETS.flatMap((budget) => [
        { name: `${budget / 1000}k`, digits: 2 },
        { name: 'others', digits: 2 },
      ]),
    ],
    rows: Object.entries(results).map(([name, ofRepository]) => [
      name,
      Object.keys(ofRepository).length,
      ...BUDGETS.flatMap((budget) => {
        const ofBudget = selectBudget({ [name]: ofRepository }, budget);
        const otherMeans = [mean(ofBudget.map(({ whole }) => whole)), mean(ofBudget.map(({ cut }) => cut))];
        return [
          mean(ofBudget.map(({ pack }) => pack)),
          ofBudget.length === 0 ? null : Math.max(...otherMeans.map(Number)),
        ];
      }),
    ]),
    notes: [],
  };
}

/** The mean of the known values; null if there are none. */
function mean(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
