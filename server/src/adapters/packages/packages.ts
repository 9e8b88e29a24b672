// Installs the packages of a repository in a sandbox that reaches other machines only through the network gate, and
// stores the result.

import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type {
  InstallOrder,
  InstallResult,
  LookUpResult,
  NetworkScratch,
  Packages,
  StepResult,
} from '../../core/ports/packages.ts';
import type { Operation } from '../../core/operation.ts';
import type { Clock, Log } from '../../core/ports/system.ts';
import type { SandboxWorktree } from '../sandbox/sandbox.ts';
import { readRepositoryContent } from '../sandbox/repositoryContent.ts';
import { createGitRunner } from '../git/runGit.ts';
import { collectMachineFacts } from './facts.ts';
import type { PackageTrees } from './packageTrees.ts';
import { computeCurrentShape } from './currentShape.ts';
import { openNetworkGate, SOCKET_NAME } from './networkGate.ts';
import { createRelayCommand } from './relay.ts';

/** Time limit in milliseconds for one step of an installation. */
const STEP_TIMEOUT_MS = 20 * 60_000;
/** Maximum number of bytes that are kept of the output of a step, such as the advisories of many packages. */
const OUTPUT_BYTES = 8 * 1024 * 1024;
/** The folder in the scratch copy in which the manager itself is installed. */
const MANAGER_FOLDER = '.selfware-manager';

/** Variables that make tools use the network. */
const ONLINE_VARIABLES: Readonly<Record<string, string>> = {
  npm_config_offline: 'false',
  pnpm_config_offline: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  YARN_ENABLE_NETWORK: '1',
  YARN_ENABLE_TELEMETRY: '0',
};
/** Variables that name files with this machine's own certificates, which every user may read. */
const CERTIFICATE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * The programs that a step may start. `all`: also those of the repository, and of the manager that an earlier step has
 * installed. `outside`: only those outside of the tree.
 */
type StepPrograms = 'all' | 'outside';

/** The ports and functions that the installer uses. */
export interface PackagesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens a scratch copy with which no packages are shared. */
  scratch(signal: AbortSignal): Promise<SandboxWorktree>;
  /** True if commands are isolated from this machine. */
  isConfined(): Promise<boolean>;
  readonly packageTrees: PackageTrees;
  /**
   * The original repository if the root is a copy. Facts about this machine are collected for it. Default: the root.
   */
  readonly originalRootDir?: string;
}

