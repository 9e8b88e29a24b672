// Writing through an editor: what goes through the buffers, what goes to disk, and what is refused.

import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  createConnection,
  type ClientCapabilities,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createDiskWriter } from '../../server/src/adapters/files/diskWriter.ts';
import { readAbilities } from '../../server/src/lsp/clientAbilities.ts';
import { createEditorWriter } from '../../server/src/lsp/editorWriter.ts';
import { toRelativePath } from '../../server/src/lsp/fromProtocol.ts';
import { toUri } from '../../server/src/lsp/toProtocol.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import { createLspClient, type LspClient } from '../helpers/lspClient.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import type { FileWrite, TreeWriter } from '../../server/src/core/ports/files.ts';

let repository: TemporaryRepository;
beforeEach(
  async () =>
    (repository = await createTemporaryRepository(
      { 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'b\n', 'windows.ts': 'one\r\ntwo\r\n', 'marked.ts': '\uFEFFone\n' },
      { git: false },
    )),
);
afterEach(() => repository.dispose());

interface Editor {
  readonly client: LspClient;
  readonly writer: TreeWriter;
  readonly documents: TextDocuments<TextDocument>;
  /** What went past the editor. */
  readonly byDisk: readonly string[];
  open(path: string): Promise<void>;
}

async function editor(options: {
  readonly capabilities: ClientCapabilities;
  readonly canSave: boolean;
  readonly onSave?: (text: string) => string;
  readonly disk?: TreeWriter;
}): Promise<Editor> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(toServer),
    new StreamMessageWriter(toClient),
  );
  const client = createLspClient({
    ...options,
    rootDir: repository.dir,
    reader: new StreamMessageReader(toClient),
    writer: new StreamMessageWriter(toServer),
  });
  const documents = new TextDocuments(TextDocument);
  documents.listen(connection);
  connection.onInitialize(() => ({ capabilities: {} }));
  connection.listen();
  await client.initialize();
  const byDisk: string[] = [];
  const disk = options.disk ?? createDiskWriter(repository.dir);
  const folderUri = client.uri('').slice(0, -1);
  const writer = createEditorWriter(
    {
      connection,
      documents,
      abilities: readAbilities({
        capabilities: options.capabilities,
        initializationOptions: { canSave: options.canSave },
      }),
      log: { write: () => {} },
    },
    { pathOf: (uri) => toRelativePath(uri, [repository.dir]), uriOf: (path) => toUri(folderUri, path) },
    repository.dir,
    { write: (writes, label) => (byDisk.push(...writes.map(({ path }) => path)), disk.write(writes, label)) },
  );
  return {
    client,
    writer,
    documents,
    byDisk,
    async open(path) {
      await client.open(path);
      await client.until(() => documents.get(client.uri(path)) !== undefined);
    },
  };
}

function change(path: string, before: string | null, after: string | null, mode = 0o644): FileWrite {
  return {
    path,
    before: before === null ? null : Buffer.from(before),
    after: after === null ? null : Buffer.from(after),
    mode,
  };
}

describe('an editor that saves', () => {
  const rich = { capabilities: richCapabilities, canSave: true };

  test('gets open and other files, new and deleted ones in one edit', async () => {
    const { client, writer, byDisk, open } = await editor(rich);
    await open('a.ts');
    await writer.write(
      [
        change('a.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n'),
        change('b.ts', 'b\n', null),
        change('new/c.ts', null, 'c\n'),
      ],
      'Label',
    );
    expect(client.edits).toHaveLength(1);
    expect(client.edits[0]?.edit.documentChanges).toMatchObject([
      {
        textDocument: { version: 1 },
        edits: [{ range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText: '2\n' }],
      },
      { kind: 'delete' },
      { kind: 'create' },
      { textDocument: { version: null } },
    ]);
    expect([
      await repository.read('a.ts'),
      await repository.read('b.ts'),
      await repository.read('new/c.ts'),
      client.text('a.ts'),
    ]).toEqual(['one\n2\nthree\n', null, 'c\n', 'one\n2\nthree\n']);
    expect(byDisk).toEqual([]);
  });

  test('that trims blanks on save still ends with the approved bytes', async () => {
    const { writer, open, byDisk } = await editor({ ...rich, onSave: (text) => text.replaceAll(/ +$/gm, '') });
    await open('a.ts');
    await writer.write([change('a.ts', 'one\ntwo\nthree\n', 'one  \ntwo\nthree\n')], 'Label');
    expect(await repository.read('a.ts')).toBe('one  \ntwo\nthree\n');
    expect(byDisk).toEqual(['a.ts']);
  });

  test('that saves another text in the place of the change is found out', async () => {
    const { writer, open } = await editor({ ...rich, onSave: (text) => text.replace('2', 'two and a half') });
    await open('a.ts');
    await expect(writer.write([change('a.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n')], 'Label')).rejects.toMatchObject(
      { reason: 'writeFailed', message: expect.stringContaining('different text') },
    );
  });

  test('does not get what it cannot write: other bytes than text, executable files, a byte order mark', async () => {
    const { client, writer, byDisk } = await editor(rich);
    await repository.write('binary', Uint8Array.of(0xff, 0xfe, 0));
    await writer.write(
      [
        { path: 'binary', before: Uint8Array.of(0xff, 0xfe, 0), after: Uint8Array.of(0xff), mode: 0o644 },
        change('run.sh', null, '#!/bin/sh\n', 0o755),
        change('marked.ts', '\uFEFFone\n', '\uFEFF1\n'),
      ],
      'Label',
    );
    expect(byDisk).toEqual(['binary', 'run.sh', 'marked.ts']);
    expect(client.edits).toEqual([]);
  });

  test('that shows other line ends than the file has is gone past', async () => {
    const { client, writer, byDisk, open } = await editor(rich);
    await open('windows.ts');
    await client.type('windows.ts', 'one\ntwo\n');
    await client.request('textDocument/willSaveWaitUntil', {
      textDocument: { uri: client.uri('windows.ts') },
      reason: 1,
    });
    await writer.write([change('windows.ts', 'one\r\ntwo\r\n', 'one\r\n2\r\n')], 'Label');
    expect(byDisk).toEqual(['windows.ts']);
    expect(await repository.read('windows.ts')).toBe('one\r\n2\r\n');
  });
});

