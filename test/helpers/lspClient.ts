// A small editor that speaks the Language Server Protocol, for tests of the language server: it has buffers, applies
// edits, saves files, and records messages. It makes no assertions.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  createMessageConnection,
  type ApplyWorkspaceEditParams,
  type CancellationToken,
  type ClientCapabilities,
  type Diagnostic,
  type InitializeResult,
  type MessageReader,
  type MessageWriter,
  type MessageConnection,
  type ShowMessageRequestParams,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';

/** The connection and the behaviour of the editor. */
export interface LspClientOptions {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  readonly rootDir: string | null;
  readonly capabilities: ClientCapabilities;
  readonly initializationOptions?: unknown;
  /** The answer to `workspace/configuration` for the section `selfware`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly processId?: number | null;
  /** Returns the choice in a message box: the title of an action, or null. `count`: number of earlier messages. */
  readonly choose?: (params: ShowMessageRequestParams, count: number) => string | null;
  /** Returns the text that is saved instead of the text of a buffer, as a formatter would. */
  readonly onSave?: (text: string) => string;
}

/** A message that the server has sent. */
export interface Received {
  readonly method: string;
  readonly params: any;
}

/** The editor. Paths are relative to the root folder. */
export interface LspClient {
  readonly connection: MessageConnection;
  /** All messages that the server has sent, in order. */
  readonly received: readonly Received[];
  /** The workspace edits that the server has requested, in order. */
  readonly edits: readonly ApplyWorkspaceEditParams[];
  settings: Readonly<Record<string, unknown>>;
  uri(path: string): string;
  /** Initialises the server. `millis`: the time until its answer. */
  initialize(): Promise<{ readonly result: InitializeResult; readonly millis: number }>;
  request<T = any>(method: string, params?: unknown, token?: CancellationToken): Promise<T>;
  notify(method: string, params?: unknown): Promise<void>;
  /** Opens a file of the disk in a buffer. */
  open(path: string): Promise<void>;
  /** Replaces the text of a buffer, without saving it. */
  type(path: string, text: string): Promise<void>;
  save(path: string): Promise<void>;
  close(path: string): Promise<void>;
  /**
   * Runs `act` once, after the next workspace edit has arrived and before it is applied, as a person may act in that
   * moment. Resolves afterwards.
   */
  whenEdited(act: () => Promise<void>): Promise<void>;
  /** Like `whenEdited`, but runs `act` after the edit was applied and before the server gets the answer. */
  afterEdit(act: () => Promise<void>): Promise<void>;
  /** Text of an open buffer. */
  text(path: string): string | undefined;
  /** Newest published diagnostics of a document. */
  published(path: string): readonly Diagnostic[] | undefined;
  /** Resolves with the first message for which `fits` is true, from the index `after` of `received` on. */
  waitFor(fits: (message: Received) => boolean, after?: number): Promise<Received>;
  /** Resolves when `holds` returns true. It is called again after each message, and every 20 ms. */
  until(holds: () => boolean): Promise<void>;
  /** Asks the server to shut down, and to end its process. */
  shutdown(): Promise<void>;
}

