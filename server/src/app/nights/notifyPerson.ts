// Notifies the person about a run by the command and the address in their settings, and records the outcome. A
// notification that fails does not stop the run.

import { basename } from 'node:path';
import { removeForwardedKeys } from '../../adapters/models/forwardedKeys.ts';
import { sendNoticeByAddress, sendNoticeByCommand } from '../../adapters/run/sendNotice.ts';
import { createNotice, type NightNotice, type NoticeOccasion } from '../../core/run/notice.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError } from '../../util/typedError.ts';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { openLedger } from './sharedKnowledge.ts';
import { loadEffectiveSettings } from '../teamSettings.ts';
import { requireNight, loadNights, type NightContext } from './night.ts';
import { resolveNightFolders } from './nightFolders.ts';
import type { Environment } from '../../util/values/environment.ts';

/**
 * The environment variable in which an editor passes its notification settings. They are not passed as arguments,
 * because other users of a machine can read the arguments of a process, and an address or a command may contain a
 * secret.
 */
const NOTIFY_VARIABLE = 'SELFWARE_NIGHT_NOTIFY';

/** The data for notifying the person. */
export interface Notification {
  readonly rootDir: string;
  readonly env: Environment;
  readonly settings: Pick<Settings, 'night.notifyCommand' | 'night.notifyUrl'>;
  readonly signal: AbortSignal;
  /** True if the output of the command is shown. */
  readonly shows?: boolean;
}

/** The outcome of one kind of notification (command or address). */
export interface NotificationResult {
  readonly by: 'command' | 'url';
  /** The reason for the failure; null if it worked. */
  readonly failure: string | null;
}

/** The environment of a run, with these notification settings added; the same environment if none is set. */
export function addNotificationSettings(env: Environment, settings: Notification['settings']): Environment {
  const waysToNotify = readChannels({ env: {}, settings });
  return waysToNotify.command === '' && waysToNotify.address === ''
    ? env
    : { ...env, [NOTIFY_VARIABLE]: JSON.stringify(waysToNotify) };
}

/** True if the person has set a way to be told. */
export function canNotify(notification: Pick<Notification, 'env' | 'settings'>): boolean {
  const { command, address } = readChannels(notification);
  return command !== '' || address !== '';
}

/**
 * Notifies by the command and the address in parallel, if they are set. Returns the outcome of each; empty if none is
 * set. Never throws.
 */
export async function sendNotification(
  notification: Notification,
  notice: NightNotice,
): Promise<readonly NotificationResult[]> {
  const { command, address } = readChannels(notification);
  const results: Promise<NotificationResult>[] = [];
  if (command !== '')
    results.push(
      sendNoticeByCommand(command, notice, { ...notification, env: removeForwardedKeys(notification.env) }).then(
        (failure) => ({
          by: 'command' as const,
          failure,
        }),
      ),
    );
  if (address !== '')
    results.push(
      sendNoticeByAddress(address, notice, notification.signal).then((failure) => ({ by: 'url' as const, failure })),
    );
  return Promise.all(results);
}

/**
 * Notifies the person about `night`, and records the outcome. If `night` is null, the notification names only the
 * occasion, and nothing is recorded. Returns the failures as sentences. Throws the errors of the ledger.
 */
async function notifyOfNight(
  notification: Notification,
  ledger: Pick<Ledger, 'record'>,
  night: Night | null,
  event: NoticeOccasion,
  anomaly: string | null = null,
): Promise<readonly string[]> {
  if (!canNotify(notification)) return [];
  const results = await sendNotification(
    notification,
    createNotice(event, basename(notification.rootDir), night, anomaly),
  );
  const run = night?.runs.at(-1)?.id;
  for (const result of results)
    if (night && run !== undefined)
      await ledger.record({ type: 'nightTold', data: { night: night.branch, run, event, ...result } });
  return results.flatMap(({ by, failure }) => (failure === null ? [] : [failureSentence(by, failure)]));
}

/**
 * Notifies the person about the run on `branch`, unless the person has ended the run. A failure becomes a note of the
 * run. Throws the errors of the ledger.
 */
export async function notifyOfRun(
  { request, repository }: Pick<NightContext, 'request' | 'repository'>,
  branch: string,
  event: NoticeOccasion,
  anomaly: string | null = null,
): Promise<void> {
  const { rootDir, env, personSettings, signal } = request;
  if (signal.aborted) return;
  const { settings } = loadEffectiveSettings(rootDir, personSettings);
  const night = await requireNight(repository.ledger, branch);
  const failures = await notifyOfNight({ rootDir, env, settings, signal }, repository.ledger, night, event, anomaly);
  for (const text of failures) request.onEvent({ type: 'note', text });
}

/**
 * Notifies the person about a run that has ended and released its lock and ledger. Never throws: its errors become
 * notes.
 */
export async function notifyAfterRun(request: NightContext['request'], event: NoticeOccasion): Promise<void> {
  const { rootDir, env, personSettings, log, signal } = request;
  if (signal.aborted) return;
  try {
    const { settings } = loadEffectiveSettings(rootDir, personSettings);
    const failures = await notifyOfNewestNight({ rootDir, env, settings, signal }, log, event);
    for (const text of failures) request.onEvent({ type: 'note', text });
  } catch (error) {
    request.onEvent({ type: 'note', text: `You may not have been told: ${describeError(error)}` });
  }
}

/**
 * Notifies the person about the newest night, for a process that has no open ledger. Returns the failures as sentences.
 */
export async function notifyOfNewestNight(
  notification: Notification,
  log: Log,
  event: NoticeOccasion,
): Promise<readonly string[]> {
  if (!canNotify(notification)) return [];
  const repository = await openLedger(resolveNightFolders(notification.rootDir, notification.env).state, log);
  try {
    const night = (await loadNights(repository.ledger)).at(-1) ?? null;
    // A run without a night was refused before it began, and the person has seen why.
    if (event === 'needsPerson' && (night === null || night.runs.at(-1)?.endedAt !== null)) return [];
    return await notifyOfNight(notification, repository.ledger, night, event);
  } finally {
    await repository.close();
  }
}

/** A sentence about the kind of notification that failed, and the reason. */
export function failureSentence(channel: NotificationResult['by'], failure: string): string {
  return `You were not told by ${channel === 'command' ? 'night.notifyCommand' : 'night.notifyUrl'}: ${failure}`;
}

/**
 * The command and the address for notifications; empty if not set. A value that the editor passed to the run takes
 * precedence over the person's own file.
 */
function readChannels({ env, settings }: Pick<Notification, 'env' | 'settings'>): {
  readonly command: string;
  readonly address: string;
} {
  const passedSettings = parseJsonOrNull(env[NOTIFY_VARIABLE] ?? '') as Readonly<Record<string, unknown>> | null;
  const readText = (name: string) => (typeof passedSettings?.[name] === 'string' ? passedSettings[name] : '');
  return {
    command: readText('command') || settings['night.notifyCommand'],
    address: readText('address') || settings['night.notifyUrl'],
  };
}
