// Runs in every process of the test command (`node --import`). If the process runs tests with a supported runner, takes
// over the runner, so that it runs the tests repeatedly. All other processes only get the switch. If the order asks for
// a profile, the process is profiled instead.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import { ORDER_VARIABLE, type InTestsOrder } from '../../../core/verify/guard/inTests.ts';
import { liftTimeLimitOfAva, patchAva } from './ava.ts';
import { patchJest } from './jest.ts';
import { patchMocha } from './mocha.ts';
import { patchNodeTest } from './nodeTest.ts';
import { startProfiling } from './profile.ts';
import { installSwitch, WATCHDOG_MARK } from './switch.ts';
import { patchTape } from './tape.ts';
import { patchUvu } from './uvu.ts';
import { patchVitest } from './vitest.ts';

const orderPath = process.env[ORDER_VARIABLE];
const isWatchdog = typeof workerData === 'object' && workerData !== null && WATCHDOG_MARK in workerData;
if (orderPath !== undefined && !isWatchdog && existsSync(orderPath)) {
  const order = JSON.parse(readFileSync(orderPath, 'utf8')) as InTestsOrder;
  if (order.profile === undefined) await patchTestRunner(order);
  else startProfiling(order.results, order.profile);
}

async function patchTestRunner(request: InTestsOrder): Promise<void> {
  const mutantSwitch = installSwitch(request);
  const program = resolveProgram(process.argv[1] ?? '');
  const mocha = findPackage(program, 'mocha');
  const vitest = findPackage(program, 'vitest');
  const jest = findPackage(program, 'jest') ?? findPackage(program, 'jest-cli');
  const ava = findPackage(program, 'ava');
  const tape = findPackage(program, 'tape');
  const uvu = findPackage(program, 'uvu');
  if (ava && /[\\/]lib[\\/]worker[\\/]/.test(program.slice(ava.length))) await patchAva(ava, mutantSwitch);
  else if (isMainThread && ava) liftTimeLimitOfAva();
  else if (isMainThread && mocha) await patchMocha(mocha, mutantSwitch);
  else if (isVitestWorker(program, vitest)) patchVitest(mutantSwitch);
  else if (isMainThread && vitest) {
    // Another gate runs the type check.
    replaceOption('--coverage', '--coverage.enabled=false', '--typecheck.enabled=false');
  } else if (jest || findPackage(program, 'jest-worker') || findPackage(program, 'kcd-scripts')) {
    patchJest(mutantSwitch);
    if (isMainThread && jest) replaceOption('--coverage', '--coverage=false');
  } else if (isMainThread && tape) patchTape(tape, mutantSwitch);
  else if (isMainThread && uvu) patchUvu(uvu, mutantSwitch);
  else if (isMainThread) patchNodeTest(program, mutantSwitch);
}

function resolveProgram(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folder of the package with this name that contains the program; null if the program is not in such a package. */
function findPackage(program: string, name: string): string | null {
  const folder = new RegExp(`^(.*[\\\\/]node_modules[\\\\/]${name})[\\\\/]`).exec(program)?.[1];
  return folder && existsSync(join(folder, 'package.json')) ? folder : null;
}

/** True for a worker of Vitest: a thread or process with its mark, started by Vitest itself or by `tinypool`. */
function isVitestWorker(program: string, vitest: string | null): boolean {
  if (process.env['VITEST'] === undefined) return false;
  const isVitestProgram = vitest !== null && program.slice(vitest.length).includes('workers');
  return !isMainThread || isVitestProgram || findPackage(program, 'tinypool') !== null;
}

/**
 * Removes an option and its sub-options from the command line, and adds `newOptions` at the end. It is used to switch
 * coverage off, which takes time and shows nothing here.
 */
function replaceOption(option: string, ...newOptions: readonly string[]): void {
  const keptWords = process.argv.filter(
    (argument) => argument !== option && !argument.startsWith(`${option}.`) && !argument.startsWith(`${option}=`),
  );
  process.argv.splice(0, process.argv.length, ...keptWords, ...newOptions);
}
