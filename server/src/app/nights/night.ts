// Types and queries that the parts of an unattended run share.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import { createMachine } from '../../adapters/system/system.ts';
import { isWindowClosed } from '../../adapters/run/endWithWindow.ts';
import type { NightBranch } from '../../adapters/git/nightBranch.ts';
import type { Millis } from '../../core/model.ts';
import type { NightMiss, NightPlan } from '../../core/model/nights.ts';
import type { Operation } from '../../core/operation.ts';
import type { EditorModels } from '../../core/ports/editorModels.ts';
import type { Log } from '../../core/ports/system.ts';
import { isSettled } from '../../core/ledger/proposalLife.ts';
import { NIGHT_EVENT_TYPES, foldNights } from '../../core/run/nights.ts';
import { createScopePatterns } from '../../core/run/runScope.ts';
import { findProposalsForPerson, listNumberedChanges } from '../../core/run/nightQueries.ts';
import type { CommittedChange, Night } from '../../core/run/nightTypes.ts';
import { markDropped } from '../../core/run/wishes.ts';
import type { RecordedEvent } from '../../core/ledger/events.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import { describeLoadIfBusy } from '../../core/verify/busyMachine.ts';
import { createApp } from '../createApp.ts';
import { mergeSettings, loadEffectiveSettings } from '../teamSettings.ts';
import type { OpenLedger } from './sharedKnowledge.ts';
import type { NightFolders } from './nightFolders.ts';

/** The events of a run, for the observers of the run. */
export type NightProgress =
  | {
      readonly type: 'began';
      readonly night: string;
      readonly base: string;
      readonly plan: NightPlan;
      /** Number of changes that the run had made before its process died; null for a run that begins. */
      readonly resumed: number | null;
    }
  | {
      readonly type: 'moved';
      readonly base: string;
      readonly kept: number;
      readonly left: number;
      /** Number of held changes that were taken off the branch; 0 if the branch follows a commit. */
      readonly parked: number;
    }
  | { readonly type: 'trying'; readonly title: string }
  | { readonly type: 'committed'; readonly change: CommittedChange }
  | { readonly type: 'missed'; readonly miss: NightMiss }
  /** `until`: the time at which the run continues; null if it continues as soon as the reason is gone. */
  | { readonly type: 'waiting'; readonly until: number | null; readonly reason: string }
  | { readonly type: 'paused'; readonly reason: string }
  /**
   * The run continues with limited means (degraded), for these reasons. An empty list means that the limitation is
   * over. `until`: the time at which it is over if nothing else happens; null if another event reports its end.
   */
  | {
      readonly type: 'degraded';
      readonly cause: 'means' | 'error';
      readonly reasons: readonly string[];
      /** Set if the reasons have the same causes as before, and only name other times. */
      readonly isRepeated?: true;
      readonly until: Millis | null;
    }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'ended'; readonly reason: string };

/** The request for an unattended run. */
export interface NightRequest extends Operation {
  readonly rootDir: string;
  /** The person's settings by name, from their own file, their editor and this command. */
  readonly personSettings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly plan: NightPlan;
  /** True if no limit of money was named. Then a run that continues after its process died keeps its limit. */
  readonly keepsMaxCost?: boolean;
  /** False if the run ends when nothing is left to try, instead of waiting for its end or for a commit. */
  readonly waits: boolean;
  readonly editorModels?: EditorModels | undefined;
  /** True if a person has agreed to online research in this run, after an attempt has failed. */
  readonly research?: true;
  /** The environment whose state folder contains the set-ups of trees, if it differs from `env`. */
  readonly setUpEnv?: Readonly<Record<string, string | undefined>>;
  /**
   * Number of the newest event in the ledger when the supervisor of this process began. A run that has ended since then
   * is over; no further run begins.
   */
  readonly supervisedSince?: number | undefined;
  /**
   * Time at which the supervisor of this process began, if it did not pass the number: it is of an older version, or
   * could not read the ledger.
   */
  readonly supervisedFrom?: Millis;
  /**
   * Number of the newest event in the ledger when this process, or its supervisor, began; set once the ledger is open.
   */
  readonly begunAfter?: number;
  /** If aborted, the run pauses after the current change, for another process to continue it. */
  readonly drain?: AbortSignal;
  /** True if this process had a supervisor, which has ended. */
  hasLostSupervisor?(): boolean;
  onEvent(event: NightProgress): void;
}