describe('an editor that does not save', () => {
  const plain = { capabilities: plainCapabilities, canSave: false };

  test('gets its open documents; the files are written too', async () => {
    const { client, writer, byDisk, open } = await editor(plain);
    await open('a.ts');
    await writer.write(
      [
        change('a.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n'),
        change('b.ts', 'b\n', 'B\n'),
        change('c.ts', null, 'c\n'),
      ],
      'Label',
    );
    expect(client.edits.map(({ edit }) => Object.keys(edit.changes ?? {}))).toEqual([[client.uri('a.ts')]]);
    expect(client.text('a.ts')).toBe('one\n2\nthree\n');
    expect([await repository.read('a.ts'), await repository.read('b.ts'), await repository.read('c.ts')]).toEqual([
      'one\n2\nthree\n',
      'B\n',
      'c\n',
    ]);
    expect(byDisk).toEqual(['b.ts', 'c.ts', 'a.ts']);
  });

  test('and cannot apply edits either is gone past', async () => {
    const { client, writer, open } = await editor({ capabilities: {}, canSave: false });
    await open('a.ts');
    await writer.write([change('a.ts', 'one\ntwo\nthree\n', 'x\n')], 'Label');
    expect(client.edits).toEqual([]);
    expect(await repository.read('a.ts')).toBe('x\n');
  });
});

describe('refused', () => {
  test.each([{ canSave: true }, { canSave: false }])(
    'unsaved changes, before anything is written (can save: $canSave)',
    async ({ canSave }) => {
      const { client, writer, open, documents, byDisk } = await editor({ capabilities: richCapabilities, canSave });
      await open('a.ts');
      await client.type('a.ts', 'mine\n');
      await client.until(() => documents.get(client.uri('a.ts'))?.getText() === 'mine\n');
      await expect(
        writer.write([change('b.ts', 'b\n', 'B\n'), change('a.ts', 'one\ntwo\nthree\n', 'x\n')], 'Label'),
      ).rejects.toMatchObject({ reason: 'stale' });
      expect([byDisk, client.edits, await repository.read('b.ts')]).toEqual([[], [], 'b\n']);
    },
  );

  test('a file that is another one on disk', async () => {
    const { client, writer } = await editor({ capabilities: richCapabilities, canSave: true });
    await expect(writer.write([change('a.ts', 'else\n', 'x\n')], 'Label')).rejects.toMatchObject({ reason: 'stale' });
    expect(client.edits).toEqual([]);
  });

  test.each([{ canSave: true }, { canSave: false }])(
    'a change that does not come to disk leaves no buffer changed (can save: $canSave)',
    async ({ canSave }) => {
      const { client, writer, open } = await editor({
        capabilities: richCapabilities,
        canSave,
        disk: { write: () => Promise.reject(new SelfwareError('diskFull', 'The disk is full.')) },
      });
      await open('a.ts');
      client.connection.onRequest('selfware/save', () => ({
        saved: [],
        failed: [{ uri: client.uri('a.ts'), reason: 'The disk is full.' }],
      }));
      await expect(writer.write([change('a.ts', 'one\ntwo\nthree\n', 'x\n')], 'Label')).rejects.toMatchObject({
        message: expect.stringContaining('The disk is full.'),
      });
      expect(client.edits).toHaveLength(2);
      expect([client.text('a.ts'), await repository.read('a.ts')]).toEqual(['one\ntwo\nthree\n', 'one\ntwo\nthree\n']);
    },
  );

  test('by the editor: its reason is told', async () => {
    const { client, writer, open } = await editor({ capabilities: richCapabilities, canSave: true });
    await open('a.ts');
    client.connection.onRequest('workspace/applyEdit', () => ({ applied: false, failureReason: 'read-only buffer' }));
    await expect(writer.write([change('a.ts', 'one\ntwo\nthree\n', 'x\n')], 'Label')).rejects.toMatchObject({
      reason: 'writeFailed',
      message: expect.stringContaining('read-only buffer'),
    });
  });
});

