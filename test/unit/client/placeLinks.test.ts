// Links of pages lead to places in the first folder; others would be shown as raw Markdown.

import { expect, test } from 'vitest';
import { rewriteFileLinks } from '../../../client/src/pages/placeLinks.ts';

const page = '## clamp ([src/clamp.ts:1](file:///work/amounts/src/clamp.ts#L1))\n\n[a](https://example.org)';

test('a link to a file of the first folder is one from the root of the folder', () => {
  expect(rewriteFileLinks(page, 'file:///work/amounts')).toBe(
    '## clamp ([src/clamp.ts:1](/src/clamp.ts#L1))\n\n[a](https://example.org)',
  );
});

test('a link to another file becomes its text', () => {
  const text = '## clamp (src/clamp.ts:1)\n\n[a](https://example.org)';
  expect(rewriteFileLinks(page, 'file:///work/other')).toBe(text);
  expect(rewriteFileLinks(page, undefined)).toBe(text);
});
