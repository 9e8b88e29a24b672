// The project files that detection reads: the manifest, and the names of existing configuration files.

import { posix } from 'node:path';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import {
  configuresPrettier,
  OXFMT_CONFIGS,
  PRETTIER_CONFIGS,
  BIOME_CONFIGS,
  BIN_FOLDER,
} from '../../syntax/configuration/prettierConfig.ts';
import { createWorkspaceMatcher } from '../../syntax/configuration/workspacePatterns.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import { parentFolderOf } from '../../../util/values/parentFolder.ts';
import { endsAfterTests } from './testScripts.ts';

/** A folder with a manifest, and what detection knows about it. */
export interface DetectedProject {
  /** Folder relative to the work tree, without a trailing slash; empty for the root. */
  readonly folder: string;
  /** The words that call each program of the repository from this folder. */
  readonly programs: ReadonlyMap<ProgramName, readonly string[]>;
  /** The version of the installed ESLint; absent if it is unknown or ESLint is missing. */
  readonly eslintVersion?: string;
  /** The package manager of the root, for packages in folders; null for the root. */
  readonly manager: PackageManager | null;
  /** Parsed package.json; null if there is none or it does not parse. */
  readonly manifest: PackageManifest | null;
  /** The entries of `DETECTION_FILES` that exist in the folder. */
  readonly files: ReadonlySet<string>;
  /** Text of tsconfig.json; null if there is none. */
  readonly tsconfig: string | null;
  /** Text of pyproject.toml; null if there is none. */
  readonly pyproject: string | null;
  /** True if a package that the manifest lists as a workspace has a script `test` that runs tests. */
  readonly hasTestedWorkspace: boolean;
}

/** The fields of a package.json that detection needs. */
export interface PackageManifest {
  /** The name of the package; null if it has none. */
  readonly name: string | null;
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string | null;
  readonly hasEslintConfig: boolean;
  readonly hasMochaConfig: boolean;
  readonly hasXoConfig: boolean;
  readonly hasPrettierConfig: boolean;
  /** The patterns for packages in folders that the manifest lists (`workspaces`). */
  readonly workspaces: readonly string[];
  /** Names of the packages that it requires, for any purpose. */
  readonly dependencies: ReadonlySet<string>;
}

const ESLINT_CONFIGS = [
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((extension) => `eslint.config.${extension}`),
  '.eslintrc',
  ...['js', 'cjs', 'json', 'yml', 'yaml'].map((extension) => `.eslintrc.${extension}`),
];
const OXLINT_CONFIGS = ['.oxlintrc.json', '.oxlintrc.jsonc', 'oxlint.config.ts'];
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
const XO_CONFIGS = ['js', 'mjs', 'cjs', 'ts'].map((extension) => `xo.config.${extension}`);
/** The programs that detection searches, each with the package that contains it. */
const PACKAGE_OF = {
  tsc: 'typescript',
  'vue-tsc': 'vue-tsc',
  eslint: 'eslint',
  biome: '@biomejs/biome',
  oxlint: 'oxlint',
  xo: 'xo',
  prettier: 'prettier',
  oxfmt: 'oxfmt',
} as const;
/** The name of a program that is searched among the packages of the repository. */
export type ProgramName = keyof typeof PACKAGE_OF;
const PROGRAM_NAMES = Object.keys(PACKAGE_OF) as ProgramName[];
/** Yarn writes this file if packages stay in archives (Plug'n'Play). Only Yarn can then start their programs. */
const PLUG_AND_PLAY = '.pnp.cjs';
const MOCHA_CONFIGS = ['js', 'cjs', 'mjs', 'json', 'jsonc', 'yml', 'yaml'].map((extension) => `.mocharc.${extension}`);
/** The configuration files of golangci-lint, which reads one of them. */
export const GOLANGCI_FILES = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];
const OTHER_FILES = [
  ...GOLANGCI_FILES,
  'Cargo.toml',
  'go.mod',
  'pytest.ini',
  'conftest.py',
  'tests/conftest.py',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'src',
  'test',
  'tests',
];

/** Stands in `files` of the root for any test file that pytest finds by its name. */
export const PYTHON_TESTS = 'test_*.py';
const PYTHON_TEST_PATTERN = /^(?:tests?\/(?:[^/]+\/){0,5})?(?:test_[^/]*|[^/]*_test)\.py$/;

