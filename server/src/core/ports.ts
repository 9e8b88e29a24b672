// What the core needs from the world. Adapters implement these; every adapter and its in-memory twin pass one contract
// suite (test/adapters).
// Paths are relative to the repository's root, with `/`, unless a name says `dir` or `absolute`.

import type { Blobs, Catalogue, ChunkStore, Embedder, History, Jobs } from './indexPorts.ts';
import type { FileEdit, Millis, Skipped } from './model.ts';

export interface Clock {
  now(): Millis;
}

/** How much the machine has to do. */
export interface Machine {
  /** How many processes ran or waited to run in the last minute, on average; null where the system does not say. */
  load(): { readonly running: number; readonly cores: number } | null;
}

export interface Ids {
  /** Unique, sortable by time, 1–64 characters of [a-z0-9-]. */
  next(kind: 'proposal' | 'checkpoint' | 'event' | 'sandbox'): string;
}

/** Diagnostics for a developer; never for a user's eyes alone, never the ledger. */
export interface Log {
  write(level: 'debug' | 'info' | 'warn' | 'error', message: string, cause?: unknown): void;
}

export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  /** Permission bits, e.g. 0o644. */
  readonly mode: number;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The user's working tree, for reading. */
export interface Files {
  /** Absolute, symlink-free path of the root. */
  readonly rootDir: string;
  /**
   * Every file worth indexing, sorted by path: ignore rules honoured, nested repositories and links that lead out left
   * out and said.
   */
  walk(
    limits: { readonly maxBytes: number; readonly exclude: readonly string[] },
    signal: AbortSignal,
  ): Promise<{
    readonly files: readonly { readonly path: string; readonly stat: FileStat }[];
    readonly skipped: readonly Skipped[];
  }>;
  stat(path: string): Promise<FileStat | null>;
  /** Raw bytes, or null when there is no such file. Throws `unreadable`. */
  read(path: string): Promise<Uint8Array | null>;
  /** Where a path really lands after symlinks and `..` (the file itself need not exist). `null` = outside the root. */
  resolve(path: string): Promise<{ readonly path: string; readonly throughLink: boolean } | null>;
  /** True where `A.txt` and `a.txt` are one file. */
  readonly caseInsensitive: boolean;
}

/** A file to be written: whole bytes; `null` = absent. */
export interface FileWrite {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly mode: number;
}

/**
 * The only way bytes reach the user's tree. Called by core/apply alone, after charter and journal.
 * Disk implementation: temporary file + fsync + rename. Editor implementation: one workspace edit, then saved.
 */
export interface TreeWriter {
  /** Throws `stale` when a file no longer holds `before`; whatever was written by then is rolled back by the caller. */
  write(writes: readonly FileWrite[], label: string): Promise<void>;
  /**
   * Removes temporary files that a killed process left beside these paths. Called by recovery, under the apply lock.
   */
  sweep?(paths: readonly string[]): Promise<void>;
}

/**
 * Files of Selfware's own in the repository, for a team to commit: in `.selfware/`, and only when a person asks for it.
 */
export interface TeamFiles {
  /**
   * In one step, the folder too; null removes. Throws `forbidden` for any other place, also by way of links, and what a
   * failed write says.
   */
  write(path: string, bytes: Uint8Array | null): Promise<void>;
}

/** A change in flight, with everything that recovery needs. */
export interface JournalEntry {
  readonly id: string;
  readonly kind: 'apply' | 'rollback';
  readonly checkpoint: string;
  readonly startedAt: Millis;
  readonly writes: readonly FileWrite[];
}

/** Write-ahead journal. `begin` returns only when the entry is durable (fsync). */
export interface Journal {
  begin(entry: JournalEntry): Promise<void>;
  finish(id: string): Promise<void>;
  /** Entries begun and not finished, oldest first. A damaged entry is reported in `damaged`, and kept. */
  open(): Promise<{ readonly entries: readonly JournalEntry[]; readonly damaged: readonly string[] }>;
}

export interface RepositoryState {
  /** Commit id, or null in an empty repository. */
  readonly head: string | null;
  /** Null when detached or unborn. */
  readonly branch: string | null;
}

