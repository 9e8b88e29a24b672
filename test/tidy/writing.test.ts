// Only the modules named here, with what they write, change a file; a person's tree is changed by the first two alone.

import { expect, test } from 'vitest';
import { fsUsesIn } from './fsUses.ts';
import { projectFiles, read } from './sourceFiles.ts';

/** What makes, changes or removes a file of `fs`; `open` is named in safeRead.test.ts. */
const WRITERS = new Set(
  'appendFile chmod copyFile cp createWriteStream link mkdir mkdtemp rename rm rmdir symlink truncate unlink utimes write writeFile writev'
    .split(' ')
    .flatMap((name) => [name, `${name}Sync`]),
);
/** Of the editor. */
const EDITOR = /\bapplyEdit\(|\bworkspace\.fs\.(?:writeFile|delete|rename|copy|createDirectory)\b/;

const writing: Readonly<Record<string, string>> = {
  'server/src/adapters/files/diskWriter.ts': "the person's tree, for core/apply alone",
  'server/src/adapters/files/teamFiles.ts': '.selfware/baseline.json, when a person asks for it',
  'client/src/charter.ts': 'a new charter as an unsaved document, when a person asks for one',
  'client/src/review/refactorPreview.ts': 'the editor’s own preview, which ends in core/apply',
  'server/src/lsp/editorWriter.ts': 'open documents, for core/apply, in front of the disk writer',
  'server/src/lsp/commands/decisions.ts': 'a suppression in an open document, unsaved, when a person asks for it',
  'server/src/cli/commands/ledger.ts': 'a receipt, as a new file that a person names',
  'server/src/adapters/git/branchWriter.ts': 'a work tree of a commit, in the state folder',
  'server/src/adapters/models/mailbox.ts': 'questions in a folder that a person names, outside the repository',
};
/** Folders of which every module writes below the state folder, the sandbox or the folder for temporary files. */
const OURS = [
  'server/src/adapters/agents/',
  'server/src/adapters/components/',
  'server/src/adapters/embeddings/',
  'server/src/adapters/files/',
  'server/src/adapters/git/',
  'server/src/adapters/harness/',
  'server/src/adapters/lancedb/',
  'server/src/adapters/lexical/',
  'server/src/adapters/packages/',
  'server/src/adapters/run/',
  'server/src/adapters/sandbox/',
  'server/src/adapters/sqlite/',
  'server/src/adapters/system/',
  'server/src/adapters/training/',
];
const temporary: Readonly<Record<string, string>> = {
  'server/src/app/checkOut.ts': 'a commit, in a temporary folder',
  'server/src/app/editorSettings.ts': 'what the editor has set, in the state folder',
  'server/src/app/judging.ts': 'both sides of a judgement, in a temporary folder',
  'server/src/app/nights/open/carryCommits.ts': 'a tree of a run that git cannot read, moved aside in the state folder',
  'server/src/app/nights/redTeam.ts': 'the checkout in which variants are judged, in the state folder',
  'server/src/app/training/exportDataset.ts':
    'the dataset, in the state folder or a folder that a person names, outside the repository',
  'server/src/app/training/keptResult.ts': 'the result of a training, in the state folder',
  'server/src/app/training/train.ts': 'one training, in the state folder',
  'server/src/cli/editText.ts': 'a text that a person changes in an editor, in a temporary folder',
  'server/src/lsp/offerReview.ts': 'a review as a page, in a temporary folder',
};

const sources = projectFiles('.ts').filter(
  (path) => /^(server|client|webview)\/src\//.test(path) && !path.includes('/fixtures/'),
);

test('nothing changes a file but these modules', () => {
  const found = sources.filter((path) => writersIn(path, read(path)).length > 0 || EDITOR.test(read(path)));
  expect(found.length).toBeGreaterThan(20);
  const unnamed = found.filter(
    (path) => !(path in writing) && !(path in temporary) && !OURS.some((folder) => path.startsWith(folder)),
  );
  expect(unnamed).toEqual([]);
});

test('each module that is named is there and writes', () => {
  const named = [...Object.keys(writing), ...Object.keys(temporary)];
  expect(named.filter((path) => writersIn(path, read(path)).length === 0 && !EDITOR.test(read(path)))).toEqual([]);
});

test('the writer of the tree and that of team files are made once', () => {
  const makers = sources.filter((path) => /\bcreate(?:DiskWriter|TeamFiles)\(/.test(read(path)));
  expect(makers).toEqual([
    'server/src/adapters/files/diskWriter.ts',
    'server/src/adapters/files/teamFiles.ts',
    'server/src/app/createApp.ts',
  ]);
});

test.each([
  ["import { writeFile as put } from 'node:fs/promises'; put('a', 'b');", 'writeFile'],
  ["import * as fs from 'node:fs';", '*'],
  ["const { rmSync } = require('fs');", 'fs'],
])('it would be seen: %s', (text, name) => {
  expect(writersIn('a.ts', text)).toContain(name);
});

function writersIn(path: string, text: string): string[] {
  return fsUsesIn(path, text, WRITERS);
}