describe('who types on while a change is applied loses no keystroke', () => {
  const base = 'one\ntwo\nthree\nfour\n';
  const approved = 'one\n2\nthree\nfour\n';
  const wanted = change('long.ts', base, approved);
  beforeEach(() => repository.write('long.ts', base));

  test.each([{ canSave: true }, { canSave: false }])(
    'before the edit arrives: it is refused, and nothing is written (can save: $canSave)',
    async ({ canSave }) => {
      const { client, writer, open } = await editor({ capabilities: richCapabilities, canSave });
      await open('long.ts');
      const answer = client.whenEdited(() => client.type('long.ts', `${base}typed\n`));
      await expect(writer.write([wanted], 'Label')).rejects.toMatchObject({ reason: 'writeFailed' });
      await answer;
      expect([client.text('long.ts'), await repository.read('long.ts')]).toEqual([`${base}typed\n`, base]);
    },
  );

  test('between two files of one change: the first is put back by who wrote it, the second keeps what was typed', async () => {
    const { client, writer, open } = await editor({ capabilities: richCapabilities, canSave: false });
    await open('long.ts');
    const answer = client.whenEdited(() => client.type('long.ts', `${base}typed\n`));
    await expect(writer.write([change('b.ts', 'b\n', 'B\n'), wanted], 'Label')).rejects.toMatchObject({
      reason: 'writeFailed',
    });
    await answer;
    expect([await repository.read('b.ts'), client.text('long.ts'), await repository.read('long.ts')]).toEqual([
      'B\n',
      `${base}typed\n`,
      base,
    ]);
  });

  test('after the edit, before it is saved: change and keystroke are both in the file', async () => {
    const { client, writer, open } = await editor({
      capabilities: richCapabilities,
      canSave: true,
      onSave: (text) => (text.endsWith('typed\n') ? text : `${text}typed\n`),
    });
    await open('long.ts');
    await writer.write([wanted], 'Label');
    expect([client.text('long.ts'), await repository.read('long.ts')]).toEqual([
      `${approved}typed\n`,
      `${approved}typed\n`,
    ]);
  });

  test.each([
    ['a new line at the end', `${approved}\n`],
    ['a blank at the end of a line', approved.replace('four', 'four ')],
    ['a line in between', approved.replace('three\n', 'three\n\n')],
  ])('a keystroke of nothing but blanks stays as well: %s', async (_what, typed) => {
    const { client, writer, open } = await editor({
      capabilities: richCapabilities,
      canSave: true,
      onSave: () => typed,
    });
    await open('long.ts');
    await writer.write([wanted], 'Label');
    expect([client.text('long.ts'), await repository.read('long.ts')]).toEqual([typed, typed]);
  });

  test('after the edit, in an editor that does not save: the file holds the change, the buffer what was typed on top of it', async () => {
    const { client, writer, open } = await editor({ capabilities: richCapabilities, canSave: false });
    await open('long.ts');
    const answer = client.afterEdit(() => client.type('long.ts', `${approved}typed\n`));
    await writer.write([wanted], 'Label');
    await answer;
    expect([client.text('long.ts'), await repository.read('long.ts')]).toEqual([`${approved}typed\n`, approved]);
  });

  test('a change that fails after somebody typed on is taken out of the buffer, and nothing else', async () => {
    const { client, writer, open } = await editor({
      capabilities: richCapabilities,
      canSave: false,
      disk: { write: () => Promise.reject(new SelfwareError('diskFull', 'The disk is full.')) },
    });
    await open('long.ts');
    const answer = client.afterEdit(() => client.type('long.ts', `${approved}typed\n`));
    await expect(writer.write([wanted], 'Label')).rejects.toMatchObject({ reason: 'diskFull' });
    await answer;
    expect([client.text('long.ts'), await repository.read('long.ts')]).toEqual([`${base}typed\n`, base]);
  });
});
