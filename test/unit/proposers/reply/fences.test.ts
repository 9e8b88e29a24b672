// Fences in a reply: where they begin and end, and how long that takes to find.

import { expect, test } from 'vitest';
import { findFences, readFileFences } from '../../../../server/src/core/proposers/reply/fences.ts';

test('a fence knows the last line above it that is not empty, that of another fence included', () => {
  const text = 'a.ts\n\n```\none\n```\n\n````ts\n```\ntwo\n````\nrest\n~~~\nopen\n';
  expect(findFences(text)).toEqual([
    { above: 'a.ts', opening: '```', code: 'one\n', isOpen: false },
    { above: '```', opening: '````ts', code: '```\ntwo\n', isOpen: false },
    { above: 'rest', opening: '~~~', code: 'open\n\n', isOpen: true },
  ]);
});

test('a reply of megabytes of fences is read in time proportional to its length', () => {
  const empty = '```\n'.repeat(500_000);
  const files = Array.from({ length: 100_000 }, (_, at) => `src/file${at}.ts\n\`\`\`\n\`\`\`\n`).join('');
  const before = process.threadCpuUsage();
  expect(findFences(empty)).toHaveLength(250_000);
  expect(readFileFences(files)).toMatchObject({ edits: { length: 100_000 } });
  const { user, system } = process.threadCpuUsage(before);
  // It takes half a second. If each fence looked through the whole text, it would take many minutes.
  expect((user + system) / 1e6).toBeLessThan(20);
});
