// Determines whether this machine runs on mains power or on a battery.

import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PowerSource } from '../../core/ports/system.ts';
import { PMSET_PATH } from './systemPrograms.ts';

/** The folder in which Linux has an entry for each battery and each power supply. */
const SUPPLIES = '/sys/class/power_supply';

/**
 * The source of power; null if it is unknown, for example on Windows. Null also if `SELFWARE_IGNORE_LOAD` in `env` is
 * not empty, because a container would report the source of the machine around it.
 */
export async function readPowerSource(env: Readonly<Record<string, string | undefined>>): Promise<PowerSource | null> {
  if (env['SELFWARE_IGNORE_LOAD']) return null;
  if (process.platform === 'linux') return readPowerSourceIn(SUPPLIES);
  if (process.platform !== 'darwin') return null;
  const answer = await promisify(execFile)(PMSET_PATH, ['-g', 'batt'], { timeout: 5_000 }).catch(() => null);
  return parsePmset(answer?.stdout ?? '');
}

/**
 * The source according to a folder such as `/sys/class/power_supply`: mains if a charger is connected. Null if the
 * folder does not show it. Batteries of devices, such as a mouse, do not count.
 */
export async function readPowerSourceIn(folder: string): Promise<PowerSource | null> {
  const names = await readdir(folder).catch(() => []);
  const supplies = await Promise.all(
    names.map(async (name) => {
      const readField = async (field: string) =>
        (await readFile(join(folder, name, field), 'utf8').catch(() => '')).trim();
      const [type, online, status, scope] = await Promise.all(['type', 'online', 'status', 'scope'].map(readField));
      return { type, online, status, isOfDevice: scope === 'Device' };
    }),
  );
  const ownSupplies = supplies.filter(({ isOfDevice }) => !isOfDevice);
  if (ownSupplies.some(({ type, online }) => type !== 'Battery' && online === '1')) return 'mains';
  const batteries = ownSupplies.filter(({ type }) => type === 'Battery');
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery';
  return batteries.some(({ status }) => /^(?:Charging|Full|Not charging)$/.test(status ?? '')) ? 'mains' : null;
}

/** The source of power in the output of `pmset -g batt`; null if it names none. */
export function parsePmset(output: string): PowerSource | null {
  const source = /^Now drawing from '(AC|Battery) Power'/m.exec(output)?.[1];
  if (source === undefined) return null;
  return source === 'AC' ? 'mains' : 'battery';
}