/** Files and programs whose existence shows which tools a project uses, relative to its folder. */
export const DETECTION_FILES: readonly string[] = [
  ...ESLINT_CONFIGS,
  ...BIOME_CONFIGS,
  ...OXLINT_CONFIGS,
  ...XO_CONFIGS,
  ...PRETTIER_CONFIGS,
  ...OXFMT_CONFIGS,
  ...LOCK_FILES,
  ...PROGRAM_NAMES.map((name) => `${BIN_FOLDER}${name}`),
  PLUG_AND_PLAY,
  ...MOCHA_CONFIGS,
  ...OTHER_FILES,
];

/** The functions of a work tree that detection needs. Without `list`, workspaces are not found. */
export type ReadableTree = Pick<Worktree, 'read' | 'exists'> & Partial<Pick<Worktree, 'list'>>;

/**
 * Reads the input of detection from a folder of a work tree: the root, or a package in a folder. `root`: the project of
 * the root, if the folder is a package.
 */
export async function readProject(
  worktree: ReadableTree,
  folder = '',
  root: DetectedProject | null = null,
): Promise<DetectedProject> {
  const pathInFolder = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const readText = async (path: string) => {
    const bytes = await worktree.read(pathInFolder(path));
    return bytes && new TextDecoder().decode(bytes);
  };
  const isPresent = await Promise.all(DETECTION_FILES.map((path) => worktree.exists(pathInFolder(path))));
  const manifest = await readText('package.json');
  const project = describeProject(
    {
      manifest,
      tsconfig: await readText('tsconfig.json'),
      pyproject: await readText('pyproject.toml'),
      packages: folder === '' ? await readPackages(worktree, manifest) : [],
    },
    [
      ...DETECTION_FILES.filter((_, index) => isPresent[index]),
      ...(folder === '' && manifest === null && (await hasPythonTests(worktree)) ? [PYTHON_TESTS] : []),
    ],
  );
  if (folder === '') return { ...project, ...(await readEslintVersion(worktree, project)) };
  const packageProject = {
    ...project,
    folder,
    programs: root?.files.has(PLUG_AND_PLAY)
      ? new Map([...listArchivedPrograms(root.manifest, ['run', '-T']), ...listArchivedPrograms(project.manifest)])
      : await findProgramsAbove(worktree, folder),
    manager: root && detectPackageManager(root),
  };
  return { ...packageProject, ...(await readEslintVersion(worktree, packageProject)) };
}

/** The version of the ESLint that the project runs; empty if it is unknown. */
async function readEslintVersion(
  worktree: ReadableTree,
  { folder, programs }: DetectedProject,
): Promise<Pick<DetectedProject, 'eslintVersion'>> {
  const [program = ''] = programs.get('eslint') ?? [];
  const isRelativePath = program.endsWith(`${BIN_FOLDER}eslint`);
  if (!isRelativePath && program !== 'eslint') return {};
  const modules = isRelativePath ? posix.join(folder, program, '../..') : 'node_modules';
  const bytes = await worktree.read(`${modules}/eslint/package.json`);
  const { version } = (parseJsonOrNull(new TextDecoder().decode(bytes ?? undefined)) ?? {}) as {
    readonly version?: unknown;
  };
  return typeof version === 'string' ? { eslintVersion: version } : {};
}

/** True if the work tree contains a test file that pytest finds by its name. */
async function hasPythonTests(worktree: ReadableTree): Promise<boolean> {
  return ((await worktree.list?.()) ?? []).some((path) => PYTHON_TEST_PATTERN.test(path));
}

/** The manifests below the root, if the manifest of the root lists workspaces; otherwise empty. */
async function readPackages(worktree: ReadableTree, manifest: string | null): Promise<PackageText[]> {
  if ((parseManifest(manifest)?.workspaces.length ?? 0) === 0) return [];
  const paths = ((await worktree.list?.()) ?? []).filter((path) => path.endsWith('/package.json'));
  const bytes = await Promise.all(paths.map((path) => worktree.read(path)));
  return paths.map((path, index) => ({
    folder: parentFolderOf(path),
    manifest: new TextDecoder().decode(bytes[index]!),
  }));
}

