// The change of the kill tests: one file of each kind that is easy to get wrong.

import type { FileEdit } from '../../server/src/core/model.ts';

const BOM = '\uFEFF';

export const files: Readonly<Record<string, string>> = {
  'src/windows.txt': `${BOM}one\r\ntwo\r\nthree\r\n`,
  'bin/tool': '#!/bin/sh\necho old\n',
  'src/other.ts': 'export const other = 1;\n',
  'notes.md': 'committed\n',
  '.gitignore': 'ignored.txt\n',
};

/** Modify (CRLF and a byte order mark), create in new folders, delete (executable, alone in its folder). */
export const edits: readonly FileEdit[] = [
  { path: 'src/windows.txt', before: `${BOM}one\r\ntwo\r\nthree\r\n`, after: `${BOM}one\r\n2\r\nthree\r\n` },
  { path: 'fresh/deep/created.ts', before: null, after: 'export const created = true;\n' },
  { path: 'bin/tool', before: '#!/bin/sh\necho old\n', after: null },
];
