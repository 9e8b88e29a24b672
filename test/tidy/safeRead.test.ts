// Only safeRead.ts, and the modules named here with the files of our own that they read, can read the bytes of a file.

import { expect, test } from 'vitest';
import { fsUsesIn } from './fsUses.ts';
import { projectFiles, read } from './sourceFiles.ts';

const SAFE_READ = 'server/src/adapters/files/safeRead.ts';

/** What opens, reads or copies a file. Names of files and what they lead to are no bytes. */
const READERS = new Set([
  'copyFile',
  'copyFileSync',
  'cp',
  'cpSync',
  'createReadStream',
  'open',
  'openAsBlob',
  'openSync',
  'read',
  'readFile',
  'readFileSync',
  'readSync',
  'readv',
  'readvSync',
]);
/**
 * Members of objects that read a file, too: of a namespace of `fs`, of the compiler's system, of the editor, of node.
 */
const READING_MEMBERS = new Set([
  ...[...READERS].filter((name) => !['open', 'read', 'cp'].includes(name)),
  'getBuiltinModule',
  'loadEnvFile',
  'sys',
]);

/** Modules that read something else than a repository, with what. */
const elsewhere: Readonly<Record<string, string>> = {
  'client/src/charter.ts': 'the template of a charter, which the extension ships',
  'server/src/adapters/agents/acp/main.ts': 'the task, which Selfware has written into the enclosure',
  'server/src/adapters/agents/tools/main.ts': 'the list of tools, which Selfware has written into the enclosure',
  'server/src/adapters/components/installed.ts': 'the manifest of an optional library, which a person has installed',
  'server/src/adapters/embeddings/staticModel.ts': 'the vectors that we ship',
  'server/src/adapters/embeddings/transformersEmbedder.ts': 'a model in the folder that a person configures',
  'server/src/adapters/files/blobs.ts': 'blobs in the state folder',
  'server/src/adapters/files/documents.ts': 'texts under review in the state folder',
  'server/src/adapters/files/noteFiles.ts': 'files of rules in the state folder',
  'server/src/adapters/files/durableFile.ts': 'opens what it has just made, to write it, and folders, to sync them',
  'server/src/adapters/files/heldFolder.ts': 'opens folders as places, without the right to read them',
  'server/src/adapters/files/inboxFiles.ts': 'the inbox in the state folder',
  'server/src/adapters/files/journal.ts': 'the journal in the state folder',
  'server/src/adapters/grammars/grammars.ts': 'grammars that we ship',
  'server/src/adapters/harness/compile.ts': 'runs in the sandbox, where commands of the repository run as well',
  'server/src/adapters/harness/examples/ownPackages.ts':
    'runs in the sandbox, where commands of the repository run as well',
  'server/src/adapters/harness/go/makeCalls.ts': 'what the test programs have said, in the sandbox',
  'server/src/adapters/harness/go/tryMutants.ts': 'what the test programs have said, in the sandbox',
  'server/src/adapters/harness/inTests/judge.ts': 'what it has said itself, in the sandbox',
  'server/src/adapters/harness/inTests/preload.ts': 'the order that we have put into the sandbox, read inside it',
  'server/src/adapters/harness/lines/readLines.ts':
    'runs in the sandbox, on what the tests have left there and on the sources that they ran',
  'server/src/adapters/harness/loader.ts': 'runs in the sandbox, where commands of the repository run as well',
  'server/src/adapters/harness/main.ts': 'the order that we have put into the sandbox, read inside it',
  'server/src/adapters/harness/resolve.ts': 'runs in the sandbox, where commands of the repository run as well',
  'server/src/adapters/lancedb/probe.ts': 'its own note in the state folder',
  'server/src/adapters/packages/relay.ts': 'the text of a program that runs in the sandbox, and reads no file',
  'server/src/adapters/packages/networkGate.ts': 'opens a folder as a place for its socket',
  'server/src/adapters/git/nightBranch.ts':
    'a pack that git has just written, in the state folder, and the list of shallow commits',
  'server/src/adapters/run/versionCopies.ts': 'the program that we ship, and its copies beside the state folders',
  'server/src/adapters/run/liveFile.ts': 'what a run says about itself, in the state folder',
  'server/src/adapters/run/logFile.ts': 'opens and copies the log of a run, in the state folder',
  'server/src/adapters/run/versionOffers.ts': 'what versions of Selfware say to a run, in the state folder',
  'server/src/adapters/sandbox/countTasks.ts': 'what the kernel says of processes',
  'server/src/adapters/sandbox/isolation/mountTable.ts': 'what the kernel says of mounts',
  'server/src/adapters/sandbox/isolation/visiblePaths.ts': 'what the kernel says of sockets',
  'server/src/adapters/sandbox/isolation/probe.ts':
    'what a trial of our own has written, and what it tries to read inside',
  'server/src/adapters/sandbox/sandboxOwner.ts': 'whose a sandbox is: beside the tree of the commands, and of /proc',
  'server/src/adapters/sandbox/procFile.ts': 'what the kernel says of processes and memory',
  'server/src/adapters/sandbox/processes.ts': 'what the kernel says of processes',
  'server/src/adapters/sandbox/taskGroup.ts': 'what the kernel says of control groups',
  'server/src/adapters/models/local/main.ts': 'the first bytes of a model that a person names',
  'server/src/adapters/models/replyFile.ts': 'answers in a mailbox, which lies outside the repository',
  'server/src/adapters/sandbox/worktree.ts': 'opens a file that it has just made, to write it',
  'server/src/adapters/sqlite/copyLedger.ts': 'copies the head of the ledger in the state folder',
  'server/src/adapters/sqlite/ledgerHead.ts': 'the head of the ledger in the state folder',
  'server/src/adapters/system/power.ts': 'what the kernel says of the power supply',
  'server/src/adapters/system/agentSession.ts': 'what the kernel says of processes',
  'server/src/adapters/system/hangup.ts': 'what the kernel says of standard input',
  'server/src/adapters/system/processTree.ts': 'what the kernel says of processes',
  'server/src/adapters/system/runningProcesses.ts': 'notes in the state folder',
  'server/src/adapters/system/startTime.ts': 'what the kernel says of processes',
  'server/src/adapters/training/artifact.ts': 'what a trainer of the person has made, in the state folder',
  'server/src/adapters/training/fileHome.ts': 'copies trained models in the state folder where there are no links',
  'server/src/adapters/training/ollamaHome.ts': 'what a trainer has made, to give it to the server of the person',
  'server/src/app/charterFile.ts': 'a charter that a person names on the command line',
  'server/src/app/programPaths.ts': 'the manifest that we ship',
  'server/src/cli/commands/ledger.ts': 'a receipt that a person names on the command line',
  'server/src/cli/commands/nights/tonight.ts': 'a list of wishes that a person names on the command line',
  'server/src/cli/commands/propose.ts': 'a request that a person names on the command line',
  'server/src/cli/editText.ts': 'a text of ours that a person has changed in an editor, in a folder of our own',
  'server/src/core/verify/integrity/globalNames.ts': 'the declarations that the compiler brings along',
  'server/src/cli/sarifRules.ts': 'pages of rules that we ship',
  'server/src/core/propose/extraction/project.ts': 'libraries of the compiler, from its own tree in memory',
  'server/src/lsp/features/evidence.ts': 'pages of rules that we ship',
  'server/src/mcp/resources.ts': 'pages of rules that we ship',
};

