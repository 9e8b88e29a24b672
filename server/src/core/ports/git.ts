// Git: reading, checkpoints, history, and the one branch that a person names.

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
   * An existing branch continues from its tip, a new one from HEAD. `checkedOut`: the branch that is checked out is
   * meant (null names it), and nothing may be staged. Throws `usage`, `forbidden`, `noCommit`.
   */
  open(branch: string | null, options: { readonly checkedOut: boolean }, signal: AbortSignal): Promise<BranchWork>;
}

/** A commit as far as memory cares: what it says and which files it touched. */
export interface Commit {
  readonly hash: string;
  readonly atMs: number;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** Git history, newest first. */
export interface History {
  /**
   * Commits reachable from HEAD (merges left out), at most `limit`. Paths are relative to the root; commits that touch
   * only files outside it are left out. Empty without git.
   */
  commits(limit: number, signal: AbortSignal): Promise<readonly Commit[]>;
}
