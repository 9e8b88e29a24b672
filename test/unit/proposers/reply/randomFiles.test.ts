// Random edits of random files, written in each notation: each changes the lines that it means and no byte beside them,
// or is refused because its quotation is in the file twice.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReply } from '../../../../server/src/core/proposers/reply/read.ts';
import { resolveEdits } from '../../../../server/src/core/proposers/reply/resolve.ts';
import { runs } from '../../../helpers/properties.ts';
import { block, patch } from './quoted.ts';

/** A line of a file. */
interface Row {
  readonly text: string;
  readonly end: '\n' | '\r\n';
}
/** A file of which the lines `from` to `to` (exclusive) become `added`, quoted with `above` and `below` more lines. */
interface Edit {
  readonly mark: string;
  readonly rows: readonly Row[];
  readonly isClosed: boolean;
  readonly from: number;
  readonly to: number;
  readonly added: readonly string[];
  readonly above: number;
  readonly below: number;
  /** The line end of the reply, and whether it drops the blank of an unchanged empty line. */
  readonly end: '\n' | '\r\n';
  readonly isTrimmed: boolean;
  /** By how much the counts and numbers of a diff are wrong. */
  readonly wrongBy: number;
}

const LINES = [
  'a();',
  'b();',
  '  a();',
  '\ta();',
  '',
  '}',
  '  }',
  'b(); ',
  '  ',
  '-- c',
  '++ d',
  '@@ e',
  "say('\u201Cé\u{1F600}\u201D');",
  '/* \u00A0 - \u2014 */',
  '\\ f',
];
const NEW_LINES = ['', '  x();', '\ty();', '-- z', '++ z', 'neu(\u2018ü\u{1F680}\u2019);', 'w(); '];

function linesWith(end: fc.Arbitrary<Row['end']>): fc.Arbitrary<readonly Row[]> {
  return fc.array(fc.record({ text: fc.constantFrom(...LINES), end }), { minLength: 1, maxLength: 12 });
}

const EDITS: fc.Arbitrary<Edit> = fc
  .record({
    mark: fc.constantFrom('', '', '\uFEFF'),
    rows: fc.oneof(
      linesWith(fc.constant('\n')),
      linesWith(fc.constant('\r\n')),
      linesWith(fc.constantFrom('\n', '\r\n')),
    ),
    isClosed: fc.boolean(),
    from: fc.nat(11),
    removed: fc.nat(3),
    added: fc.array(fc.constantFrom(...NEW_LINES), { maxLength: 3 }),
    above: fc.nat(3),
    below: fc.nat(3),
    end: fc.constantFrom<Row['end'][]>('\n', '\n', '\r\n'),
    isTrimmed: fc.boolean(),
    wrongBy: fc.constantFrom(0, 0, 1, 7),
  })
  .map(({ rows, isClosed, from: at, removed, above, below, ...rest }) => {
    const from = Math.min(at, rows.length);
    const to = Math.min(from + removed, rows.length);
    // A last empty line without an end is no line.
    const isOpen = !isClosed && rows.at(-1)!.text !== '';
    return {
      ...rest,
      rows,
      isClosed: !isOpen,
      from,
      to,
      above: Math.min(above, from),
      below: Math.min(below, rows.length - to),
    };
  });

const textsOf = (rows: readonly Row[]) => rows.map(({ text }) => text);
const joined = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');

/** The text of the file. */
function before({ mark, rows, isClosed }: Edit): string {
  const text = rows.map((row) => row.text + row.end).join('');
  return mark + (isClosed ? text : text.slice(0, -rows.at(-1)!.end.length));
}

/** The most frequent line end of the file. */
function usualEnd(edit: Edit): Row['end'] {
  const ends = edit.rows.slice(0, edit.isClosed ? undefined : -1).map(({ end }) => end);
  return ends.filter((end) => end === '\r\n').length * 2 > ends.length ? '\r\n' : '\n';
}

/** The text of the file after the edit: the other lines keep their bytes, and so does the end of the file. */
function after(edit: Edit): string {
  const { mark, rows, isClosed, from, to, added } = edit;
  const end = usualEnd(edit);
  const last = rows.length - 1;
  const kept = (row: Row, index: number) => row.text + (index === last && !isClosed ? '' : row.end);
  const head = rows.slice(0, from).map(kept);
  const tail = rows.slice(to).map((row, index) => kept(row, index + to));
  // A line that comes after the last one is separated from it, and takes over its missing end.
  if (!isClosed && to === rows.length && added.length > 0 && from === rows.length) head[last] = rows[last]!.text + end;
  const text = [...head, ...added.map((line) => line + end), ...tail].join('');
  const isOpen = !isClosed && to === rows.length;
  return mark + (isOpen && edit.above + added.length > 0 ? text.replace(/\r?\n$/, '') : text);
}

const quotedRows = ({ rows, from, to, above, below }: Edit) => textsOf(rows.slice(from - above, to + below));
function replacement({ rows, from, to, above, below, added }: Edit): string[] {
  return [...textsOf(rows.slice(from - above, from)), ...added, ...textsOf(rows.slice(to, to + below))];
}

/** How often these lines follow each other in the file. */
function occurrences({ rows }: Edit, lines: readonly string[]): number {
  return rows.filter((_, index) => lines.every((line, offset) => rows[index + offset]?.text === line)).length;
}

