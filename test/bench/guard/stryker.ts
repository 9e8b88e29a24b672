// Runs StrykerJS, a peer for the gate guard, on the same lines of a copy of the repository.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BenchOptions } from '../support/bench.ts';
import type { Place } from './places.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mutant of StrykerJS that was judged. Its replaced range is `from` (included) to `to` (excluded). */
export interface PeerMutant {
  readonly from: Position;
  readonly to: Position;
  readonly replacement: string;
  readonly noticed: boolean;
}

/** The JSON report of StrykerJS, as far as it is read here. */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly mutants: readonly {
          readonly replacement: string;
          readonly status: string;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

const NOTICED = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);
const LIMIT_MS = 900_000;
const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Runs it on a function. Null if it is not installed or does not start, for example because a test fails. */
export async function askStryker(
  dir: string,
  { path, from, to }: Place,
  options: BenchOptions,
  signal: AbortSignal,
): Promise<{ readonly mutants: readonly PeerMutant[]; readonly seconds: number } | null> {
  const installed = join(ROOT, 'tools', 'guard', 'node_modules');
  if (!existsSync(join(installed, '@stryker-mutator', 'core'))) {
    options.note('StrykerJS is not installed: npm ci --prefix tools/guard');
    return null;
  }
  signal.throwIfAborted();
  const script = (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { scripts: { test: string } }).scripts
    .test;
  const runner = script.includes('vitest') ? 'vitest' : 'mocha';
  const packages = preparePackages(installed, runner, dir, options);
  const report = join(options.scratch, 'stryker.json');
  rmSync(report, { force: true });
  const settings = join(dir, 'stryker.bench.json');
  writeFileSync(
    settings,
    JSON.stringify({
      testRunner: runner,
      plugins: [join(packages, '@stryker-mutator', `${runner}-runner`, 'dist', 'src', 'index.js')],
      // The name has no dot in front, because servers of files hide such folders, and tests with a server would fail.
      tempDirName: 'stryker-tmp',
      mutate: [`${path}:${from}-${to}`],
      reporters: ['json'],
      jsonReporter: { fileName: report },
      concurrency: 1,
      coverageAnalysis: 'perTest',
      allowEmpty: true,
      ...(runner === 'mocha' ? { mochaOptions: readMochaOptions(script) } : {}),
    }),
  );
  const startedAt = performance.now();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(packages, '@stryker-mutator', 'core', 'bin', 'stryker.js'), 'run', settings],
    { cwd: dir, encoding: 'utf8', timeout: LIMIT_MS, env: { ...process.env, CI: '1' } },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (!existsSync(report)) {
    options.note(`StrykerJS gave no report: ${`${stdout}${stderr}`.slice(-3000)}`);
    return null;
  }
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const mutants = Object.values(files)
    .flatMap((file) => file.mutants)
    .filter(({ status }) => NOTICED.has(status) || MISSED.has(status))
    .map(({ replacement, status, location: { start, end } }) => ({
      from: start,
      to: end,
      replacement,
      noticed: NOTICED.has(status),
    }));
  return { mutants, seconds };
}

/**
 * The folder of its packages. The runner and the compiler of the repository are linked into it, because StrykerJS
 * expects them beside itself. Made once per repository.
 */
function preparePackages(installed: string, runner: string, dir: string, options: BenchOptions): string {
  const packages = join(options.scratch, `peer-${basename(dir)}`, 'node_modules');
  if (existsSync(packages)) return packages;
  cpSync(installed, packages, { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(dir, 'node_modules', runner), join(packages, runner));
  const compiler = [dir, ROOT]
    .map((root) => join(root, 'node_modules', 'typescript'))
    .find((folder) => existsSync(folder));
  if (compiler) symlinkSync(compiler, join(packages, 'typescript'));
  return packages;
}

/** The options of Mocha in the script `test` of the package. */
function readMochaOptions(script: string): Readonly<Record<string, unknown>> {
  const words = script.split(' ');
  const require = words.flatMap((word, index) => (word === '--require' ? [words[index + 1]!] : []));
  const spec = words
    .slice(1)
    .filter((word) => word.endsWith('/'))
    .map((folder) => `${folder}*.js`);
  return { require, spec };
}
