// Recognises added Python test cases that only compare results of calls with values, and the imports that they need.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';
import {
  parsePythonStatements,
  createStatementHeadLookup,
  splitTestStatements,
  removeBrackets,
  type PythonCode,
} from '../judge/python/pythonStatements.ts';
import { addFinalNewline } from '../../../util/values/lineEnds.ts';

/** Matches an import of names from a module, or of a module. */
const IMPORT_PATTERN = /^(?:from [\w.]+ import \(?([\w ,]+)\)?|import ([\w.]+(?: as \w+)?))$/;
/** A row in a table of cases, after strings were masked and the layout was unified. */
const ROW_PATTERN = /^[([].*[)\]],?$/;
/** The forms of added lines that are allowed, after strings were masked and the layout was unified. */
const ALLOWED_LINES: readonly RegExp[] = [
  IMPORT_PATTERN,
  // A name in an import that lists one name per line.
  /^(?!(?:return|raise|pass|break|continue|del|global)\b)\w+(?: as \w+)?,?$/,
  ROW_PATTERN,
  /^@pytest\.mark\.parametrize\(.*\)$/,
  /^def test_\w+\([\w, ]*\)(?: -> None)?:$/,
  /^(?:assert |expected = ).+$/,
  /^with (?:pytest\.raises|self\.assertRaisesRegex)\(.*\):$/,
  /^(?:list\()?[\w.]+\(.*\)$/,
];
/** Matches code in an expression that does more than call something with values. */
const MORE_PATTERN = /:=|;|\b(?:lambda|yield|await|exec|eval|open|__\w+__|setattr|delattr|monkeypatch|mock\w*)\b/;
/**
 * Matches text that Python may read differently than it looks: unusual line ends, strings or lines that may continue on
 * the next line, and control characters.
 */
const HIDING_PATTERN = /\r(?!\n)|[\0-\x08\v\f\x0e-\x1f]|\\\r?\n|"""|'''/;
/** Matches the beginning of a string that may contain code (f-string or t-string), after strings were masked. */
const STRING_WITH_CODE = /(?<!\w)(?:[ft]r?|r[ft])§/i;
/** Modules of the standard library that act outside the program, or on what other tests use. */
const ACTING_MODULES = new Set(
  `os sys subprocess shutil socket importlib ctypes builtins signal threading multiprocessing runpy pty tempfile http urllib
  ftplib smtplib ssl asyncio webbrowser sqlite3 pickle marshal shelve site atexit gc io glob fileinput posix nt`.split(
    /\s+/,
  ),
);

/**
 * True if all edits only add lines to Python test files, and these lines are test functions that compare results of
 * calls with values, rows of a table of cases, comments, or imports of names that the files do not use yet. The called
 * functions are not examined.
 */
export function onlyAddsPythonCases(edits: readonly FileEdit[]): boolean {
  return edits.length > 0 && edits.every(addsCases);
}

/**
 * True if the edit adds rows to the list of a `parametrize` decorator, and otherwise only lines that
 * `onlyAddsPythonCases` allows.
 */
export function addsPythonRows(edit: FileEdit): boolean {
  if (!addsCases(edit)) return false;
  const after = addFinalNewline(edit.after ?? '');
  const headAt = createStatementHeadLookup(after);
  let offset = 0;
  // No line is removed, so the parts together are the new text.
  return diffLines(addFinalNewline(edit.before ?? ''), after).some(({ added, value }) => {
    const head = headAt(offset);
    offset += value.length;
    return added && isInTable(head) && maskStatements(value).some((code) => code !== null && ROW_PATTERN.test(code));
  });
}

/** True if the statement so far is a `parametrize` decorator whose list is open, outside of any row. */
function isInTable(head: string): boolean {
  const depth = [...head.matchAll(/[([{]/g)].length - [...head.matchAll(/[)\]}]/g)].length;
  return /^\s*@pytest\.mark\.parametrize\(/.test(head) && depth === 2;
}

/** True if the edit only adds allowed statements to a Python test file, and keeps its earlier tests. */
function addsCases(edit: FileEdit): boolean {
  const { path, before, after } = edit;
  // Imports and definitions in these two files affect other files.
  if (after === null || !path.endsWith('.py') || !isTestFile(path) || /(?:conftest|__init__)\.py$/.test(path))
    return false;
  const [oldText, newText] = [before ?? '', after];
  const parts = diffLines(addFinalNewline(oldText), addFinalNewline(newText));
  const addsVisibleCodeOnly = parts.every(
    ({ added, removed, value }, index) =>
      !removed && !(added && (HIDING_PATTERN.test(value) || /\\\r?\n$/.test(parts[index - 1]?.value ?? ''))),
  );
  if (!addsVisibleCodeOnly || !keepsTests(oldText, newText)) return false;
  const usedNames = new Set(oldText.match(/\w+/g));
  return listAddedStatements(edit).every(
    (code) => code !== null && isCase(code) && listDefinedNames(code).every((name) => !usedNames.has(name)),
  );
}

/**
 * The statements of the added lines, with masked strings; null for a statement that cannot be parsed or has code in a
 * string.
 */
function listAddedStatements({ before, after }: FileEdit): readonly (string | null)[] {
  return diffLines(addFinalNewline(before ?? ''), addFinalNewline(after ?? ''))
    .filter(({ added }) => added)
    .flatMap(({ value }) => maskStatements(value));
}

/**
 * The statements in these lines, with masked strings; null for a statement that cannot be parsed or has code in a
 * string.
 */
function maskStatements(lines: string): readonly (string | null)[] {
  const statements: readonly (PythonCode | null)[] = parsePythonStatements(lines) ?? [null];
  return statements.map((statement) =>
    statement && !STRING_WITH_CODE.test(statement.code) ? statement.code.replace(/§+/g, '""') : null,
  );
}

/** True for an allowed statement that assigns nothing, imports no acting module, and has only ASCII characters. */
function isCase(code: string): boolean {
  const remainingCode = removeBrackets(code).replace(/^expected =|[=!]=|(?<![<>])[<>]=/g, '');
  if (remainingCode.includes('=') || MORE_PATTERN.test(code) || !/^[\x20-\x7e]*$/.test(code)) return false;
  const importedNames = IMPORT_PATTERN.test(code) ? [...code.matchAll(/(?<![\w.])\w+/g)].map(([name]) => name) : [];
  return ALLOWED_LINES.some((form) => form.test(code)) && !importedNames.some((name) => ACTING_MODULES.has(name));
}

/** True if the earlier tests still have the same statements. */
function keepsTests(before: string, after: string): boolean {
  const tests = splitTestStatements(before);
  const names = new Set(tests.map(({ test }) => test));
  const keptStatements = splitTestStatements(after).filter(({ test }) => names.has(test));
  return (
    keptStatements.length === tests.length &&
    keptStatements.every(({ text, test }, index) => text === tests[index]!.text && test === tests[index]!.test)
  );
}

/** The names that a statement defines. */
function listDefinedNames(code: string): readonly string[] {
  const [, defined] = /^def (\w+)/.exec(code) ?? [];
  return defined === undefined ? listImportedNames(code) : [defined];
}

/** The names that an import statement defines. */
function listImportedNames(code: string): readonly string[] {
  const [, names, module] = IMPORT_PATTERN.exec(code) ?? [];
  return (names ?? module ?? '').split(',').flatMap((part) => {
    const [first = '', last] = part.trim().split(/ as | /);
    const name = last ?? first.split('.')[0]!;
    return name === '' ? [] : [name];
  });
}