/** Creates the installer for the repository at `rootDir`. */
export function createPackages(rootDir: string, parts: PackagesParts): Packages {
  const { env, clock, log, packageTrees: storedTrees } = parts;
  return {
    facts: () => collectMachineFacts(parts.originalRootDir ?? rootDir, env),
    async files(signal) {
      const { files, prefix } = await readRepositoryContent(await realpath(rootDir), log, signal);
      const text = await createGitRunner(rootDir).text(['ls-files', '-z'], { signal });
      const tracked = new Set(text.split('\0').filter((path) => path !== ''));
      const belowRoot = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      return { tracked: [...tracked].sort(), others: belowRoot.filter((path) => !tracked.has(path)).sort() };
    },
    install,
    openScratch: (hosts, signal) => openWorktree(hosts, signal, 'outside'),
    share: (tree) => storedTrees.share(tree?.name ?? null),
    shared: () => storedTrees.shared(),
    async findFitting(changed, signal) {
      const content = await readRepositoryContent(await realpath(rootDir), log, signal);
      const shape = await computeCurrentShape(content, changed, signal);
      return shape === null ? 'none' : storedTrees.fitting(async () => shape);
    },
    find: (name) => storedTrees.find(name),
  };

  async function install(order: InstallOrder, operation: Operation): Promise<InstallResult> {
    const { signal, report } = operation;
    await using scratch = await openWorktree(order.hosts, signal, 'all');
    await scratch.place(order.changed ?? new Map());
    const steps: StepResult[] = [];
    for (const [doneCount, step] of order.steps.entries()) {
      const progress = { stage: 'installing', done: doneCount, total: order.steps.length } as const;
      const reportStep: Operation['report'] = ({ message }) => report?.({ ...progress, message });
      const { stdout: _, ...result } = await scratch.run(step, { signal, report: reportStep });
      steps.push(result);
      if (result.outcome !== 'exited' || result.exitCode !== 0)
        return { steps, refusedHosts: scratch.refusedHosts, kept: null };
    }
    const { worktree } = scratch;
    const tree = await storedTrees.keep(
      worktree.dir,
      {
        name: order.name,
        shape: order.shape,
        prefix: computePrefix(worktree),
        managerFolder: MANAGER_FOLDER,
        entries: order.keep,
      },
      clock.now(),
      signal,
    );
    return { steps, refusedHosts: scratch.refusedHosts, kept: tree };
  }

  async function openWorktree(
    hosts: readonly string[],
    signal: AbortSignal,
    programs: StepPrograms,
  ): Promise<NetworkScratch & { readonly worktree: SandboxWorktree }> {
    if (!(await parts.isConfined()))
      throw new SelfwareError('unavailable', 'Nothing on this machine can shut an installation in, so none is run.', {
        action: 'Run `selfware doctor`: it says what would help.',
      });
    const worktree = await parts.scratch(signal);
    const opening = openNetworkGate(worktree.folders.temporary, hosts, { upstream: findProxy(env) });
    const gate = await opening.catch(async (error: unknown) => {
      await worktree.dispose();
      throw error;
    });
    return {
      worktree,
      place: (files) => worktree.place([...files].map(([path, bytes]) => ({ path, bytes, executable: false }))),
      read: (path) => worktree.read(path),
      run: (step, operation) => runStep(worktree, step, programs, operation),
      get refusedHosts() {
        return gate.refused;
      },
      async [Symbol.asyncDispose]() {
        await gate[Symbol.asyncDispose]();
        await worktree.dispose();
      },
    };
  }

  async function runStep(
    worktree: SandboxWorktree,
    step: Parameters<NetworkScratch['run']>[0],
    programs: StepPrograms,
    { signal, report }: Operation,
  ): Promise<LookUpResult> {
    const message = step.command.join(' ');
    const command = step.network ? createRelayCommand(SOCKET_NAME, step.command) : step.command;
    report?.({ stage: 'verifying', done: 0, total: null, message });
    const result = await worktree.run(
      {
        ...(programs === 'outside'
          ? { command, outsidePrograms: true }
          : { command: addManagerToPath(worktree.dir, command) }),
        env: { ...ONLINE_VARIABLES, ...findCertificates(env), ...step.env },
        ...(step.folder === undefined ? {} : { cwd: step.folder }),
        timeoutMs: STEP_TIMEOUT_MS,
        maxOutputBytes: OUTPUT_BYTES,
        onProgress: ({ millis }) =>
          report?.({
            stage: 'verifying',
            done: 0,
            total: null,
            message: `${message}, ${Math.round(millis / 1000)} s`,
          }),
      },
      signal,
    );
    throwIfCancelled(signal);
    const { exitCode, outcome, exceeded, stdout, stderr, millis } = result;
    const output = `${stdout}\n${stderr}`.trim();
    const limit = exceeded === undefined ? {} : { exceeded };
    return { command: step.command, exitCode, outcome, ...limit, millis, output, stdout };
  }
}

function computePrefix({ folders, dir }: SandboxWorktree): string {
  const relativePath = relative(folders.tree, dir).split(sep).join('/');
  return relativePath === '' ? '' : `${relativePath}/`;
}

/** The command line with the programs of the manager that an earlier step has installed first in the path. */
function addManagerToPath(dir: string, command: readonly string[]): readonly string[] {
  const folders = findManagerPrograms(`${dir}/${MANAGER_FOLDER}`).map(
    (folder) => `'${folder.replaceAll("'", "'\\''")}'`,
  );
  return ['/bin/sh', '-c', `PATH=${folders.join(':')}:"$PATH" exec "$@"`, 'sh', ...command];
}

/**
 * Folders of the programs of a manager that was installed into `folder`. Bun's has a folder of its own, because its
 * packages declare no programs.
 */
export function findManagerPrograms(folder: string): readonly string[] {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  return [`${folder}/node_modules/.bin`, `${folder}/node_modules/@oven/bun-${os}-${arch}/bin`];
}

/** The variables of this environment that name certificates of this machine, which commands need for connections. */
export function findCertificates(env: PackagesParts['env']): Readonly<Record<string, string>> {
  const certificateFiles = CERTIFICATE_VARIABLES.map((name) => [name, env[name]] as const);
  return Object.fromEntries(
    certificateFiles.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  );
}

/**
 * The address of the proxy of this machine, from its environment; null if there is none, or if its protocol is not
 * http.
 */
export function findProxy(env: PackagesParts['env']): string | null {
  const proxy = env['HTTPS_PROXY'] ?? env['https_proxy'] ?? '';
  return /^http:\/\//.test(proxy) ? proxy : null;
}
