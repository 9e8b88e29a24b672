// Condenses the output of tests, linters and type checkers for a reader with little room, such as a language model:
// failures remain, with their messages, their differences and the first frames of the repository.

import { removeEscapeSequences } from '../plainText.ts';
import { cutLines } from './cutLines.ts';
import { foldRepeats } from './foldRepeats.ts';
import { isPassed, isProgress, namesFailure } from './lineKinds.ts';
import { shortenTraces } from './stackFrames.ts';

/** Maximum number of characters of a line. If it is longer, only its beginning and its end are shown. */
const MAX_LINE_CHARACTERS = 600;
/** Number of characters at the end of a longer line that are shown. */
const LINE_END_CHARACTERS = 150;
/** Matches a rule of repeated characters. It is often as wide as a terminal, and is shortened to three characters. */
const LONG_RULE_PATTERN = /([=─⎯━_*-])\1{7,}/g;
/** Matches the result of a test in TAP. */
const RESULT_LINE_PATTERN = /^ *(?:not )?ok \d/;
/** Matches a line of a difference, which is not changed. */
const DIFFERENCE_LINE_PATTERN = /^ *[+-](?: |[^+-])/;

/**
 * Returns the output without colours, progress, passing tests, frames of packages and repetitions. A note gives the
 * number of each. The result has at most `maxCharacters` characters. Lines that name a failure are omitted last.
 */
export function condenseOutput(output: string, maxCharacters = Infinity): string {
  const lines = removePassed(
    removeEscapeSequences(removeOverwritten(output)).split('\n').map(shortenLine).map(shortenRules),
  );
  return cutLines(foldRepeats(removeBlanks(shortenTraces(lines))), maxCharacters);
}

/**
 * Returns the output without text that a carriage return lets the terminal overwrite, unless that text names a failure.
 */
function removeOverwritten(output: string): string {
  if (!/\r[^\n]/.test(output)) return output;
  return output
    .split('\n')
    .map((line) => {
      const parts = line.replace(/\r+$/, '').split('\r');
      return parts
        .filter((part, index) => index === parts.length - 1 || namesFailure(removeEscapeSequences(part)))
        .join('\n');
    })
    .join('\n');
}

/** Returns the lines without progress and passing tests. In TAP, a passing test is followed by its figures. */
function removePassed(lines: readonly string[]): readonly string[] {
  const output: string[] = [];
  let passedLines: string[] = [];
  let isInFigures = false;
  const flushPassed = () => {
    const text = `(${passedLines.length} ${passedLines.length === 1 ? 'line' : 'lines'} about passing tests)`;
    output.push(...(passedLines.join('\n').length > text.length ? [text] : passedLines));
    passedLines = [];
  };
  lines.forEach((line, index) => {
    // If the end of the figures is missing because the output was cut, the following lines are not hidden.
    if (isInFigures && (RESULT_LINE_PATTERN.test(line) || namesFailure(line))) isInFigures = false;
    if (isInFigures) {
      passedLines.push(line);
      isInFigures = line.trim() !== '...';
      return;
    }
    if (isPassed(line)) {
      passedLines.push(line);
      isInFigures = /^ *ok \d/.test(line) && lines[index + 1]?.trim() === '---';
      return;
    }
    if (isProgress(line)) return;
    if (line !== '') flushPassed();
    output.push(line);
  });
  flushPassed();
  return output;
}

/** Returns the lines without blank lines at both ends, and with at most one blank line in a row. */
function removeBlanks(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  return filled.at(-1) === '' ? filled.slice(0, -1) : filled;
}

function shortenRules(line: string): string {
  return DIFFERENCE_LINE_PATTERN.test(line) ? line : line.replace(LONG_RULE_PATTERN, '$1$1$1');
}

function shortenLine(line: string): string {
  const text = line.trimEnd();
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  const beginning = text.slice(0, MAX_LINE_CHARACTERS - LINE_END_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  const end = text.slice(-LINE_END_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return `${beginning}…(${text.length - beginning.length - end.length} characters)…${end}`;
}
