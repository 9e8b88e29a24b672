// Runs npm to install packages into one folder, without install scripts.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFullAction, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { removeUntrustedFolders, findTrustedProgram } from '../system/ownPrograms.ts';

/** An installation of packages into one folder. */
export interface NpmInstallation {
  /** The folder that receives the packages. It has its own package.json. */
  readonly folder: string;
  readonly packages: readonly string[];
  /** True if the optional dependencies of the packages are also installed. */
  readonly includesOptional: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives the number of files that npm has fetched so far. */
  onFetched(count: number): void;
  /** What a person can do without npm or without a network, as a sentence. */
  readonly fallbackAdvice: string;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;
/** Maximum number of characters that are kept of the end of the output. */
const MAX_LOG_CHARACTERS = 200_000;
/** Matches a system error code that shows that the network cannot be reached. */
const NETWORK_ERROR_PATTERN = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/;

/**
 * Installs the packages. Throws `cancelled`, `diskFull`, and `unavailable` if npm is missing, has no network, or fails.
 */
export async function runNpmInstall(installation: NpmInstallation): Promise<void> {
  const { folder, packages, includesOptional: optional, env, signal, fallbackAdvice: otherwise } = installation;
  throwIfCancelled(signal);
  const command = findNpmCommand(env);
  if (command === null)
    throw new SelfwareError('unavailable', 'npm was not found on your path.', {
      action: `Install Node.js, which brings npm. ${otherwise}`,
    });
  const args = [
    ...command.slice(1),
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--save-exact',
    '--loglevel=http',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    ...(optional ? [] : ['--omit=optional']),
    ...packages,
  ];
  const { code, log } = await runNpm(command[0]!, args, folder, installation);
  throwIfCancelled(signal);
  if (code !== 0) throw createNpmError(log, packages, otherwise);
}

/**
 * Runs npm in the folder `cwd` and resolves with its exit code and the end of its log. Stops npm when the signal is
 * aborted.
 */
function runNpm(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, signal, onFetched }: NpmInstallation,
): Promise<{ readonly code: number | null; readonly log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      // The launcher of npm looks for Node on the path, which must not lead to a program of a repository.
      env: { ...env, PATH: removeUntrustedFolders(env['PATH'] ?? '') } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    let fetchedCount = 0;
    let killTimer: NodeJS.Timeout | undefined;
    const terminate = () => {
      child.kill('SIGTERM');
      killTimer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    signal.addEventListener('abort', terminate, { once: true });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
      const fetchedNow = fetchedCount + (text.match(/http fetch GET 200/g)?.length ?? 0);
      if (fetchedNow !== fetchedCount) onFetched((fetchedCount = fetchedNow));
    });
    const finish = () => {
      clearTimeout(killTimer);
      signal.removeEventListener('abort', terminate);
    };
    child.on('error', (cause) => {
      finish();
      reject(new SelfwareError('unavailable', 'npm could not be started.', { action: 'Run `npm --version`.', cause }));
    });
    child.on('close', (code) => {
      finish();
      resolve({ code, log });
    });
  });
}

/** The error about a failed npm, from its log. `otherwise`: what a person can do without npm, as a sentence. */
function createNpmError(log: string, packages: readonly string[], otherwise: string): SelfwareError {
  if (/\bENOSPC\b/.test(log))
    return new SelfwareError('diskFull', 'The disk is full; nothing was installed.', { action: diskFullAction() });
  const [unreached] = NETWORK_ERROR_PATTERN.exec(log) ?? [];
  if (unreached !== undefined)
    return new SelfwareError(
      'unavailable',
      `The npm registry cannot be reached (${unreached}); nothing was installed.`,
      {
        action: `Connect to the network and try again. ${otherwise}`,
      },
    );
  const lines = [...log.matchAll(/^npm (?:error|ERR!) (?!code|A complete log|If you )(.+)$/gm)].map(
    ([, line]) => line!,
  );
  const reason = (lines[0] ?? 'it gave no reason').slice(0, 300);
  return new SelfwareError('unavailable', `npm could not install ${packages.join(' and ')}: ${reason}`, {
    action: otherwise,
  });
}

/** The command that starts npm, program first; null if npm is not found. On Windows, Node runs npm's script. */
function findNpmCommand(env: NpmInstallation['env']): readonly string[] | null {
  const path = env['PATH'] ?? env['Path'] ?? '';
  if (process.platform !== 'win32') {
    const npm = findTrustedProgram('npm', path);
    return npm === null ? null : [npm];
  }
  const node = findTrustedProgram('node', path);
  const script = node === null ? null : join(dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return node !== null && script !== null && existsSync(script) ? [node, script] : null;
}