/** The nearest package folder around each path: one with a package.json or a tsconfig.json. Omits the root. */
export async function findPackagesAround(worktree: ReadableTree, paths: readonly string[]): Promise<string[]> {
  const packages = new Set<string>();
  for (const path of paths) {
    for (let folder = parentFolderOf(path); folder !== ''; folder = parentFolderOf(folder)) {
      if (!(await worktree.exists(`${folder}/package.json`)) && !(await worktree.exists(`${folder}/tsconfig.json`)))
        continue;
      packages.add(folder);
      break;
    }
  }
  return [...packages].sort();
}

/**
 * The package manager: the field `packageManager` decides, then the lock file of pnpm, Yarn or Bun, then the manager of
 * the root. npm if all are missing.
 */
export function detectPackageManager({ manifest, files, manager }: DetectedProject): PackageManager {
  const managerName = /^(npm|pnpm|yarn|bun)@/.exec(manifest?.packageManager ?? '')?.[1];
  if (managerName) return managerName as PackageManager;
  if (files.has('pnpm-lock.yaml')) return 'pnpm';
  if (files.has('yarn.lock')) return 'yarn';
  if (files.has('bun.lock') || files.has('bun.lockb')) return 'bun';
  return manager ?? 'npm';
}

/** A package.json in a folder other than the root. */
export interface PackageText {
  readonly folder: string;
  readonly manifest: string;
}

/** Creates the project from texts and file names, without reading files. */
export function describeProject(
  texts: {
    readonly manifest?: string | null;
    readonly tsconfig?: string | null;
    readonly pyproject?: string | null;
    readonly packages?: readonly PackageText[];
  },
  files: readonly string[],
): DetectedProject {
  const manifest = parseManifest(texts.manifest ?? null);
  const installedPrograms = PROGRAM_NAMES.filter((name) => files.includes(`${BIN_FOLDER}${name}`)).map(
    (name) => [name, [name]] as const,
  );
  return {
    folder: '',
    programs: files.includes(PLUG_AND_PLAY) ? listArchivedPrograms(manifest) : new Map(installedPrograms),
    manager: null,
    manifest,
    tsconfig: texts.tsconfig ?? null,
    pyproject: texts.pyproject ?? null,
    hasTestedWorkspace: hasTestedWorkspace(manifest, texts.packages ?? []),
    files: new Set(files),
  };
}

function hasTestedWorkspace(manifest: PackageManifest | null, packages: readonly PackageText[]): boolean {
  const isWorkspace = createWorkspaceMatcher(manifest?.workspaces ?? []);
  return packages.some(
    (packageText) =>
      isWorkspace(packageText.folder) && endsAfterTests(parseManifest(packageText.manifest)?.scripts['test']),
  );
}

/** The words that start a program of the repository outside of a script; empty if it needs none. */
export function detectLauncher({ files }: Pick<DetectedProject, 'files'>): readonly string[] {
  return files.has(PLUG_AND_PLAY) ? ['yarn', 'exec'] : [];
}

/** The programs that Yarn starts from its archives: those of the packages that the manifest requires. */
function listArchivedPrograms(
  manifest: PackageManifest | null,
  yarnArgs: readonly string[] = ['run'],
): DetectedProject['programs'] {
  const neededPrograms = PROGRAM_NAMES.filter((name) => manifest?.dependencies.has(PACKAGE_OF[name]));
  return new Map(neededPrograms.map((name) => [name, ['yarn', ...yarnArgs, name]]));
}

/**
 * The nearest program of each name, found as Node finds packages. Programs of the root are in PATH, so their names
 * suffice.
 */
async function findProgramsAbove(worktree: ReadableTree, folder: string): Promise<DetectedProject['programs']> {
  const programs = new Map<ProgramName, readonly string[]>();
  for (const name of PROGRAM_NAMES) {
    let up = '.';
    for (let current = folder; current !== '' && !programs.has(name); current = parentFolderOf(current)) {
      if (await worktree.exists(`${current}/${BIN_FOLDER}${name}`)) programs.set(name, [`${up}/${BIN_FOLDER}${name}`]);
      up = up === '.' ? '..' : `${up}/..`;
    }
    if (!programs.has(name) && (await worktree.exists(`${BIN_FOLDER}${name}`))) programs.set(name, [name]);
  }
  return programs;
}