/** The parts of a run that stay the same while its branch and session change. */
export interface NightContext {
  readonly request: NightRequest;
  readonly places: NightFolders;
  readonly branch: NightBranch;
  /** The ref of the branch that the run follows; absent if no branch was checked out at its start. */
  readonly follows?: string;
  /** The money that the run may spend on models; absent without a limit. */
  readonly maxCost?: number;
  /** The ledger of the repository. The ledger of the run is used by its session. */
  readonly repository: OpenLedger;
  /** True unless other work keeps the machine busy. */
  isQuiet(): boolean;
}

/** Creates a function that is false while other work keeps this machine busy. */
export function createQuietCheck(env: NightRequest['env']): NightContext['isQuiet'] {
  const machine = createMachine(env);
  return () => describeLoadIfBusy(machine) === null;
}

/** The parts of a ledger from which nights are read. */
type ReadLedger = Pick<Ledger, 'query' | 'proposals'>;

/**
 * All nights of a repository, oldest first. A night counts as accepted if a person has decided on all of its changes
 * one by one, parked changes included, in the review of their working tree. Wishes that a person has dropped meanwhile
 * are marked as dropped.
 */
export async function loadNights(ledger: ReadLedger): Promise<readonly Night[]> {
  const foldedNights = await readNights(ledger);
  const dropped = foldedNights.some(({ wishes }) => wishes.length > 0) ? await findDropped(ledger) : new Set<string>();
  const nights = foldedNights.map((night) => ({ ...night, wishes: markDropped(night.wishes, dropped) }));
  if (!nights.some((night) => night.decided === null && listDecidableIds(night).length > 0)) return nights;
  const decidedIds = await findSettled(ledger);
  return nights.map((knownNight) => {
    const night = { ...knownNight, settled: listDecidableIds(knownNight).filter((id) => decidedIds.has(id)) };
    const changes = listNumberedChanges(night);
    return night.decided === null && changes.length > 0 && changes.every(({ proposal }) => decidedIds.has(proposal))
      ? { ...night, decided: 'accepted' }
      : night;
  });
}

/** The nights without a person's decisions on single changes and wishes, which take longer to read. */
async function readNights(ledger: Pick<Ledger, 'query'>): Promise<readonly Night[]> {
  const events = await ledger.query({ types: NIGHT_EVENT_TYPES });
  return foldNights(events as readonly Extract<RecordedEvent, { readonly type: (typeof NIGHT_EVENT_TYPES)[number] }>[]);
}

/** Ids of the wishes that a person has dropped. A wish whose change waits for the person was not dropped. */
async function findDropped(ledger: Pick<Ledger, 'query'>): Promise<ReadonlySet<string>> {
  const events = await ledger.query({ types: ['wishDropped'] });
  const drops = events.map(({ data }) => data as { readonly wish: string; readonly proposal?: string });
  return new Set(drops.flatMap(({ wish, proposal }) => (proposal === undefined ? [wish] : [])));
}

/** Ids of the proposals that were applied, rejected or settled in another way. */
export async function findSettled(ledger: Pick<Ledger, 'proposals'>): Promise<ReadonlySet<string>> {
  return new Set((await ledger.proposals()).filter(({ status }) => isSettled(status)).map(({ id }) => id));
}

/** The night on this branch. Throws an `Error` if none was started there. */
export async function requireNight(ledger: ReadLedger, branch: string): Promise<Night> {
  const night = (await loadNights(ledger)).find((candidate) => candidate.branch === branch);
  if (!night) throw new Error(`No night on ${branch}.`);
  return night;
}

/** The reason of the end of a run whose process was asked to end. */
export const ENDED_BY_SIGNAL = 'It was ended by a signal, such as Ctrl+C.';

/** The reason of the end of a run in a repository that a person has stopped. */
export const STOPPED_REASON = 'Selfware was stopped for this repository.';

/** The reason of the end of a run that a person has asked to end after its current step. */
export const ENDED_BY_PERSON = 'You have ended it.';

