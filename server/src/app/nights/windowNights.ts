// Unattended runs for an editor: starts them in the background, reads them, and files or drops their changes. A run
// outlives the window that started it, unless the person has set otherwise.

import { existsSync } from 'node:fs';
import { requireIdentity } from '../../adapters/git/committerIdentity.ts';
import { acquireLock } from '../../adapters/files/lock.ts';
import { findRunningSupervisors, sendSignal } from '../../adapters/system/runningProcesses.ts';
import { readPowerSource } from '../../adapters/system/power.ts';
import type { PowerSource } from '../../core/ports/system.ts';
import type { Operation } from '../../core/operation.ts';
import type { Log } from '../../core/ports/system.ts';
import type { StoredKeys } from '../../adapters/models/keys.ts';
import { addForwardedKeys } from '../../adapters/models/forwardedKeys.ts';
import { readLive } from '../../adapters/run/liveFile.ts';
import { addWindowProcess } from '../../adapters/run/endWithWindow.ts';
import type { LiveState } from '../../core/run/liveState.ts';
import { createInProgressError } from '../../core/run/inProgress.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { resolveProposers } from '../../core/proposers/roles.ts';
import type { Settings } from '../../settings/schema.ts';
import { readOwnSettings } from '../ownSettings.ts';
import { loadEffectiveSettings, mergeSettings } from '../teamSettings.ts';
import { dropChanges, fileChanges, openPullRequestOfNight, settleNight, squashNight } from './decideNight.ts';
import { resolveNightFolders } from './nightFolders.ts';
import type { AcceptanceFile } from '../../core/model/acceptance.ts';
import type { WishEvent } from '../../core/model/nights.ts';
import type { Wish } from '../../core/run/wishes.ts';
import { changeWishQueue } from './wishQueue.ts';
import { requestRunEnd, continueRun } from './pauseRun.ts';
import { listFolders, readScope, type NamedScope } from './open/readScope.ts';
import { runArguments } from './runArguments.ts';
import { readNights } from './readNights.ts';
import { offerIfNewer } from './takeOver/offerVersion.ts';
import { reportNight } from './reportNight.ts';
import { startInBackground } from './open/startInBackground.ts';
import { addNotificationSettings } from './notifyPerson.ts';
import type { Environment } from '../../util/values/environment.ts';

/** A run that an editor asks for. */
export interface AskedRun {
  readonly rootDir: string;
  /** The settings of the editor for this folder. */
  readonly settings: Settings;
  /** The end in milliseconds since the epoch. */
  readonly until: number;
  readonly maxChanges: number;
  /** Null if only recipes are used. */
  readonly proposer: string | null;
  readonly scope: NamedScope;
  /** The money that its questions may cost; 0 for no limit. If absent, the setting. */
  readonly maxCost?: number | undefined;
  /** Keys that the person has stored in the editor. The run gets the keys of its proposer's hosts. */
  readonly storedKeys?: StoredKeys | undefined;
  /** The process of the window; the run ends with it unless `night.keepAfterWindow` is set. Null if it is unknown. */
  readonly window?: number | null;
  /** Aborted when nobody waits for the first step any longer. The run itself continues. */
  readonly signal: AbortSignal;
}

