// Recognises added Go test functions that only compare results of calls, and the imports that they need.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';

/**
 * Matches string literals, runes and comments, also across lines. Texts that span several lines are masked line by
 * line.
 */
const TEXT_PATTERN =
  /"(?:\\.|[^"\\\n])*(?:"|\\?$)|`[^`]*(?:`|$)|'(?:\\.|[^'\\\n])+(?:'|\\?$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$(?![^]))/gm;
/** Matches comments that are directives for tools. */
const DIRECTIVE_PATTERN = /^\/\/(?:\S| *\+build\b| *#)/;
/**
 * Masks a directive, a comment in `/*`, or a line of a text that spans several lines. No allowed form of added lines
 * matches it.
 */
const LONG_TEXT_MARK = '§';
/** The forms of added lines that are allowed, after string contents and comments were removed. */
const ALLOWED_LINES: readonly RegExp[] = [
  /^$/,
  /^package \w+$/,
  /^import \($/,
  /^\)$/,
  /^func Test\w+\(t \*testing\.T\) \{$/,
  /^\}$/,
  // An `if` that compares the result of a call with the expected one.
  /^if [\w, ]+ := [^;{}]+(?:\{[^;{}]*\}[^;{}]*)*; [^;]+ \{$/,
  /^if err != nil \{$/,
  /^\w+, err := [^;{}]+$/,
  /^t\.(?:Errorf|Error|Fatal)\([^;{}]*\)$/,
];
/** Matches imports without side effects that matter here. */
const IMPORT_PATTERN = /^(?:import )?"(?:testing|reflect)"$/;
/**
 * Matches words and operators of a line that does more than compare results, such as loops, goroutines and access to
 * the system, and lines with the mark of a directive, a comment or a long text.
 */
const MORE_PATTERN = /§|<-|\b(?:func|go|defer|chan|select|for|range|goto|unsafe|os|exec|syscall)\b/;

/**
 * True if all edits only add lines to Go test files, and these lines are test functions that compare results of calls.
 * The called functions are not examined.
 */
export function onlyAddsGoCases(edits: readonly FileEdit[]): boolean {
  return edits.length > 0 && edits.every(addsCases);
}

/** True if the edit only adds lines to a Go test file, and these lines are allowed. */
function addsCases({ path, before, after }: FileEdit): boolean {
  if (after === null || !path.endsWith('_test.go') || !isTestFile(path)) return false;
  const parts = diffLines(before ?? '', after);
  if (parts.some(({ removed }) => removed)) return false;
  // How a line is masked depends on the text before it, so the whole text is masked.
  const code = after.replace(TEXT_PATTERN, maskText);
  const lines = code.split('\n');
  let offset = 0;
  for (const { added, value } of parts) {
    const count = value.split('\n').length - (value.endsWith('\n') ? 1 : 0);
    if (added && !areCompleteDeclarations(lines.slice(offset, offset + count), value.split('\n'))) return false;
    offset += count;
  }
  return true;
}

function maskText(text: string): string {
  if (text.includes('\n')) return text.replace(/[^\n]+|(?<=\n)(?=\n)/g, LONG_TEXT_MARK);
  if (text.startsWith('/*')) return LONG_TEXT_MARK;
  if (text.startsWith('//')) return DIRECTIVE_PATTERN.test(text) ? LONG_TEXT_MARK : '';
  return '""';
}

/**
 * True if the lines are complete test functions or imports. `lines`: with masked texts and without comments. `unmaskedLines`:
 * the same lines unmasked.
 */
function areCompleteDeclarations(lines: readonly string[], unmaskedLines: readonly string[]): boolean {
  let depth = 0;
  return (
    lines.every((line, index) => {
      const code = line.trim();
      for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
        depth += '([{'.includes(bracket) ? 1 : -1;
        if (depth < 0) return false;
      }
      if (code !== '' && IMPORT_PATTERN.test(unmaskedLines[index]!.trim())) return true;
      return ALLOWED_LINES.some((form) => form.test(code)) && !MORE_PATTERN.test(code.replace(/^func Test/, ''));
    }) && depth === 0
  );
}
