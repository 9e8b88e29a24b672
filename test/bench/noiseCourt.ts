// Measures how reliably the gates judge the claim "faster" on a noisy machine: by changes that make nothing faster, and
// by changes that save a known share of the time. Real processes run in a real sandbox, so a large number of changes
// is judged in several runs.

import { readFileSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../server/src/adapters/system/system.ts';
import { CATEGORIES, type Category, type FileEdit, type Points, type Proposal } from '../../server/src/core/model.ts';
import { createBaselineCache } from '../../server/src/core/verify/baseline.ts';
import type { VerifyContext } from '../../server/src/core/verify/context.ts';
import { verifyProposal } from '../../server/src/core/verify/verify.ts';
import { sandboxOf, silentLog } from '../adapters/sandbox/sandboxOf.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { shuffle } from './support/random.ts';

/** Percentages of a run that faster changes save. */
const SIZES = [3, 5, 7, 10, 15, 20, 25, 30];
/** Numbers of changes that make nothing faster, and of changes that do. */
const COUNTS = {
  tiny: { nulls: 4, faster: 2 },
  default: { nulls: 200, faster: 50 },
  large: { nulls: 400, faster: 100 },
};
/** Minimum share of a run that is work. With less, the percentages could not be saved by less work. */
const MIN_WORK = 0.4;
/** Rounds of the work, which take about 150 ms. */
const ROUNDS = 60_000_000;

/** The judgement of one change. `size`: the percentage that it saves; 0 if it makes nothing faster. */
interface Judged {
  readonly number: number;
  readonly size: number;
  readonly found: boolean | null;
  readonly reason: string;
  readonly change: number | null;
  readonly confidence: number | null;
}

/** The judgements so far, which are stored between runs. */
interface Court {
  /** Share of a run that is work; the remaining part is the start of the sandbox and of Node. */
  share: number;
  judged: Judged[];
}

/** The bench: how many changes of each size were found faster. A run continues the stored judgements. */
export const noiseCourt: Bench = {
  name: 'noise-court',
  describe: 'the claim "faster": changes that make nothing faster, and changes that do, by size',
  async run(options, signal) {
    signal.throwIfAborted();
    const { nulls, faster } = COUNTS[options.size];
    const cases = [
      ...Array.from({ length: nulls }, (_, number) => ({ number, size: 0 })),
      ...Array.from({ length: faster }, (_, number) => ({
        number: nulls + number,
        size: SIZES[number % SIZES.length]!,
      })),
    ];
    await using benchSandbox = await sandboxOf({
      'package.json': '{ "type": "module" }',
      'bench.js': "import { work } from './work.js';\nprocess.stdout.write(String(work(7)));\n",
      'work.js': createWork(ROUNDS, 0, 1),
    });
    const court = readCourt(options) ?? { share: await measureWorkShare(benchSandbox, signal), judged: [] };
    // A tiny court, which only shows that everything works, may also sit on a busy machine.
    if (options.size !== 'tiny' && court.share < MIN_WORK)
      throw new Error(`Only ${Math.round(court.share * 100)} % of a run is work: the machine is too busy for a court.`);
    const endAt = Date.now() + options.minutes * 60_000;
    // The order is random, so that a run that is cut short has judged changes of each size.
    for (const benchCase of shuffle(cases, options.seed, ({ number }) => String(number))) {
      if (court.judged.some(({ number }) => number === benchCase.number)) continue;
      if (Date.now() > endAt || signal.aborted) break;
      court.judged.push(await judge(benchSandbox, benchCase, court.share, options.seed, signal));
      if (options.keep) writeFileSync(options.keep, `${JSON.stringify(court, null, 1)}\n`);
      options.note(`${court.judged.length} of ${cases.length}`);
    }
    return [createTable(court, cases.length)];
  },
};

type Given = Awaited<ReturnType<typeof sandboxOf>>;

async function judge(
  benchSandbox: Given,
  { number, size }: { readonly number: number; readonly size: number },
  share: number,
  seed: number,
  signal: AbortSignal,
): Promise<Judged> {
  const rounds = Math.round(ROUNDS * (1 - size / 100 / share));
  const edits = [{ path: 'work.js', before: createWork(ROUNDS, 0, 1), after: createWork(rounds, number + 1, seed) }];
  const { verdicts } = await verifyProposal(createContext(benchSandbox), createProposal(edits), signal);
  const claim = verdicts.find(({ gate }) => gate === 'claim');
  const last = claim ?? verdicts.at(-1)!;
  const asNumber = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    number,
    size,
    found: claim?.outcome === 'passed' ? true : last.outcome === 'unknown' ? null : false,
    reason: `${last.gate} ${last.outcome}: ${last.reason}`,
    change: asNumber(
      last.evidence['smallerChange'] ?? verdicts.find(({ gate }) => gate === 'timing')?.evidence['change'],
    ),
    confidence: asNumber(last.evidence['smallerConfidence']),
  };
}

