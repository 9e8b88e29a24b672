// Builds the environment of the commands in a sandbox: the path of programs, a separate home, fixed settings, and a
// short list of variables from outside (`PASSED_VARIABLES`, `TOOLCHAIN_FOLDERS`).

import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isSystemPath } from './isolation/machine.ts';

/** Folders of one sandbox, all absolute. */
export interface SandboxFolders {
  /** The sandbox's own folder; everything else is inside of it. */
  readonly folder: string;
  /** Top of the work tree. */
  readonly tree: string;
  /** The home folder of commands. */
  readonly home: string;
  /** The folder for temporary files of commands. */
  readonly temporary: string;
  /** The folder with the `node` that commands run. */
  readonly programs: string;
  /** An empty folder on which a new root is mounted. */
  readonly mountPoint: string;
  /** Contains a folder for each running command, with the folders that the command sees as `/tmp` and the like. */
  readonly scratch: string;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string>>;

/**
 * Version managers and toolchains search below the home folder. The sandbox has a separate home, so these variables
 * name the real folders. The list contains only folders of programs and downloaded packages, none with credentials.
 */
const TOOLCHAIN_FOLDERS: readonly (readonly [variable: string, belowHome: string])[] = [
  ['RUSTUP_HOME', '.rustup'],
  ['PYENV_ROOT', '.pyenv'],
  ['VOLTA_HOME', '.volta'],
  ['ASDF_DATA_DIR', '.asdf'],
  ['MISE_DATA_DIR', '.local/share/mise'],
  ['COREPACK_HOME', '.cache/node/corepack'],
  ['GOMODCACHE', 'go/pkg/mod'],
  ['PLAYWRIGHT_BROWSERS_PATH', '.cache/ms-playwright'],
];

/**
 * Variables that are passed unchanged: those of the system, and those that name a toolchain that the user has chosen.
 */
const PASSED_VARIABLES = [
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  'TZ',
  'VIRTUAL_ENV',
  'JAVA_HOME',
  'GOROOT',
];

/**
 * Asks tools to write plain text without colours, and not to ask questions, use the network, send telemetry, start a
 * daemon, install packages or write bytecode into the tree. Other tools may have other settings, so only the isolation
 * reliably blocks the network.
 */
const FIXED_VARIABLES: Environment = {
  LANG: 'C.UTF-8',
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_manage_package_manager_versions: 'false',
  npm_config_verify_deps_before_run: 'false',
  // pnpm reads these from version 11 on. Without them, it installs before each script.
  pnpm_config_offline: 'true',
  pnpm_config_pm_on_fail: 'ignore',
  pnpm_config_verify_deps_before_run: 'false',
  NO_UPDATE_NOTIFIER: '1',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  COREPACK_ENABLE_STRICT: '0',
  YARN_ENABLE_NETWORK: '0',
  YARN_ENABLE_TELEMETRY: '0',
  NX_DAEMON: 'false',
  TURBO_TELEMETRY_DISABLED: '1',
  CARGO_NET_OFFLINE: 'true',
  GOPROXY: 'off',
  PYTHONDONTWRITEBYTECODE: '1',
  PIP_NO_INDEX: '1',
};

/** The folders of the sandbox in `folder`. Creates nothing. */
export function resolveSandboxFolders(folder: string): SandboxFolders {
  const [mountPoint, scratch, programs] = [join(folder, 'root'), join(folder, 'scratch'), join(folder, 'bin')];
  return {
    folder,
    mountPoint,
    scratch,
    programs,
    tree: join(folder, 'tree'),
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
  };
}

/** Creates the folders of commands, and puts a `node` and links to the user's downloaded crates into them. */
export async function prepareFolders(folders: SandboxFolders): Promise<void> {
  await Promise.all(
    [folders.home, folders.temporary, folders.programs, folders.mountPoint, folders.scratch].map((folder) =>
      mkdir(folder, { recursive: true }),
    ),
  );
  await provideNode(folders.programs);
  await shareCargo(folders.home);
}

/**
 * The environment of a sandbox's commands. `view`: the folder that commands see as the repository's root; `outer`: the
 * environment of this process; `programsFirst`: folders of programs that come first in the path.
 */
export function createEnvironment(
  folders: SandboxFolders,
  view: string,
  outer: Readonly<Record<string, string | undefined>>,
  programsFirst: readonly string[] = [],
): Environment {
  const env: Record<string, string> = { ...FIXED_VARIABLES };
  for (const name of PASSED_VARIABLES) {
    const value = outer[name];
    if (value !== undefined) env[name] = value;
  }
  for (const [name, belowHome] of TOOLCHAIN_FOLDERS) {
    const toolchainFolder = outer[name] ?? join(homedir(), belowHome);
    if (existsSync(toolchainFolder)) env[name] = toolchainFolder;
  }
  env['PATH'] = [...programsFirst, createSearchPath(folders, view, outer['PATH'] ?? outer['Path'] ?? '')].join(
    delimiter,
  );
  env['HOME'] = folders.home;
  env['USERPROFILE'] = folders.home;
  return { ...env, ...createTemporaryEnvironment(folders.temporary) };
}

/** Variables that make programs put temporary files into `folder`. */
export function createTemporaryEnvironment(folder: string): Environment {
  return { TMPDIR: folder, TMP: folder, TEMP: folder };
}

function createSearchPath(folders: SandboxFolders, view: string, outerPath: string): string {
  const toolFolders = [...new Set([join(view, 'node_modules', '.bin'), join(folders.tree, 'node_modules', '.bin')])];
  return [...toolFolders, ...listOuterPrograms(folders, outerPath)].join(delimiter);
}

/**
 * The folders of `outerPath`, the path of this process, and the sandbox's folder of programs: in front if this process is
 * Node, at the end if it is an editor. The folders that npm and node-gyp put into the path for a package script are
 * omitted. A folder of the repository that the user has in the path, such as the one of a virtual environment, stays.
 */
export function listOuterPrograms(folders: SandboxFolders, outerPath: string): readonly string[] {
  // If a package script has started Selfware, the path contains the tools of that package, which are not this
  // repository's.
  const outerFolders = outerPath
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$|node-gyp-bin[\\/]?$/.test(folder));
  const realFolders = outerFolders.map(resolveVisiblePath);
  return isPlainNode() ? [folders.programs, ...realFolders] : [...realFolders, folders.programs];
}

