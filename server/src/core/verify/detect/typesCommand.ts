// Finds the command that checks the types of a repository.

import JSON5 from 'json5';
import {
  createCommandFromSetting,
  findPackageScript,
  createRepositoryCommand,
  type DetectedCommand,
} from './command.ts';
import type { DetectedProject } from './project.ts';

/** Names of scripts that always check types. */
const CLEAR_SCRIPTS = [
  'typecheck',
  'type-check',
  'check-types',
  'check:types',
  'types:check',
  'check:ts',
  'ts:check',
  'lint:types',
  'test:types',
  'tsc',
];
/** Names of scripts with several meanings. Such a script is used only if it does nothing but check types. */
const VAGUE_SCRIPTS = ['types', 'check', 'lint:ts'];

const RUNNER_SOURCE = String.raw`(?:(?:npx|pnpm exec|pnpm|yarn|bunx|bun x|npm exec --) )?`;
const TYPE_CHECK = new RegExp(`^${RUNNER_SOURCE}(?:tsc|vue-tsc|tsgo|svelte-check|astro check)(?: |$)`);

/** Matches a script that only runs the compiler for `tsconfig.json`, without `-p` and `-b`. */
const PLAIN_CHECK = new RegExp(
  `^${RUNNER_SOURCE}(?:tsc|vue-tsc|tsgo)(?: --(?:noEmit|skipLibCheck|pretty(?: (?:true|false))?))*$`,
);

/** Files that only Python projects have. */
const PYTHON_MARKS = ['setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini', 'conftest.py', 'tests/conftest.py'];

/** The reason why nothing checks types here, as a sentence. */
export function explainMissingTypeCheck({ tsconfig, manifest, files, pyproject }: DetectedProject): string {
  if (tsconfig === null && manifest === null && files.has('go.mod'))
    return 'No separate type check: the compiler of Go checks the types when the tests are built.';
  if (tsconfig === null && manifest === null && (pyproject !== null || PYTHON_MARKS.some((name) => files.has(name))))
    return 'No type check was found for Python: `selfware.verify.typesCommand` names one, such as `mypy .`.';
  return tsconfig === null
    ? 'No type check was found: no package script, and no tsconfig.json.'
    : 'No type check was found: there is a tsconfig.json, but no TypeScript is installed.';
}

/**
 * True if the check of the root covers all packages: it is the person's setting, a script, or a tsconfig.json with
 * references.
 */
export function coversPackages({ source }: DetectedCommand, { tsconfig }: DetectedProject): boolean {
  return source !== 'tsconfig.json' || (tsconfig !== null && hasReferences(tsconfig));
}

/**
 * Finds the type check in this order: the setting, a package script, then tsconfig.json with the repository's own
 * compiler. Null if nothing checks types here.
 */
export function detectTypes(project: DetectedProject, setting: string): DetectedCommand | null {
  return createCommandFromSetting(setting) ?? findScriptCommand(project) ?? findCompilerCommand(project);
}

/** The package script that checks types; null if there is none that ends and checks files. */
function findScriptCommand(project: DetectedProject): DetectedCommand | null {
  const scripts = project.manifest?.scripts ?? {};
  // Without `-b`, the compiler ignores the projects to which a solution refers, and finds nothing wrong.
  const checksNothing = (text: string) => checksNoFile(project.tsconfig) && PLAIN_CHECK.test(text.trim());
  const clearName = CLEAR_SCRIPTS.find(
    (name) => scripts[name] && !watchesFiles(scripts[name]) && !checksNothing(scripts[name]),
  );
  const vagueName = VAGUE_SCRIPTS.find(
    (name) =>
      scripts[name] &&
      !watchesFiles(scripts[name]) &&
      !checksNothing(scripts[name]) &&
      scripts[name].split('&&').every((part) => TYPE_CHECK.test(part.trim())),
  );
  const name = clearName ?? vagueName;
  return name === undefined ? null : findPackageScript(project, name);
}

/**
 * The repository's own compiler with its tsconfig.json; null if either is missing, or if the configuration checks no
 * file.
 */
function findCompilerCommand(project: DetectedProject): DetectedCommand | null {
  const compilers = (['vue-tsc', 'tsc'] as const).filter((name) => project.programs.has(name));
  if (project.tsconfig === null || compilers.length === 0 || isEmptySolution(project.tsconfig)) return null;
  // Projects that refer to each other may need each other's output, which is written in the sandbox.
  if (hasReferences(project.tsconfig))
    return createRepositoryCommand(project, 'tsconfig.json', compilers[0]!, '-b', '--pretty', 'false');
  return createRepositoryCommand(
    project,
    'tsconfig.json',
    compilers[0]!,
    '--noEmit',
    '-p',
    'tsconfig.json',
    '--pretty',
    'false',
  );
}

/** True for a configuration that refers to other projects, whether or not it has its own files. */
function hasReferences(tsconfig: string): boolean {
  const references = (parseLoose(tsconfig) as { references?: unknown } | null)?.references;
  return Array.isArray(references) && references.length > 0;
}

/** True for a configuration that checks no file: it lists none and refers to no other project. */
function isEmptySolution(tsconfig: string): boolean {
  return checksNoFile(tsconfig) && !hasReferences(tsconfig);
}

/** True for a configuration that lists no files. */
function checksNoFile(tsconfig: string | null): boolean {
  const { files, include } = ((tsconfig === null ? null : parseLoose(tsconfig)) ?? {}) as {
    files?: unknown;
    include?: unknown;
  };
  return Array.isArray(files) && files.length === 0 && (include === undefined || isEmptyList(include));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Parses JSON with comments and trailing commas; null if the text still does not parse. */
function parseLoose(tsconfig: string): unknown {
  try {
    return JSON5.parse(tsconfig.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function watchesFiles(script: string): boolean {
  return /(^|\s)(--watch|-w)(\s|$)/.test(script);
}
