// Creates complete sessions whose tree, git repository, sandbox and clock are in memory, and whose stores are real ones
// in a temporary folder. A simulated day takes only a moment.

import { REPORT_MARK, type HarnessOrder, type HarnessReport } from '../../server/src/core/verify/differential/plan.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHashedEmbedder } from '../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createGrammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createPythonLinter } from '../../server/src/adapters/ruff/ruff.ts';
import { createInboxFiles } from '../../server/src/adapters/files/inboxFiles.ts';
import { createLexicalStore } from '../../server/src/adapters/lexical/lexicalStore.ts';
import { createCatalogue } from '../../server/src/adapters/sqlite/catalogue.ts';
import { createContentStore } from '../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../server/src/adapters/sqlite/ledgerStore.ts';
import { createProposers } from '../../server/src/adapters/models/proposers.ts';
import { createInProcessJobs } from '../../server/src/adapters/workers/inProcessJobs.ts';
import { createJobTable } from '../../server/src/core/jobs.ts';
import type { Ledger } from '../../server/src/core/ledger/ledger.ts';
import type { Ports } from '../../server/src/core/ports.ts';
import type { Session } from '../../server/src/core/session.ts';
import { createSession } from '../../server/src/core/session/createSession.ts';
import { defaultSettings, type Settings } from '../../server/src/settings/schema.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import { createMemoryClock, createMemoryIds, type MemoryClock } from './memoryClock.ts';
import { createMemoryFiles, type MemoryFiles } from './memoryFiles.ts';
import { createMemoryGit, type MemoryGit } from './memoryGit.ts';
import { createMemorySandbox, type MemoryCommand, type MemorySandbox } from './memorySandbox.ts';
import { createMemoryBlobs, createMemoryDocuments, createMemoryJournal, createMemoryLock } from './memoryState.ts';
import type { Machine } from '../../server/src/core/ports/system.ts';
import type { FileWrite } from '../../server/src/core/ports/files.ts';
import type { WindowRun } from '../../server/src/core/session/windowRun.ts';
import type { SourceTree } from '../../server/src/core/ports/sources.ts';

const HOUR_MS = 3_600_000;

/** The line that the gate differential runs. */
const HARNESS = 'harness node_modules/.selfware/order.json';

/** Options of the simulated machine. */
export interface WorldOptions {
  /** The load of the machine; without it, the load is unknown. */
  readonly load?: Machine['load'];
  /** Commands in addition to the default ones. By default, `run-tests` takes a simulated hour and passes. */
  readonly commands?: Readonly<Record<string, MemoryCommand>>;
}

/** Options of one session. */
export interface SessionOptions {
  readonly settings?: Partial<Settings>;
  readonly trusted?: boolean;
  readonly protectedPaths?: readonly string[];
  readonly chunksInMemory?: number;
  /** True for the session of a repository that is only searched. */
  readonly isReference?: boolean;
  /** The window of an editor whose budgets the session continues. */
  readonly windowRun?: WindowRun;
  /** The start of the unattended run to which the session belongs. */
  readonly runStartedAt?: number;
  /** The ledger of the repository, for the session of an unattended run. */
  readonly repositoryLedger?: Ledger;
  /** Returns ports that replace the default ones. */
  readonly change?: (ports: Ports) => Partial<Ports>;
}

/** One repository with one state folder. Sessions on it are like processes on one machine. */
export interface SessionWorld extends AsyncDisposable {
  readonly tree: MemoryFiles;
  readonly git: MemoryGit;
  readonly clock: MemoryClock;
  readonly sandbox: MemorySandbox;
  /** The locks that are held; a test may add one as if another process held it. */
  readonly held: Set<string>;
  readonly stateDir: string;
  /** All writes of sessions to the tree, in order. */
  readonly written: readonly (readonly FileWrite[])[];
  /** Creates a session and opens it. */
  session(options?: SessionOptions): Promise<Session>;
}

