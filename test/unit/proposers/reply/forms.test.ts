// One change in every notation and every form of a file: only the lines of the change differ afterwards, in the form of
// the file.

import { expect, test } from 'vitest';
import { readReply } from '../../../../server/src/core/proposers/reply/read.ts';
import { resolveEdits } from '../../../../server/src/core/proposers/reply/resolve.ts';

const ROWS = [
  'export function rate(value: number) {',
  '  if (value < 0) {',
  '    return null;',
  '  }',
  '  return value / 100;',
  '}',
  '',
];
const CHANGED = ROWS.toSpliced(2, 1, '    return 0;', '    // Nothing below zero.');
const FILE = 'src/rate.ts';

/** What files look like, beside the one that the reply was written for. */
const FORMS: Readonly<Record<string, (rows: readonly string[]) => string>> = {
  'line feeds': (rows) => rows.join('\n'),
  'carriage returns': (rows) => rows.join('\r\n'),
  'a byte order mark': (rows) => `\uFEFF${rows.join('\n')}`,
  'a byte order mark and carriage returns': (rows) => `\uFEFF${rows.join('\r\n')}`,
  'no line end at its end': (rows) => rows.slice(0, -1).join('\n'),
  'carriage returns and no line end at its end': (rows) => rows.slice(0, -1).join('\r\n'),
};
/** What its lines look like; no reply quotes blanks at the end of lines. */
const LINES: Readonly<Record<string, (row: string) => string>> = {
  'as quoted': (row) => row,
  'with blanks at the end': (row) => (row === '' || row.includes('Nothing') || row.includes('0;') ? row : `${row}  `),
  'indented by tabs': (row) => row.replace(/^(?: {2})+/, (blanks) => '\t'.repeat(blanks.length / 2)),
  'indented further': (row) => (row === '' ? row : `    ${row}`),
};

const json = (edit: object) =>
  JSON.stringify({ description: 'Nothing below zero is a rate', edits: [{ file: FILE, ...edit }] });
const search = ROWS.slice(1, 4).join('\n');
const replace = CHANGED.slice(1, 5).join('\n');
const hunk = [` ${ROWS[1]}`, `-${ROWS[2]}`, `+${CHANGED[2]}`, `+${CHANGED[3]}`, ` ${ROWS[3]}`].join('\n');

const NOTATIONS: Readonly<Record<string, string>> = {
  JSON: json({ search, replace }),
  'JSON in a fence, with a comma too many': `\`\`\`json\n${json({ search, replace }).replace('}]}', '},]}')}\n\`\`\``,
  'JSON with line breaks in its texts': json({ search, replace }).replaceAll('\\n', '\n'),
  'search/replace blocks': `I change one line.\n\n${FILE}\n\`\`\`ts\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\``,
  'a patch': `*** Begin Patch\n*** Update File: ${FILE}\n@@\n${hunk}\n*** End Patch`,
  'a patch that names the line above': `*** Begin Patch\n*** Update File: ${FILE}\n@@ ${ROWS[0]}\n${hunk}\n*** End Patch`,
  'a diff': `--- a/${FILE}\n+++ b/${FILE}\n@@ -2,3 +2,4 @@\n${hunk}\n`,
  'a diff with wrong numbers': `\`\`\`diff\n--- a/${FILE}\n+++ b/${FILE}\n@@ -90,1 +117,9 @@ function other()\n${hunk}\n\`\`\``,
  'a diff without numbers': `diff --git a/${FILE} b/${FILE}\nindex 12ab..34cd 100644\n--- a/${FILE}\n+++ b/${FILE}\n@@\n${hunk}`,
  'a call in XML': `<function=edit_file>\n<parameter=path>\n${FILE}\n</parameter>\n<parameter=old_string>\n${search}\n</parameter>\n<parameter=new_string>\n${replace}\n</parameter>\n</function>`,
  'a call in JSON': JSON.stringify([
    { name: 'str_replace', arguments: { path: FILE, old_str: search, new_str: replace } },
  ]),
  'a call in a comment': `<!-- tool_call: ${JSON.stringify({ name: 'edit', arguments: JSON.stringify({ file_path: FILE, old_string: search, new_string: replace }) })} -->`,
};

const cases = Object.keys(NOTATIONS).flatMap((notation) =>
  Object.keys(FORMS).flatMap((form) => Object.keys(LINES).map((lines) => [notation, form, lines] as const)),
);

test.each(cases)('%s, for a file with %s, lines %s', (notation, form, lines) => {
  const fileOf = (rows: readonly string[]) => FORMS[form]!(rows.map(LINES[lines]!));
  const read = readReply(NOTATIONS[notation]!, true);
  if ('refused' in read) throw new Error(read.refused);
  const resolved = resolveEdits(
    read.edits,
    (path) => (path === FILE ? fileOf(ROWS) : null),
    () => 'current',
  );
  expect(resolved).toMatchObject({ edits: [{ path: FILE, before: fileOf(ROWS), after: fileOf(CHANGED) }] });
});
