// Runs the examples of the documentation in processes of their own. A wrong result is measured again at another time, in
// another time zone and language, with other random numbers. A result that is not the same each time is unknown.

import { SCRIPT_WITH_CODE_PATTERN } from '../../../core/paths/scriptFiles.ts';
import { fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ExampleOutcome,
  ExampleProgram,
  ExamplesOrder,
  ExamplesReport,
} from '../../../core/verify/examples/examplePlan.ts';
import { compileAll } from '../compile.ts';
import type { Code } from '../messages.ts';
import { detectModuleFormat, resolveImport } from '../resolve.ts';
import { FOREIGN_ENVIRONMENT } from '../sideProcesses.ts';
import type { ExampleStart, FromExample } from './messages.ts';

/** Time limit of one program in milliseconds, with loading the package. */
const PROGRAM_MS = 15_000;
/** Number of programs that run at the same time. */
const SIDE_BY_SIDE = 2;
/** Folders in which the source of a package lies that is built before it is published. */
const SOURCE_FOLDERS = ['src', 'source', 'lib', '.'];
/** Number of further runs of a program with a wrong result. */
const CONFIRMATIONS = 2;
const UNRUN: ExampleOutcome = { outcome: 'unknown', reason: 'The time was over.' };

/** Runs the programs until the time is over. `onReport` receives the outcomes so far. */
export async function runExamples(
  { examples, packageFolders, emit, budgetMs }: ExamplesOrder,
  rootDir: string,
  entry: URL,
  onReport: (report: ExamplesReport & { readonly done: number; readonly total: number }) => void,
): Promise<ExamplesReport> {
  const endAt = performance.now() + budgetMs;
  const { paths, entries } = findPackages(packageFolders, rootDir);
  const emitOfExamples = { ...emit, paths: { ...emit.paths, ...paths } };
  const scripts = [...new Set(examples.map(({ path }) => path))].filter((path) => SCRIPT_WITH_CODE_PATTERN.test(path));
  const codes = compileSources([...new Set([...entries, ...scripts])], rootDir, emitOfExamples);
  const outcomes: (readonly ExampleOutcome[])[] = examples.map(({ checks }) => checks.map(() => UNRUN));
  const queue = [...examples.entries()];
  let done = 0;
  const work = async () => {
    for (let next = queue.shift(); next && performance.now() < endAt; next = queue.shift()) {
      const [index, program] = next;
      outcomes[index] = await runAndConfirm(program, index, { rootDir, codes, emit: emitOfExamples }, entry);
      done += 1;
      onReport({ obstacle: null, outcomes, done, total: examples.length });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return { obstacle: null, outcomes };
}

type Ground = Pick<ExampleStart, 'rootDir' | 'codes' | 'emit'>;

async function runAndConfirm(
  program: ExampleProgram,
  index: number,
  ground: Ground,
  entry: URL,
): Promise<readonly ExampleOutcome[]> {
  const file = join(ground.rootDir, dirname(program.path), `.selfware-example-${index}.mjs`);
  writeFileSync(file, program.code);
  try {
    let outcomes = await runOnce(program, { ...ground, file, runIndex: 0 }, entry);
    // Results that are as stated need no confirmation, because they are not reported.
    for (let runIndex = 1; runIndex <= CONFIRMATIONS && outcomes.some(isWrong); runIndex += 1) {
      const repeated = await runOnce(program, { ...ground, file, runIndex }, entry);
      outcomes = outcomes.map((outcome, check) =>
        !isWrong(outcome) || JSON.stringify(outcome) === JSON.stringify(repeated[check])
          ? outcome
          : { outcome: 'unknown', reason: 'Its result depends on the time, the language or chance.' },
      );
    }
    return outcomes;
  } finally {
    rmSync(file, { force: true });
  }
}

function isWrong({ outcome }: ExampleOutcome): boolean {
  return outcome === 'wrong';
}

/** The outcomes of one run. A check that was not reached is unknown. */
function runOnce(
  { checks }: ExampleProgram,
  start: Omit<ExampleStart, 'checks'>,
  entry: URL,
): Promise<readonly ExampleOutcome[]> {
  return new Promise((resolve) => {
    const outcomes: ExampleOutcome[] = checks.map(() => ({ outcome: 'unknown', reason: 'It was not reached.' }));
    const child = fork(fileURLToPath(entry), ['example'], {
      cwd: start.rootDir,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...(start.runIndex > 0 ? FOREIGN_ENVIRONMENT : { TZ: 'UTC' }) },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), PROGRAM_MS);
    child.on('message', (message: FromExample) => {
      if ('check' in message) outcomes[message.check] = message.outcome;
      else if (message.failure !== null)
        for (const [index, { outcome }] of outcomes.entries())
          if (outcome === 'unknown') outcomes[index] = { outcome, reason: `Its block ends with ${message.failure}` };
    });
    child.on('error', () => undefined);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(outcomes);
    });
    child.send({ ...start, checks } satisfies ExampleStart, () => undefined);
  });
}

