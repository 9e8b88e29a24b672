// The packages hold every file of the build that the program starts or reads.

import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { copyPages, PROGRAM_PARTS } from '../../scripts/shippedParts.mjs';
import { rules } from '../../server/src/core/analysis/rules.ts';

const places = readFileSync(join(import.meta.dirname, '../../server/src/app/programPaths.ts'), 'utf8');
const named = [...places.matchAll(/'dist', '([^']+)'/g)].map(([, name]) => basename(name!));

test('each part that the program looks up', () => {
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !PROGRAM_PARTS.includes(name))).toEqual([]);
});

test('the page of each rule', () => {
  const stage = mkdtempSync(join(tmpdir(), 'selfware-pages-'));
  try {
    copyPages(stage);
    expect(rules.map(({ page }) => page).filter((page) => !existsSync(join(stage, page)))).toEqual([]);
  } finally {
    rmSync(stage, { recursive: true });
  }
});
