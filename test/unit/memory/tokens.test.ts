// How far our estimate of tokens is from a real tokenizer, by language. docs/memory.md says what it is on larger
// samples.

import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../server/src/util/tokens.ts';

const root = join(import.meta.dirname, '../../..');

/** Estimate ÷ tokenizer over the files that match, at most 60 of them. */
function ratio(pathspec: string): number {
  const all = execFileSync('git', ['ls-files', '-z', pathspec], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  const step = Math.max(1, Math.floor(all.length / 60));
  const texts = all.filter((_, index) => index % step === 0).map((path) => readFileSync(join(root, path), 'utf8'));
  expect(texts.length, pathspec).toBeGreaterThan(0);
  return (
    texts.reduce((sum, text) => sum + estimateTokens(text), 0) /
    texts.reduce((sum, text) => sum + encode(text).length, 0)
  );
}

test.each([
  ['TypeScript', 'server/src/**/*.ts', 1, 1.35],
  ['scripts', '**/*.mjs', 0.85, 1.3],
  ['prose', '**/*.md', 0.85, 1.35],
  ['JSON', 'package.json', 0.8, 1.35],
  ['Python', '**/*.py', 0.8, 1.5],
])('%s', (_, pathspec, low, high) => {
  const measured = ratio(pathspec);
  expect(measured).toBeGreaterThan(low);
  expect(measured).toBeLessThan(high);
});

test('a sum of estimates never falls short of the estimate of the whole', () => {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const parts = text.split(/(?<=\n)/);
  expect(parts.reduce((sum, part) => sum + estimateTokens(part), 0)).toBeGreaterThanOrEqual(estimateTokens(text));
});
