// Measures how well `selfware verify` distinguishes real commits of other repositories from spoiled versions of them,
// and what it costs beside the checks of the repository.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isTestFile } from '../../server/src/core/paths/tests.ts';
import type { Judgement } from '../../server/src/core/model/judgement.ts';
import { sha256 } from '../../server/src/util/hash.ts';
import { CHEAT_KINDS } from '../../server/src/core/model/cheats.ts';
import { findCheatEdits } from '../../server/src/core/verify/cheats/cheats.ts';
import { git, makeCommit, readCommittedText } from './gate/commits.ts';
import type { Bench, BenchOptions } from './support/bench.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Maximum number of examined commits, from HEAD back. */
const MAX_EXAMINED_COMMITS = 300;
const PACKAGES = /(^|\/)(package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/;
/** Number of real commits of each repository that are judged again with a known base, and timed beside own checks. */
const TIMED = 1;
/** Limit of one judgement. */
const SECONDS = 240;
/** The gates that run the repository's own checks. */
const OWN: ReadonlySet<string> = new Set(['types', 'lint', 'tests']);

/** A judged commit. */
interface Item {
  readonly repository: string;
  readonly commit: string;
  /** The kind of fault that was added; null for the real commit. */
  readonly sabotage: string | null;
  readonly place: string | null;
  /** False if `selfware verify` gave no answer; then `told` is the reason. */
  readonly judged: boolean;
  readonly blocked: boolean;
  readonly strength: string;
  readonly by: string;
  readonly told: string;
  /** The outcome of each gate. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Seconds of processor time. */
  readonly cpu: number;
  /** Seconds of types, lint and tests in the judgement. */
  readonly ownSeconds: number;
  /** The time of the same commands, run without a sandbox right after the judgement; null if they were not run. */
  readonly plain: Took | null;
  /** The time of a second judgement, which knows the base from the first; null if it was not judged again. */
  readonly known?: Took | null;
}

/** Seconds by the clock and by the processor. */
interface Took {
  readonly seconds: number;
  readonly cpu: number;
}

type Answer = Omit<Item, 'repository' | 'commit' | 'sabotage' | 'place' | 'plain' | 'known'>;

/** The commits of one clone that are still to be judged. */
interface Queue {
  readonly clone: string;
  readonly commits: Iterator<string>;
  /** Real commits of this clone whose tests gave an answer; `--commits` limits them. */
  answered: number;
}

/** The bench: a table of judged commits by repository, and one of the faults by kind and gate. */
export const gate: Bench = {
  name: 'gate',
  describe:
    'Real commits of clones (--at DIR,DIR; packages installed) and one spoiled version of each, judged by `selfware verify`. --commits limits the real ones of each clone whose tests give an answer, --minutes ends it, --keep FILE continues where it was; --tiny times nothing.',
  async run(options, signal) {
    signal.throwIfAborted();
    const items: Item[] =
      options.keep && existsSync(options.keep) ? (JSON.parse(readFileSync(options.keep, 'utf8')) as Item[]) : [];
    const skipped = new Map<string, number>();
    const skip = (clone: string, commit: string, why: string) => {
      skipped.set(why, (skipped.get(why) ?? 0) + 1);
      options.note(`${basename(clone)} ${commit.slice(0, 8)} skipped: ${why}`);
    };
    const until = Date.now() + options.minutes * 60_000;
    let queues: Queue[] = options.at.map((clone) => ({ clone, commits: findCandidates(clone, skip), answered: 0 }));
    // Repositories take turns, so that a run that is ended early has judged commits of all.
    while (queues.length > 0) {
      const unfinishedQueues: Queue[] = [];
      for (const queue of queues) {
        const { done, value: commit } = queue.commits.next();
        if (done) continue;
        options.note(`${basename(queue.clone)} ${commit.slice(0, 8)} is judged`);
        for (const item of judgeBoth(queue.clone, commit, options, items, skip)) {
          items.push(item);
          if (options.keep) writeFileSync(options.keep, JSON.stringify(items, null, 1));
          options.note(
            `${item.repository} ${item.commit.slice(0, 8)} ${item.sabotage ?? 'real'}: ${describeOutcome(item)}`,
          );
          if (Date.now() > until) return createTables(items, skipped);
        }
        if (isAnswered(items, queue.clone, commit)) queue.answered++;
        if (queue.answered < (options.commits ?? Infinity)) unfinishedQueues.push(queue);
      }
      queues = unfinishedQueues;
    }
    return createTables(items, skipped);
  },
};

function isAnswered(items: readonly Item[], clone: string, commit: string): boolean {
  const real = items.find(
    (one) => one.repository === basename(clone) && one.commit === commit && one.sabotage === null,
  );
  return ['passed', 'failed'].includes(real?.outcomes['tests'] ?? '');
}

function describeOutcome({ judged, blocked, by, strength, told }: Item): string {
  if (!judged) return `not judged: ${told}`;
  return blocked ? `blocked by ${by}: ${told}` : strength;
}

/**
 * Yields commits that touch code, newest first. Commits that change packages are skipped, because only the packages of
 * HEAD are installed.
 */
function* findCandidates(clone: string, skip: (clone: string, commit: string, why: string) => void): Generator<string> {
  const log = git(clone, 'log', `--max-count=${MAX_EXAMINED_COMMITS}`, '--first-parent', '--format=%H')
    .trim()
    .split('\n');
  for (const commit of log) {
    if (git(clone, 'rev-list', '--parents', '-n', '1', commit).trim().split(' ').length < 2) return;
    const paths = git(clone, 'diff', '--name-only', `${commit}^1`, commit).trim().split('\n');
    if (!paths.some(isCode)) skip(clone, commit, 'touches no code');
    else if (paths.some((path) => PACKAGES.test(path) && isChangingPackages(clone, commit, path)))
      skip(clone, commit, 'changes packages');
    else yield commit;
  }
}

function isChangingPackages(clone: string, commit: string, path: string): boolean {
  if (!path.endsWith('package.json')) return true;
  const [before, after] = [`${commit}^1`, commit].map((revision) => {
    const manifest = JSON.parse(readCommittedText(clone, revision, path) ?? '{}') as Record<string, unknown>;
    return JSON.stringify([manifest['dependencies'], manifest['devDependencies']]);
  });
  return before !== after;
}

function isCode(path: string): boolean {
  return (
    SCRIPT.test(path) &&
    !isTestFile(path) &&
    !/\.d\.ts$|\.config\.|(^|\/)(bench[/.]|(docs?|examples?|scripts?|dist)\/)/.test(path)
  );
}

/** Judges a commit and its spoiled version, unless that was done in an earlier run (`earlierItems`). */
function* judgeBoth(
  clone: string,
  commit: string,
  options: BenchOptions,
  earlierItems: readonly Item[],
  skip: (clone: string, commit: string, why: string) => void,
): Iterable<Item> {
  const repository = basename(clone);
  const findEarlier = (isSabotaged: boolean) =>
    earlierItems.find(
      (one) => one.repository === repository && one.commit === commit && (one.sabotage !== null) === isSabotaged,
    );
  let real = findEarlier(false);
  if (!real) {
    const cache = mkdtempSync(join(tmpdir(), 'gate-cache-'));
    const { lines, ...answer } = judgeCommit(clone, commit, commit, cache);
    const timedBefore = earlierItems.filter((one) => one.repository === repository && one.plain).length;
    const isTimed = options.size !== 'tiny' && timedBefore < TIMED;
    const plain = isTimed && lines.length > 0 ? runPlainly(clone, commit, lines) : null;
    const { seconds, cpu } = plain ? judgeCommit(clone, commit, commit, cache) : { seconds: 0, cpu: 0 };
    rmSync(cache, { recursive: true, force: true });
    real = {
      ...{ repository, commit, sabotage: null, place: null, ...answer, plain },
      known: plain ? { seconds, cpu } : null,
    };
    yield real;
  }
  if (findEarlier(true)) return;
  // If the tests of the real commit do not pass, they cannot distinguish a spoiled version from it.
  if (real.outcomes['tests'] !== 'passed')
    return skip(clone, commit, `not spoiled: its tests are ${real.outcomes['tests'] ?? 'not run'}`);
  const spoiled = makeSpoiledCommit(clone, commit, options);
  if (spoiled) {
    const { lines: _lines, ...answer } = judgeCommit(clone, commit, spoiled.commit, null);
    yield { repository, commit, ...spoiled.what, ...answer, plain: null };
  }
  if (!spoiled) skip(clone, commit, 'not spoiled: no place for any fault');
}

/** Runs `selfware verify` for the changes from the parent of `commit` to `head`. */
function judgeCommit(
  clone: string,
  commit: string,
  head: string,
  cache: string | null,
): Answer & { readonly lines: readonly string[] } {
  const { stdout, stderr, took } = runTimed(
    [
      ...[process.execPath, CLI, 'verify', '--base', `${commit}^1`, '--head', head, '--json'],
      ...['--seconds', String(SECONDS), '--repo', clone, ...(cache === null ? [] : ['--cache', cache])],
    ],
    clone,
    { ...process.env, SELFWARE_IGNORE_LOAD: '1' },
  );
  const noAnswer = { judged: false, blocked: false, strength: 'unchecked', by: '', outcomes: {}, ...took, lines: [] };
  if (!stdout.trim().startsWith('{'))
    return { ...noAnswer, told: stderr.trim().split('\n').at(-1) ?? '', ownSeconds: 0 };
  const { policy, strength, verdicts } = JSON.parse(stdout) as Judgement;
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed');
  const ownVerdicts = verdicts.filter(
    ({ gate: name, evidence }) => OWN.has(name) && Number(evidence['seconds'] ?? 0) > 0,
  );
  return {
    judged: true,
    blocked: !policy.met,
    strength,
    by: failed.map(({ gate: name }) => name).join(' '),
    told: failed
      .map(({ reason }) => reason)
      .join(' ')
      .slice(0, 300),
    outcomes: Object.fromEntries(verdicts.map(({ gate: name, outcome }) => [name, outcome])),
    ...took,
    ownSeconds: ownVerdicts.reduce((sum, { evidence }) => sum + Number(evidence['seconds']), 0),
    lines: ownVerdicts.flatMap(({ evidence }) => String(evidence['commands'] ?? evidence['command']).split('\n')),
  };
}

/** Runs the repository's own checks as a person would, without a sandbox, with the packages of the clone. */
function runPlainly(clone: string, commit: string, lines: readonly string[]): Took {
  const folder = mkdtempSync(join(tmpdir(), 'gate-plain-'));
  try {
    git(clone, 'worktree', 'add', '--quiet', '--detach', join(folder, 'tree'), commit);
    symlinkSync(join(clone, 'node_modules'), join(folder, 'tree', 'node_modules'));
    const tree = join(folder, 'tree');
    const path = `${join(tree, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
    const times = lines.map((line) => runTimed(['sh', '-c', line], tree, { ...process.env, PATH: path, CI: '1' }).took);
    const sum = (field: keyof Took) => times.reduce((total, commandTime) => total + commandTime[field], 0);
    return { seconds: sum('seconds'), cpu: sum('cpu') };
  } finally {
    git(clone, 'worktree', 'remove', '--force', join(folder, 'tree'));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command in bash, whose `times` prints the processor time of the command and its children. */
function runTimed(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const startedAt = performance.now();
  const { stdout, stderr } = spawnSync('bash', ['-c', '"$@"; times >&2', 'bash', ...command], {
    ...{ cwd, env, encoding: 'utf8' as const },
    maxBuffer: 256 * 1024 * 1024,
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const lines = stderr.trimEnd().split('\n');
  const cpu = [...(lines.at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest),
    0,
  );
  return { stdout, stderr: lines.slice(0, -2).join('\n'), took: { seconds, cpu: Math.round(10 * cpu) / 10 } };
}

/** Makes a commit like this one with one additional fault, on no branch; null if there is no place for a fault. */
function makeSpoiledCommit(clone: string, commit: string, { seed }: BenchOptions) {
  const changedPaths = git(clone, 'diff', '--name-only', '--diff-filter=AM', `${commit}^1`, commit).trim().split('\n');
  const drawnNumber = Number.parseInt(sha256(`${seed}/${commit}`).slice(0, 8), 16);
  for (let kindOffset = 0; kindOffset < CHEAT_KINDS.length; kindOffset++) {
    const kind = CHEAT_KINDS[(drawnNumber + kindOffset) % CHEAT_KINDS.length]!;
    // An assertion is weakened only in a test that existed before the commit.
    const paths =
      kind === 'weakened assertion'
        ? git(clone, 'ls-tree', '-r', '--name-only', `${commit}^1`)
            .trim()
            .split('\n')
            .filter((path) => SCRIPT.test(path) && isTestFile(path))
        : changedPaths.filter(isCode);
    const places = paths.flatMap((path) => {
      const text = readCommittedText(clone, kind === 'weakened assertion' ? `${commit}^1` : commit, path);
      return text === null || readCommittedText(clone, commit, path) === null
        ? []
        : findCheatEdits(kind, path, readCommittedText(clone, commit, path)!).map((place) => ({ path, place }));
    });
    if (places.length === 0) continue;
    const { path, place } = places[drawnNumber % places.length]!;
    const text = readCommittedText(clone, commit, path)!;
    const spoiled = text.slice(0, place.start) + place.text + text.slice(place.end);
    const line = text.slice(0, place.start).split('\n').length;
    return { what: { sabotage: kind, place: `${path}:${line}` }, commit: makeCommit(clone, commit, path, spoiled) };
  }
  return null;
}

function createTables(items: readonly Item[], skipped: ReadonlyMap<string, number>) {
  const names = [...new Set(items.map(({ repository }) => repository))];
  const judgedItems = items.filter((one) => one.judged);
  const real = judgedItems.filter(({ sabotage }) => sabotage === null);
  const spoiled = judgedItems.filter(({ sabotage }) => sabotage !== null);
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const computeRatio = (ratioItems: readonly Item[], field: keyof Took) =>
    Math.round(
      100 * median(ratioItems.flatMap((one) => (one.plain ? one[field] / Math.max(0.1, one.plain[field]) : []))),
    ) / 100;
  const createRow = (name: string, rowItems: readonly Item[]) => {
    const [realItems, spoiledItems] = [
      rowItems.filter(({ sabotage }) => sabotage === null),
      rowItems.filter(({ sabotage }) => sabotage !== null),
    ];
    const blocked = (list: readonly Item[]) => list.filter((one) => one.blocked).length;
    return [
      name,
      realItems.length,
      realItems.filter(({ outcomes }) => outcomes['tests'] === 'passed').length,
      blocked(realItems),
      spoiledItems.length,
      blocked(spoiledItems),
      spoiledItems.filter(({ strength }) => strength === 'proven').length,
      // A spoiled version may reuse results of the base from the real commit, so its time is not counted.
      median(realItems.map(({ seconds }) => seconds)),
      computeRatio(realItems, 'seconds'),
      computeRatio(realItems, 'cpu'),
      median(realItems.flatMap(({ known }) => (known ? [known.seconds] : []))),
      computeRatio(
        realItems.flatMap((one) => (one.known ? [{ ...one, ...one.known }] : [])),
        'seconds',
      ),
    ];
  };
  const gates = [...new Set(spoiled.filter(({ blocked }) => blocked).flatMap(({ by }) => by.split(' ')))];
  const columns = ['repository', 'real', 'tests passed', 'blocked', 'spoiled', 'blocked', 'called proven', 'median s'];
  return [
    {
      title: 'Real commits and spoiled ones, judged by `selfware verify`',
      columns: [...columns, '× own checks', 'CPU × own checks', 'known base s', '× own checks'].map((name) => ({
        name,
      })),
      rows: [
        ...names.map((name) =>
          createRow(
            name,
            judgedItems.filter(({ repository }) => repository === name),
          ),
        ),
        createRow('all', judgedItems),
      ],
      notes: [
        ...[...skipped].map(([why, count]) => `Skipped: ${count} (${why}).`),
        ...items
          .filter((one) => !one.judged)
          .map(({ repository, commit, told }) => `Not judged: ${repository} ${commit.slice(0, 8)}: ${told}`),
        ...real
          .filter(({ blocked }) => blocked)
          .map(({ repository, commit, told }) => `Real, blocked: ${repository} ${commit.slice(0, 8)}: ${told}`),
        ...spoiled
          .filter(({ blocked }) => !blocked)
          .map(
            ({ repository, commit, sabotage, place, strength }) =>
              `Missed (${strength}): ${repository} ${commit.slice(0, 8)} ${sabotage} in ${place}`,
          ),
      ],
    },
    {
      title: 'Spoiled commits, by what was done and which gate caught it',
      columns: ['what was done', 'tried', 'blocked', ...gates].map((name) => ({ name })),
      rows: CHEAT_KINDS.map((kind) => {
        const of = spoiled.filter(({ sabotage }) => sabotage === kind);
        return [
          kind,
          of.length,
          of.filter(({ blocked }) => blocked).length,
          ...gates.map((name) => of.filter(({ by }) => by.split(' ').includes(name)).length),
        ];
      }),
      notes: [],
    },
  ];
}