/** Git plumbing. Nothing here touches HEAD, branches, the index, the stash or the working tree. */
export interface Git {
  /** Null when the root is not inside a git work tree (or git is missing). */
  state(): Promise<RepositoryState | null>;
  /** Paths with uncommitted changes, untracked ones included, ignored ones not. */
  dirty(): Promise<
    readonly { readonly path: string; readonly kind: 'modified' | 'added' | 'deleted' | 'untracked' | 'conflicted' }[]
  >;
  /**
   * Writes the pre-images byte-exact (no filters) into a commit under refs/selfware/checkpoints/ID. Returns the ref.
   */
  saveCheckpoint(
    id: string,
    title: string,
    files: readonly { readonly path: string; readonly bytes: Uint8Array; readonly mode: number }[],
  ): Promise<string>;
  readCheckpoint(ref: string, path: string): Promise<Uint8Array | null>;
  deleteCheckpoint(ref: string): Promise<void>;
  /**
   * Files that this commit holds otherwise than the working tree, new and deleted ones included; null = there is no
   * such commit.
   */
  differing(commit: string): Promise<readonly string[] | null>;
  /** A file as a commit holds it; null = it has none. */
  readAt(commit: string, path: string): Promise<Uint8Array | null>;
}

/** A file as git stores it; null bytes = deleted. */
export interface CommitFile {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  readonly mode: number;
}

/** Commits that are put on top of a branch all at once. */
export interface BranchWork {
  readonly branch: string;
  /** As the branch would hold it after the commits so far, as git stores it; null = no such file. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly mode: number } | null>;
  /**
   * What git would store for bytes of the working tree: its line ends. Throws `unavailable` where a filter program is
   * in between.
   */
  stored(path: string, bytes: Uint8Array): Promise<Uint8Array>;
  /**
   * The user's hooks have their say and their key signs. Returns the id. Throws `forbidden` when they refuse,
   * `cancelled`.
   */
  commit(files: readonly CommitFile[], message: string): Promise<string>;
  /** Moves the branch. Throws `stale` when somebody else has, in the meantime. */
  finish(): Promise<void>;
  dispose(): Promise<void>;
}

/** Writes to the user's branches, and only because a person asked for it. */
export interface BranchWriter {
  /**
   * An existing branch goes on from its tip, a new one from HEAD. `checkedOut`: the branch that is checked out is meant
   * (null
   * names it), and nothing may be staged. Throws `usage`, `forbidden`, `noCommit`.
   */
  open(branch: string | null, options: { readonly checkedOut: boolean }, signal: AbortSignal): Promise<BranchWork>;
}

export interface RunRequest {
  /** Executable and arguments; a shell is used only when `shell` is true (package scripts). */
  readonly command: readonly string[];
  readonly shell?: boolean;
  /** Folder relative to the worktree's root. */
  readonly cwd?: string;
  /** Added to the sandbox's own environment, for this command alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Output beyond this many bytes is cut from the middle. */
  readonly maxOutputBytes?: number;
  /** Called about once a second while it runs, with what it has printed on standard output since the last call. */
  readonly onProgress?: (told: { readonly millis: number; readonly fresh: string }) => void;
}

export interface RunResult {
  /** Null when the process was killed by a signal or never started. */
  readonly exitCode: number | null;
  readonly outcome: 'exited' | 'timedOut' | 'cancelled' | 'notFound';
  /**
   * The limit that the command went beyond, for which it was ended: a sentence's end, such as `more than 4 GB of
   * memory`. The outcome is `exited` then, without a code.
   */
  readonly exceeded?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly millis: number;
}

/**
 * A detached worktree outside the user's tree that holds the repository as it stands now, uncommitted work included.
 */
