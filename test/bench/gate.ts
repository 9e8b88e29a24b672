// Judges real commits of other repositories, and a spoiled version of each, by `selfware verify`.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isTestFile } from '../../server/src/core/paths/tests.ts';
import { sha256 } from '../../server/src/util/canonicalJson.ts';
import { placesFor, SABOTAGES } from './gate/sabotage.ts';
import type { Bench, BenchOptions } from './support/bench.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Commits looked at, from HEAD back. */
const LOOKED_AT = 300;
const PACKAGES = /(^|\/)(package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/;
/** For one judgement. */
const SECONDS = 240;

interface Item {
  readonly repository: string;
  readonly commit: string;
  /** Null = the real one. */
  readonly sabotage: string | null;
  readonly place: string | null;
  readonly blocked: boolean;
  readonly strength: string;
  readonly by: string;
  readonly told: string;
  readonly seconds: number;
  readonly ownSeconds: number;
}

export const gate: Bench = {
  name: 'gate',
  describe:
    'Real commits of clones (--at DIR,DIR; packages installed) and one spoiled version of each, judged by `selfware verify`. --minutes ends it, --keep FILE continues where it was.',
  async run(options) {
    const items: Item[] =
      options.keep && existsSync(options.keep) ? (JSON.parse(readFileSync(options.keep, 'utf8')) as Item[]) : [];
    const until = Date.now() + options.minutes * 60_000;
    const queues = options.at.map((clone) => ({ clone, commits: commitsOf(clone) }));
    for (let round = 0; queues.some(({ commits }) => round < commits.length); round++)
      for (const { clone, commits } of queues) {
        const commit = commits[round];
        if (commit === undefined || Date.now() > until) continue;
        for (const item of itemsOf(clone, commit, options, items)) {
          items.push(item);
          if (options.keep) writeFileSync(options.keep, JSON.stringify(items, null, 1));
          options.note(
            `${item.repository} ${item.commit.slice(0, 8)} ${item.sabotage ?? 'real'}: ${item.blocked ? `blocked by ${item.by}` : item.strength}`,
          );
          if (Date.now() > until) break;
        }
      }
    return tablesOf(items);
  },
};

/** Those that touch code and no packages; what is installed is what HEAD asks for. */
function commitsOf(clone: string): readonly string[] {
  const log = git(clone, 'log', `--max-count=${LOOKED_AT}`, '--first-parent', '--format=%H').trim().split('\n');
  const found: string[] = [];
  for (const commit of log) {
    if (git(clone, 'rev-list', '--parents', '-n', '1', commit).trim().split(' ').length < 2) break;
    const paths = git(clone, 'diff', '--name-only', `${commit}^1`, commit).trim().split('\n');
    if (paths.some((path) => PACKAGES.test(path) && changesPackages(clone, commit, path))) continue;
    if (paths.some(isCode)) found.push(commit);
  }
  return found;
}

function changesPackages(clone: string, commit: string, path: string): boolean {
  if (!path.endsWith('package.json')) return true;
  const [before, after] = [`${commit}^1`, commit].map((at) => {
    const manifest = JSON.parse(shown(clone, at, path) ?? '{}') as Record<string, unknown>;
    return JSON.stringify([manifest['dependencies'], manifest['devDependencies']]);
  });
  return before !== after;
}

function isCode(path: string): boolean {
  return (
    SCRIPT.test(path) &&
    !isTestFile(path) &&
    !/\.d\.ts$|\.config\.|(^|\/)(bench|docs?|examples?|scripts?|dist)\//.test(path)
  );
}

function* itemsOf(clone: string, commit: string, options: BenchOptions, known: readonly Item[]): Iterable<Item> {
  const repository = basename(clone);
  const isKnown = (sabotage: boolean) =>
    known.some((one) => one.repository === repository && one.commit === commit && (one.sabotage !== null) === sabotage);
  if (!isKnown(false)) yield { repository, commit, sabotage: null, place: null, ...judged(clone, commit, commit) };
  if (isKnown(true)) return;
  const spoiled = spoil(clone, commit, options);
  if (spoiled) yield { repository, commit, ...spoiled.what, ...judged(clone, commit, spoiled.commit) };
}

function judged(
  clone: string,
  commit: string,
  head: string,
): Omit<Item, 'repository' | 'commit' | 'sabotage' | 'place'> {
  const args = [
    'verify',
    '--base',
    `${commit}^1`,
    '--head',
    head,
    '--json',
    '--seconds',
    String(SECONDS),
    '--repo',
    clone,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, SELFWARE_IGNORE_LOAD: '1' },
  });
  if (!stdout.trim().startsWith('{'))
    return {
      blocked: true,
      strength: 'unchecked',
      by: 'not judged',
      told: stderr.trim().split('\n').at(-1) ?? '',
      seconds: 0,
      ownSeconds: 0,
    };
  const { policy, strength, verdicts, seconds } = JSON.parse(stdout);
  const failed = verdicts.filter(({ outcome }: { outcome: string }) => outcome === 'failed');
  return {
    blocked: !policy.met,
    strength,
    by: failed.map(({ gate: name }: { gate: string }) => name).join(' '),
    told: failed
      .map(({ reason }: { reason: string }) => reason)
      .join(' ')
      .slice(0, 300),
    seconds,
    ownSeconds: ownSeconds(verdicts),
  };
}

