// Finds bug-fix commits in the history of a repository, and the lines that each of them touched.

import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { runGit } from '../support/bareGit.ts';

/** A commit that fixes something. */
export interface Fix {
  readonly hash: string;
  readonly parent: string;
  readonly subject: string;
  /**
   * Touched lines of code files as they were at the parent, by path: lines that were changed or deleted. An insertion
   * touches the lines before and after it.
   */
  readonly touched: ReadonlyMap<string, ReadonlySet<number>>;
}

const NAMES_FIX = /\b(?:fix(?:e[sd])?|bug(?:fix)?)\b/i;
/** Words in the subjects of fixes of something other than behaviour, as patterns. */
const OTHER_WORDS = [
  ...['typos?', 'docs?', 'documentation', 'readme', 'comments?', 'lint(?:er|ing)?', 'tests?', 'ci', 'builds?'],
  ...['spelling', 'flaky', 'changelog', 'release', 'merge', 'revert', 'deps', 'warnings?', 'benchmarks?'],
  ...['examples?', 'website', 'workflows?'],
];
const OTHER_PATTERN = new RegExp(String.raw`\b(?:${OTHER_WORDS.join('|')})\b`, 'i');
const MAX_FILES = 5;
/** Maximum number of changed lines. */
const MAX_LINES = 200;
/** Number of commits, newest first, among which fixes are looked for. */
const MAX_EXAMINED_COMMITS = 4_000;
const HUNK = /^@@ -(\d+)(?:,(\d+))? /;

/** The newest fixes, at most `limit`: 1–5 code files, at most 200 lines, at least one file that existed before. */
export async function findFixes(dir: string, limit: number, signal: AbortSignal): Promise<Fix[]> {
  const format = ['--no-merges', '--no-renames', '--name-only', '--format=%x1e%H%x1f%P%x1f%s'];
  const log = await runGit(dir, ['log', ...format, '-n', String(MAX_EXAMINED_COMMITS), 'HEAD'], signal);
  const fixes: Fix[] = [];
  for (const entry of log.split('\x1e').slice(1)) {
    if (fixes.length === limit) break;
    const [head = '', ...paths] = entry.split('\n');
    const [hash = '', parent = '', subject = ''] = head.split('\x1f');
    if (parent === '' || !NAMES_FIX.test(subject) || OTHER_PATTERN.test(subject)) continue;
    const code = paths.filter((path) => detectLanguage(path) !== null);
    if (code.length === 0 || code.length > MAX_FILES) continue;
    const touched = await findTouchedLines(dir, parent, hash, code, signal);
    if (touched.size > 0) fixes.push({ hash, parent, subject, touched });
  }
  return fixes;
}

/** The touched lines of files that existed before, by path. Empty if the commit changes more than `MAX_LINES`. */
async function findTouchedLines(
  dir: string,
  parent: string,
  hash: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Set<number>>> {
  const touched = new Map<string, Set<number>>();
  let changedLineCount = 0;
  for (const path of paths) {
    const args = ['diff', '--no-color', '--no-ext-diff', '--no-renames', '-U0', parent, hash, '--', path];
    const diff = await runGit(dir, args, signal);
    changedLineCount += diff.match(/^[+-](?!\+\+ |-- )/gm)?.length ?? 0;
    const lines = diff.includes('\n--- a/') ? readTouchedLines(diff) : new Set<number>();
    if (lines.size > 0) touched.set(path, lines);
  }
  return changedLineCount > MAX_LINES ? new Map() : touched;
}

/** The lines of the old file that a diff without context touches. */
export function readTouchedLines(diff: string): Set<number> {
  const lines = new Set<number>();
  for (const line of diff.split('\n')) {
    const [, startText, count = '1'] = HUNK.exec(line) ?? [];
    if (startText === undefined) continue;
    const first = Number(startText);
    if (Number(count) === 0) for (const neighbour of [first, first + 1]) lines.add(Math.max(1, neighbour));
    for (let at = first; at < first + Number(count); at++) lines.add(at);
  }
  return lines;
}