export interface Worktree {
  readonly dir: string;
  read(path: string): Promise<Uint8Array | null>;
  exists(path: string): Promise<boolean>;
  /** Paths of all files that are there now, sorted; `.git` and installed packages left out, links not followed. */
  list(): Promise<readonly string[]>;
  /** Writes the `after` side (or, with `reverse`, the `before` side) of the edits. */
  write(edits: readonly FileEdit[], options?: { readonly reverse?: boolean }): Promise<void>;
  /** Runs a command of the repository: scrubbed environment, own process group, killed whole on timeout or cancel. */
  run(request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  dispose(): Promise<void>;
}

export type IsolationKind = 'bubblewrap' | 'unshare' | 'sandbox-exec' | 'container';

/** How the commands in a sandbox are kept from the machine. Says what a real try has shown, not what a tool claims. */
export interface Isolation {
  readonly kind: IsolationKind | 'none';
  /**
   * True = no write outside the sandbox, no network, the home folder and other processes out of reach. Nothing is
   * applied without asking otherwise.
   */
  readonly confined: boolean;
  /** In the order of trying; `trouble` = why it cannot be used here, null for the one that is. */
  readonly tried: readonly { readonly kind: IsolationKind; readonly trouble: string | null }[];
  /** What stands between the commands and the machine, as parts of a sentence; none where nothing works. */
  readonly walls?: readonly string[];
}

export interface Sandbox {
  /** Tried once a process. */
  isolation(): Promise<Isolation>;
  /** Throws `noCommit` without a commit, `notARepository` without git. */
  open(signal: AbortSignal): Promise<Worktree>;
  /** Removes worktrees left behind by a process that is gone. Returns how many. */
  sweep(): Promise<number>;
  /** Removes worktrees that were kept to be opened again. Those that are open go when they are disposed of. */
  close(): Promise<void>;
}

/** An event as written. `hash` = sha-256 over the previous hash and the canonical JSON of the rest. */
export interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly at: Millis;
  readonly type: string;
  readonly data: unknown;
  readonly previous: string;
  readonly hash: string;
}

export interface LedgerVerification {
  readonly events: number;
  readonly intact: boolean;
  /** First sequence that does not hold, and why. */
  readonly brokenAt: number | null;
  readonly reason: string | null;
}

/** Append-only, hash-chained. A damaged store throws `damaged` on append and is never emptied. */
export interface LedgerStore {
  /**
   * With `onlyAfter`, throws `stale` and writes nothing when the newest event is not of this sequence (0 = none yet).
   */
  append(
    event: { readonly id: string; readonly at: Millis; readonly type: string; readonly data: unknown },
    options?: { readonly onlyAfter?: number },
  ): Promise<StoredEvent>;
  read(query: {
    readonly after?: number;
    readonly types?: readonly string[];
    readonly limit?: number;
    readonly newestFirst?: boolean;
  }): Promise<readonly StoredEvent[]>;
  verify(): Promise<LedgerVerification>;
  close(): Promise<void>;
}

/** Texts by the sha-256 of their UTF-8 bytes. What the ledger names by hash lies here. */
export interface ContentStore {
  /** Returns the hash, in hex. */
  put(text: string): Promise<string>;
  /** Null = never stored. Throws `damaged` when the stored bytes do not have this hash. */
  get(hash: string): Promise<string | null>;
  /** Bytes that each text takes, as stored, by its hash. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes texts, but for those that were put within the last hour: somebody may be about to name them. Returns how
   * many.
   */
  remove(hashes: readonly string[]): Promise<number>;
}

/**
 * Small JSON documents of the state folder, written atomically. A corrupt one throws `damaged`; it is never read as
 * empty.
 */
export interface Documents {
  read<T>(name: string): Promise<T | null>;
  write(name: string, value: unknown): Promise<void>;
  /** No trouble when there is none. */
  remove?(name: string): Promise<void>;
}

/** One writer per repository state; frees itself when its process dies. */
export interface Lock {
  /** Null when another live process holds it. */
  acquire(name: 'index' | 'apply' | 'probation' | `verifying-${string}`): Promise<{ release(): Promise<void> } | null>;
}

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
  /** The command line that starts the harness of the differential gate; null = there is none. */
  readonly harness?: readonly string[] | null;
  readonly ledger: LedgerStore;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: Jobs;
  readonly documents: Documents;
  readonly history: History;
  readonly blobs: Blobs;
  readonly lock: Lock;
}
