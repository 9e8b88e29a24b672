// Pairs from history: the subject of a commit and what it added to a file.

import type { Patch } from './gitObjects.ts';
import { isTelling, type Pair } from './pair.ts';
import { isOwnSource } from './sources.ts';

/** A commit that touches more is a sweep. */
const MAX_FILES = 8;
const MAX_PAIRS = 3;
const MIN_ADDED_LINES = 3;
const MAX_CODE = 2_200;
const MAX_PATCH = 200_000;
const chore =
  /\b(bump|release|version|merge|revert|changelog|typos?|lint(ing)?|format(ting)?|wip|upgrade|translations?|dependenc(y|ies)|deps|copyright|prettier|rubocop|clippy|gofmt|spelling|whitespace|cleanup|clean up|backport|cherry.pick|address review|review comments?|minor|nit|tweaks?)\b/i;

export function pairsOfPatch({ subject, text }: Patch): Pair[] {
  const words = wordsOf(subject);
  if (words === null || text.length > MAX_PATCH) return [];
  const files = text.split(/^diff --git /m).slice(1);
  if (files.length > MAX_FILES) return [];
  const changed = files.map(changeOf).filter((change) => change !== null);
  changed.sort((a, b) => b.added - a.added);
  return changed.slice(0, MAX_PAIRS).map(({ path, code, names }) => ({ kind: 'commit', words, code, path, names }));
}

/** Without prefixes of conventions and numbers of issues; null for chores. */
function wordsOf(subject: string): string | null {
  const plain = subject
    .replace(/^\s*(\[[^\]]*\]\s*)+/, '')
    .replace(/^(feat|fix|perf|refactor|test|tests|docs|chore|style|build|ci)(\([^)]*\))?!?:\s*/i, '')
    .replaceAll(/\(?(fix(es)?|close[sd]?|resolve[sd]?|refs?|see|gh)?:?\s*#\d+\)?/gi, '')
    .replaceAll(/\b[A-Z]{2,10}-\d+\b:?/g, '')
    .trim();
  return isTelling(plain) && !chore.test(plain) ? plain : null;
}

function changeOf(
  diff: string,
): { readonly path: string; readonly code: string; readonly names: readonly string[]; readonly added: number } | null {
  const path = /^\+\+\+ b\/(.+)$/m.exec(diff)?.[1];
  if (!path || !isOwnSource(path)) return null;
  const lines = diff.split('\n');
  const kept: string[] = [];
  let added = 0;
  for (const line of lines.slice(lines.findIndex((line) => line.startsWith('@@')))) {
    if (line.startsWith('@@')) kept.push(line.replace(/^@@[^@]*@@/, ''));
    else if (line.startsWith('+')) {
      kept.push(line.slice(1));
      added++;
    } else if (line.startsWith(' ')) kept.push(line.slice(1));
  }
  return added < MIN_ADDED_LINES ? null : { path, code: kept.join('\n').slice(0, MAX_CODE), names: [], added };
}
