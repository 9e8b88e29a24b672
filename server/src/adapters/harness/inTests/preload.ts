// Runs in every process of the test command (`node --import`). Takes over the runner if it is one that can run its
// tests repeatedly; all other processes only get the switch. If the order requires it, profiles the process instead.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import { ORDER_VARIABLE, type InTestsOrder } from '../../../core/verify/guard/inTests.ts';
import { liftTimeLimitOfAva, takeOverAva } from './ava.ts';
import { takeOverJest } from './jest.ts';
import { takeOverMocha } from './mocha.ts';
import { takeOverNodeTest } from './nodeTest.ts';
import { startProfiling } from './profile.ts';
import { installSwitch, WATCHDOG_MARK } from './switch.ts';
import { takeOverTape } from './tape.ts';
import { takeOverUvu } from './uvu.ts';
import { takeOverVitest } from './vitest.ts';

const place = process.env[ORDER_VARIABLE];
const isWatchdog = typeof workerData === 'object' && workerData !== null && WATCHDOG_MARK in workerData;
if (place !== undefined && !isWatchdog && existsSync(place)) {
  const order = JSON.parse(readFileSync(place, 'utf8')) as InTestsOrder;
  if (order.profile === undefined) await takeOver(order);
  else startProfiling(order.results, order.profile);
}

async function takeOver(request: InTestsOrder): Promise<void> {
  const mutants = installSwitch(request);
  const program = resolveProgram(process.argv[1] ?? '');
  const mocha = findPackage(program, 'mocha');
  const vitest = findPackage(program, 'vitest');
  const jest = findPackage(program, 'jest') ?? findPackage(program, 'jest-cli');
  const ava = findPackage(program, 'ava');
  const tape = findPackage(program, 'tape');
  const uvu = findPackage(program, 'uvu');
  if (ava && /[\\/]lib[\\/]worker[\\/]/.test(program.slice(ava.length))) await takeOverAva(ava, mutants);
  else if (isMainThread && ava) liftTimeLimitOfAva();
  else if (isMainThread && mocha) await takeOverMocha(mocha, mutants);
  else if (isVitestWorker(program, vitest)) takeOverVitest(mutants);
  else if (isMainThread && vitest) {
    // The gate for types runs the type check.
    replaceOption('--coverage', '--coverage.enabled=false', '--typecheck.enabled=false');
  } else if (jest || findPackage(program, 'jest-worker') || findPackage(program, 'kcd-scripts')) {
    takeOverJest(mutants);
    if (isMainThread && jest) replaceOption('--coverage', '--coverage=false');
  } else if (isMainThread && tape) takeOverTape(tape, mutants);
  else if (isMainThread && uvu) takeOverUvu(uvu, mutants);
  else if (isMainThread) takeOverNodeTest(program, mutants);
}

function resolveProgram(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folder of the package with this name that contains the program. */
function findPackage(program: string, name: string): string | null {
  const folder = new RegExp(`^(.*[\\\\/]node_modules[\\\\/]${name})[\\\\/]`).exec(program)?.[1];
  return folder && existsSync(join(folder, 'package.json')) ? folder : null;
}

/** True for a worker of Vitest: a thread or process with its mark, started by Vitest itself or by `tinypool`. */
function isVitestWorker(program: string, vitest: string | null): boolean {
  if (process.env['VITEST'] === undefined) return false;
  const isOwn = vitest !== null && program.slice(vitest.length).includes('workers');
  return !isMainThread || isOwn || findPackage(program, 'tinypool') !== null;
}

/**
 * Removes an option and its sub-options from the command line, and adds others. Coverage takes time and shows nothing
 * here.
 */
function replaceOption(word: string, ...instead: readonly string[]): void {
  const keptWords = process.argv.filter(
    (argument) => argument !== word && !argument.startsWith(`${word}.`) && !argument.startsWith(`${word}=`),
  );
  process.argv.splice(0, process.argv.length, ...keptWords, ...instead);
}
