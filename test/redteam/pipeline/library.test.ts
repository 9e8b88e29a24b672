// The page about the red team says how many attacks each file holds, and names files that are there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ON_CODE, ON_FILES, ON_ONE_GROUND, triedIn, WITH_WORLDS } from './attacks.ts';

const FOLDER = join(import.meta.dirname, '..');
const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!class|---)/.test(line));
const placeOf = (path: string) => (path.startsWith('test/') ? join(FOLDER, '../..', path) : join(FOLDER, path));

test('whichever attacks are tried, each class is among them, with each of its ends', () => {
  const ends = (classes: readonly (readonly { readonly expected: string }[])[], every: boolean) =>
    classes.map((one) => [...new Set(triedIn([one], true, every).map(({ expected }) => expected))].sort());
  for (const classes of [ON_FILES, ON_CODE, WITH_WORLDS]) expect(ends(classes, false)).toEqual(ends(classes, true));
});

test('the library is as large as it says, and no attack is there twice', () => {
  expect(ON_ONE_GROUND.length).toBeGreaterThan(150);
  expect(new Set(ON_ONE_GROUND.map(({ name }) => name)).size).toBe(ON_ONE_GROUND.length);
});

test.each([...page.matchAll(/`([\w./]+\.ts)` (\d+) \|/g)].map(([, path, count]) => [path!, Number(count)] as const))(
  '%s holds %i attacks',
  async (path, count) => {
    const lists = Object.values((await import(placeOf(path))) as Record<string, unknown>).filter(Array.isArray);
    expect(lists.reduce((sum, list) => sum + list.length, 0)).toBe(count);
  },
);

test('each class has attacks or tests, and what is named is there', () => {
  const named = rows.map((row) => [...row.matchAll(/`((?:test|pipeline|replies|sandbox|nulls)\/[\w./]+\.ts)`/g)]);
  expect(named.filter((files) => files.length === 0)).toEqual([]);
  expect(named.flat().filter(([, path]) => !existsSync(placeOf(path!)))).toEqual([]);
});
