// What detection looks at: the manifest, and which telling files are there.

import type { Worktree } from '../../ports.ts';

export interface Project {
  /** Parsed package.json; null when there is none or it does not parse. */
  readonly manifest: Manifest | null;
  /** Those of `TELLING_FILES` that exist. */
  readonly files: ReadonlySet<string>;
  /** Text of tsconfig.json. */
  readonly tsconfig: string | null;
  /** Text of pyproject.toml. */
  readonly pyproject: string | null;
}

export interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string | null;
  readonly hasEslintConfig: boolean;
}

const ESLINT_CONFIGS = [...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `eslint.config.${end}`), '.eslintrc', ...['js', 'cjs', 'json', 'yml', 'yaml'].map((end) => `.eslintrc.${end}`)];
const BIOME_CONFIGS = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];
const OXLINT_CONFIGS = ['.oxlintrc.json', '.oxlintrc.jsonc', 'oxlint.config.ts'];
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
const PROGRAMS = ['tsc', 'vue-tsc', 'eslint', 'biome', 'oxlint'].map((name) => `node_modules/.bin/${name}`);
const OTHER_LANGUAGES = ['Cargo.toml', 'go.mod', 'pytest.ini', 'conftest.py', 'tests/conftest.py', 'setup.cfg', 'tox.ini'];

export const TELLING_FILES: readonly string[] = [...ESLINT_CONFIGS, ...BIOME_CONFIGS, ...OXLINT_CONFIGS, ...LOCK_FILES, ...PROGRAMS, ...OTHER_LANGUAGES];

/** Reads what detection needs from a worktree. */
export async function readProject(worktree: Worktree): Promise<Project> {
  const text = async (path: string) => {
    const bytes = await worktree.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  const present = await Promise.all(TELLING_FILES.map((path) => worktree.exists(path)));
  return describeProject({ manifest: await text('package.json'), tsconfig: await text('tsconfig.json'), pyproject: await text('pyproject.toml') }, TELLING_FILES.filter((_, index) => present[index]));
}

/** The pure half: texts and names → what detection works on. */
export function describeProject(texts: { readonly manifest?: string | null; readonly tsconfig?: string | null; readonly pyproject?: string | null }, files: readonly string[]): Project {
  return { manifest: parseManifest(texts.manifest ?? null), tsconfig: texts.tsconfig ?? null, pyproject: texts.pyproject ?? null, files: new Set(files) };
}

export function hasEslint(project: Project): boolean {
  return project.files.has('node_modules/.bin/eslint') && (project.manifest?.hasEslintConfig === true || ESLINT_CONFIGS.some((name) => project.files.has(name)));
}

export function hasBiome(project: Project): boolean {
  return project.files.has('node_modules/.bin/biome') && BIOME_CONFIGS.some((name) => project.files.has(name));
}

export function hasOxlint(project: Project): boolean {
  return project.files.has('node_modules/.bin/oxlint') && OXLINT_CONFIGS.some((name) => project.files.has(name));
}

function parseManifest(text: string | null): Manifest | null {
  if (text === null) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof raw !== 'object' || raw === null) return null;
  const { scripts, packageManager, eslintConfig } = raw as Record<string, unknown>;
  const entries = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { scripts: Object.fromEntries(entries), packageManager: typeof packageManager === 'string' ? packageManager : null, hasEslintConfig: eslintConfig !== undefined };
}
