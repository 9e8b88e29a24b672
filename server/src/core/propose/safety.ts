// Classifies the risk of a change by its diff alone, regardless of its author.

import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import { isTestEdit } from '../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../paths/tests.ts';
import { SAFETY_LEVELS, type FileEdit, type SafetyLevel } from '../model.ts';
import { openTypes } from './extraction/checkerTypes.ts';
import { provesFilesEquivalent } from './equivalence/proof.ts';
import { listComments, isDirectiveComment } from './syntax/comments.ts';
import { mayAffectTools } from './syntax/toolComments.ts';
import { parseSource, listSyntaxErrors } from './syntax/parse.ts';
import { keepsMeaning } from './syntax/keepsMeaning.ts';
import { describeSurface } from './exports/exportSurface.ts';
import { addsDeclarationsOnly, normaliseProgram, areSameTokens, readShebang } from './syntax/tokens.ts';
import type { SourceTree } from '../ports/sources.ts';
import { createAnyOfPattern } from '../../util/anyOfPattern.ts';

/**
 * Matches paths of files that determine what is built, published or allowed, and paths with a part that begins with a
 * dot.
 */
const CRITICAL_PATHS = [
  /(^|\/)(package|package-lock|npm-shrinkwrap|composer|deno|jsr|lerna|nx|turbo|angular|project|biome|vercel|netlify)\.jsonc?$/i,
  new RegExp(
    `(^|/)(${createAnyOfPattern(String.raw`
    yarn\.lock pnpm-lock\.yaml pnpm-workspace\.yaml bun\.lockb? cargo\.(toml|lock) go\.(mod|sum)
    pyproject\.toml setup\.(py|cfg) requirements[^/]*\.txt makefile dockerfile[^/]* docker-compose[^/]*
    codeowners \.ci jenkinsfile
  `)})$`,
    'i',
  ),
  /(^|\/)[^/]+\.config(\.[^/]+)?\.[cm]?[jt]sx?$/i,
  /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
  /(^|\/)\.[^/]+(\/|$)/,
];

/**
 * Determines the safety level of a change: the highest level of any file.
 * - `additive`: only comments, white space or new unexported declarations.
 * - `behaviorPreserving`: the new code is proven to behave alike, or the exported surface is unchanged and inner code
 *   is only rearranged.
 * - `behaviorChanging`: everything else, and changes that cannot be judged.
 * - `critical`: any change of tests, configuration, manifests and similar files.
 * `tree` provides types and still contains the old files. `isExternal`: true if no recipe of Selfware made the change.
 * Such a change can look like a rearrangement and behave differently, such as `b - a` instead of `a - b`, so
 * `behaviorPreserving` then needs a proof, and all comments that a tool may read are compared.
 */
export function determineSafety(
  edits: readonly FileEdit[],
  tree: SourceTree | null = null,
  { isExternal = false } = {},
): SafetyLevel {
  const level = Math.max(0, ...edits.map((edit) => SAFETY_LEVELS.indexOf(determineLevel(edit, tree, isExternal))));
  return SAFETY_LEVELS[level] ?? 'critical';
}

/** The level of the change of one file. `isExternal`: true if no recipe of Selfware made the change. */
function determineLevel(edit: FileEdit, tree: SourceTree | null, isExternal: boolean): SafetyLevel {
  const { path, before, after } = edit;
  if (isTestEdit(edit) || isTestData(path) || isSnapshot(path) || CRITICAL_PATHS.some((pattern) => pattern.test(path)))
    return 'critical';
  if (before === after) return 'additive';
  if (before === null || after === null) return 'behaviorChanging';
  const oldFile = parseSource(path, removeByteOrderMark(before));
  const changedFile = parseSource(path, removeByteOrderMark(after));
  if (!oldFile || !changedFile || listSyntaxErrors(oldFile).length > 0 || listSyntaxErrors(changedFile).length > 0)
    return 'behaviorChanging';
  // A comment that a tool reads can disable a check or remove a call. In an external change, this includes every
  // comment that a tool might read.
  const isRead = isExternal ? mayAffectTools : isDirectiveComment;
  if (readComments(oldFile, isRead) !== readComments(changedFile, isRead)) return 'behaviorChanging';
  if (normaliseProgram(oldFile) === normaliseProgram(changedFile) || addsDeclarationsOnly(oldFile, changedFile))
    return 'additive';
  // Programs with equal tokens can differ, because line breaks or the `#!` line may matter, and the following checks
  // ignore both.
  if (readShebang(oldFile) !== readShebang(changedFile) || areSameTokens(oldFile, changedFile))
    return 'behaviorChanging';
  if (isProvenSame(path, oldFile, changedFile, tree)) return 'behaviorPreserving';
  return !isExternal && describeSurface(oldFile) === describeSurface(changedFile) && keepsMeaning(oldFile, changedFile)
    ? 'behaviorPreserving'
    : 'behaviorChanging';
}

/**
 * True if both texts provably behave alike, even if their surfaces differ: inferred types may change, behaviour may
 * not.
 */
function isProvenSame(
  path: string,
  oldFile: ts.SourceFile,
  changedFile: ts.SourceFile,
  tree: SourceTree | null,
): boolean {
  const types = tree && openTypes(tree, posix.join(tree.rootDir.replaceAll('\\', '/'), path), oldFile.text);
  try {
    return provesFilesEquivalent(oldFile, changedFile, types);
  } finally {
    types?.dispose();
  }
}

/** The texts of the comments that `isRead` accepts, one after the other. */
function readComments(sourceFile: ts.SourceFile, isRead: typeof mayAffectTools): string {
  return listComments(sourceFile)
    .filter((comment) => isRead(comment, sourceFile))
    .map(({ text }) => text)
    .join('\n');
}

function removeByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
