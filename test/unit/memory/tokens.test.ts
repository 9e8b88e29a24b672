// How far our estimate of tokens is from a real tokenizer, by language. docs/memory.md says what it is on larger
// samples.

import { encode as encodeByOlder } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHARACTERS_PER_TOKEN, cutToTokens, estimateTokens, sizeOf } from '../../../server/src/util/tokens.ts';

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

test.each([
  [
    'Chinese',
    '如果测试失败，请修复代码并保持所有导出的名称不变。自动修复会在沙箱中验证，然后由人来决定是否接受这个改动。',
  ],
  ['Japanese', 'テストが失敗した場合は、コードを修正してください。エクスポートされた名前は変更しないでください。'],
  ['Korean', '테스트가 실패하면 코드를 수정하고 내보낸 이름은 그대로 유지하세요. 변경 사항은 샌드박스에서 검증됩니다.'],
  ['Russian', 'Если тест не проходит, исправьте код и сохраните все экспортируемые имена. Затем решает человек.'],
  ['Hindi', 'यदि परीक्षण विफल हो जाता है तो कोड ठीक करें और सभी निर्यात किए गए नाम अपरिवर्तित रखें।'],
])('%s is not counted as Latin script: at least as much as one tokenizer says, at most 2.5 times', (_, text) => {
  const estimate = estimateTokens(text);
  expect(estimate).toBeGreaterThanOrEqual(encode(text).length);
  expect(estimate).toBeLessThan(encode(text).length * 2.5);
  expect(estimate).toBeGreaterThan(encodeByOlder(text).length * 0.5);
});

test('a text is cut to its tokens without tearing a character', () => {
  for (const text of ['abc def', '如果测试失败', '🎉🚀✅', 'Mixed 测试 text 🎉'])
    for (const tokens of [0, 0.5, 1, 2, 3, 100]) {
      const cut = cutToTokens(text, tokens);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut).not.toMatch(/[\uD800-\uDBFF]$/);
      expect(sizeOf(cut)).toBeLessThanOrEqual(tokens * CHARACTERS_PER_TOKEN);
    }
  expect(cutToTokens('如果测试失败', 2)).toBe('如果');
});

test('a sum of estimates never falls short of the estimate of the whole', () => {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const parts = text.split(/(?<=\n)/);
  expect(parts.reduce((sum, part) => sum + estimateTokens(part), 0)).toBeGreaterThanOrEqual(estimateTokens(text));
});
