// Work trees of our own, and commands that run isolated in them.

import type { FileEdit } from '../model.ts';
import type { Service } from '../model/setup.ts';

export interface RunRequest {
  /** Executable and arguments; a shell is used only when `shell` is true (package scripts). */
  readonly command: readonly string[];
  readonly shell?: boolean;
  /** Folder relative to the worktree's root. */
  readonly cwd?: string;
  /** Started before it in the same isolation, empty, and gone with it. */
  readonly services?: readonly Service[];
  /** Added to the sandbox's own environment, for this command alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Between asking it to end, on timeout or cancel, and ending it. Left out: two seconds. */
  readonly graceMs?: number;
  /** Output beyond this many bytes is cut from the middle. */
  readonly maxOutputBytes?: number;
  /** Measures the memory that it needs at most, where the system tells. */
  readonly peak?: true;
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
  /** Memory that all its processes held together at most; absent where nobody asked, or it could not be measured. */
  readonly peakBytes?: number;
}

/** A detached worktree outside the user's tree that holds the repository as it is now, uncommitted work included. */
export interface Worktree {
  readonly dir: string;
  read(path: string): Promise<Uint8Array | null>;
  exists(path: string): Promise<boolean>;
  /** Paths of all files that are there now, sorted; `.git` and installed packages left out, links not followed. */
  list(): Promise<readonly string[]>;
  /** Writes the `after` side (or, with `reverse`, the `before` side) of the edits. */
  write(edits: readonly FileEdit[], options?: { readonly reverse?: boolean }): Promise<void>;
  /** Writes bytes and permission bits of files that no edit of text expresses; null bytes = removed. */
  place(
    files: readonly { readonly path: string; readonly bytes: Uint8Array | null; readonly executable: boolean }[],
  ): Promise<void>;
  /** Runs a command of the repository: scrubbed environment, own process group, killed whole on timeout or cancel. */
  run(request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  dispose(): Promise<void>;
}

export type IsolationKind = 'bubblewrap' | 'unshare' | 'sandbox-exec' | 'container';

/**
 * How the commands in a sandbox are isolated from the machine. It states what a real test has shown, not what a tool
 * claims.
 */
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

/** Other contents of files, by path; null = removed. */
export type ChangedFiles = ReadonlyMap<string, Uint8Array | null>;

export interface Sandbox {
  /** Tried once a process. */
  isolation(): Promise<Isolation>;
  /**
   * Throws `noCommit` without a commit, `notARepository` without git. `changed`: files that will be written into it;
   * the packages of a set-up that fit them are lent.
   */
  open(signal: AbortSignal, changed?: ChangedFiles): Promise<Worktree>;
  /** Removes worktrees left behind by a process that is gone. Returns how many. */
  sweep(): Promise<number>;
  /** Removes worktrees that were kept to be opened again. Those that are open go when they are disposed of. */
  close(): Promise<void>;
}
