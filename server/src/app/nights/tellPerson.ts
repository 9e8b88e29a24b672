// Tells the person of a run by their own command and address, as their settings say, and records the outcome. A
// command or an address that fails does not stop the run.

import { basename } from 'node:path';
import { withoutForwardedKeys } from '../../adapters/models/forwardedKeys.ts';
import { tellByAddress, tellByCommand } from '../../adapters/run/tell.ts';
import { noticeOf, type NightNotice, type NoticeOccasion } from '../../core/run/notice.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError } from '../../util/typedError.ts';
import { parsedJson } from '../../util/parseJson.ts';
import { openLedger } from './memory.ts';
import { settingsOf } from '../teamSettings.ts';
import { nightOn, nightsIn, type NightContext } from './night.ts';
import { nightPlaces } from './places.ts';

/**
 * An editor hands its settings on in the environment, because other users of a machine see the arguments of a process,
 * and an address or a command may hold a secret.
 */
const VARIABLE = 'SELFWARE_NIGHT_NOTIFY';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is needed to tell the person. */
export interface Telling {
  readonly rootDir: string;
  readonly env: Environment;
  readonly settings: Pick<Settings, 'night.notifyCommand' | 'night.notifyUrl'>;
  readonly signal: AbortSignal;
  /** True: what the command prints is shown. */
  readonly shows?: boolean;
}

/** The outcome of one way. */
export interface Told {
  readonly by: 'command' | 'url';
  /** Why the person could not be told; null if it worked. */
  readonly failure: string | null;
}

/** The environment of a run, with the ways of these settings; the same environment if none is set. */
export function withWays(env: Environment, settings: Telling['settings']): Environment {
  const ways = waysOf({ env: {}, settings });
  return ways.command === '' && ways.address === '' ? env : { ...env, [VARIABLE]: JSON.stringify(ways) };
}

/** True if the person has set a way to be told. */
export function canTell(telling: Pick<Telling, 'env' | 'settings'>): boolean {
  const { command, address } = waysOf(telling);
  return command !== '' || address !== '';
}

/** Uses all ways that are set, side by side. Returns the outcome of each; empty if none is set. Never throws. */
export async function send(telling: Telling, notice: NightNotice): Promise<readonly Told[]> {
  const { command, address } = waysOf(telling);
  const ways: Promise<Told>[] = [];
  if (command !== '')
    ways.push(
      tellByCommand(command, notice, { ...telling, env: withoutForwardedKeys(telling.env) }).then((failure) => ({
        by: 'command' as const,
        failure,
      })),
    );
  if (address !== '')
    ways.push(tellByAddress(address, notice, telling.signal).then((failure) => ({ by: 'url' as const, failure })));
  return Promise.all(ways);
}

/**
 * Tells of `night`, and records it there; without a night, tells of the occasion alone. Returns what failed, as
 * sentences. Throws what the ledger throws.
 */
export async function tellOfNight(
  telling: Telling,
  ledger: Pick<Ledger, 'record'>,
  night: Night | null,
  event: NoticeOccasion,
  anomaly: string | null = null,
): Promise<readonly string[]> {
  if (!canTell(telling)) return [];
  const told = await send(telling, noticeOf(event, basename(telling.rootDir), night, anomaly));
  const run = night?.runs.at(-1)?.id;
  for (const one of told)
    if (night && run !== undefined)
      await ledger.record({ type: 'nightTold', data: { night: night.branch, run, event, ...one } });
  return told.flatMap(({ by, failure }) => (failure === null ? [] : [failureSentence(by, failure)]));
}

/**
 * Tells of the run on `branch`. A command or an address that fails is a note of the run; a run that its person ends
 * tells nothing. Throws what the ledger throws.
 */
export async function tellOfRun(
  { request, repository }: Pick<NightContext, 'request' | 'repository'>,
  branch: string,
  event: NoticeOccasion,
  anomaly: string | null = null,
): Promise<void> {
  const { rootDir, env, own, signal } = request;
  if (signal.aborted) return;
  const { settings } = settingsOf(rootDir, own);
  const night = await nightOn(repository.ledger, branch);
  const failures = await tellOfNight({ rootDir, env, settings, signal }, repository.ledger, night, event, anomaly);
  for (const text of failures) request.onEvent({ type: 'note', text });
}

/** Tells of a run that has ended and released its lock and ledger. Never throws: its errors become notes. */
export async function tellAfterRun(request: NightContext['request'], event: NoticeOccasion): Promise<void> {
  const { rootDir, env, own, log, signal } = request;
  if (signal.aborted) return;
  try {
    const { settings } = settingsOf(rootDir, own);
    const failures = await tellOfNewestNight({ rootDir, env, settings, signal }, log, event);
    for (const text of failures) request.onEvent({ type: 'note', text });
  } catch (error) {
    request.onEvent({ type: 'note', text: `You may not have been told: ${describeError(error)}` });
  }
}

/** Tells of the newest night, for a process that has no ledger open. Returns what failed, as sentences. */
export async function tellOfNewestNight(telling: Telling, log: Log, event: NoticeOccasion): Promise<readonly string[]> {
  if (!canTell(telling)) return [];
  const repository = await openLedger(nightPlaces(telling.rootDir, telling.env).state, log);
  try {
    const night = (await nightsIn(repository.ledger)).at(-1) ?? null;
    // A run without a night was refused before it began, and the person has seen why.
    if (event === 'needsPerson' && (night === null || night.runs.at(-1)?.endedAt !== null)) return [];
    return await tellOfNight(telling, repository.ledger, night, event);
  } finally {
    await repository.close();
  }
}

/** A sentence about the way that failed, and why. */
export function failureSentence(by: Told['by'], failure: string): string {
  return `You were not told by ${by === 'command' ? 'night.notifyCommand' : 'night.notifyUrl'}: ${failure}`;
}

/** Empty = not set. What the editor that started the run handed on comes before the person's own file. */
function waysOf({ env, settings }: Pick<Telling, 'env' | 'settings'>): {
  readonly command: string;
  readonly address: string;
} {
  const handed = parsedJson(env[VARIABLE] ?? '') as Readonly<Record<string, unknown>> | null;
  const text = (name: string) => (typeof handed?.[name] === 'string' ? handed[name] : '');
  return {
    command: text('command') || settings['night.notifyCommand'],
    address: text('address') || settings['night.notifyUrl'],
  };
}
