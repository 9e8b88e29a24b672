// Recognises added Go test functions that only compare results of calls, and the imports that they need.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';

/** Texts in quotes or backticks, and comments. */
const TEXTS = /"(?:\\.|[^"\\\n])*(?:"|$)|`[^`\n]*(?:`|$)|'(?:\\.|[^'\\\n])*(?:'|$)|\/\/[^\n]*/g;
/** What the added lines may be, once texts are empty and comments are gone. */
const FORMS: readonly RegExp[] = [
  /^$/,
  /^package \w+$/,
  /^import \($/,
  /^\)$/,
  /^func Test\w+\(t \*testing\.T\) \{$/,
  /^\}$/,
  // The result of a call, as far as it differs from the expected one.
  /^if [\w, ]+ := [^;{}]+(?:\{[^;{}]*\}[^;{}]*)*; [^;]+ \{$/,
  /^if err != nil \{$/,
  /^\w+, err := [^;{}]+$/,
  /^t\.(?:Errorf|Error|Fatal)\([^;{}]*\)$/,
];
/** Imports that change nothing. */
const IMPORT = /^(?:import )?"(?:testing|reflect)"$/;
const MORE = /\b(?:func|go|defer|chan|select|for|range|goto|unsafe|os|exec|syscall)\b(?! Test)/;

/**
 * True if all edits only add lines to Go test files, and these lines are test functions that compare results of calls.
 * What the called functions do is not examined.
 */
export function onlyAddsGoCases(edits: readonly FileEdit[]): boolean {
  return edits.length > 0 && edits.every(addsCases);
}

function addsCases({ path, before, after }: FileEdit): boolean {
  if (after === null || !path.endsWith('_test.go') || !isTestFile(path)) return false;
  const parts = diffLines(before ?? '', after);
  if (parts.some(({ removed }) => removed)) return false;
  const lines = parts.filter(({ added }) => added).flatMap(({ value }) => value.split('\n'));
  return lines.every((line) => {
    if (IMPORT.test(line.trim())) return true;
    const code = line.replace(TEXTS, (text) => (text.startsWith('//') ? '' : '""')).trim();
    return FORMS.some((form) => form.test(code)) && !MORE.test(code.replace(/^func Test/, ''));
  });
}
