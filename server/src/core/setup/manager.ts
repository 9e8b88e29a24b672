// Detects a repository's package manager by its lock file or by `packageManager` in package.json, and determines the
// command that installs exactly the locked packages without running their code.

import { readManifest, type SetupManifest } from './manifest.ts';

/** The package managers that a set-up can run. */
export type ManagerName = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn' | 'bun';

/** The package manager of a repository. */
export interface Manager {
  readonly name: ManagerName;
  /** The file that shows which manager the repository uses. */
  readonly because: string;
  /**
   * The package of the manager in the registry, with its version, such as `pnpm@9`. Null for npm, which the machine
   * has.
   */
  readonly fetched: string | null;
  /** The install command, which runs no scripts. If `exact` is true, it installs exactly the locked packages. */
  readonly install: readonly string[];
  /** Environment variables for the install command. */
  readonly env: Readonly<Record<string, string>>;
  /** True if a lock file fixes the installation. Without one, a later installation may differ. */
  readonly exact: boolean;
}

/** The files that detection reads. */
export interface SetupFiles {
  has(path: string): boolean;
  /** The text of a file; null if it does not exist. */
  text(path: string): string | null;
}

/** Captures the version at the beginning of a text, without a hash. */
const VERSION_PATTERN = /^\d+\.\d+\.\d+(?:-[\w.]+)?/;
/** With these variables, a manager that ignores Selfware's options still runs no script. */
const NO_SCRIPTS = { npm_config_ignore_scripts: 'true', pnpm_config_ignore_scripts: 'true' };

/**
 * The package manager of the repository; null if there is no readable package.json, or if there is nothing to install.
 */
export function detectManager(
  files: SetupFiles,
  platform: { readonly os: string; readonly arch: string },
): Manager | null {
  const manifest = readManifest(files.text('package.json'));
  if (manifest === null) return null;
  const specified = /^(npm|pnpm|yarn|bun)@(.*)$/.exec(manifest.packageManager ?? '');
  const version = VERSION_PATTERN.exec(specified?.[2] ?? '')?.[0] ?? null;
  const isNamed = (name: string) => specified?.[1] === name;
  if (files.has('pnpm-lock.yaml') || isNamed('pnpm'))
    return planPnpm(files, isNamed('pnpm') ? version : null, files.has('pnpm-lock.yaml'));
  if (files.has('bun.lock') || files.has('bun.lockb') || isNamed('bun'))
    return planBun(files, isNamed('bun') ? version : null, platform);
  if (files.has('yarn.lock') || isNamed('yarn')) return planYarn(files, isNamed('yarn') ? version : null);
  return detectNpm(files, manifest);
}

function detectNpm(files: SetupFiles, manifest: SetupManifest): Manager | null {
  const lock = ['npm-shrinkwrap.json', 'package-lock.json'].find((path) => files.has(path));
  const hasNoWorkspaces = manifest.raw['workspaces'] === undefined;
  if (lock === undefined && manifest.dependencies.size === 0 && hasNoWorkspaces) return null;
  const base = { name: 'npm', fetched: null, env: { ...NO_SCRIPTS } } as const;
  return lock === undefined
    ? { ...base, because: 'package.json', exact: false, install: ['npm', 'install', '--ignore-scripts'] }
    : { ...base, because: lock, exact: true, install: ['npm', 'ci', '--ignore-scripts'] };
}

function planPnpm(files: SetupFiles, version: string | null, isExact: boolean): Manager {
  const lock = files.text('pnpm-lock.yaml') ?? '';
  const format = /^lockfileVersion:\s*['"]?(\d+)/m.exec(lock)?.[1];
  // Since version 11, pnpm locks itself in a separate YAML document; earlier versions reject such a file.
  const newestMajor = lock.startsWith('---') ? '11' : '9';
  const major = format === '5' ? '7' : format === '6' ? '8' : newestMajor;
  return {
    name: 'pnpm',
    because: isExact ? 'pnpm-lock.yaml' : 'package.json',
    exact: isExact,
    fetched: `pnpm@${version ?? major}`,
    env: { ...NO_SCRIPTS },
    install: [
      'pnpm',
      'install',
      isExact ? '--frozen-lockfile' : '--no-frozen-lockfile',
      '--ignore-scripts',
      '--ignore-pnpmfile',
    ],
  };
}

function planYarn(files: SetupFiles, version: string | null): Manager {
  const settings = files.text('.yarnrc.yml');
  const isClassic = version === null ? settings === null : version.startsWith('1.');
  const hasLockFile = files.has('yarn.lock');
  if (isClassic)
    return {
      name: 'yarn-classic',
      because: hasLockFile ? 'yarn.lock' : 'package.json',
      exact: hasLockFile,
      fetched: `yarn@${version ?? '1.22.22'}`,
      env: { ...NO_SCRIPTS, YARN_IGNORE_PATH: '1' },
      install: [
        'yarn',
        'install',
        ...(hasLockFile ? ['--frozen-lockfile'] : []),
        '--ignore-scripts',
        '--non-interactive',
      ],
    };
  const requestedVersion =
    version ?? /yarnPath:\s{0,9}\S{0,300}?yarn-(\d+\.\d+\.\d+(?:-[a-z\d.]+\d)?)/.exec(settings ?? '')?.[1];
  return {
    name: 'yarn',
    because: settings === null ? 'package.json' : '.yarnrc.yml',
    exact: hasLockFile,
    fetched: `@yarnpkg/cli-dist@${choosePublishedYarnVersion(requestedVersion)}`,
    // Yarn's package archive must be inside the tree, or a sandbox would not contain it.
    env: { YARN_IGNORE_PATH: '1', YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_SCRIPTS: 'false' },
    install: ['yarn', 'install', hasLockFile ? '--immutable' : '--no-immutable', '--mode=skip-build'],
  };
}

/**
 * The version of Yarn to fetch. Pre-releases are not in the registry, so the newest release of the same major version
 * is used instead. Version 4 if none was requested.
 */
function choosePublishedYarnVersion(version: string | undefined): string {
  if (version === undefined) return '4';
  return version.includes('-') ? (version.split('.')[0] ?? '4') : version;
}

function planBun(files: SetupFiles, version: string | null, { os, arch }: { os: string; arch: string }): Manager {
  const lock = ['bun.lock', 'bun.lockb'].find((path) => files.has(path));
  return {
    name: 'bun',
    because: lock ?? 'package.json',
    exact: lock !== undefined,
    fetched: `@oven/bun-${os === 'win32' ? 'windows' : os}-${arch === 'arm64' ? 'aarch64' : arch}@${version ?? '1'}`,
    env: { ...NO_SCRIPTS },
    install: ['bun', 'install', ...(lock === undefined ? [] : ['--frozen-lockfile']), '--ignore-scripts'],
  };
}