/** Creates the repository with these files, and an empty state folder. */
export async function createSessionWorld(
  files: Readonly<Record<string, string>>,
  options: WorldOptions = {},
): Promise<SessionWorld> {
  const tree = createMemoryFiles(files);
  const clock = createMemoryClock();
  const git = createMemoryGit();
  const heldLocks = new Set<string>();
  const journal = createMemoryJournal();
  const documents = createMemoryDocuments();
  const blobs = createMemoryBlobs();
  const ids = createMemoryIds();
  const writtenBatches: (readonly FileWrite[])[] = [];
  const sandbox = createMemorySandbox(tree, {
    'run-tests': () => {
      clock.advance(HOUR_MS);
      return passingRun;
    },
    [HARNESS]: (texts) => ({ stdout: reportOfSameness(texts.get('node_modules/.selfware/order.json') ?? '{}') }),
    ...options.commands,
  });
  const stateDir = await mkdtemp(join(tmpdir(), 'selfware-session-'));
  const open: Session[] = [];
  const table = createJobTable({
    grammars: createGrammarsFromNodeModules(),
    lintPython: createPythonLinter(),
    sourceTree: (rootDir) => createSourceTree(tree, rootDir),
  });

  return {
    tree,
    git,
    clock,
    sandbox,
    held: heldLocks,
    stateDir,
    written: writtenBatches,
    async session({
      settings = {},
      trusted = true,
      protectedPaths = [],
      chunksInMemory,
      isReference = false,
      windowRun,
      runStartedAt,
      repositoryLedger,
      change = () => ({}),
    } = {}) {
      const defaultPorts: Ports = {
        clock,
        machine: { load: () => options.load?.() ?? null },
        ids,
        log: { write: () => undefined },
        files: tree,
        writer: {
          ...tree.writer,
          write: (writes, label) => {
            writtenBatches.push(writes);
            return tree.writer.write(writes, label);
          },
        },
        teamFiles: {
          write: async (path, bytes) => tree.set(path, bytes === null ? null : new TextDecoder().decode(bytes)),
        },
        journal,
        git,
        branches: { open: () => Promise.reject(new SelfwareError('unavailable', 'No branches in memory.')) },
        sandbox,
        harness: ['harness'],
        ledger: await createLedgerStore(join(stateDir, 'ledger.db')),
        catalogue: createCatalogue(join(stateDir, 'catalogue.db')),
        chunks: await createLexicalStore(join(stateDir, 'chunks.db')),
        embedder: createHashedEmbedder(),
        jobs: createInProcessJobs(table),
        documents,
        inbox: createInboxFiles(stateDir),
        history: { commits: async () => [], changes: async () => [], readBlobs: async () => new Map() },
        blobs,
        lock: createMemoryLock(heldLocks),
        proposers: createProposers({ rootDir: tree.rootDir, env: {} }),
      };
      const session = createSession(
        { ...defaultPorts, ...change(defaultPorts) },
        {
          settings: { ...defaultSettings, 'verify.testCommand': 'run-tests', ...settings },
          trusted,
          protectedPaths,
          entryPoints: [],
          contents: await createContentStore(join(stateDir, 'contents.db')),
          ...(chunksInMemory === undefined ? {} : { chunksInMemory }),
          isReference,
          ...(windowRun === undefined ? {} : { windowRun }),
          ...(runStartedAt === undefined ? {} : { runStartedAt }),
          ...(repositoryLedger === undefined ? {} : { repositoryLedger }),
          termTable: null,
          recordProfile: 'test',
          notices: [],
          doctorInput: { nodeVersion: '0', stateDir, peakRssMb: () => 0 },
        },
      );
      open.push(session);
      await session.open({ signal: new AbortController().signal });
      return session;
    },
    async [Symbol.asyncDispose]() {
      for (const session of open) await session.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** The result of a run in which three tests pass. */
export const passingRun = {
  exitCode: 0,
  stdout: 'TAP version 13\nok 1 - one\nok 2 - two\nok 3 - three\n1..3\n# tests 3\n# pass 3\n# fail 0\n',
};
/** The result of a run in which the first of three tests fails. */
export const failingRun = {
  exitCode: 1,
  stdout: 'TAP version 13\nnot ok 1 - one\nok 2 - two\nok 3 - three\n1..3\n# tests 3\n# pass 2\n# fail 1\n',
};

/** The tree in memory as the compiler reads it. */
function createSourceTree(tree: MemoryFiles, rootDir: string): SourceTree {
  const toRelativePath = (absolute: string) =>
    absolute === rootDir ? '' : absolute.startsWith(`${rootDir}/`) ? absolute.slice(rootDir.length + 1) : null;
  const listPaths = () => Object.keys(tree.all());
  const listPathsBelow = (absolute: string) => {
    const folder = toRelativePath(absolute);
    return folder === null
      ? []
      : listPaths()
          .filter((path) => folder === '' || path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder === '' ? 0 : folder.length + 1));
  };
  return {
    rootDir,
    bytes(path) {
      const text = tree.text(path);
      return text === null || text === undefined ? undefined : new TextEncoder().encode(text);
    },
    read: (absolute) => tree.text(toRelativePath(absolute) ?? '') ?? undefined,
    fileExists: (absolute) => listPaths().includes(toRelativePath(absolute) ?? ''),
    folderExists: (absolute) => listPathsBelow(absolute).length > 0,
    list(absolute) {
      const names = new Map<string, 'file' | 'folder'>();
      for (const path of listPathsBelow(absolute)) {
        const [name = '', ...rest] = path.split('/');
        names.set(name, rest.length > 0 ? 'folder' : 'file');
      }
      return [...names].map(([name, kind]) => ({ name, kind }));
    },
    realPath: (absolute) => absolute,
  };
}

/**
 * The output of the harness for an order: it reports that no target changes its behaviour. Nothing runs in memory, so
 * this is assumed of every change.
 */
function reportOfSameness(order: string): string {
  const { targets } = JSON.parse(order) as Pick<HarnessOrder, 'targets'>;
  const report: HarnessReport = {
    obstacle: null,
    unreached: [],
    unexercised: [],
    targets: targets.map(({ path, name }) => ({
      path,
      name,
      outcome: 'same',
      reason: null,
      counterexample: null,
      inputs: 100,
      answered: 100,
    })),
  };
  return `${REPORT_MARK}${JSON.stringify(report)}\n`;
}