/** What the repository's own checks take with the change, each once. */
function ownSeconds(
  verdicts: readonly { readonly gate: string; readonly evidence: Record<string, unknown> }[],
): number {
  const own = verdicts.filter(({ gate: name }) => name === 'types' || name === 'lint' || name === 'tests');
  return own.reduce((sum, { evidence }) => sum + Number(evidence['seconds'] ?? 0), 0);
}

/** A commit like this one with one fault more; it is on no branch. */
function spoil(clone: string, commit: string, { seed }: BenchOptions) {
  const changed = git(clone, 'diff', '--name-only', '--diff-filter=AM', `${commit}^1`, commit).trim().split('\n');
  const drawn = Number.parseInt(sha256(`${seed}/${commit}`).slice(0, 8), 16);
  for (let turn = 0; turn < SABOTAGES.length; turn++) {
    const kind = SABOTAGES[(drawn + turn) % SABOTAGES.length]!;
    // An assertion is weakened where a test was there before.
    const paths =
      kind === 'weakened assertion'
        ? git(clone, 'ls-tree', '-r', '--name-only', `${commit}^1`)
            .trim()
            .split('\n')
            .filter((path) => SCRIPT.test(path) && isTestFile(path))
        : changed.filter(isCode);
    const places = paths.flatMap((path) => {
      const text = shown(clone, kind === 'weakened assertion' ? `${commit}^1` : commit, path);
      return text === null || shown(clone, commit, path) === null
        ? []
        : placesFor(kind, path, shown(clone, commit, path)!).map((place) => ({ path, place }));
    });
    if (places.length === 0) continue;
    const { path, place } = places[drawn % places.length]!;
    const text = shown(clone, commit, path)!;
    const spoiled = text.slice(0, place.start) + place.text + text.slice(place.end);
    const line = text.slice(0, place.start).split('\n').length;
    return { what: { sabotage: kind, place: `${path}:${line}` }, commit: commitWith(clone, commit, path, spoiled) };
  }
  return null;
}

function commitWith(clone: string, commit: string, path: string, text: string): string {
  const index = join(mkdtempSync(join(clone, '.git', 'gate-')), 'index');
  const env = { ...process.env, GIT_INDEX_FILE: index };
  const run = (args: readonly string[], input?: string) =>
    execFileSync('git', ['-C', clone, ...args], {
      env,
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    }).trim();
  run(['read-tree', commit]);
  const blob = run(['hash-object', '-w', '--stdin'], text);
  run(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  return run([...identity, 'commit-tree', run(['write-tree']), '-p', `${commit}^1`, '-m', 'Spoiled']);
}

function git(clone: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

function shown(clone: string, commit: string, path: string): string | null {
  const { status, stdout } = spawnSync('git', ['-C', clone, 'show', `${commit}:${path}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? stdout : null;
}

function tablesOf(items: readonly Item[]) {
  const names = [...new Set(items.map(({ repository }) => repository))];
  const real = items.filter(({ sabotage }) => sabotage === null);
  const spoiled = items.filter(({ sabotage }) => sabotage !== null);
  const median = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
  const ratio = (of: readonly Item[]) =>
    Math.round(100 * median(of.map(({ seconds, ownSeconds }) => seconds / Math.max(0.1, ownSeconds)))) / 100;
  const row = (name: string, of: readonly Item[]) => {
    const [r, s] = [of.filter(({ sabotage }) => sabotage === null), of.filter(({ sabotage }) => sabotage !== null)];
    const blocked = (list: readonly Item[]) => list.filter((one) => one.blocked).length;
    return [
      name,
      r.length,
      blocked(r),
      s.length,
      blocked(s),
      s.filter(({ strength }) => strength === 'proven').length,
      median(of.map(({ seconds }) => seconds)),
      ratio(of),
    ];
  };
  const gates = [...new Set(spoiled.filter(({ blocked }) => blocked).flatMap(({ by }) => by.split(' ')))];
  return [
    {
      title: 'Real commits and spoiled ones, judged by `selfware verify`',
      columns: ['repository', 'real', 'blocked', 'spoiled', 'blocked', 'called proven', 'median s', '× own checks'].map(
        (name) => ({ name }),
      ),
      rows: [
        ...names.map((name) =>
          row(
            name,
            items.filter(({ repository }) => repository === name),
          ),
        ),
        row('all', items),
      ],
      notes: [
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
      rows: SABOTAGES.map((kind) => {
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
