// What a machine gets its power from, as Linux and macOS tell it.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPowerSource, readPowerSourceIn, parsePmset } from '../../../server/src/adapters/system/power.ts';

type Supplies = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function sourceOf(supplies: Supplies) {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-power-'));
  for (const [name, fields] of Object.entries(supplies)) {
    await mkdir(join(folder, name));
    for (const [field, value] of Object.entries(fields)) await writeFile(join(folder, name, field), `${value}\n`);
  }
  const source = await readPowerSourceIn(folder);
  await rm(folder, { recursive: true });
  return source;
}

const battery = (status: string, scope?: string) => ({ type: 'Battery', status, ...(scope ? { scope } : {}) });

test.each<[string, 'mains' | 'battery' | null, Supplies]>([
  ['a laptop without its charger', 'battery', { AC: { type: 'Mains', online: '0' }, BAT0: battery('Discharging') }],
  ['a laptop with its charger', 'mains', { AC: { type: 'Mains', online: '1' }, BAT0: battery('Charging') }],
  ['a charger by USB', 'mains', { BAT0: battery('Discharging'), ucsi: { type: 'USB', online: '1' } }],
  ['a full battery, and no entry of the charger', 'mains', { BAT0: battery('Full') }],
  ['the battery of a mouse', null, { mouse: battery('Discharging', 'Device') }],
  ['a battery of unknown state', null, { BAT0: battery('Unknown') }],
  ['nothing', null, {}],
])('%s: %s', async (_, source, supplies) => {
  expect(await sourceOf(supplies)).toBe(source);
});

test('without the folder of Linux, and in a container, nothing is known', async () => {
  expect(await readPowerSourceIn(join(tmpdir(), 'no-such-folder'))).toBeNull();
  expect(await readPowerSource({ SELFWARE_IGNORE_LOAD: '1' })).toBeNull();
});

test('macOS tells it in words', () => {
  expect(parsePmset("Now drawing from 'Battery Power'\n -InternalBattery-0\t85%; discharging")).toBe('battery');
  expect(parsePmset("Now drawing from 'AC Power'\n")).toBe('mains');
  expect(parsePmset('')).toBeNull();
});