/**
 * The reason why a person has asked the run to end; null if nobody has. The request counts for all runs of the same
 * order, because the run may have continued on another branch meanwhile. A request to a process that died before does
 * not end the run that continues its work.
 */
export async function findStopReason(
  { request, repository: { ledger } }: Pick<NightContext, 'request' | 'repository'>,
  { run }: { readonly run: string },
): Promise<string | null> {
  if (await ledger.isStopped()) return STOPPED_REASON;
  const runs = (await readNights(ledger)).flatMap((night) => night.runs);
  const order = runs.find(({ id }) => id === run)?.since;
  const { begunAfter = -1 } = request;
  const wasAskedToEnd = runs.some(
    ({ since, askedToEndSequence = -1 }) => since === order && askedToEndSequence > begunAfter,
  );
  return wasAskedToEnd ? ENDED_BY_PERSON : null;
}

/** The reason of the end of a run whose supervisor was killed. */
export const SUPERVISOR_ENDED =
  'The process that supervised it was killed or broke down. `selfware night` starts another run.';

/** The reason of the end of a run that ended together with its window. */
const WINDOW_CLOSED = 'The window that started it was closed or reloaded (night.keepAfterWindow).';

/** The reason why a run whose signal was aborted ends. */
export async function findInterruptionReason({
  request,
  repository,
}: Pick<NightContext, 'request' | 'repository'>): Promise<string> {
  if (await repository.ledger.isStopped()) return STOPPED_REASON;
  if (request.hasLostSupervisor?.()) return SUPERVISOR_ENDED;
  return (await isWindowClosed(request.env)) ? WINDOW_CLOSED : ENDED_BY_SIGNAL;
}

/** The reason of the end of a run whose time is over. */
export const TIME_IS_UP = 'Its time is up.';

/** The end of a session of a run. */
export interface RunEnd {
  readonly reason: string;
  /** Number of places that were skipped, by reason. */
  readonly passedOver: Readonly<Record<string, number>>;
}

/** The root of the session in the tree of the run. */
export function rootOfRun({ places, branch }: Pick<NightContext, 'places' | 'branch'>): string {
  return join(places.tree, branch.prefix);
}

/** Adds the paths that no change of the run may touch, to the paths that the charter protects. */
function protectExcluded(
  personSettings: NightRequest['personSettings'],
  plan: NightPlan,
): NightRequest['personSettings'] {
  const patterns = createScopePatterns(plan);
  const protectedPaths = personSettings['charter.protectedPaths'];
  // A value that is not an array is invalid; loading the settings reports that.
  if (patterns.length === 0 || !(protectedPaths === undefined || Array.isArray(protectedPaths))) return personSettings;
  return mergeSettings(personSettings, { 'charter.protectedPaths': [...(protectedPaths ?? []), ...patterns] });
}

/**
 * Creates a session in the tree of the run, or in another checkout of its branch at `root`. Its changes are approved
 * for the branch, not for the user's tree.
 */
export async function openRunSession(
  { request, places, branch, repository }: NightContext,
  maxChanges: number,
  runStartedAt: number | undefined,
  root = rootOfRun({ places, branch }),
) {
  const { env, log } = request;
  const personSettings = protectExcluded(request.personSettings, request.plan);
  const { settings, problems } = loadEffectiveSettings(
    root,
    mergeSettings(personSettings, { 'charter.maxChanges': maxChanges }),
  );
  const setUpFolder = resolveStateFolder(branch.top, env);
  const { session } = await createApp({
    rootDir: root,
    settings,
    settingsProblems: problems,
    trusted: true,
    env: places.env,
    log,
    searches: request.plan.proposer !== null,
    packagesOf: branch.top,
    prefix: branch.prefix,
    ...(existsSync(setUpFolder) ? { setUpIn: setUpFolder } : {}),
    onBranch: true,
    repositoryLedger: repository.ledger,
    runStartedAt,
    ...(request.editorModels === undefined ? {} : { editorModels: request.editorModels }),
  });
  if (request.research) session.research.allow('retries');
  return { session, settings };
}

/** The ids of all changes and proposals of this night on which a person may decide. */
export function listDecidableIds(night: Night): readonly string[] {
  return [...listNumberedChanges(night), ...findProposalsForPerson(night)].map(({ proposal }) => proposal);
}