/** A context that runs only the gates of the claim, with a score that does not change. */
function createContext(benchSandbox: Given): VerifyContext {
  return {
    sandbox: benchSandbox.sandbox,
    clock: systemClock,
    log: silentLog,
    trusted: true,
    only: ['applies', 'score', 'timing', 'claim'],
    claimsOf: () => ['speed'],
    score: async () => ({ before: points, after: points, price: 1 }),
    settings: {
      typesCommand: '',
      lintCommand: '',
      testCommand: '',
      benchCommand: 'node bench.js',
      timeoutSeconds: 120,
    },
    checkCharter: async () => ({ allowed: true }),
    syntaxProblems: async () => [],
    isJudge: () => false,
    findUnreachedFiles: async () => [],
    inventory: async () => null,
    baseline: createBaselineCache(),
    treeKey: () => null,
    reachingTests: async () => null,
    placesReached: async () => null,
    flakyTests: { known: async () => new Set(), add: async () => {} },
  };
}

const points: Points = {
  ruler: { version: '1', hash: 'frozen' },
  total: 10,
  max: 20,
  categories: Object.fromEntries(
    CATEGORIES.map((category) => [category, { points: category === 'codeQuality' ? 10 : null, max: 20, unknown: [] }]),
  ) as unknown as Record<Category, Points['categories'][Category]>,
};

function createProposal(edits: readonly FileEdit[]): Proposal {
  return {
    id: 'p-1',
    title: 'A change',
    rationale: '',
    recipe: 'brought',
    opportunity: { id: 'o-1', rule: 'brought', path: '', symbol: null },
    base: null,
    edits,
    safety: 'behaviorPreserving',
    createdAt: 0,
    status: 'verifying',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}

/**
 * The source of the work. `variant` changes only names, a comment and the order of two functions. Fewer `rounds` make
 * it faster.
 */
function createWork(rounds: number, variant: number, seed: number): string {
  const name = ['value', 'mixed', 'state', 'total', 'next'][(variant + seed) % 5]!;
  const mix = `function mix(${name}, at) {\n  return (Math.imul(${name} ^ at, 0x9e3779b1) >>> 1) + (at & 3);\n}\n`;
  const work = `export function work(start) {\n  let ${name} = start;\n  for (let at = 0; at < ${rounds}; at += 1) ${name} = mix(${name}, at);\n  return ${name};\n}\n`;
  const comment = variant === 0 ? '' : `// Variant ${variant}.\n`;
  return variant % 2 === 0 ? `${comment}${mix}\n${work}` : `${comment}${work}\n${mix}`;
}

/** Measures the share of a run that is work, by runs with and without it. */
async function measureWorkShare(benchSandbox: Given, signal: AbortSignal): Promise<number> {
  const worktree = await benchSandbox.open();
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < 9; round += 1)
    for (const [side, rounds] of [
      ['with', ROUNDS],
      ['without', 1],
    ] as const) {
      const text = createWork(rounds, 0, 1);
      await worktree.write([{ path: 'work.js', before: null, after: text }]);
      times[side].push((await worktree.run({ command: ['node', 'bench.js'], timeoutMs: 60_000 }, signal)).millis);
    }
  const findMedian = (values: number[]) => values.toSorted((a, b) => a - b)[4]!;
  return 1 - findMedian(times.without) / findMedian(times.with);
}

/** The stored judgements; null if there are none. Throws if the file cannot be read as such. */
function readCourt({ keep }: BenchOptions): Court | null {
  if (!keep) return null;
  try {
    return JSON.parse(readFileSync(keep, 'utf8')) as Court;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${keep} holds no court that was begun.`, { cause: error });
  }
}

function createTable({ share, judged }: Court, caseCount: number): Table {
  const createRow = (size: number) => {
    const judgedOfSize = judged.filter((entry) => entry.size === size);
    const foundFaster = judgedOfSize.filter((entry) => entry.found === true);
    const certain = foundFaster.filter(({ change, confidence }) => (change ?? 0) < -0.2 && (confidence ?? 0) > 0.8);
    return [
      size === 0 ? 'nothing' : `${size} %`,
      judgedOfSize.length,
      foundFaster.length,
      judgedOfSize.filter((entry) => entry.found === null).length,
      certain.length,
      judgedOfSize.length === 0 ? '' : `${Math.round((100 * foundFaster.length) / judgedOfSize.length)} %`,
    ];
  };
  return {
    title: `Changes judged: ${judged.length} of ${caseCount}; ${Math.round(share * 100)} % of a run is work`,
    columns: ['saves', 'changes', 'found faster', 'unknown', 'also over 20 % at a confidence over 0.8', 'found'].map(
      (name) => ({ name }),
    ),
    rows: [0, ...SIZES].map(createRow),
    notes: ['A share of the whole run, the start of the sandbox and of Node included.'],
  };
}
