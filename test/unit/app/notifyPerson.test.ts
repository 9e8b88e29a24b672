// How a run that an editor starts learns whom it tells: by its environment, which other users of the machine cannot
// see.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canNotify, sendNotification, addNotificationSettings } from '../../../server/src/app/nights/notifyPerson.ts';
import { personSettingsOfRun, listSettingsToPass } from '../../../server/src/app/nights/windowNights.ts';
import { createNotice } from '../../../server/src/core/run/notice.ts';
import { defaultSettings, settingScopes, type Settings } from '../../../server/src/settings/schema.ts';

const none = defaultSettings;
const { signal } = new AbortController();

test('the command of an editor runs in the run that it starts, and is no argument of a process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-ways-'));
  const told = join(folder, 'told');
  const settings = {
    ...none,
    'night.notifyCommand': `cat > '${told}'`,
    'night.notifyUrl': 'https://chat.example/s3cret',
  };
  expect(listSettingsToPass(folder, settings, { SELFWARE_HOME: folder }).join()).not.toMatch(/notify|s3cret/);
  const env = addNotificationSettings({ PATH: process.env['PATH'] }, { ...settings, 'night.notifyUrl': '' });
  const sent = await sendNotification(
    { rootDir: folder, env, settings: none, signal },
    createNotice('test', 'r', null),
  );
  expect(sent).toEqual([{ by: 'command', failure: null }]);
  expect(JSON.parse(await readFile(told, 'utf8'))).toMatchObject({ event: 'test', repository: 'r' });
  await rm(folder, { recursive: true, force: true });
});

test('no command line that only the person sets is an argument of a run', () => {
  const isCommand = (name: string) => name.endsWith('Command') && settingScopes[name as keyof Settings] === 'machine';
  const names = Object.keys(defaultSettings).filter(isCommand);
  expect(names).toEqual(expect.arrayContaining(['learn.trainCommand', 'learn.evaluateCommand', 'night.notifyCommand']));
  const commands = Object.fromEntries(names.map((name) => [name, 'send --token s3cret']));
  const settings = { ...none, ...commands, 'checkpoints.keep': 7 };
  expect(listSettingsToPass(tmpdir(), settings, { SELFWARE_HOME: join(tmpdir(), 'none') })).toEqual([
    'checkpoints.keep=7',
  ]);
});

test('changes are verified again with the settings that a run gets: the own file, and what the editor sets', async () => {
  const home = await mkdtemp(join(tmpdir(), 'selfware-own-'));
  await writeFile(join(home, 'settings.json'), '{"night.canaryEvery": 3, "checkpoints.keep": 5}');
  const settings = { ...none, 'night.canaryEvery': 3, 'checkpoints.keep': 7, 'night.notifyCommand': 'send' };
  expect(personSettingsOfRun(home, settings, { SELFWARE_HOME: home })).toEqual({
    'night.canaryEvery': 3,
    'checkpoints.keep': 7,
  });
  await rm(home, { recursive: true, force: true });
});

test('the editor that started the run comes before the own file', async () => {
  const env = addNotificationSettings({ PATH: process.env['PATH'] }, { ...none, 'night.notifyCommand': 'exit 3' });
  const settings = { ...none, 'night.notifyCommand': 'exit 4' };
  const [told] = await sendNotification({ rootDir: tmpdir(), env, settings, signal }, createNotice('test', 'r', null));
  expect(told?.failure).toBe('It ended with the code 3.');
});

test.each([
  ['nothing is set', addNotificationSettings({}, none), none, false],
  [
    'an editor names an address',
    addNotificationSettings({}, { ...none, 'night.notifyUrl': 'https://a.example/' }),
    none,
    true,
  ],
  ['the own settings name a command', {}, { ...none, 'night.notifyCommand': 'true' }, true],
  ['the variable is damaged', { SELFWARE_NIGHT_NOTIFY: '{"command": 3' }, none, false],
  ['the variable holds something else', { SELFWARE_NIGHT_NOTIFY: '{"command": 3, "address": null}' }, none, false],
] as const)('whether somebody is told: %s', (_, env, settings, can) => {
  expect(canNotify({ env, settings })).toBe(can);
});
