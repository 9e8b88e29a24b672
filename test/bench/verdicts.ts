// Measures the time of verdicts, gate by gate, beside the repository's own commands without a sandbox. The judged
// changes keep the behaviour, and the real command line judges them. The first change is judged in a new tree, the
// others with a known base.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Verdict } from '../../server/src/core/model.ts';
import type { Bench, BenchOptions, Cell, Table } from './support/bench.ts';
import { findReturns, nameReturnedValue, type Place } from './support/namedReturns.ts';
import { shuffle } from './support/random.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
/** Number of judged changes of each clone. */
const COUNTS = { tiny: 2, default: 4, large: 31 };
/** The gates that run commands of the repository. */
const OWN = ['types', 'tests'] as const;

/** The verdicts on one change. */
interface Told {
  readonly place: string;
  readonly seconds: number;
  readonly processor: number;
  readonly status: string;
  readonly verdicts: readonly Verdict[];
}

/** The bench: a table of times by gate for each clone. */
export const verdicts: Bench = {
  name: 'verdicts',
  describe:
    'how long a verdict takes, gate by gate, beside the commands of the repository run plainly, on clones (--at DIR,DIR; packages installed). --minutes ends it.',
  async run(options) {
    return options.at.map((clone) => createTable(clone, options));
  },
};

function createTable(clone: string, options: BenchOptions): Table {
  const endAt = Date.now() + options.minutes * 60_000;
  const home = join(options.scratch, basename(clone));
  const judgedChanges: Told[] = [];
  const plainTimes = new Map(OWN.map((gate) => [gate, [] as number[]]));
  const plainProcessor: number[] = [];
  for (const place of shuffle(findReturns(clone), options.seed, ({ path, start }) => `${path}:${start}`)) {
    if (judgedChanges.length === COUNTS[options.size] || (Date.now() > endAt && judgedChanges.length >= 2)) break;
    const change = judge(clone, home, place, options);
    judgedChanges.push(change);
    options.note(`${basename(clone)} ${change.place}: ${change.status}, ${change.seconds.toFixed(1)} s`);
    // Both sides take turns, so that other work on the machine affects both.
    if (judgedChanges.length > options.repeats) continue;
    const before = readChildProcessorTime();
    for (const [gate, times] of plainTimes) times.push(...runPlainly(clone, change, gate));
    plainProcessor.push(readChildProcessorTime() - before);
  }
  const [first, ...laterChanges] = judgedChanges;
  const plain = new Map([...plainTimes].map(([gate, times]) => [gate, toNullable(median(times))]));
  const gates = [...new Set(judgedChanges.flatMap(({ verdicts: allVerdicts }) => allVerdicts.map(({ gate }) => gate)))];
  const secondsOf = ({ verdicts: allVerdicts }: Told, gate: string) =>
    (allVerdicts.find((verdict) => verdict.gate === gate)?.millis ?? Number.NaN) / 1000;
  const rows = gates.map((gate): Cell[] => [
    gate,
    plain.get(gate as (typeof OWN)[number]) ?? null,
    first ? toNullable(secondsOf(first, gate)) : null,
    toNullable(median(laterChanges.map((change) => secondsOf(change, gate)))),
  ]);
  const sumOwnGates = (seconds: (gate: string) => number) => OWN.reduce((sum, gate) => sum + (seconds(gate) || 0), 0);
  const plainOwn = sumOwnGates((gate) => plain.get(gate as (typeof OWN)[number]) ?? 0);
  const firstOwn = first ? sumOwnGates((gate) => secondsOf(first, gate)) : Number.NaN;
  const otherOwn = median(laterChanges.map((change) => sumOwnGates((gate) => secondsOf(change, gate))));
  const commandSeconds = median(laterChanges.map(({ seconds }) => seconds));
  return {
    title: `${basename(clone)}: ${judgedChanges.length} changes`,
    columns: [
      { name: 'gate' },
      { name: 'plainly', unit: 's', digits: 1 },
      { name: 'new tree', unit: 's', digits: 1 },
      { name: 'known base', unit: 's', digits: 1 },
    ],
    rows: [
      ...rows,
      ['types and tests', plainOwn, toNullable(firstOwn), toNullable(otherOwn)],
      ['× plainly', 1, toNullable(firstOwn / plainOwn), toNullable(otherOwn / plainOwn)],
      ['the whole command', null, first?.seconds ?? null, toNullable(commandSeconds)],
      [
        'its processor time',
        toNullable(median(plainProcessor)),
        first?.processor ?? null,
        toNullable(median(laterChanges.map(({ processor }) => processor))),
      ],
    ],
    notes: [
      `${Math.round(3600 / commandSeconds)} verdicts an hour with a known base. Known base: the median of ${laterChanges.length}.`,
      ...judgedChanges.map(
        ({ place, status, verdicts: allVerdicts }) =>
          `${place}: ${status}; ${allVerdicts.map(({ gate, outcome, millis }) => `${gate} ${outcome} ${(millis / 1000).toFixed(1)}`).join(', ')}`,
      ),
    ],
  };
}

/** Judges one edit by `selfware propose --request`, without a test for the request. */
function judge(clone: string, home: string, { path, start, end }: Place, options: BenchOptions): Told {
  const text = readFileSync(join(clone, path), 'utf8');
  const before = text.slice(0, start);
  const content = nameReturnedValue(text, { start, end });
  const request = join(options.scratch, 'request.json');
  writeFileSync(
    request,
    JSON.stringify({ claim: 'request', description: 'Name what is returned', edits: [{ file: path, content }] }),
  );
  const startedAt = performance.now();
  const processorBefore = readChildProcessorTime();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, 'propose', '--request', request, '--json', '--repo', clone],
    {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { ...process.env, SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1' },
    },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = readChildProcessorTime() - processorBefore;
  const place = `${path}:${before.split('\n').length}`;
  if (!stdout.trim().startsWith('{'))
    return { place, seconds, processor, status: stderr.trim().split('\n').at(-1) ?? '', verdicts: [] };
  const { status, verdicts: allVerdicts } = JSON.parse(stdout) as { status: string; verdicts: readonly Verdict[] };
  return { place, seconds, processor, status, verdicts: allVerdicts };
}

/** Seconds of the command of this gate, run in the clone itself; empty if the gate ran none. */
function runPlainly(clone: string, { verdicts: allVerdicts }: Told, gate: string): number[] {
  const command = allVerdicts.find((verdict) => verdict.gate === gate)?.evidence['command'];
  if (typeof command !== 'string') return [];
  const startedAt = performance.now();
  spawnSync('sh', ['-c', command], {
    cwd: clone,
    stdio: 'ignore',
    env: { ...process.env, CI: '1', PATH: `${join(clone, 'node_modules', '.bin')}:${process.env['PATH']}` },
  });
  return [(performance.now() - startedAt) / 1000];
}

/** Seconds of processor time of ended child processes and their children; NaN on other systems than Linux. */
function readChildProcessorTime(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  // The name of the program, in parentheses, may contain spaces. Times are hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^[^]*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function median(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value; null for NaN. */
function toNullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
