// Recognises added Python test cases that only compare calls of functions with values, and the imports that they need.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';
import { statementsOf } from '../judge/pythonStatements.ts';

/** Matches an import of names from a module, or of a module. */
const IMPORT = /^(?:from [\w.]+ import \(?([\w ,]+)\)?|import ([\w.]+(?: as \w+)?))$/;
/** What the added lines may hold, once strings are masked and the layout is unified. */
const FORMS: readonly RegExp[] = [
  IMPORT,
  // A name in an import with one name on each line, and a row in a table of cases.
  /^\w+(?: as \w+)?,?$/,
  /^[([].*[)\]],?$/,
  /^@pytest\.mark\.parametrize\(.*\)$/,
  /^def test_\w+\([\w, ]*\)(?: -> None)?:$/,
  /^(?:assert |expected = ).+$/,
  /^with (?:pytest\.raises|self\.assertRaisesRegex)\(.*\):$/,
  /^(?:list\()?[\w.]+\(.*\)$/,
];
/** Code in an expression that does more than call something with values. */
const MORE = /:=|\b(?:lambda|yield|await|exec|eval|open|__\w+__|setattr|delattr|monkeypatch|mock\w*)\b/;

/**
 * True if all edits only add lines to Python test files, and these lines are test functions that compare calls with
 * values, rows of a table of cases, comments, or imports of names that the files do not use yet. What the called functions
 * do is not examined.
 */
export function onlyAddsPythonCases(edits: readonly FileEdit[]): boolean {
  return edits.length > 0 && edits.every(addsCases);
}

function addsCases({ path, before, after }: FileEdit): boolean {
  if (after === null || !path.endsWith('.py') || !isTestFile(path)) return false;
  const parts = diffLines(withFinalNewline(before ?? ''), withFinalNewline(after));
  if (parts.some(({ removed }) => removed)) return false;
  const statements = parts.filter(({ added }) => added).flatMap(({ value }) => statementsOf(value));
  if (!statements.every(({ code }) => FORMS.some((form) => form.test(code)) && !MORE.test(code))) return false;
  const used = new Set((before ?? '').match(/\w+/g));
  return statements.flatMap(({ code }) => importedNames(code)).every((name) => !used.has(name));
}

/** The names that an import statement defines. */
function importedNames(code: string): readonly string[] {
  const [, names, module] = IMPORT.exec(code) ?? [];
  return (names ?? module ?? '').split(',').flatMap((one) => {
    const [first = '', last] = one.trim().split(/ as | /);
    const name = last ?? first.split('.')[0]!;
    return name === '' ? [] : [name];
  });
}

function withFinalNewline(text: string): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}