/**
 * The packages of the repository: patterns for importing them by name, and those of their files that are no JavaScript
 * that Node can load.
 */
function findPackages(
  folders: readonly string[],
  rootDir: string,
): { readonly paths: Readonly<Record<string, readonly string[]>>; readonly entries: readonly string[] } {
  const paths: Record<string, readonly string[]> = {};
  const entries: string[] = [];
  for (const folder of folders) {
    const manifest = readManifest(join(rootDir, folder, 'package.json'));
    if (manifest === null) continue;
    const main = findMain(manifest, folder, rootDir);
    if (main === null) continue;
    entries.push(main.path);
    // Node itself finds the modules of a package that says what it exports.
    if (main.isPublished && manifest.exports !== undefined) continue;
    paths[manifest.name] = [main.path];
    const folderOfModules = main.isPublished ? folder : posix.dirname(main.path);
    paths[`${manifest.name}/*`] = [posix.join(folderOfModules, '*')];
  }
  return { paths, entries };
}

interface Manifest {
  readonly name: string;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly exports?: unknown;
}

function readManifest(file: string): Manifest | null {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null;
    return typeof manifest?.name === 'string' && manifest.name !== '' ? { ...manifest, name: manifest.name } : null;
  } catch {
    return null;
  }
}

/** The module that users of the package load, or its source if it has not been built; null if neither is found. */
function findMain(
  { exports, module, main }: Manifest,
  folder: string,
  rootDir: string,
): { readonly path: string; readonly isPublished: boolean } | null {
  for (const target of [readTarget(exports), module, main, 'index.js'])
    if (typeof target === 'string') {
      const path = posix.join(folder, target);
      const resolved = [path, `${path}.js`, posix.join(path, 'index.js')].find(
        (candidate) => SCRIPT_WITH_CODE_PATTERN.test(candidate) && existsSync(join(rootDir, candidate)),
      );
      if (resolved !== undefined) return { path: resolved, isPublished: true };
    }
  for (const sourceFolder of SOURCE_FOLDERS) {
    const source = resolveImport(
      `./${posix.join(folder, sourceFolder, 'index')}`,
      join(rootDir, 'example.mjs'),
      { compiler: {}, paths: {}, baseUrl: null },
      rootDir,
    );
    if (source !== null && SCRIPT_WITH_CODE_PATTERN.test(source))
      return { path: source.slice(rootDir.length + 1).replaceAll('\\', '/'), isPublished: false };
  }
  return null;
}

/** The file to which `exports` of a manifest lead from the root of the package; undefined if they do not say. */
function readTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(readTarget).find((target) => target !== undefined);
  if (typeof exports !== 'object' || exports === null) return undefined;
  const {
    '.': root,
    import: asModule,
    node,
    default: byDefault,
    require: asCommonJs,
  } = exports as Record<string, unknown>;
  return [root, node, asModule, byDefault, asCommonJs].map(readTarget).find((target) => target !== undefined);
}

/** The code of the packages that Node cannot load as it is: TypeScript, and modules in packages of CommonJS. */
function compileSources(
  entries: readonly string[],
  rootDir: string,
  emit: ExamplesOrder['emit'],
): Readonly<Record<string, Code>> {
  const needing = entries.filter((path) => {
    const text = readFileSync(join(rootDir, path), 'utf8');
    const isPlain = /\.[cm]?js$/.test(path);
    return !isPlain || (detectModuleFormat(join(rootDir, path), text) === 'module' && !isModuleFile(path, rootDir));
  });
  if (needing.length === 0) return {};
  try {
    return compileAll({ files: [], targets: needing.map((path) => ({ path })), emit }, rootDir, false).newCode;
  } catch {
    return {};
  }
}

/** True if Node loads the JavaScript file as an ES module. */
function isModuleFile(path: string, rootDir: string): boolean {
  return path.endsWith('.mjs') || detectModuleFormat(join(rootDir, path), '') === 'module';
}
