// Script files as they were before and after each of the newest commits of a repository, bare or not.

import { execFileSync, spawnSync } from 'node:child_process';

export interface PastChange {
  readonly commit: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A commit that touches more is a migration. */
const MOST_FILES = 20;
const MOST_BYTES = 100_000;
const BUFFER = 2 ** 30;
const SCRIPTS = ['*.ts', '*.tsx', '*.js', '*.jsx', '*.mjs', '*.cjs'];
const NOT_OURS = /(^|\/)(dist|lib|vendor|node_modules)\/|\.min\.js$|\.d\.ts$/;

export function pastChanges(dir: string, commits: number): PastChange[] {
  const log = execFileSync(
    'git',
    [
      '-C',
      dir,
      'log',
      '--no-merges',
      '--no-renames',
      '--raw',
      '--no-abbrev',
      '--diff-filter=M',
      '--format=%x1e%H',
      '-n',
      String(commits),
      'HEAD',
      '--',
      ...SCRIPTS,
    ],
    { maxBuffer: BUFFER, encoding: 'utf8' },
  );
  const touched = log.split('\x1e').flatMap((entry) => {
    const [commit = '', ...lines] = entry.trim().split('\n');
    const files = lines.flatMap((line) => {
      const [, before, after, path] = /^:\d+ \d+ (\w+) (\w+) M\t(.+)$/.exec(line) ?? [];
      return before && after && path && !NOT_OURS.test(path) ? [{ commit, path, before, after }] : [];
    });
    return files.length <= MOST_FILES ? files : [];
  });
  const texts = blobs(dir, [...new Set(touched.flatMap(({ before, after }) => [before, after]))]);
  return touched.flatMap(({ commit, path, before, after }) => {
    const [old, changed] = [texts.get(before), texts.get(after)];
    return old === undefined || changed === undefined ? [] : [{ commit, path, before: old, after: changed }];
  });
}

/** Texts by id; those that are too large or missing are left out. */
function blobs(dir: string, ids: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  if (ids.length === 0) return texts;
  const output = spawnSync('git', ['-C', dir, 'cat-file', '--batch'], {
    input: `${ids.join('\n')}\n`,
    maxBuffer: BUFFER,
  }).stdout;
  let at = 0;
  while (at < output.length) {
    const line = output.indexOf(10, at);
    const [id = '', type, size] = output.toString('utf8', at, line).split(' ');
    at = line + 1;
    if (type === 'missing') continue;
    const bytes = Number(size);
    if (bytes <= MOST_BYTES) texts.set(id, output.toString('utf8', at, at + bytes));
    at += bytes + 1;
  }
  return texts;
}
