// Settings that a repository brings along: which count, which are left to each person, and what happens to a damaged
// file.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mergeSettings, readTeamSettings, loadEffectiveSettings } from '../../../server/src/app/teamSettings.ts';
import { findTeamEffect } from '../../../server/src/settings/teamWord.ts';
import { defaultSettings, settingScopes, settingNames } from '../../../server/src/settings/schema.ts';

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
  expect(readTeamSettings(root)).toEqual({ looks: {}, proof: {}, problems: [] });
  expect(
    await written(
      '{"selfware.analysis.rules": {"long-function": "off"}, "diagnostics.enable": false, "verify.guardStrength": 90}',
    ),
  ).toEqual({
    looks: { 'analysis.rules': { 'long-function': 'off' }, 'diagnostics.enable': false },
    proof: { 'verify.guardStrength': 90 },
    problems: [],
  });
});

test('what is run and where things are sent is not for a repository to say', async () => {
  const personal = [...settingNames].filter((name) => findTeamEffect(name) === 'personal');
  expect(personal).toEqual(
    expect.arrayContaining(['verify.testCommand', 'charter.approval', 'index.store', 'memory.embedderUrl']),
  );
  const { looks, proof, problems } = await written(
    JSON.stringify(Object.fromEntries(personal.map((name, at) => [at % 2 ? name : `selfware.${name}`, 'x']))),
  );
  expect([looks, proof]).toEqual([{}, {}]);
  expect(problems).toHaveLength(personal.length);
});

test('what a repository may not say freely, its .vscode/settings.json cannot say either', () => {
  const open = [...settingNames].filter(
    (name) =>
      (findTeamEffect(name) === 'looks') ===
      Boolean(settingScopes[name as keyof typeof settingScopes]?.startsWith('machine')),
  );
  expect(open).toEqual([]);
  // Only what a trusted repository names anyway, in scripts of its own, and a branch that VS Code asks about.
  const overridable = Object.keys(settingScopes).filter(
    (name) => settingScopes[name as keyof typeof settingScopes] === 'machine-overridable',
  );
  expect(overridable.filter((name) => !name.endsWith('Command'))).toEqual(['commit.branch']);
});

const LAX = {
  'verify.timeoutSeconds': 5,
  'verify.guardStrength': 1,
  'verify.differentialSeconds': 0,
  'verify.guardSeconds': 0,
  'verify.guardMutants': 1,
  'apply.probation': 'points',
  'checkpoints.keep': 1,
  'charter.protectedPaths': ['!package.json'],
};

test.each(Object.entries(LAX))('a repository cannot loosen %s, and it is told', async (name, value) => {
  await written(JSON.stringify({ [name]: value }));
  const { settings, problems } = loadEffectiveSettings(root, {});
  expect(settings).toEqual(defaultSettings);
  expect(problems).toEqual([expect.stringContaining(`${name} would ask for less than you do`)]);
});

const STRICT = {
  'verify.timeoutSeconds': 900,
  'verify.guardStrength': 95,
  'verify.differentialSeconds': 60,
  'verify.guardSeconds': 300,
  'verify.guardMutants': 50,
  'apply.probation': 'always',
  'checkpoints.keep': 500,
  'charter.protectedPaths': ['api/'],
};

test.each(Object.entries(STRICT))('a repository may tighten %s', async (name, value) => {
  await written(JSON.stringify({ [`selfware.${name}`]: value }));
  expect(loadEffectiveSettings(root, {})).toEqual({ settings: { ...defaultSettings, [name]: value }, problems: [] });
  // Also where the person has said something of their own that asks for less.
  const lax = LAX[name as keyof typeof LAX];
  const both = Array.isArray(value) ? ['!package.json', ...value] : value;
  expect(loadEffectiveSettings(root, { [name]: lax }).settings).toMatchObject({ [name]: both });
});

test("a value of another kind is told and leaves the person's own", async () => {
  await written('{"verify.guardStrength": "none", "index.maxFileKilobytes": "big"}');
  const { settings, problems } = loadEffectiveSettings(root, { 'verify.guardStrength': 90 });
  expect(settings['verify.guardStrength']).toBe(90);
  expect(problems).toHaveLength(2);
});

test.each(['{', '[]', '"text"', 'null', ''])('%j is told and sets nothing', async (text) => {
  const { looks, proof, problems } = await written(text);
  expect([looks, proof]).toEqual([{}, {}]);
  expect(problems).toEqual([expect.stringContaining('.selfware/settings.json cannot be read: ')]);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'selfware.constructor', 'x'.repeat(5000)])(
  'a key that every object has, or that nobody has, is told: %s',
  async (key) => {
    await writeFile(
      join(root, '.selfware', 'settings.json'),
      `{"${key}": 1, "analysis.rules": {"${key}": "off"}, "codeLens.figures": true}`,
    );
    const { settings, problems } = loadEffectiveSettings(root, { [key]: 1 });
    expect(settings).toEqual({ ...defaultSettings, 'codeLens.figures': true });
    expect(problems.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...problems.map(({ length }) => length))).toBeLessThan(6000);
  },
);

test('a link that leads out is not followed, and nothing of what it names is told', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'selfware-outside-'));
  await writeFile(join(outside, 'secret'), 'secret words');
  for (const name of ['settings.json', 'charter.json'])
    await symlink(join(outside, 'secret'), join(root, '.selfware', name));
  const { settings, problems } = loadEffectiveSettings(root, {});
  expect(settings).toMatchObject({ 'charter.approval': 'strict', 'charter.maxChanges': 0 });
  expect(problems.join(' ')).not.toContain('secret');
  await rm(outside, { recursive: true });
});

test('a device, a pipe and a folder are no settings, and nobody waits for them', async () => {
  execFileSync('mkfifo', [join(root, '.selfware', 'settings.json')]);
  await mkdir(join(root, '.selfware', 'charter.json'));
  const { settings, problems } = loadEffectiveSettings(root, {});
  expect(settings).toMatchObject({ 'charter.approval': 'strict', 'charter.maxChanges': 0 });
  expect(problems).toEqual([
    expect.stringContaining('settings.json is not a file'),
    expect.stringContaining('charter.json is not a file'),
  ]);
});

test('what a person says wins, rule by rule', () => {
  expect(
    mergeSettings(
      { 'analysis.rules': { a: 'off', b: 'hint' }, 'index.exclude': ['x'] },
      { 'analysis.rules': { b: 'off' }, 'index.exclude': ['y'] },
    ),
  ).toEqual({ 'analysis.rules': { a: 'off', b: 'off' }, 'index.exclude': ['y'] });
  expect(mergeSettings({ 'analysis.rules': { a: 'off' } }, { 'analysis.rules': 'mistyped' })).toEqual({
    'analysis.rules': 'mistyped',
  });
});
