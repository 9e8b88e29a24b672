// Runs git so that neither the repository nor the environment can make it run hooks, open a prompt or take an optional
// lock. Callers of commands that apply filters switch the filters off (`filters.ts`).

import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { SelfwareError, type ErrorReason } from '../../util/typedError.ts';
import { removeUntrustedFolders, findTrustedProgram } from '../system/ownPrograms.ts';
import { onForcedShutdown } from '../system/gracefulShutdown.ts';
import { addHangupProtection } from '../system/hangup.ts';
import { findPipeForGit } from './blockingPipes.ts';

/** Options of a call of git. Without `stdin`, git reads an empty input. */
export interface GitCall {
  readonly stdin?: Uint8Array;
  /** Absolute path of an index file that git uses in place of the user's. */
  readonly indexFile?: string;
  /** Absolute folders: new objects go to `objects`, all others are read from `alternates`. */
  readonly store?: { readonly objects: string; readonly alternates: string };
  /** Name and address of author and committer. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** Further configuration of this call; keys may contain any character. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  readonly signal?: AbortSignal;
}

/**
 * The failure of a call of git: an exit code other than 0. `exitCode` is null if git could not be started, or was
 * stopped.
 */
export class GitFailure extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** The file on which git waited until it was stopped; null if it ended on its own. */
  readonly waitedFor: string | null;
  /** The system's code for a full disk, as errors of Node have it; undefined for any other failure. */
  readonly code: 'ENOSPC' | 'EDQUOT' | undefined;

  constructor(
    exitCode: number | null,
    stderr: string,
    args: readonly string[],
    endedReason?: string,
    waitedFor: string | null = null,
  ) {
    super(
      endedReason !== undefined
        ? `git ${args[0]} ${endedReason}`
        : exitCode === null
          ? `git could not be started: ${stderr.split('\n')[0]}`
          : `git ${args[0]} ended with ${exitCode}: ${stderr.trim() || 'no message'}`,
    );
    this.name = 'GitFailure';
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.waitedFor = waitedFor;
    this.code = /No space left on device|Out of diskspace/.test(stderr)
      ? 'ENOSPC'
      : stderr.includes('Disk quota exceeded')
        ? 'EDQUOT'
        : undefined;
  }
}

/** Runs git commands in one folder. */
export interface GitRunner {
  /**
   * Runs git and returns its standard output as text. Throws GitFailure, and `cancelled` when the signal is aborted.
   */
  text(args: readonly string[], call?: GitCall): Promise<string>;
  /** Reads the raw bytes of a blob. Throws GitFailure. */
  blob(id: string): Promise<Uint8Array>;
  /**
   * Reads the raw bytes of many blobs in one process. Returns them by their id. Missing blobs are skipped. Throws
   * GitFailure.
   */
  blobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Fixed configuration of every call, which takes precedence over every configuration file. */
const HARDENING_OPTIONS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.logAllRefUpdates=false',
  'core.fsync=committed,loose-object,reference',
  'core.quotePath=false',
  'protocol.ext.allow=never',
  'safe.bareRepository=explicit',
  'gc.auto=0',
];

/**
 * Environment variables that git receives: the search path, the user's own configuration and address, and the folder
 * for temporary files.
 */
const PASSED_VARIABLES = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'EMAIL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PATHEXT',
  'ComSpec',
  'SUDO_UID',
];

const FIXED_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  /** Objects missing from a partial clone are not fetched, because no protocol is allowed. */
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Milliseconds after the start of git after which the runner searches for the pipe on which git may be waiting. */
const PIPE_SEARCH_MS = 2_000;
/**
 * Milliseconds without output after which a call is stopped. On a hanging file system, git would wait forever, and an
 * unattended run with it.
 */
const MAX_SILENT_MS = 10 * 60_000;
/** Maximum wait in milliseconds until a stopped git has ended. On a hanging file system, git cannot end. */
const MAX_END_MS = 5_000;

/**
 * Creates a runner of git in the folder `folder`. Calls share no state, so they may overlap. A call without output for
 * `maxSilentMs` is stopped.
 */
export function createGitRunner(folder: string, maxSilentMs = MAX_SILENT_MS): GitRunner {
  return {
    async text(args, call = {}) {
      return (await run(args, call)).toString('utf8');
    },
    blob: (id) => run(['cat-file', 'blob', id], {}),
    async blobs(ids, signal) {
      if (ids.length === 0) return new Map();
      const stdin = new TextEncoder().encode(`${ids.join('\n')}\n`);
      return collectBlobs(await run(['cat-file', '--batch'], { stdin, signal }));
    },
  };

  async function run(args: readonly string[], call: GitCall): Promise<Buffer> {
    const program = findTrustedProgram('git', process.env['PATH'] ?? '', [folder]);
    if (program === null)
      throw new GitFailure(null, 'there is no git in the search path outside of the repository', args);
    const stopController = new AbortController();
    const unregister = onForcedShutdown(() => stopController.abort());
    const signal = call.signal ? AbortSignal.any([stopController.signal, call.signal]) : stopController.signal;
    let pipe: string | null = null;
    const findPipe = async (): Promise<void> => {
      pipe = await findPipeForGit(folder);
      if (pipe !== null) stopController.abort();
    };
    const timer = setTimeout(() => void findPipe(), PIPE_SEARCH_MS).unref();
    try {
      return await readOutput(program, folder, args, { ...call, signal }, maxSilentMs);
    } catch (error) {
      if (pipe !== null)
        throw new GitFailure(null, '', args, `waited for ${pipe}, which is not a regular file, and was ended.`, pipe);
      if (call.signal?.aborted) throw new SelfwareError('cancelled', 'Cancelled.', { cause: error });
      // Any other error (such as an invalid PATH, or a missing folder) means that git did not start.
      throw error instanceof GitFailure ? error : new GitFailure(null, String(error), args);
    } finally {
      unregister();
      clearTimeout(timer);
    }
  }
}

