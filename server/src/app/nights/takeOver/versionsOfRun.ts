// Provides the versions of Selfware to the supervisor of a run: starts and checks them, reads the refused ones from the
// ledger, and records each step there.

import { join } from 'node:path';
import { resolveVersionFolder, registerUser } from '../../../adapters/run/versionCopies.ts';
import { readCheckAnswer, forgetCheck, writeCheck, type CheckAnswer } from '../../../adapters/run/versionOffers.ts';
import { createVersions, type Versions } from '../../../adapters/run/versions.ts';
import { removeTree } from '../../../adapters/sandbox/removeTree.ts';
import type { Log } from '../../../core/ports/system.ts';
import { findRefusedVersions } from '../../../core/run/nightQueries.ts';
import type { ProgramVersion, TakeOverStep } from '../../../core/run/takeOver.ts';
import { describeError } from '../../../util/typedError.ts';
import { readProgramVersion } from '../../programPaths.ts';
import { openLedger } from '../sharedKnowledge.ts';
import { loadNights, type NightRequest } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';
import { readNights } from '../readNights.ts';
import { checkFolder } from './checkVersion.ts';
import { findRunningCopy, resolveVersionsFolder } from './versionStore.ts';
import { waitUntilStored } from './waitUntilStored.ts';

/** The run whose versions these are. */
interface RunVersionsInput {
  readonly rootDir: string;
  /** The environment of the processes of the run. */
  readonly env: NightRequest['env'];
  /** Arguments of the command line for the run itself. */
  readonly args: readonly string[];
  readonly log: Log;
  /** Writes a line to the log of the run. */
  write(line: string): void;
}

/** The versions of a run, and the way to start them. */
export interface RunVersions extends Versions {
  /** The version that this process runs. */
  readonly ownVersion: ProgramVersion;
  /** The arguments of Node that start this version, which may come from an offer. */
  argsOf(version: ProgramVersion): readonly string[];
  /**
   * Resolves when all steps are recorded in the ledger, if it can be written, and the files of the checks are removed.
   */
  waitForRecords(): Promise<void>;
}

/**
 * The versions of a run that this process supervises; null if it does not run from a copy for runs, or if the versions
 * would be inside a repository. Throws the errors of the state folder and of the ledger.
 */
export async function openRunVersions({
  rootDir,
  env,
  args,
  log,
  write,
}: RunVersionsInput): Promise<RunVersions | null> {
  const ownVersion = await findRunningCopy();
  const store = resolveVersionsFolder(rootDir, env);
  if (ownVersion === null || store === null) return null;
  await registerUser(ownVersion);
  return createRunVersions({ own: ownVersion, store }, { rootDir, env, args, log, write });
}

/**
 * Creates the versions of a run whose supervisor runs the version `own`. `store`: the folder of the copies of versions.
 */
export async function createRunVersions(
  { own, store }: { readonly own: ProgramVersion; readonly store: string },
  { rootDir, env, args, log, write }: RunVersionsInput,
): Promise<RunVersions> {
  const places = resolveNightFolders(rootDir, env);
  const { folder } = places;
  // A check that was killed does not remove its copies of the state.
  const removeCheckFolder = () =>
    removeTree(checkFolder(places)).catch((error: unknown) => write(describeError(error)));
  const argsOf = (version: ProgramVersion) => createProgramArguments(resolveVersionFolder(version, own, store));
  const setOptions = args.flatMap((word, index) => (args[index - 1] === '--set' ? ['--set', word] : []));
  let recording: Promise<void> = Promise.resolve();
  const shutdown = new AbortController();
  const noteFailure = (error: unknown) => write(`A step of a version could not be stored. ${describeError(error)}`);
  const versions = createVersions({
    current: own,
    refused: findRefusedVersions(await readNights(rootDir, env, log)),
    folder,
    createCheckCommand(version) {
      forgetCheck(folder);
      const commandLine = ['night', 'check', '--repo', rootDir, ...setOptions];
      return { command: process.execPath, args: [...argsOf(version), ...commandLine], cwd: rootDir, env };
    },
    readAnswer: ({ hash }) => readCheckAnswer(folder, hash),
    onUse: (version) =>
      void registerUser(resolveVersionFolder(version, own, store)).catch((error: unknown) =>
        write(describeError(error)),
      ),
    onStep(step, version, reason) {
      write(JSON.stringify({ type: step, version: version.version, hash: version.hash, reason }));
      const store = () => recordStep({ rootDir, env, log }, step, version, reason);
      recording = recording.then(() => waitUntilStored(store, shutdown.signal, noteFailure));
      if (step === 'refused') recording = recording.then(removeCheckFolder);
    },
  });
  return {
    ...versions,
    ownVersion: own,
    argsOf,
    whenRecorded: () => recording,
    waitForRecords: () => recording.then(removeCheckFolder),
    end() {
      shutdown.abort();
      versions.end();
    },
  };
}

/** The arguments of Node that start this version. */
export function createProgramArguments({ folder }: Pick<ProgramVersion, 'folder'>): readonly string[] {
  return [...process.execArgv, join(folder, 'dist', 'cli.js')];
}

/** Stores the result of the check of this version, with its number and hash. */
export async function recordCheck(rootDir: string, env: NightRequest['env'], answer: CheckAnswer): Promise<void> {
  const copy = await findRunningCopy();
  const checker =
    copy === null ? { version: readProgramVersion(), hash: null } : { version: copy.version, hash: copy.hash };
  await writeCheck(resolveNightFolders(rootDir, env).folder, answer, checker);
}

/** Records a step of a version for the newest run. */
async function recordStep(
  { rootDir, env, log }: Pick<RunVersionsInput, 'rootDir' | 'env' | 'log'>,
  step: TakeOverStep,
  { version, hash }: ProgramVersion,
  reason: string | null,
): Promise<void> {
  const { ledger, close } = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const night = (await loadNights(ledger)).at(-1);
    const run = night?.runs.at(-1)?.id;
    if (night === undefined || run === undefined) return;
    await ledger.record({
      type: 'nightUpgrade',
      data: { night: night.branch, run, step, version, hash, reason },
    });
  } finally {
    await close();
  }
}
