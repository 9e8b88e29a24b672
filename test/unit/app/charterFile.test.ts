// The charter of a repository: it can only tighten, and a damaged one allows nothing.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCharterFile, tightenSettings } from '../../../server/src/app/charterFile.ts';
import { charterSchema, initialCharter } from '../../../server/src/settings/charterFile.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';

const repositoryRoot = join(import.meta.dirname, '..', '..', '..');
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'selfware-charter-'));
  await mkdir(join(root, '.selfware'));
});
afterEach(() => rm(root, { recursive: true, force: true }));
const written = async (text: string) => {
  await writeFile(join(root, '.selfware', 'charter.json'), text);
  return readCharterFile(root);
};

test('none says nothing, and one is read without its schema, with a byte order mark or without', async () => {
  expect(readCharterFile(root)).toEqual({ charter: {}, problems: [] });
  expect(readCharterFile(join(root, 'nowhere'))).toEqual({ charter: {}, problems: [] });
  expect(await written('\uFEFF{"$schema": "x", "maxChanges": 2, "protectedPaths": ["api/"]}')).toEqual({
    charter: { maxChanges: 2, protectedPaths: ['api/'] },
    problems: [],
  });
});

test.each([
  '{',
  '[]',
  '"text"',
  'null',
  '',
  '{"aproval": "strict"}',
  '{"approval": "none"}',
  '{"maxChanges": -1}',
  '{"protectedPaths": [""]}',
  '{"protectedPaths": ["!a"]}',
])('%j allows nothing, and it is told', async (text) => {
  const { charter, problems } = await written(text);
  expect(tightenSettings({ ...defaultSettings, 'charter.approval': 'minimal' }, charter)).toMatchObject({
    'charter.approval': 'strict',
    'charter.maxChanges': 0,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^\.selfware\/charter\.json: .+ Nothing is applied until it is fixed\.$/),
  ]);
});

test('a folder in its place is no charter that could be read', async () => {
  await mkdir(join(root, '.selfware', 'charter.json'));
  expect(readCharterFile(root).charter).toEqual({ approval: 'strict', maxChanges: 0 });
});

test.each([
  ['strict', 'minimal', 'strict'],
  ['minimal', 'strict', 'strict'],
  ['minimal', 'moderate', 'moderate'],
  ['moderate', 'minimal', 'moderate'],
  ['minimal', undefined, 'minimal'],
] as const)('a person says %s, the charter %s: %s', (own, charter, both) => {
  expect(
    tightenSettings({ ...defaultSettings, 'charter.approval': own }, charter ? { approval: charter } : {})[
      'charter.approval'
    ],
  ).toBe(both);
});

test('numbers only fall, protected paths only come in addition', () => {
  const own = { ...defaultSettings, 'charter.maxChanges': 5, 'charter.protectedPaths': ['a'] };
  expect(tightenSettings(own, { maxChanges: 9, protectedPaths: ['b'] })).toMatchObject({
    'charter.maxChanges': 5,
    'charter.protectedPaths': ['a', 'b'],
  });
  expect(tightenSettings(own, { maxChanges: 1 })).toMatchObject({
    'charter.maxChanges': 1,
    'charter.protectedPaths': ['a'],
  });
});

test('the schema that editors use and the one that is checked say the same', async () => {
  const validate = new Ajv().compile(
    JSON.parse(await readFile(join(repositoryRoot, 'schemas', 'charter.schema.json'), 'utf8')),
  );
  for (const good of [{}, initialCharter, { $schema: 'x', approval: 'minimal' }])
    expect([validate(good), charterSchema.safeParse(good).success], JSON.stringify(good)).toEqual([true, true]);
  for (const bad of [
    { approval: 'none' },
    { maxChanges: 1.5 },
    { protectedPaths: 'x' },
    { protectedPaths: ['!a'] },
    { other: 1 },
    [],
  ])
    expect([validate(bad), charterSchema.safeParse(bad).success], JSON.stringify(bad)).toEqual([false, false]);
});
