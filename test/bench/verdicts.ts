// Measures the time of verdicts, gate by gate, beside the repository's own commands without a sandbox. The judged
// changes keep the behaviour, and the real command line judges them. The first change is judged in a new tree, the
// others with a known base.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Verdict } from '../../server/src/core/model.ts';
import type { Bench, BenchOptions, Cell, Table } from './support/bench.ts';
import { returnsIn, withNamedReturn, type Place } from './support/namedReturns.ts';
import { shuffled } from './support/random.ts';

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
    return options.at.map((clone) => tableOf(clone, options));
  },
};

function tableOf(clone: string, options: BenchOptions): Table {
  const endAt = Date.now() + options.minutes * 60_000;
  const home = join(options.scratch, basename(clone));
  const told: Told[] = [];
  const plainTimes = new Map(OWN.map((gate) => [gate, [] as number[]]));
  const plainProcessor: number[] = [];
  for (const place of shuffled(returnsIn(clone), options.seed, ({ path, start }) => `${path}:${start}`)) {
    if (told.length === COUNTS[options.size] || (Date.now() > endAt && told.length >= 2)) break;
    const one = judge(clone, home, place, options);
    told.push(one);
    options.note(`${basename(clone)} ${one.place}: ${one.status}, ${one.seconds.toFixed(1)} s`);
    // Both sides take turns, so that other work on the machine affects both.
    if (told.length > options.repeats) continue;
    const before = processorOfChildren();
    for (const [gate, times] of plainTimes) times.push(...plainly(clone, one, gate));
    plainProcessor.push(processorOfChildren() - before);
  }
  const [first, ...others] = told;
  const plain = new Map([...plainTimes].map(([gate, times]) => [gate, known(median(times))]));
  const gates = [...new Set(told.flatMap(({ verdicts: all }) => all.map(({ gate }) => gate)))];
  const secondsOf = ({ verdicts: all }: Told, gate: string) =>
    (all.find((verdict) => verdict.gate === gate)?.millis ?? Number.NaN) / 1000;
  const rows = gates.map((gate): Cell[] => [
    gate,
    plain.get(gate as (typeof OWN)[number]) ?? null,
    first ? known(secondsOf(first, gate)) : null,
    known(median(others.map((one) => secondsOf(one, gate)))),
  ]);
  const own = (seconds: (gate: string) => number) => OWN.reduce((sum, gate) => sum + (seconds(gate) || 0), 0);
  const plainOwn = own((gate) => plain.get(gate as (typeof OWN)[number]) ?? 0);
  const firstOwn = first ? own((gate) => secondsOf(first, gate)) : Number.NaN;
  const otherOwn = median(others.map((one) => own((gate) => secondsOf(one, gate))));
  const whole = median(others.map(({ seconds }) => seconds));
  return {
    title: `${basename(clone)}: ${told.length} changes`,
    columns: [
      { name: 'gate' },
      { name: 'plainly', unit: 's', digits: 1 },
      { name: 'new tree', unit: 's', digits: 1 },
      { name: 'known base', unit: 's', digits: 1 },
    ],
    rows: [
      ...rows,
      ['types and tests', plainOwn, known(firstOwn), known(otherOwn)],
      ['× plainly', 1, known(firstOwn / plainOwn), known(otherOwn / plainOwn)],
      ['the whole command', null, first?.seconds ?? null, known(whole)],
      [
        'its processor time',
        known(median(plainProcessor)),
        first?.processor ?? null,
        known(median(others.map(({ processor }) => processor))),
      ],
    ],
    notes: [
      `${Math.round(3600 / whole)} verdicts an hour with a known base. Known base: the median of ${others.length}.`,
      ...told.map(
        ({ place, status, verdicts: all }) =>
          `${place}: ${status}; ${all.map(({ gate, outcome, millis }) => `${gate} ${outcome} ${(millis / 1000).toFixed(1)}`).join(', ')}`,
      ),
    ],
  };
}

/** Judges one edit by `selfware propose --request`, without a test for the request. */
function judge(clone: string, home: string, { path, start, end }: Place, options: BenchOptions): Told {
  const text = readFileSync(join(clone, path), 'utf8');
  const before = text.slice(0, start);
  const content = withNamedReturn(text, { start, end });
  const request = join(options.scratch, 'request.json');
  writeFileSync(
    request,
    JSON.stringify({ claim: 'request', description: 'Name what is returned', edits: [{ file: path, content }] }),
  );
  const startedAt = performance.now();
  const processorBefore = processorOfChildren();
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
  const processor = processorOfChildren() - processorBefore;
  const place = `${path}:${before.split('\n').length}`;
  if (!stdout.trim().startsWith('{'))
    return { place, seconds, processor, status: stderr.trim().split('\n').at(-1) ?? '', verdicts: [] };
  const { status, verdicts: all } = JSON.parse(stdout) as { status: string; verdicts: readonly Verdict[] };
  return { place, seconds, processor, status, verdicts: all };
}

/** Seconds of the command of this gate, run in the clone itself; empty if the gate ran none. */
function plainly(clone: string, { verdicts: all }: Told, gate: string): number[] {
  const command = all.find((one) => one.gate === gate)?.evidence['command'];
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
function processorOfChildren(): number {
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
function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