/**
 * The environment in which the programs of a virtual environment of Python come first: the active one, or otherwise the
 * first `.venv` or `venv` in one of `roots`, as if the user had activated it. Returns `outer` if there is none. An
 * editor is rarely started with an active one. A folder without an existing Python does not count. `isContent`: true
 * for a folder that comes with the repository. Its links could lead anywhere, and only the user decides what commands
 * may read in addition to the repository.
 */
export function addVirtualEnvironment(
  outer: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
  isContent: (folder: string) => boolean,
): Readonly<Record<string, string | undefined>> {
  if (outer['VIRTUAL_ENV']) return outer;
  const [programFolder, python] = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  const virtualEnvironment = roots
    .flatMap((root) => [join(root, '.venv'), join(root, 'venv')])
    .find(
      (folder) =>
        existsSync(join(folder, 'pyvenv.cfg')) && existsSync(join(folder, programFolder, python)) && !isContent(folder),
    );
  if (virtualEnvironment === undefined) return outer;
  const virtualPrograms = join(virtualEnvironment, programFolder);
  const outerPath = outer['PATH'] ?? outer['Path'] ?? '';
  return {
    ...outer,
    VIRTUAL_ENV: virtualEnvironment,
    PATH: outerPath === '' ? virtualPrograms : `${virtualPrograms}${delimiter}${outerPath}`,
  };
}

/**
 * The real path of a folder of programs. Commands see the folder at that path; a link to it, in `/opt` or a home for
 * example, is not shown to them.
 */
function resolveVisiblePath(folder: string): string {
  if (process.platform !== 'linux' || isSystemPath(folder)) return folder;
  try {
    return realpathSync.native(folder);
  } catch {
    // The folder is missing or may not be read: no program is found in it either way.
    return folder;
  }
}

/**
 * Puts a `node` into the folder, except on Windows: a link to this Node or, in an editor, a script that runs the
 * editor's program as Node.
 */
async function provideNode(programs: string): Promise<void> {
  if (process.platform === 'win32') return;
  const path = join(programs, 'node');
  if (isPlainNode()) return symlink(process.execPath, path);
  await writeFile(path, `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec '${process.execPath.replaceAll("'", "'\\''")}' "$@"\n`);
  await chmod(path, 0o755);
}

/** Links to the user's downloaded crates, without the credentials that are next to them. */
async function shareCargo(home: string): Promise<void> {
  const cargoHome = process.env['CARGO_HOME'] ?? join(homedir(), '.cargo');
  await mkdir(join(home, '.cargo'));
  for (const part of ['registry', 'git']) {
    if (existsSync(join(cargoHome, part))) await symlink(join(cargoHome, part), join(home, '.cargo', part));
  }
}

function isPlainNode(): boolean {
  return process.versions['electron'] === undefined;
}
