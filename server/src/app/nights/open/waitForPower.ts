// Pauses a run while the machine runs on its battery.

import { setTimeout as sleep } from 'node:timers/promises';
import { readPowerSource } from '../../../adapters/system/power.ts';
import { WAITS_FOR_POWER } from '../../../core/run/power.ts';
import type { Settings } from '../../../settings/schema.ts';
import { throwIfCancelled } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import { findStopReason, type NightContext } from '../night.ts';

/** Milliseconds between two checks of the source of power. */
const LOOK_MS = 5_000;

/**
 * True if the run has to wait for power now. An unknown source counts as mains. `source`: asks for the source of power.
 */
export async function isWithoutPower(
  { request }: Pick<NightContext, 'request'>,
  settings: Pick<Settings, 'night.waitForPower'>,
  source = readPowerSource,
): Promise<boolean> {
  return settings['night.waitForPower'] && (await source(request.env)) === 'battery';
}

/**
 * Waits until the machine is plugged in, another process is to continue the run, or the run is stopped. If the run may
 * not wait, returns the reason why it ends; otherwise null. Throws `cancelled`.
 */
export async function waitForPower(
  context: NightContext,
  begunRun: BegunRun,
  settings: Pick<Settings, 'night.waitForPower'>,
  signal: AbortSignal,
  { source = readPowerSource, lookMs = LOOK_MS } = {},
): Promise<string | null> {
  const { request, repository } = context;
  const { branch: night, run } = begunRun;
  const isOnBattery = () => isWithoutPower(context, settings, source);
  if (!(await isOnBattery())) return null;
  if (!request.waits) return 'The machine runs on its battery (night.waitForPower).';
  const data = { night, run, until: null, reason: WAITS_FOR_POWER };
  await repository.ledger.record({ type: 'nightWaiting', data });
  request.onEvent({ type: 'waiting', until: null, reason: WAITS_FOR_POWER });
  const isOver = async () => (request.drain?.aborted ?? false) || (await findStopReason(context, begunRun)) !== null;
  while ((await isOnBattery()) && !(await isOver())) {
    await sleep(lookMs, undefined, { signal }).catch(() => throwIfCancelled(signal));
    throwIfCancelled(signal);
  }
  if (!(await isOver())) request.onEvent({ type: 'note', text: 'The machine is plugged in again.' });
  return null;
}