/** Creates the editor. It talks to the server by `reader` and `writer`, and must be initialised. */
export function createLspClient(options: LspClientOptions): LspClient {
  const connection = createMessageConnection(options.reader, options.writer);
  const received: Received[] = [];
  const edits: ApplyWorkspaceEditParams[] = [];
  const buffers = new Map<string, TextDocument>();
  const waiting = new Set<() => void>();
  const rootUri = options.rootDir === null ? null : pathToFileURL(options.rootDir).href;
  let askedCount = 0;
  let [beforeNext, afterNext]: [() => Promise<void>, () => Promise<void>] = [async () => {}, async () => {}];

  const client: LspClient = {
    connection,
    received,
    edits,
    settings: options.settings ?? {},
    uri: (path) => `${rootUri}/${path}`,
    async initialize() {
      const startedAt = performance.now();
      const result = await connection.sendRequest<InitializeResult>('initialize', {
        processId: options.processId ?? null,
        rootUri,
        workspaceFolders: rootUri && options.rootDir ? [{ uri: rootUri, name: 'folder' }] : null,
        capabilities: options.capabilities,
        ...(options.initializationOptions === undefined
          ? {}
          : { initializationOptions: options.initializationOptions }),
      });
      const millis = performance.now() - startedAt;
      await connection.sendNotification('initialized', {});
      return { result, millis };
    },
    request: (method, params, token) =>
      token ? connection.sendRequest(method, params, token) : connection.sendRequest(method, params),
    notify: (method, params) => connection.sendNotification(method, params),
    async open(path) {
      const uri = client.uri(path);
      const text = await readFile(fileURLToPath(uri), 'utf8');
      buffers.set(uri, TextDocument.create(uri, 'typescript', 1, text));
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'typescript', version: 1, text },
      });
    },
    type: (path, text) => change(client.uri(path), text),
    save: (path) => saveBuffer(client.uri(path)),
    async close(path) {
      buffers.delete(client.uri(path));
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: client.uri(path) } });
    },
    whenEdited: (act) =>
      new Promise((resolve) => {
        beforeNext = () => act().then(resolve);
      }),
    afterEdit: (act) =>
      new Promise((resolve) => {
        afterNext = () => act().then(resolve);
      }),
    text: (path) => buffers.get(client.uri(path))?.getText(),
    published: (path) =>
      received.findLast(
        ({ method, params }) => method === 'textDocument/publishDiagnostics' && params.uri === client.uri(path),
      )?.params.diagnostics,
    async waitFor(fits, after = 0) {
      let found: Received | undefined;
      await client.until(() => (found = received.slice(after).find(fits)) !== undefined);
      return found as Received;
    },
    until: (holds) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!holds()) return;
          waiting.delete(check);
          clearInterval(timer);
          resolve();
        };
        waiting.add(check);
        // A condition may become true without a message.
        const timer = setInterval(check, 20);
        check();
      }),
    async shutdown() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
    },
  };

  connection.onNotification((method, params) => note(method, params));
  connection.onRequest((method, params) => answer(method, params));
  connection.onUnhandledProgress(({ token, value }) => note('$/progress', { token, value }));
  connection.listen();
  return client;

  function note(method: string, params: unknown): void {
    received.push({ method, params });
    for (const check of [...waiting]) check();
  }

  async function answer(method: string, params: any): Promise<unknown> {
    note(method, params);
    if (method === 'workspace/configuration') return params.items.map(() => client.settings);
    if (method === 'workspace/applyEdit') return apply(params);
    if (method === 'selfware/save') return saveAll(params.uris);
    if (method === 'window/showMessageRequest') {
      const title = options.choose?.(params, askedCount++) ?? null;
      return title === null ? null : { title };
    }
    if (method === 'window/showDocument') return { success: true };
    return null;
  }

  async function apply(
    params: ApplyWorkspaceEditParams,
  ): Promise<{ readonly applied: boolean; readonly failureReason?: string }> {
    edits.push(params);
    const [before, after] = [beforeNext, afterNext];
    [beforeNext, afterNext] = [async () => {}, async () => {}];
    await before();
    for (const step of listEditSteps(params.edit)) {
      if ('kind' in step) {
        if (step.kind === 'create') buffers.set(step.uri, TextDocument.create(step.uri, 'typescript', 1, ''));
        if (step.kind === 'delete') await rm(fileURLToPath(step.uri));
        continue;
      }
      const open = buffers.get(step.uri);
      if (step.version !== null && open && open.version !== step.version)
        return { applied: false, failureReason: 'the document has changed' };
      const document =
        open ?? TextDocument.create(step.uri, 'typescript', 1, await readFile(fileURLToPath(step.uri), 'utf8'));
      const text = TextDocument.applyEdits(document, [...step.edits]);
      if (open) await change(step.uri, text);
      else buffers.set(step.uri, TextDocument.create(step.uri, 'typescript', 1, text));
    }
    await after();
    return { applied: true };
  }

  async function saveAll(uris: readonly string[]): Promise<unknown> {
    for (const uri of uris) await saveBuffer(uri);
    return { saved: uris, failed: [] };
  }

  async function saveBuffer(uri: string): Promise<void> {
    const buffer = buffers.get(uri);
    if (!buffer) throw new Error(`${uri} is not open.`);
    const text = options.onSave?.(buffer.getText()) ?? buffer.getText();
    if (text !== buffer.getText()) await change(uri, text);
    await mkdir(dirname(fileURLToPath(uri)), { recursive: true });
    await writeFile(fileURLToPath(uri), text);
    await connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  async function change(uri: string, text: string): Promise<void> {
    const buffer = buffers.get(uri);
    if (!buffer) throw new Error(`${uri} is not open.`);
    const bufferRange = { start: { line: 0, character: 0 }, end: buffer.positionAt(buffer.getText().length) };
    const version = buffer.version + 1;
    buffers.set(uri, TextDocument.create(uri, 'typescript', version, text));
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range: bufferRange, text }],
    });
  }
}

/** One step of a workspace edit. */
type Step =
  | { readonly kind: 'create' | 'delete'; readonly uri: string }
  | { readonly uri: string; readonly version: number | null; readonly edits: readonly TextEdit[] };

function listEditSteps({ changes, documentChanges }: WorkspaceEdit): readonly Step[] {
  if (!documentChanges) return Object.entries(changes ?? {}).map(([uri, edits]) => ({ uri, version: null, edits }));
  return documentChanges.map((change): Step => {
    if ('kind' in change) {
      if (change.kind === 'rename') throw new Error('A rename was not expected.');
      return { kind: change.kind, uri: change.uri };
    }
    return { uri: change.textDocument.uri, version: change.textDocument.version, edits: change.edits as TextEdit[] };
  });
}
