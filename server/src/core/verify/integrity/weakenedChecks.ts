// Finds how an edit weakens checks: comments that silence them, `any`, and tests that are skipped, removed or check
// less.

import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { toCountedPath, isTestFile } from '../../paths/tests.ts';
import type { FileEdit, Inventory } from '../../model.ts';
import { TYPESCRIPT_PATTERN } from '../../paths/scriptFiles.ts';

/** Reads the checks in a text. */
export interface TestInventoryReader {
  /** The checks of the tests in a text, and its aliases for `any`; null if unknown. */
  inventory(path: string, text: string): Promise<Pick<Inventory, 'tests' | 'anyTypes'> | null>;
}

/** Comments that silence a tool: compilers, linters, coverage and mutation tools. Formatters check nothing. */
const SILENCER_PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['@ts-ignore', /@ts-ignore\b/g],
  ['@ts-expect-error', /@ts-expect-error\b/g],
  ['@ts-nocheck', /@ts-nocheck\b/g],
  [
    'eslint-disable',
    /\b(?:es|ts|x|ox|js|style)lint-disable\b|\boxlint-disable\b|\bjshint\s+(?:ignore|-W)|\bstandard-disable\b/g,
  ],
  ['biome-ignore', /\b(?:biome|rome|deno-lint|svelte|vue|html-eslint)-ignore\b|@lint-ignore\b/g],
  ['NOSONAR', /\bNOSONAR\b|\bNOLINT\w*\b|\bnolint\b|\bnosemgrep\b|\bnosec\b/g],
  [
    'coverage ignore',
    /\b(?:istanbul|c8|v8|node:coverage|coverage)[ :]+(?:ignore|disable)\b|\bpragma:\s*no\s*cover\b/gi,
  ],
  ['mutation disable', /\bStryker disable\b/gi],
  ['noqa', /\bnoqa\b|\btype:\s*ignore\b|\bpylint:\s*disable|\bpyright:\s*ignore|\bmypy:\s*ignore|\bruff:\s*noqa/g],
  ['selfware-ignore', /\bselfware-(?:ignore|disable)\b/g],
];
/** Matches a comment of any language, and a further line of a block comment. */
const COMMENT_PATTERN = /(?:\/\/|\/\*|<!--|#)[^\n]*|^[ \t]*\*[^\n]*/gm;
/** Matches a Rust attribute that silences a lint. */
const RUST_ALLOW = /#!?\[(?:allow|expect)\(/g;
/**
 * Matches `any` where a type is expected. After a comma, it matches only before the end of a type, because a property
 * may have this name.
 */
const ANY_PATTERN = /(?<=(?:[:<|&=?]|\bas|=>|\bextends)\s*)any\b(?!\s*[(.])|(?<=,\s*)any\b(?=\s*[>,[\]|&)])/g;
/** Matches the start of a comment or string, for `replaceCommentsAndStrings`. */
const QUOTED_PATTERN = /\/\*|\/\/[^\n]*|['"]/g;

/**
 * One sentence for each weakened check; empty if there is none. Weakenings that existed before may stay, and may move
 * to another file.
 */
export async function findWeakenedChecks(edits: readonly FileEdit[], checks: TestInventoryReader): Promise<string[]> {
  return [...findSilencedChecks(edits), ...(await findWeakenedTests(edits, checks))];
}

/** One sentence for each kind of comment that newly silences a check, and one about types that newly are `any`. */
export function findSilencedChecks(edits: readonly FileEdit[]): string[] {
  const sides = edits.map(({ path, before, after }) => ({ path, before: before ?? '', after: after ?? '' }));
  const counts: readonly (readonly [name: string, count: (text: string, path: string) => number])[] = [
    ...SILENCER_PATTERNS.map(
      ([name, pattern]) => [name, (text: string) => countMatches(findComments(text), pattern)] as const,
    ),
    ['allow', (text, path) => (path.endsWith('.rs') ? countMatches(text, RUST_ALLOW) : 0)],
    // A test may pass values that its types forbid, without checking less.
    [
      'any',
      (text, path) =>
        TYPESCRIPT_PATTERN.test(path) && !isTestFile(path)
          ? countMatches(removeStringsAndComments(text), ANY_PATTERN)
          : 0,
    ],
  ];
  return counts.flatMap(([name, count]) => {
    const increases = sides.map(({ path, before, after }) => count(after, path) - count(before, path));
    if (sum(increases) <= 0) return [];
    return [`${sides.find((_, index) => increases[index]! > 0)!.path} has a new \`${name}\`.`];
  });
}

/**
 * Sentences about types that newly are `any` under an alias, and about tests that are newly skipped, fewer, or assert
 * less.
 */
async function findWeakenedTests(edits: readonly FileEdit[], checks: TestInventoryReader): Promise<string[]> {
  const readInventory = (edit: FileEdit, text: string | null) =>
    text === null ? null : checks.inventory(isTestEdit(edit) ? toCountedPath(edit.path) : edit.path, text);
  const inventoriesBefore = await Promise.all(edits.map((edit) => readInventory(edit, edit.before)));
  const inventoriesAfter = await Promise.all(edits.map((edit) => readInventory(edit, edit.after)));
  const complaints: string[] = [];
  const knownAliases = new Set(inventoriesBefore.flatMap((side) => side?.anyTypes ?? []));
  const aliasIndex = inventoriesAfter.findIndex(
    (side, index) => !isTestFile(edits[index]!.path) && side?.anyTypes.some((name) => !knownAliases.has(name)),
  );
  if (aliasIndex >= 0) complaints.push(`${edits[aliasIndex]!.path} has a new type that is \`any\` by another name.`);
  const totalOf = (sides: typeof inventoriesBefore, figure: 'cases' | 'skipped' | 'assertions') =>
    sum(sides.map((side) => side?.tests?.[figure] ?? 0));
  if (totalOf(inventoriesAfter, 'skipped') > totalOf(inventoriesBefore, 'skipped'))
    complaints.push('More tests are skipped.');
  if (totalOf(inventoriesAfter, 'cases') < totalOf(inventoriesBefore, 'cases'))
    complaints.push(
      `There are fewer tests: ${totalOf(inventoriesAfter, 'cases')} instead of ${totalOf(inventoriesBefore, 'cases')}.`,
    );
  if (totalOf(inventoriesAfter, 'assertions') < totalOf(inventoriesBefore, 'assertions'))
    complaints.push(
      `The tests assert less: ${totalOf(inventoriesAfter, 'assertions')} instead of ${totalOf(inventoriesBefore, 'assertions')} times.`,
    );
  return complaints;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function findComments(text: string): string {
  return (text.match(COMMENT_PATTERN) ?? []).join('\n');
}

/** The text without comments and strings, in which `any` is a word. */
function removeStringsAndComments(text: string): string {
  return replaceCommentsAndStrings(text, QUOTED_PATTERN, (token) => (token.startsWith('/') ? ' ' : "''"));
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
