// Settings that a repository brings along: what counts, what is left to each person, and what a damaged file costs.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mergeSettings, readTeamSettings } from '../../../server/src/app/teamSettings.ts';
import { scopes } from '../../../server/src/settings/schema.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'selfware-team-settings-'));
  await mkdir(join(root, '.selfware'));
});
afterEach(() => rm(root, { recursive: true, force: true }));
const written = async (text: string) => {
  await writeFile(join(root, '.selfware', 'settings.json'), text);
  return readTeamSettings(root);
};

test('none, and one with and without the prefix', async () => {
  expect(readTeamSettings(root)).toEqual({ raw: {}, problems: [] });
  expect(await written('{"selfware.analysis.rules": {"long-function": "off"}, "diagnostics.enable": false}')).toEqual({ raw: { 'analysis.rules': { 'long-function': 'off' }, 'diagnostics.enable': false }, problems: [] });
});

test('what is run and where things are sent is not for a repository to say', async () => {
  const personal = Object.entries(scopes).flatMap(([name, scope]) => (scope?.startsWith('machine') ? [name] : []));
  expect(personal).toEqual(expect.arrayContaining(['verify.testCommand', 'charter.approval', 'index.store', 'memory.embedderUrl']));
  const { raw, problems } = await written(JSON.stringify(Object.fromEntries(personal.map((name, at) => [at % 2 ? name : `selfware.${name}`, 'x']))));
  expect(raw).toEqual({});
  expect(problems).toHaveLength(personal.length);
});

test.each(['{', '[]', '"text"', 'null', ''])('%j is told and sets nothing', async (text) => {
  const { raw, problems } = await written(text);
  expect(raw).toEqual({});
  expect(problems).toEqual([expect.stringContaining('.selfware/settings.json cannot be read: ')]);
});

test('what a person says wins, rule by rule', () => {
  expect(mergeSettings({ 'analysis.rules': { a: 'off', b: 'hint' }, 'index.exclude': ['x'] }, { 'analysis.rules': { b: 'off' }, 'index.exclude': ['y'] })).toEqual({ 'analysis.rules': { a: 'off', b: 'off' }, 'index.exclude': ['y'] });
  expect(mergeSettings({ 'analysis.rules': { a: 'off' } }, { 'analysis.rules': 'mistyped' })).toEqual({ 'analysis.rules': 'mistyped' });
});
