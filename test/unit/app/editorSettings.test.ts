// Settings of an editor reach a server for agents through the state folder; its environment only names them.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeEditorSettings, readEditorSettings } from '../../../server/src/app/editorSettings.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'selfware-editor-settings-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const REPOSITORY = '/nowhere/repository';
const given = { 'charter.approval': 'minimal', 'charter.maxChanges': 3, 'agents.mcpServer': true };
const read = (names: unknown) =>
  readEditorSettings(REPOSITORY, { SELFWARE_HOME: home, SELFWARE_EDITOR_SETTINGS: JSON.stringify(names) });

test('what is named counts as the editor has kept it', async () => {
  await storeEditorSettings(REPOSITORY, given, { SELFWARE_HOME: home });
  expect(read(['selfware.charter.approval', 'constructor', '__proto__'])).toEqual({
    rawSettings: { 'charter.approval': 'minimal' },
    problem: null,
  });
  expect(
    readEditorSettings('/nowhere/other', { SELFWARE_HOME: home, SELFWARE_EDITOR_SETTINGS: '["charter.approval"]' }),
  ).toMatchObject({ rawSettings: {}, problem: expect.stringContaining('has not opened this repository') });
});

test('an editor that no longer publishes the server leaves nothing behind', async () => {
  await storeEditorSettings(REPOSITORY, given, { SELFWARE_HOME: home });
  await storeEditorSettings(REPOSITORY, { ...given, 'agents.mcpServer': false }, { SELFWARE_HOME: home });
  expect(read(['charter.approval'])).toMatchObject({ rawSettings: {}, problem: expect.any(String) });
});

test.each([{ 'charter.approval': 'minimal' }, 'charter.approval', [{ 'charter.approval': 'minimal' }], 1])(
  'the environment says no value: %j',
  async (said) => {
    await storeEditorSettings(REPOSITORY, given, { SELFWARE_HOME: home });
    expect(() => read(said)).toThrow('not a JSON list of names');
  },
);
