// The port for Selfware's own work trees, and for commands that run isolated in them.

import type { FileEdit } from '../model.ts';
import type { Service } from '../model/setup.ts';

/** A command to run. */
export interface RunRequest {
  /** Executable and arguments. A shell is used only if `shell` is true, as for package scripts. */
  readonly command: readonly string[];
  readonly shell?: boolean;
  /** Folder relative to the root of the work tree. */
  readonly cwd?: string;
  /**
   * Set to search programs only outside of the tree, so that a program of the repository is not mistaken for one of
   * this machine.
   */
  readonly outsidePrograms?: true;
  /** Services that are started before the command, without data and in the same isolation, and that end with it. */
  readonly services?: readonly Service[];
  /** Variables that are added to the sandbox's environment, for this command only. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Time between SIGTERM, on timeout or cancel, and SIGKILL. Two seconds if omitted. */
  readonly graceMs?: number;
  /** Output beyond this many bytes is cut in the middle. */
  readonly maxOutputBytes?: number;
  /** Set to measure the peak memory of the command, if the system reports it. */
  readonly peak?: true;
  /**
   * A file, relative to the root of the work tree, that the command writes as its last result. If the command is then
   * silent and idle for long and starts no further process, it is stopped as if it had timed out, because something
   * that the tests left open prevents it from exiting. Its standard error then states this.
   */
  readonly lastFile?: string;
  /**
   * Set if the code contains a deliberate mistake. If the command then uses up the memory or the disk space of the
   * machine, it counts as having exceeded a limit itself.
   */
  readonly isMutant?: true;
  /** Called about once a second while the command runs, with its standard output since the last call. */
  readonly onProgress?: (progress: { readonly millis: number; readonly newOutput: string }) => void;
}

/** The result of a command. */
export interface RunResult {
  /** The exit code; null if the process was killed by a signal or never started. */
  readonly exitCode: number | null;
  readonly outcome: 'exited' | 'timedOut' | 'cancelled' | 'notFound';
  /**
   * The limit that the command exceeded, for which it was stopped, as the end of a sentence: `more than 4 GB of
   * memory`. The outcome is then `exited`, without an exit code. Absent if it exceeded none.
   */
  readonly exceeded?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly millis: number;
  /** Peak memory of all its processes together; absent if not requested or not measurable. */
  readonly peakBytes?: number;
}

/**
 * A detached work tree outside of the user's tree. It contains the repository's current state, including uncommitted
 * work.
 */
export interface Worktree {
  readonly dir: string;
  /** The folder below the top of the git repository whose work tree this is; absent if it is the top itself. */
  readonly prefix?: string;
  /** The bytes of a file as commands see it; null if there is no regular file that can be read. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * True if commands see a file or a folder at the path. The path may lead up (`../`) as far as the top of the git
   * repository.
   */
  exists(path: string): Promise<boolean>;
  /** Sorted paths of all current files, without `.git` and installed packages; does not follow links. */
  list(): Promise<readonly string[]>;
  /** Writes the texts `after` of the edits or, with `reverse`, the texts `before`. */
  write(edits: readonly FileEdit[], options?: { readonly reverse?: boolean }): Promise<void>;
  /** Writes files with bytes or permission bits that text edits cannot express; null bytes remove the file. */
  place(
    files: readonly { readonly path: string; readonly bytes: Uint8Array | null; readonly executable: boolean }[],
  ): Promise<void>;
  /**
   * Runs a command of the repository with a clean environment in its own process group, which is killed as a whole on
   * timeout or cancel.
   */
  run(request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  dispose(): Promise<void>;
}

/** The mechanisms of isolation. */
export type IsolationKind = 'bubblewrap' | 'unshare' | 'sandbox-exec' | 'container';

/**
 * The isolation of commands in a sandbox from the machine. The values are the result of a real test, not the claim of a
 * tool.
 */
export interface Isolation {
  readonly kind: IsolationKind | 'none';
  /**
   * True if the commands cannot write outside of the sandbox, and cannot reach the network, the home folder and other
   * processes. Otherwise nothing is applied without asking.
   */
  readonly confined: boolean;
  /**
   * The mechanisms in the order in which they were tried. `trouble`: the reason why a mechanism cannot be used here;
   * null for the one in use.
   */
  readonly tried: readonly { readonly kind: IsolationKind; readonly trouble: string | null }[];
  /** The barriers between the commands and the machine, as parts of a sentence; empty if no mechanism works. */
  readonly walls?: readonly string[];
}

/** The new contents of files, by path; null if the file is removed. */
export type ChangedFiles = ReadonlyMap<string, Uint8Array | null>;

/** Opens work trees in which commands run. */
export interface Sandbox {
  /** The isolation of commands, which is tested once per process. */
  isolation(): Promise<Isolation>;
  /**
   * Opens a sandbox. Throws `noCommit` if the repository has no commit, and `notARepository` if the folder is not in a
   * git repository. `changed`: files that will be written into the work tree, which therefore gets the packages of a
   * set-up that fits them. `absent`: entries of `node_modules`, as paths from the root, that it does not get, and whose
   * programs it does not get either.
   */
  open(signal: AbortSignal, changed?: ChangedFiles, absent?: readonly string[]): Promise<Worktree>;
  /** Removes work trees that a dead process has left behind. Returns their number. */
  removeAbandoned(): Promise<number>;
  /** Removes work trees that were kept for reuse. Open work trees are removed when they are disposed of. */
  close(): Promise<void>;
}