/** The body of a hunk. */
function hunk({ rows, from, to, above, below, added, isTrimmed, isClosed }: Edit): string[] {
  const note = (index: number) => (!isClosed && index === rows.length - 1 ? ['\\ No newline at end of file'] : []);
  const unchanged = ({ text }: Row, index: number) => [isTrimmed && text === '' ? '' : ` ${text}`, ...note(index)];
  const lines = [
    ...rows.slice(from - above, from).flatMap((row, index) => unchanged(row, index + from - above)),
    ...rows.slice(from, to).flatMap(({ text }, index) => [`-${text}`, ...note(index + from)]),
    ...added.map((line) => `+${line}`),
    ...rows.slice(to, to + below).flatMap((row, index) => unchanged(row, index + to)),
  ];
  // An empty line at the end of a patch belongs to the text around it.
  if (lines.at(-1) === '') lines.push(` ${lines.pop()}`);
  return lines;
}

function diffOf(edit: Edit): string {
  const { from, above, wrongBy } = edit;
  const [start, old, now] = [from - above + 1 + wrongBy, quotedRows(edit).length, replacement(edit).length];
  const head = `@@ -${start},${old + wrongBy} +${start},${now + 2 * wrongBy} @@`;
  const diff = `--- a/a.ts\n+++ b/a.ts\n${head}\n${hunk(edit).join('\n')}\n`;
  // Without a fence, wrong counts are the only sign of a reply that ends too early.
  return wrongBy === 0 ? diff : `\`\`\`diff\n${diff}\`\`\`\n`;
}

const json = (search: string, replace: string) =>
  JSON.stringify({ description: 'd', edits: [{ file: 'a.ts', search, replace }] });

const NOTATIONS: Readonly<Record<string, (edit: Edit) => string>> = {
  'a search/replace block': (edit) => block(joined(quotedRows(edit)), joined(replacement(edit))),
  'a unified diff': diffOf,
  'a patch': (edit) => patch(`*** Update File: a.ts\n@@\n${hunk(edit).join('\n')}`),
  json: (edit) => json(joined(quotedRows(edit)), joined(replacement(edit))),
};

/** The text of the file after the reply, or the reason of its refusal. */
function applied(edit: Edit, reply: string): string | { readonly refused: string } {
  const read = readReply(reply.replaceAll('\n', edit.end), true);
  if ('refused' in read) return read;
  const resolved = resolveEdits(
    read.edits,
    () => before(edit),
    () => 'current',
  );
  return 'refused' in resolved ? resolved : resolved.edits[0]!.after!;
}

/** True if the edit changes something, and its quotation has a line that is not empty. */
function isEdit(edit: Edit): boolean {
  const [quoted, written] = [quotedRows(edit), replacement(edit)];
  return quoted.join('').trim() !== '' && joined(quoted) !== joined(written);
}

/**
 * True if the reply says of each line whether it stays. Two texts do not say which of several equal lines that is, and
 * no notation does if it writes again what it removes: a line keeps its bytes then.
 */
function isClear({ rows, from, to, above, below, added }: Edit, notation: string): boolean {
  const removed = textsOf(rows.slice(from, to));
  if (added.some((line) => removed.includes(line))) return false;
  if (notation === 'a unified diff' || notation === 'a patch') return true;
  const beside = textsOf([...rows.slice(from - above, from), ...rows.slice(to, to + below)]);
  return ![...removed, ...added].some((line) => beside.includes(line));
}

/** How often a text occurs in another one, overlaps included. */
function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found += 1;
  return found;
}

/** How often a quotation of the edit is found, as lines or, in JSON, as any text. */
function places(edit: Edit, notation: string): number {
  const byLines = occurrences(edit, quotedRows(edit));
  if (notation !== 'json') return byLines;
  const text = before(edit).replaceAll('\r\n', '\n');
  return Math.max(byLines, count(edit.isClosed ? text : `${text}\n`, joined(quotedRows(edit))));
}

test.each(Object.entries(NOTATIONS))('%s changes the lines that it means, and no other byte', (notation, write) => {
  fc.assert(
    fc.property(EDITS, (edit) => {
      fc.pre(isEdit(edit) && places(edit, notation) === 1 && isClear(edit, notation));
      expect(applied(edit, write(edit))).toBe(after(edit));
    }),
    runs(600),
  );
});

test.each(Object.entries(NOTATIONS))('%s whose lines are in the file twice is refused', (notation, write) => {
  fc.assert(
    fc.property(EDITS, (edit) => {
      fc.pre(isEdit(edit) && places(edit, notation) > 1);
      expect(applied(edit, write(edit))).toMatchObject({ refused: expect.stringContaining('more than once') });
    }),
    runs(120),
  );
});

test('JSON that quotes a part of a line changes this part, if it is there once', () => {
  const parts = fc.record({ edit: EDITS, start: fc.nat(6), length: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(parts, ({ edit, start, length }) => {
      const part = (edit.rows[edit.from]?.text ?? '').slice(start, start + length);
      fc.pre(part.trim() !== '');
      const text = before(edit);
      const outcome = applied(edit, json(part, 'new \u{1F680}'));
      if (count(text, part) > 1) expect(outcome).toMatchObject({ refused: expect.stringContaining('more than once') });
      else expect(outcome).toBe(text.replace(part, () => 'new \u{1F680}'));
    }),
    runs(500),
  );
});

test('what is appended comes after the last byte of the file, in lines of its own', () => {
  fc.assert(
    fc.property(EDITS, (edit) => {
      fc.pre(edit.added.length > 0);
      const [text, end] = [before(edit), usualEnd(edit)];
      const reply = JSON.stringify({ edits: [{ file: 'a.ts', append: joined(edit.added) }] });
      const gap = edit.isClosed ? '' : end;
      expect(applied(edit, reply)).toBe(text + gap + edit.added.map((line) => line + end).join(''));
    }),
    runs(300),
  );
});
