// Every platform that the extension is packed for has its binaries pinned, of the versions that are used.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLanceLibrary, platforms } from '../../scripts/nativeOf.mjs';

const root = join(import.meta.dirname, '..', '..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
};
const pinned = Object.entries(packages).filter(([path]) => /^node_modules\/@lancedb\/lancedb-/.test(path));

test.each(Object.entries(platforms))('%s', (_, platform) => {
  if (platform === null)
    return expect(pinned.map(([path]) => path).filter((path) => path.includes('darwin-x64'))).toEqual([]);
  const native = packages[`node_modules/@lancedb/lancedb-${platform}`]!;
  expect(native.version).toBe(packages['node_modules/@lancedb/lancedb']!.version);
  expect(native.integrity).toMatch(/^sha512-/);
});

test('every binary that is pinned is packed for a platform, but for those of another C library', () => {
  expect(
    pinned
      .map(([path]) => path.replace(/^.*\/lancedb-/, ''))
      .filter((platform) => !platform.endsWith('-musl'))
      .sort(),
  ).toEqual(
    Object.values(platforms)
      .filter((platform) => platform !== null)
      .sort(),
  );
});

test('the binary of this machine is the installed one', () => {
  expect(findLanceLibrary(`${process.platform}-${process.arch}`)).toContain(join('node_modules', '@lancedb'));
});
