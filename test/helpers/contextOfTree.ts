// Creates the context of a session on a tree in memory, with its analyses and imports, for unit tests without a disk.

import { createInProcessJobs } from '../../server/src/adapters/workers/inProcessJobs.ts';
import { createGrammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createPythonLinter } from '../../server/src/adapters/ruff/ruff.ts';
import { createJobTable } from '../../server/src/core/jobs.ts';
import type { SessionContext } from '../../server/src/core/session/context.ts';
import { setImports } from '../../server/src/core/session/index/imports.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { sha256 } from '../../server/src/util/hash.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { createPart } from './createPart.ts';

const neverAborted = new AbortController().signal;
const jobs = createInProcessJobs(
  createJobTable({
    grammars: createGrammarsFromNodeModules(),
    lintPython: createPythonLinter(),
    sourceTree: () => {
      throw new Error('No tree is asked for.');
    },
  }),
);

/** Texts by path. */
export type Tree = Readonly<Record<string, string>>;

/** The context of a session that has analysed this tree. */
export async function contextOf(tree: Tree): Promise<SessionContext> {
  const read = Object.entries(tree).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: sha256(bytes) };
  });
  const rows = await jobs.run('analyse', read, neverAborted);
  const state = {
    analyses: new Map(rows.map((row) => [row.path, row])),
    notices: [],
    importGraph: () => ({ edges: new Map() }),
    get imports() {
      return this.importGraph().edges;
    },
  };
  const catalogue = { derived: async () => [], putDerived: async () => undefined, shelvedDerived: async () => null };
  const blobs = { read: async () => null, write: async () => undefined };
  const ports = {
    jobs,
    files: createMemoryFiles(tree),
    catalogue,
    blobs,
    embedder: { profile: 'none' },
    log: { write: () => undefined },
  };
  const settings = defaultSettings;
  const context = createPart<SessionContext>({ state, ports, settings, emit: () => undefined });
  await setImports(context, rows);
  return context;
}
