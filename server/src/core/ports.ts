// Collects the ports of the core to the outside world, which adapters implement. Every adapter and its in-memory
// counterpart pass the same contract suite (test/adapters). Paths are relative to the repository's root, with `/`,
// unless a name contains `dir` or `absolute`.

import type { Clock, Machine, Ids, Log, Lock } from './ports/system.ts';
import type { Files, TreeWriter, TeamFiles, Journal } from './ports/files.ts';
import type { Git, BranchWriter, History } from './ports/git.ts';
import type { Sandbox } from './ports/sandbox.ts';
import type { LedgerStore } from './ports/ledger.ts';
import type { ReferenceRepositories } from './ports/references.ts';
import type { Research } from './ports/research.ts';
import type { InboxFiles } from './ports/inbox.ts';
import type { Documents, Blobs, NoteFiles } from './ports/stores.ts';
import type { Catalogue } from './ports/catalogue.ts';
import type { ChunkStore, Embedder } from './ports/search.ts';
import type { Proposers } from './ports/proposers.ts';
import type { Jobs } from './jobs.ts';
import type { Packages } from './ports/packages.ts';

/** All ports that a session needs. */
export interface Ports {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly log: Log;
  readonly files: Files;
  readonly writer: TreeWriter;
  readonly teamFiles: TeamFiles;
  readonly journal: Journal;
  readonly git: Git;
  readonly branches: BranchWriter;
  readonly sandbox: Sandbox;
  /** If absent, nothing can be installed. */
  readonly packages?: Packages;
  /** The command line that starts the harness of the differential gate; null if there is none. */
  readonly harness?: readonly string[] | null;
  /** URL of the module that tries mutants inside a test runner; null if there is none. */
  readonly inTests?: string | null;
  /** The folder with Selfware's programs for Python, which run in the sandbox; null if there are none. */
  readonly python?: string | null;
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  /**
   * Compares texts that people wrote, on this machine only: always the shipped table, even if `embedder` is a model. If
   * absent, `embedder` is used, unless it is a model.
   */
  readonly wordEmbedder?: Pick<Embedder, 'embed'>;
  readonly jobs: Jobs;
  readonly documents: Documents;
  readonly inbox: InboxFiles;
  /** If absent, rules are only in the ledger. */
  readonly notes?: NoteFiles;
  readonly history: History;
  /** If absent, other repositories are not searched. */
  readonly references?: ReferenceRepositories;
  /** If absent, nothing is searched online. */
  readonly research?: Research;
  readonly blobs: Blobs;
  readonly lock: Lock;
  readonly proposers: Proposers;
}