const sources = projectFiles('.ts').filter((path) => /^(server|client|webview)\/src\//.test(path));

test('only safeRead reads the bytes of a repository, and some modules files of our own', () => {
  const readers = sources.filter((path) => path !== SAFE_READ && readersIn(path, read(path)).length > 0);
  expect(readers).toEqual(Object.keys(elsewhere).sort());
});

test('safeRead uses only what its first line says', () => {
  expect(readersIn(SAFE_READ, read(SAFE_READ))).toEqual(['copyFileSync', 'open', 'openSync', 'readSync']);
});

test.each([
  ["import { readFileSync as see } from 'node:fs'; see('a');", 'readFileSync'],
  ["import * as fs from 'node:fs/promises';", '*'],
  ["import fs from 'fs';", '*'],
  ["const { readFile } = await import('node:fs/promises');", 'fs/promises'],
  ["const fs = require('fs');", 'fs'],
  ["process.getBuiltinModule('fs').readFileSync('a');", 'getBuiltinModule'],
  ["import ts from 'typescript'; ts.sys.readFile('a');", 'sys'],
  ["import { promises } from 'fs'; promises.readFile('a');", 'promises'],
])('it would be seen: %s', (text, name) => {
  expect(readersIn('a.ts', text)).toContain(name);
});

test('names and links of files are no bytes', () => {
  const text = "import { lstat, readdir, readlink, writeFile } from 'node:fs/promises'; await readdir('a');";
  expect(readersIn('a.ts', text)).toEqual([]);
});

/** By what the module imports of `fs` under whatever name, and by members that read. */
function readersIn(path: string, text: string): string[] {
  return fsUsesIn(path, text, READERS, READING_MEMBERS);
}
