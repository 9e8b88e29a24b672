// Ports for git: the state of the repository, checkpoints, history, and commits to a branch that a person chose.

/** The checked-out commit and branch. */
export interface RepositoryState {
  /** Commit id, or null in an empty repository. */
  readonly head: string | null;
  /** Name of the branch; null if HEAD is detached or has no commit yet. */
  readonly branch: string | null;
}

/** Operations of git that touch neither HEAD nor branches, the index, the stash or the working tree. */
export interface Git {
  /** The state; null if the root is not inside a git work tree, or if git is missing. */
  state(): Promise<RepositoryState | null>;
  /**
   * The reason why `state()` is null although git might work here, as part of a sentence: git is missing, or refuses
   * to read the repository that contains the root. Null if the root is not in a repository.
   */
  explainUnavailable(): Promise<string | null>;
  /** Paths with uncommitted changes, including untracked files and excluding ignored ones. */
  listUncommittedChanges(): Promise<
    readonly { readonly path: string; readonly kind: 'modified' | 'added' | 'deleted' | 'untracked' | 'conflicted' }[]
  >;
  /**
   * Writes the pre-images unchanged, without filters of git, into a commit under refs/selfware/checkpoints/ID. Returns
   * the ref.
   */
  saveCheckpoint(
    id: string,
    title: string,
    files: readonly { readonly path: string; readonly bytes: Uint8Array; readonly mode: number }[],
  ): Promise<string>;
  readCheckpoint(ref: string, path: string): Promise<Uint8Array | null>;
  deleteCheckpoint(ref: string): Promise<void>;
  /**
   * Files that differ between this commit and the working tree, including new and deleted ones; null if the commit does
   * not exist.
   */
  listFilesChangedSince(commit: string): Promise<readonly string[] | null>;
  /** The content of a file in a commit; null if the commit does not have the file. */
  readAt(commit: string, path: string): Promise<Uint8Array | null>;
}

/** A file as git stores it. `bytes`: null if the file is deleted. */
export interface CommitFile {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  readonly mode: number;
}

/** Commits that are added to a branch, all at once. */
export interface BranchTransaction {
  readonly branch: string;
  /** Id of the commit on which the first new one is made. */
  readonly start: string;
  /** The file after the commits so far, as git stores it; null if there is none. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly mode: number } | null>;
  /**
   * The bytes that git would store for bytes of the working tree, with its line endings. Throws `unavailable` if a
   * filter program would convert them.
   */
  toStoredBytes(path: string, bytes: Uint8Array): Promise<Uint8Array>;
  /**
   * Creates a commit, for which the user's hooks run and the user's key signs. Returns its id. Throws `forbidden` if a
   * hook or the key refuses, and `cancelled`.
   */
  commit(files: readonly CommitFile[], message: string): Promise<string>;
  /** Moves the branch. Throws `stale` if somebody else has moved it in the meantime. */
  finish(): Promise<void>;
  dispose(): Promise<void>;
}

/** Writes to the user's branches, only at a person's request. */
export interface BranchWriter {
  /**
   * Begins commits on a branch. An existing branch continues from its tip, and a new one starts at HEAD. `branch`: null
   * for the checked-out branch. `checkedOut`: true to permit commits to the checked-out branch; nothing may be staged
   * then. Throws `usage`, `forbidden`, `noCommit`.
   */
  open(
    branch: string | null,
    options: { readonly checkedOut: boolean },
    signal: AbortSignal,
  ): Promise<BranchTransaction>;
}

/** The parts of a commit that the search memory uses: its subject and the files that it touched. */
export interface Commit {
  readonly hash: string;
  readonly atMs: number;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** A file that a commit changed. `beforeId` and `afterId`: ids of its contents, for `History.readBlobs`. */
export interface ChangedFile {
  readonly path: string;
  readonly beforeId: string;
  readonly afterId: string;
}

/** The history of git. */
export interface History {
  /**
   * Commits reachable from HEAD without merges, newest first, at most `limit`. Paths are relative to the root, and
   * commits that only touch files outside of it are skipped. Empty if there is no git repository.
   */
  commits(limit: number, signal: AbortSignal): Promise<readonly Commit[]>;
  /**
   * The files that each commit without merges changed, from HEAD back to `since` (exclusive; null: no lower bound), at
   * most `limit` commits. New, deleted and renamed files are skipped. `extensions`: only files with these extensions,
   * such as `.ts`. Empty if there is no git repository. Throws `notFound` if the commit `since` does not exist.
   */
  changes(range: {
    readonly since: string | null;
    readonly limit: number;
    readonly extensions: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<readonly (Omit<Commit, 'paths'> & { readonly files: readonly ChangedFile[] })[]>;
  /** The bytes of files by their id, without those that this clone does not have. */
  readBlobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}