/** The operations of an editor on unattended runs. */
export interface Nights {
  /**
   * Resolves with the night once the run has begun; null if that takes too long. Throws `locked` while another run is
   * in progress, and the errors of `startInBackground`.
   */
  start(run: AskedRun): Promise<Night | null>;
  /**
   * True if a process works on a run of this repository. If the process is an older version of Selfware, this version
   * may be offered to it in the background, once for each supervisor.
   */
  isRunning(rootDir: string): Promise<boolean>;
  /** The live state that the process of a run has written; null if there is none. */
  doing(rootDir: string): Promise<LiveState | null>;
  /** The report as Markdown. `nights`: all nights, oldest first, with the marks of `markInterrupted`. */
  report(rootDir: string, night: Night, nights: readonly Night[], signal: AbortSignal): Promise<string>;
  /** The source of this machine's power; null if it is unknown. */
  power(): Promise<PowerSource | null>;
  /** Folders of the last commit, relative to the root. A person may name or exclude some of them. */
  folders(rootDir: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Oldest first; empty if none was started. */
  all(rootDir: string): Promise<readonly Night[]>;
  /** The newest one; null if none was started. */
  last(rootDir: string): Promise<Night | null>;
  /**
   * Files all or the named changes as proposals that wait for a decision, in order. Without names, held changes are
   * skipped, and their titles are returned. Throws the errors of `fileChanges`.
   */
  file(
    rootDir: string,
    night: string | null,
    operation: Operation,
    changes: readonly string[],
  ): Promise<{ readonly changes: readonly string[]; readonly held: readonly string[] }>;
  /**
   * Removes the data that is stored for changes that were applied or rejected. Records that the night was taken if a
   * person has decided on all its changes. Throws `locked` while a run is in progress.
   */
  settle(rootDir: string, night: string): Promise<void>;
  /** Lets a run continue that waits for a person. Throws `notFound` if none does. */
  continue(rootDir: string): Promise<Night>;
  /** Asks the run in progress to end after its current step. Throws `notFound` if there is none. */
  askToEnd(rootDir: string): Promise<Night>;
  /**
   * The queue of wishes, in the order in which they are tried. First records the events that `change` returns for the
   * current queue; without `change`, records nothing.
   */
  wishes(rootDir: string, change?: (queue: readonly Wish[]) => readonly WishEvent[]): Promise<readonly Wish[]>;
  /** Stores the acceptance test that a person has accepted for a wish; empty if they want none. */
  keepTests(rootDir: string, wish: string, tests: readonly AcceptanceFile[]): Promise<void>;
  /**
   * Takes the named changes out of the night and judges the others again, with the settings that a run of this editor
   * gets. Without names, deletes the branch. Dropped changes count as rejected. Throws the errors of `dropChanges`.
   */
  drop(
    rootDir: string,
    night: string | null,
    operation: Operation & { readonly settings: Settings },
    changes: readonly string[],
    reason: string | null,
  ): Promise<DroppedChanges>;
  /** Replaces the commits of the branch by one commit. Throws the errors of `squashNight`. */
  squash(
    rootDir: string,
    night: string | null,
    operation: Operation,
  ): Promise<{ readonly branch: string; readonly commit: string }>;
  /** Pushes the branch and opens a pull request with the report. Throws the errors of `openPullRequestOfNight`. */
  pullRequest(rootDir: string, night: string | null, operation: Operation): Promise<{ readonly address: string }>;
  /** Ends a supervised run immediately. Its commits are kept. */
  end(rootDir: string): Promise<void>;
}

/** The remaining part of a night after changes were taken out. */
export interface DroppedChanges {
  /** The branch. */
  readonly night: string;
  /** Number of changes that are still on it. */
  readonly remaining: number;
  /** Changes that were also taken out, because they did not pass the checks without the dropped ones. */
  readonly alsoLeft: readonly { readonly title: string; readonly reason: string }[];
}

/**
 * Settings that are not passed to runs: they concern only the editor, commits of a person, or training. Notification
 * settings are passed in the environment, because other users of a machine can read the arguments of a process.
 */
const NOT_FOR_RUNS =
  /^(?:diagnostics|notifications|hover|codeLens|agents|learn)\.|^(?:commit\.branch|charter\.maxChanges|night\.notify\w+)$/;

/** Options of the runs of an editor. */
interface NightsOptions {
  readonly env: Environment;
  readonly log: Log;
  /** True if this version is offered once to a run that an older version works on. */
  readonly offers?: boolean;
}

/** Creates the operations of an editor on unattended runs. Nothing is read or started before a call. */
export function createNights({ env, log, offers = false }: NightsOptions): Nights {
  const offeredTo = new Set<number>();
  const createRequest = (
    rootDir: string,
    operation: Operation,
    personSettings: Readonly<Record<string, unknown>> = {},
  ) => ({
    ...operation,
    rootDir,
    personSettings,
    env,
    log,
    onEvent: () => undefined,
  });
  const isRunning = async (rootDir: string) => {
    const [supervisor] = await findRunningSupervisors(rootDir, env);
    if (supervisor) {
      if (offers && !offeredTo.has(supervisor.pid)) {
        offeredTo.add(supervisor.pid);
        offerIfNewer(rootDir, env, supervisor).catch((error: unknown) =>
          log.write('warn', 'This version could not be offered to the run.', error),
        );
      }
      return true;
    }
    // A run at a terminal has no supervisor, but holds the lock. A process that needs the lock at this moment retries
    // briefly.
    const { lock: lockFile, folder } = resolveNightFolders(rootDir, env);
    if (!existsSync(lockFile)) return false;
    const lock = await acquireLock(lockFile);
    await lock?.release();
    if (lock !== null) return false;
    // A decision about a night also holds the lock. A run writes its live state before it records its start.
    const night = (await readNights(rootDir, env, log)).at(-1);
    return (night !== undefined && night.state !== 'stopped') || (await readLive(folder)) !== null;
  };
  const loadNights = (rootDir: string) => readNights(rootDir, env, log);
  const loadLastNight = async (rootDir: string) => (await loadNights(rootDir)).at(-1) ?? null;
  return {
    isRunning,
    doing: (rootDir) => readLive(resolveNightFolders(rootDir, env).folder),
    report: (rootDir, night, nights, signal) => reportNight({ rootDir, env, log, signal }, night, nights),
    power: () => readPowerSource(env),
    folders: listFolders,
    all: loadNights,
    last: loadLastNight,
    async start({ rootDir, settings: windowSettings, until, maxChanges, proposer, scope, maxCost, ...window }) {
      const { storedKeys = new Map(), window: windowProcess = null, signal } = window;
      const settings = maxCost === undefined ? windowSettings : { ...windowSettings, 'models.costPerRun': maxCost };
      if (await isRunning(rootDir)) throw createInProgressError();
      readScope(rootDir, scope);
      await requireIdentity(rootDir, env, signal);
      const args = runArguments({
        repo: rootDir,
        // Names the root if everything is chosen, so that a killed run continues with the current choice.
        paths: scope.places.length === 0 ? ['.'] : scope.places,
        until,
        exclude: scope.excluded,
        kinds: scope.kinds?.join(','),
        maxChanges: String(maxChanges),
        proposer: proposer ?? undefined,
        set: listSettingsToPass(rootDir, settings, env),
        wait: true,
      });
      const names = proposer === null ? [] : resolveProposers(proposer, settings, null);
      const envOfRun = addForwardedKeys(addNotificationSettings(env, settings), names, storedKeys);
      const endsWith = settings['night.keepAfterWindow'] ? null : windowProcess;
      const supervisedEnv = endsWith === null ? envOfRun : await addWindowProcess(envOfRun, endsWith);
      const { night } = await startInBackground({ rootDir, args, env: supervisedEnv, log, signal }, true);
      return night;
    },
    file: (rootDir, night, operation, changes) => fileChanges(createRequest(rootDir, operation), night, changes),
    settle: (rootDir, night) => settleNight(createRequest(rootDir, { signal: new AbortController().signal }), night),
    wishes: (rootDir, change = () => []) => changeWishQueue(rootDir, env, log, change),
    async keepTests(rootDir, wish, tests) {
      const data = { wish, tests, by: 'person' } as const;
      await changeWishQueue(rootDir, env, log, () => [{ type: 'wishTested', data }]);
    },
    continue: (rootDir) => continueRun(rootDir, env, log),
    askToEnd: (rootDir) => requestRunEnd(rootDir, env, log),
    async drop(rootDir, night, { settings, ...operation }, changes, reason) {
      const titles = new Map(
        (await loadNights(rootDir)).flatMap((knownNight) =>
          knownNight.changes.map(({ proposal, title }) => [proposal, title] as const),
        ),
      );
      const { left, dropped, commits, ...result } = await dropChanges(
        createRequest(rootDir, operation, personSettingsOfRun(rootDir, settings, env)),
        night,
        changes,
        reason,
      );
      const alsoLeft = left.filter(({ proposal }) => !dropped.includes(proposal));
      return {
        night: result.night,
        remaining: commits.length,
        alsoLeft: alsoLeft.map(({ proposal, ...one }) => ({ title: titles.get(proposal) ?? proposal, ...one })),
      };
    },
    async squash(rootDir, night, operation) {
      const branch = night ?? (await loadLastNight(rootDir))?.branch ?? '';
      return { branch, commit: await squashNight(createRequest(rootDir, operation), night) };
    },
    async pullRequest(rootDir, night, { signal }) {
      return { address: await openPullRequestOfNight(rootDir, night, env, log, signal) };
    },
    async end(rootDir) {
      for (const { pid } of await findRunningSupervisors(rootDir, env)) sendSignal(pid, 'SIGTERM');
    },
  };
}

/**
 * The settings of the editor that differ from the ones of the command line, as `name=value`. They are passed to a run,
 * so that it uses the settings of the editor that started it.
 */
export function listSettingsToPass(rootDir: string, settings: Settings, env: Environment): readonly string[] {
  return findDifferent(rootDir, settings, readOwnSettings(env).rawSettings).map(
    (name) => `${name}=${JSON.stringify(settings[name])}`,
  );
}

/** The person's settings by name for a run that the editor starts with these settings. */
export function personSettingsOfRun(
  rootDir: string,
  settings: Settings,
  env: Environment,
): Readonly<Record<string, unknown>> {
  const { rawSettings } = readOwnSettings(env);
  const names = findDifferent(rootDir, settings, rawSettings);
  return mergeSettings(rawSettings, Object.fromEntries(names.map((name) => [name, settings[name]])));
}

/** Names of the settings for runs that differ from those without the editor. */
function findDifferent(
  rootDir: string,
  settings: Settings,
  rawSettings: Readonly<Record<string, unknown>>,
): readonly (keyof Settings)[] {
  const ownSettings = loadEffectiveSettings(rootDir, rawSettings).settings;
  return (Object.keys(settings) as (keyof Settings)[]).filter(
    (name) => !NOT_FOR_RUNS.test(name) && JSON.stringify(settings[name]) !== JSON.stringify(ownSettings[name]),
  );
}
