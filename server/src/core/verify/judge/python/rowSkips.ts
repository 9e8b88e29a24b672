// Finds old rows of parametrised Python tests that a change skips.

import { splitAt, trimExpression } from './pythonStatements.ts';
import { isSkip, maskExpression, skipsAlways, removeReason } from './skips.ts';

/** Matches the beginning of a row with marks: `pytest.param(`. */
const PARAM_PATTERN = /^(?:\w+\.)*param\(/;
const WORD_PATTERN = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu;

/** A row of a table of tested values. */
interface TableRow {
  readonly text: string;
  readonly values: string;
  /** The code that skips it, without the reason; null if it is not skipped. */
  readonly skip: string | null;
}

/** True for a row that may have its own marks. */
export function isMarkedRow(row: string): boolean {
  return PARAM_PATTERN.test(row);
}

/** True for a row with a mark that skips it. `helpers`: names of marks that skip. */
export function isSkippedRow(row: string, helpers: ReadonlySet<string>): boolean {
  return readRow(row, helpers).skip !== null;
}

/**
 * The row that is skipped now, if its values were in a row that was not skipped, or if it replaces a removed row. Null
 * if there is none: marks of new rows do not skip old tests.
 */
export function findSkippedRow(
  before: readonly string[],
  after: readonly string[],
  helpers: Readonly<Record<'before' | 'after', ReadonlySet<string>>>,
): string | null {
  const olds = before.map((row) => readRow(row, helpers.before));
  const addedRows: TableRow[] = [];
  for (const row of after.map((text) => readRow(text, helpers.after))) {
    const index = olds.findIndex(({ values }) => values === row.values);
    const [old] = index < 0 ? [] : olds.splice(index, 1);
    if (!old) addedRows.push(row);
    else if (row.skip !== null && old.skip !== row.skip && !skipsAlways(old.skip ?? '')) return row.text;
  }
  const isRowLost = olds.some(({ skip }) => skip === null);
  return isRowLost ? (addedRows.find(({ skip }) => skip !== null)?.text ?? null) : null;
}

function readRow(row: string, helpers: ReadonlySet<string>): TableRow {
  const masked = maskExpression(row);
  const { text, code } = masked;
  const isMarked = PARAM_PATTERN.test(code);
  const open = code.indexOf('(');
  const inner = isMarked ? { text: text.slice(open + 1, -1), code: code.slice(open + 1, -1) } : masked;
  const parts = splitAt(inner, /,/);
  const isOption = (part: string) => /^\w+ ?=(?!=)/.test(part);
  const values = parts.filter((part) => !isMarked || !isOption(part.code)).map((part) => trimExpression(part).text);
  const marks = isMarked ? parts.filter((part) => /^marks ?=/.test(part.code)) : [masked];
  const skippingMark = marks.find(
    (part) => isSkip(part) || (isMarked && (part.code.match(WORD_PATTERN) ?? []).some((word) => helpers.has(word))),
  );
  return {
    text: row,
    // `(1, 2)` and `param(1, 2)` are the same row.
    values: values.join(', ').replace(/^[[(](.*)[\])]$/s, '$1'),
    skip: skippingMark ? removeReason(skippingMark) : null,
  };
}