/** Reads the output of `cat-file --batch`: a line `ID blob SIZE`, the bytes and a line break for each blob. */
function collectBlobs(output: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  const decoder = new TextDecoder();
  for (let index = 0; index < output.length; ) {
    const end = output.indexOf(0x0a, index);
    if (end < 0) break;
    const [id = '', type = '', size = ''] = decoder.decode(output.subarray(index, end)).split(' ');
    const length = type === 'missing' ? -1 : Number(size);
    if (type === 'blob') contents.set(id, output.subarray(end + 1, end + 1 + length));
    index = end + 1 + length + 1;
  }
  return contents;
}

/** True if git ended with this exit code. */
export function hasExitCode(error: unknown, exitCode: number): boolean {
  return error instanceof GitFailure && error.exitCode === exitCode;
}

/**
 * Runs `work` and turns a failure of git into a typed error with this reason and message, or into `unreadable` if git
 * waited for a pipe.
 */
export async function withTypedErrors<T>(
  reason: ErrorReason,
  message: string,
  action: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.waitedFor !== null)
      throw new SelfwareError('unreadable', `git waits for ${error.waitedFor}, which is not a regular file.`, {
        action: 'Replace it by a file, or remove it.',
        cause: error,
      });
    throw new SelfwareError(reason, message, { action, cause: error });
  }
}

/**
 * Runs one process and resolves with its standard output. Rejects with GitFailure for an exit code other than 0, after
 * `maxSilentMs` without output, and with the error of Node if the process does not start or the signal is aborted. A
 * stopped process has ended before that, unless it takes longer than `MAX_END_MS`, so that callers can remove its files.
 */
function readOutput(
  program: string,
  folder: string,
  args: readonly string[],
  call: GitCall,
  maxSilentMs: number,
): Promise<Buffer> {
  const [command, ...first] = addHangupProtection(program, process.env['PATH'] ?? '', folder);
  const config = HARDENING_OPTIONS.flatMap((line) => ['-c', line]);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...config, ...args], {
      cwd: folder,
      env: createEnvironment(call, folder),
      stdio: [call.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let stopReason: Error | null = null;
    let ending: NodeJS.Timeout | undefined;
    const fail = (error: Error): void => {
      clearTimeout(silence);
      if (child.pid === undefined) return reject(error);
      stopReason ??= error;
      ending ??= setTimeout(() => {
        child.kill('SIGKILL');
        reject(error);
      }, MAX_END_MS);
    };
    const silence = setTimeout(() => {
      child.kill();
      fail(new GitFailure(null, '', args, `said nothing for ${maxSilentMs / 1000} s and was ended.`));
    }, maxSilentMs);
    child.stdout?.on('data', (part: Buffer) => {
      silence.refresh();
      out.push(part);
    });
    child.stderr?.on('data', (part: Buffer) => {
      silence.refresh();
      err.push(part);
    });
    // If git ends before it has read its whole input, its exit code shows the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.stdin);
    child.on('error', fail);
    // When the process has ended, output may still be in the pipe.
    child.on('close', (code, signalName) => {
      clearTimeout(silence);
      clearTimeout(ending);
      if (stopReason) return reject(stopReason);
      if (code === 0) return resolve(Buffer.concat(out));
      const ended = code === null ? `was ended by ${signalName}.` : undefined;
      reject(new GitFailure(code, Buffer.concat(err).toString('utf8'), args, ended));
    });
  });
}

/** The environment variables of a call of git in `folder`. */
function createEnvironment(call: GitCall, folder: string): Record<string, string> {
  const env: Record<string, string> = { ...FIXED_ENVIRONMENT };
  for (const name of PASSED_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) env[name] = name === 'PATH' ? removeUntrustedFolders(value, [folder]) : value;
  }
  if (call.indexFile) env['GIT_INDEX_FILE'] = call.indexFile;
  if (call.store) {
    env['GIT_OBJECT_DIRECTORY'] = call.store.objects;
    env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = quoteFolder(call.store.alternates);
  }
  if (call.identity) {
    for (const role of ['AUTHOR', 'COMMITTER']) {
      env[`GIT_${role}_NAME`] = call.identity.name;
      env[`GIT_${role}_EMAIL`] = call.identity.email;
    }
  }
  const config = call.config ?? [];
  if (config.length > 0) env['GIT_CONFIG_COUNT'] = String(config.length);
  config.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}

/** The folder as an entry of a list of folders. Git accepts an entry in quotes, which may contain the separator. */
function quoteFolder(folder: string): string {
  return folder.includes(delimiter) ? JSON.stringify(folder) : folder;
}