/** True if ESLint is installed and configured for the project. */
export function hasEslint(project: DetectedProject): boolean {
  return project.programs.has('eslint') && configuresEslint(project);
}

/** True if ESLint is configured for the project, installed or not. */
export function configuresEslint({ manifest, files }: DetectedProject): boolean {
  return manifest?.hasEslintConfig === true || ESLINT_CONFIGS.some((name) => files.has(name));
}

/** True if Biome is installed and configured for the project. */
export function hasBiome(project: DetectedProject): boolean {
  return project.programs.has('biome') && configuresBiome(project);
}

/** True if Biome is configured for the project, installed or not. */
export function configuresBiome({ files }: DetectedProject): boolean {
  return BIOME_CONFIGS.some((name) => files.has(name));
}

/** True if oxlint is installed and configured for the project. */
export function hasOxlint(project: DetectedProject): boolean {
  return project.programs.has('oxlint') && configuresOxlint(project);
}

/** True if oxlint is configured for the project, installed or not. */
export function configuresOxlint({ files }: DetectedProject): boolean {
  return OXLINT_CONFIGS.some((name) => files.has(name));
}

/** True if XO is installed and configured for the project. */
export function hasXo(project: DetectedProject): boolean {
  return project.programs.has('xo') && configuresXo(project);
}

/**
 * True if XO is configured for the project, installed or not. XO needs no configuration, so a script that calls it
 * counts as well.
 */
export function configuresXo({ manifest, files }: DetectedProject): boolean {
  return (
    manifest?.hasXoConfig === true ||
    XO_CONFIGS.some((name) => files.has(name)) ||
    Object.values(manifest?.scripts ?? {}).some((text) => /(^|[\s&;])xo(?=$|[\s&;])/.test(text))
  );
}

/** True if Prettier is installed and configured, so that it formats changes. */
export function hasPrettier(project: DetectedProject): boolean {
  return (
    project.programs.has('prettier') &&
    (project.manifest?.hasPrettierConfig === true || PRETTIER_CONFIGS.some((name) => project.files.has(name)))
  );
}

/** True if oxfmt is installed and configured, so that it formats changes. */
export function hasOxfmt(project: DetectedProject): boolean {
  return project.programs.has('oxfmt') && OXFMT_CONFIGS.some((name) => project.files.has(name));
}

/** True if Prettier, Biome or oxfmt is installed and configured, so that it formats changes. */
export function hasFormatter(project: DetectedProject): boolean {
  return hasPrettier(project) || hasBiome(project) || hasOxfmt(project);
}

/** True if Mocha has a configuration file or a section in package.json. */
export function hasMochaConfig({ manifest, files }: Pick<DetectedProject, 'manifest' | 'files'>): boolean {
  return manifest?.hasMochaConfig === true || MOCHA_CONFIGS.some((name) => files.has(name));
}

function parseManifest(text: string | null): PackageManifest | null {
  if (text === null) return null;
  const parsed = parseJsonOrNull(text.replace(/^\uFEFF/, ''));
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { name, scripts, packageManager, workspaces, eslintConfig, mocha, xo } = parsed as Record<string, unknown>;
  const entries = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  // Reads only own keys: an object inherits `constructor` even if no script has this name.
  return {
    name: typeof name === 'string' ? name : null,
    scripts: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(entries)),
    packageManager: typeof packageManager === 'string' ? packageManager : null,
    hasEslintConfig: eslintConfig !== undefined,
    hasMochaConfig: mocha !== undefined,
    hasXoConfig: xo !== undefined,
    hasPrettierConfig: configuresPrettier(text),
    workspaces: readWorkspacePatterns(workspaces),
    dependencies: new Set(
      ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) =>
        Object.keys(toObject((parsed as Record<string, unknown>)[field])),
      ),
    ),
  };
}

function readWorkspacePatterns(field: unknown): readonly string[] {
  const listed = Array.isArray(field) ? field : (toObject(field) as { readonly packages?: unknown }).packages;
  return Array.isArray(listed) ? listed.filter((pattern) => typeof pattern === 'string') : [];
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** A package manager for JavaScript. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
