// Starts an unattended run in the background: a detached process that supervises the run and starts it again after a
// crash.

import { join } from 'node:path';
import { createStateFolder, throwIfStateInside } from '../../adapters/files/stateFolder.ts';
import { startDetached } from '../../adapters/run/detached.ts';
import { appendToLog } from '../../adapters/run/logFile.ts';
import { SUPERVISED_AFTER, SUPERVISED_SINCE } from '../../adapters/run/messages.ts';
import { watchWindow } from '../../adapters/run/endWithWindow.ts';
import { superviseWorker } from '../../adapters/run/supervisor.ts';
import type { PersonNotice, SupervisionEnd } from '../../core/run/supervision.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError } from '../../util/typedError.ts';
import { findPackageRoot } from '../programPaths.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { readEndOfRun } from './readNights.ts';
import { ensureCopy } from './takeOver/versionStore.ts';
import { createProgramArguments, openRunVersions } from './takeOver/versionsOfRun.ts';
import { notifyOfNewestNight } from './notifyPerson.ts';
import type { NightRequest } from './night.ts';
import { openLedger, readNewestSequence, readSequenceAt, type OpenLedger } from './sharedKnowledge.ts';
import type { Environment } from '../../util/values/environment.ts';

export { sendBeats } from '../../adapters/run/heartbeat.ts';

/** A run to supervise. */
export interface SupervisedRun {
  readonly rootDir: string;
  /** Arguments of the command line for the run itself. */
  readonly args: readonly string[];
  readonly env: Environment;
}

/** The note that no other version can take over the run. */
const NO_VERSIONS = 'No other version of Selfware can take over this run.';

/** Texts for the person, by the reason of a notice. */
const NOTICE_TEXTS: Readonly<Record<PersonNotice['reason'], string>> = {
  tooManyStarts: 'The run ended too often within an hour. It is started again later.',
  needsPerson: 'The run cannot continue without a person.',
  workerRemains: 'A process of the run does not end, so no other is started.',
};

/**
 * Starts the run and returns the id of the supervising process. `isApart`: true if it must not be a child of this
 * process. Throws `usage` if the state folder is inside a repository, `unavailable`, `readOnly`, `diskFull`,
 * `writeFailed`.
 */
export async function startSupervised({ rootDir, args, env }: SupervisedRun, isApart = false): Promise<number> {
  throwIfStateInside(rootDir, env);
  const { state, folder } = resolveNightFolders(rootDir, env);
  await createStateFolder(state);
  await createStateFolder(folder);
  const program = await prepareProgram(rootDir, env);
  return startDetached({
    args: ['supervise', ...args],
    cwd: rootDir,
    env: createNodeEnvironment(env),
    logFile: supervisorLogPath(rootDir, env),
    script: join(program, 'dist', 'cli.js'),
    viaLauncher: isApart,
  });
}

/**
 * The folder of the program for the run: a copy, so that the run continues if the program is updated or removed. If no
 * copy can be made, for example because the disk is nearly full, the run works from the installed program.
 */
async function prepareProgram(rootDir: string, env: Environment): Promise<string> {
  try {
    return (await ensureCopy(rootDir, env)).folder;
  } catch (error) {
    appendToLog(supervisorLogPath(rootDir, env), `${NO_VERSIONS} ${describeError(error)}`);
    return findPackageRoot();
  }
}

/**
 * Supervises the run from this process until it has ended. `settings`: settings for notifications of the person.
 * `write`: writes a line to the log. Throws `locked` if the run is already supervised.
 */
export async function superviseRun(
  { rootDir, args, env, settings, log }: SupervisedRun & { readonly settings: Settings; readonly log: Log },
  signal: AbortSignal,
  write: (line: string) => void,
): Promise<SupervisionEnd> {
  const tellPerson = async (reason: PersonNotice['reason']): Promise<void> => {
    write(NOTICE_TEXTS[reason]);
    // If the end of the run is recorded, the person was told then, and is not told again.
    const failures = await notifyOfNewestNight({ rootDir, env, settings, signal }, log, 'needsPerson');
    failures.forEach(write);
  };
  const startedAt = Date.now();
  // A ledger that cannot be opened now may be readable for the worker, which then looks for the number itself.
  let sinceSequence = await withLedger({ rootDir, env, log }, readNewestSequence).catch((error: unknown) => {
    write(`The ledger could not be read. ${describeError(error)}`);
    return null;
  });
  const childEnv = {
    ...createNodeEnvironment(env),
    [SUPERVISED_AFTER]: sinceSequence === null ? undefined : String(sinceSequence),
    [SUPERVISED_SINCE]: String(startedAt),
  };
  // A run without other versions is better than no run.
  const versions = await openRunVersions({ rootDir, env: childEnv, args, log, write }).catch((error: unknown) => {
    write(`${NO_VERSIONS} ${describeError(error)}`);
    return null;
  });
  const runArgs = (program: readonly string[]) => [...program, ...args, '--supervised'];
  const window = watchWindow(env);
  const end = await superviseWorker({
    rootDir,
    env: childEnv,
    cwd: rootDir,
    signal: AbortSignal.any([signal, window.signal]),
    command: process.execPath,
    args: runArgs(createProgramArguments({ folder: findPackageRoot() })),
    ...(versions
      ? { versions, argsOf: (version) => runArgs(versions.argsOf(version)), version: versions.ownVersion }
      : {}),
    logFile: supervisorLogPath(rootDir, env),
    async endOfRun() {
      sinceSequence ??= await withLedger({ rootDir, env, log }, (ledger) => readSequenceAt(ledger, startedAt));
      return readEndOfRun(rootDir, { env, log }, { sinceSequence, maxChanges: settings['charter.maxChanges'] });
    },
    onEvent: (event) => write(JSON.stringify(event)),
    tellPerson: ({ reason }) => void tellPerson(reason).catch((error: unknown) => write(describeError(error))),
  }).finally(() => window.dispose());
  await versions?.waitForRecords();
  return end;
}

/** Opens the ledger of the repository for `read`, and closes it afterwards. */
async function withLedger<T>(
  { rootDir, env, log }: Pick<SupervisedRun, 'rootDir' | 'env'> & { readonly log: Log },
  read: (ledger: OpenLedger['ledger']) => Promise<T>,
): Promise<T> {
  const { ledger, close } = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    return await read(ledger);
  } finally {
    await close();
  }
}

/** The start of this process's supervisor, as fields of a request; empty if the environment does not contain it. */
export function readSupervision(env: Environment): Pick<NightRequest, 'supervisedSince' | 'supervisedFrom'> {
  const since = Number(env[SUPERVISED_AFTER] || NaN);
  const from = Number(env[SUPERVISED_SINCE] || NaN);
  if (Number.isFinite(since)) return { supervisedSince: since };
  return Number.isFinite(from) ? { supervisedFrom: from } : {};
}

/** The environment for a child: an editor's program acts as Node only if this variable is set. */
function createNodeEnvironment(env: Environment): Environment {
  return process.versions['electron'] === undefined ? env : { ...env, ELECTRON_RUN_AS_NODE: '1' };
}

/** Path of the log of background runs. */
export function supervisorLogPath(rootDir: string, env: Environment): string {
  return join(resolveNightFolders(rootDir, env).folder, 'log');
}
