// Finds unused-import and unused-local: names that TypeScript's type checker reports as unused, except those that their
// author kept on purpose.

import { ts } from 'ts-morph';
import { isBenchmark } from '../../paths/benchmarkFile.ts';
import type { UnusedDeclaration } from './unusedDeclarations.ts';
import { isTestCase, isTestFile } from '../../paths/tests.ts';
import { isNamedInCommentedCode } from '../shared/commentedOut.ts';
import type { Language } from '../../model.ts';
import type { Finding } from '../../rules/finding.ts';
import { isIntentionalInTest } from '../shared/intentionalInTests.ts';

/** Maximum number of unread locals in a test file. A file with more has them to check types. */
const MAX_LOCALS_IN_TEST = 5;
/** Matches code that checks types. */
const TYPE_CHECK_PATTERN =
  /\b(expectTypeOf|expectType|assertType|expectAssignable|AssertType|Expect<|Equal<)|@ts-expect-error/;

/** Matches code of a test, of a test library, or of a module that exports something, as helpers of tests do. */
const TEST_CODE_PATTERN =
  /\b(describe|it|test|suite|specify|bench|before(Each|All)?|after(Each|All)?|assert|expect|should|tap|QUnit|Deno\.test)\b\s*(\.\w+\s*)*[(`]|\bt\.\w+\(|^(export\b|module\.exports|exports\.)|\brequire\(["'](node:)?(assert|test|tap|tape|ava)/m;

/**
 * The findings to report for a test file. For a script, there are none if it neither tests nor exports anything, because such a file
 * is input of tests. Unread locals are omitted if it has many of them or checks types, because these locals exist to be
 * compiled.
 */
export function filterForTests(
  findings: readonly Finding[],
  { path, text, language }: { readonly path: string; readonly text: string; readonly language: Language | null },
): readonly Finding[] {
  if (findings.length === 0 || isTestCase(path)) return [];
  if (language === 'python') return findings;
  if (!TEST_CODE_PATTERN.test(text)) return [];
  const localCount = findings.filter((finding) => finding.rule === 'unused-local').length;
  return localCount > MAX_LOCALS_IN_TEST || TYPE_CHECK_PATTERN.test(text)
    ? findings.filter((finding) => finding.rule !== 'unused-local')
    : findings;
}

/**
 * The findings about these declarations. Skipped are names with a leading underscore, places and files with a
 * suppression comment, names in code that is commented out, and names that are kept on purpose or cannot be removed
 * alone.
 */
export function findUnused(sourceFile: ts.SourceFile, unused: readonly UnusedDeclaration[]): Finding[] {
  if (isFileSilenced(sourceFile.text)) return [];
  const path = sourceFile.fileName.slice(1);
  return unused.flatMap((declaration): Finding[] => {
    const names = declaration.names.filter((name) => !name.text.startsWith('_'));
    const [firstName] = names;
    if (
      !firstName ||
      names.length < declaration.names.length ||
      isSilencedAt(sourceFile, declaration.start, firstName.start)
    )
      return [];
    const isImport = declaration.kind === 'import' || declaration.kind === 'require';
    if (isImport && extendsAllObjects(firstName.text, sourceFile.text)) return [];
    if (
      !isImport &&
      (isBenchmark(path) ||
        isDecorated(declaration.declaration) ||
        cannotBeRemovedAlone(declaration) ||
        (isTestFile(path) && isIntentionalInTest(declaration, sourceFile)))
    )
      return [];
    if (names.some(({ text }) => isNamedInCommentedCode(text, sourceFile))) return [];
    const quotedNames = names.map((name) => `\`${name.text}\``).join(', ');
    return [
      {
        rule: isImport ? 'unused-import' : 'unused-local',
        start: declaration.start,
        end: declaration.end,
        nameStart: firstName.start,
        nameEnd: firstName.end,
        impact: isImport ? 20 : 25,
        confidence: rateConfidence(declaration),
        message:
          `${quotedNames} ${names.length === 1 ? 'is' : 'are'} ${isImport ? 'imported' : 'declared'} ` +
          `but never ${declaration.kind === 'type' || declaration.kind === 'class' ? 'used' : 'read'}.`,
        evidence: {
          kind: declaration.kind,
          names: names.map((name) => name.text).join(', '),
          whole: declaration.whole ? 'yes' : 'no',
        },
        recipe: 'remove-unused',
        identity: quotedNames,
      },
    ];
  });
}

/** True for a class with a decorator: the decorator receives the class, so the class is used. */
function isDecorated(declaration: ts.Declaration): boolean {
  return ts.isClassDeclaration(declaration) && declaration.modifiers?.some(ts.isDecorator) === true;
}

/**
 * True for a variable that cannot be removed without its statement: one of several names of the statement, with a value
 * that may have effects. If only the name were removed, no statement would compute the value.
 */
function cannotBeRemovedAlone({ declaration, whole, pure }: UnusedDeclaration): boolean {
  return !whole && !pure && ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name);
}

function rateConfidence(declaration: UnusedDeclaration): number {
  if (declaration.kind === 'import') return declaration.whole ? 0.9 : 0.95;
  if (declaration.kind === 'require') return 0.6;
  if (declaration.isReassignable) return 0.6;
  return declaration.pure ? 0.9 : 0.7;
}

/** True if the author excluded the whole file from such checks. */
function isFileSilenced(text: string): boolean {
  return (
    /^[^\S\n]*\/\/\s*@ts-nocheck/m.test(text) || /\/\*\s*eslint-disable(?!-)\s*(\*\/|[^*]*no-unused-vars)/.test(text)
  );
}

/** True if a comment on the line of one of the offsets, or directly above that line, switches such checks off. */
function isSilencedAt(sourceFile: ts.SourceFile, ...offsets: readonly number[]): boolean {
  return offsets.some((offset) => {
    const { text } = sourceFile;
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = text.indexOf('\n', offset);
    const previousLineStart = lineStart === 0 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
    // If the previous line ends a block comment, the comment counts from its beginning.
    const commentStart = text.slice(previousLineStart, lineStart).trimEnd().endsWith('*/')
      ? text.lastIndexOf('/*', lineStart)
      : previousLineStart;
    const previousStart = Math.min(previousLineStart, Math.max(0, commentStart));
    const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
    const previousText = text.slice(previousStart, lineStart);
    return (
      /(eslint|oxlint)-disable-line/.test(line) ||
      /@ts-ignore|@ts-expect-error|(eslint|oxlint)-disable-next-line|biome-ignore/.test(previousText)
    );
  });
}

/**
 * True for the name `should` in a text with `.should`: loading that library gives the property to every object, so the
 * import is used although its name is not read.
 */
function extendsAllObjects(name: string, text: string): boolean {
  return name === 'should' && /\.should\b/.test(text);
}
