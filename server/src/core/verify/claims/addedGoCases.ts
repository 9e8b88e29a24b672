// Recognises added Go test functions that only compare results of calls, and the imports that they need.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';

/** Texts in quotes or backticks, and comments. Of those over several lines, the lines are masked one by one. */
const TEXT_PATTERN = /"(?:\\.|[^"\\\n])*(?:"|\\?$)|`[^`]*(?:`|$)|'(?:\\.|[^'\\\n])+(?:'|\\?$)|\/\/[^\n]*/gm;
/** Comments that tell the tools something. */
const DIRECTIVE_PATTERN = /^\/\/(?:\S| *\+build\b| *#)/;
/** A mark that no form allows, for a text over several lines or a directive. */
const LONG_TEXT_MARK = '§';
/** The forms of added lines that are allowed, after texts were emptied and comments were removed. */
const ALLOWED_LINES: readonly RegExp[] = [
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
const IMPORT_PATTERN = /^(?:import )?"(?:testing|reflect)"$/;
const MORE_PATTERN = /<-|\b(?:func|go|defer|chan|select|for|range|goto|unsafe|os|exec|syscall)\b/;

/**
 * True if all edits only add lines to Go test files, and these lines are test functions that compare results of calls.
 * The called functions are not examined.
 */
export function onlyAddsGoCases(edits: readonly FileEdit[]): boolean {
  return edits.length > 0 && edits.every(addsCases);
}

function addsCases({ path, before, after }: FileEdit): boolean {
  if (after === null || !path.endsWith('_test.go') || !isTestFile(path)) return false;
  const parts = diffLines(before ?? '', after);
  if (parts.some(({ removed }) => removed)) return false;
  // The masks depend on the text before them, so the whole text is masked.
  const code = after.replace(TEXT_PATTERN, maskText);
  // Text in `/*` comments would be masked wrongly; few test files have such comments.
  if (code.includes('/*')) return false;
  const lines = code.split('\n');
  let offset = 0;
  for (const { added, value } of parts) {
    const count = value.split('\n').length - (value.endsWith('\n') ? 1 : 0);
    if (added && !areCases(lines.slice(offset, offset + count), value.split('\n'))) return false;
    offset += count;
  }
  return true;
}

function maskText(text: string): string {
  if (text.includes('\n')) return text.replace(/[^\n]+|(?<=\n)(?=\n)/g, LONG_TEXT_MARK);
  if (text.startsWith('//')) return DIRECTIVE_PATTERN.test(text) ? LONG_TEXT_MARK : '';
  return '""';
}

/** True for lines without texts and comments that are whole test functions or imports. `shown`: with them. */
function areCases(lines: readonly string[], shown: readonly string[]): boolean {
  let depth = 0;
  return (
    lines.every((line, index) => {
      const code = line.trim();
      for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
        depth += '([{'.includes(bracket) ? 1 : -1;
        if (depth < 0) return false;
      }
      if (code !== '' && IMPORT_PATTERN.test(shown[index]!.trim())) return true;
      return ALLOWED_LINES.some((form) => form.test(code)) && !MORE_PATTERN.test(code.replace(/^func Test/, ''));
    }) && depth === 0
  );
}
