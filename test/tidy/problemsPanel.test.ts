// Most opportunities are hints, which VS Code keeps out of its Problems panel: no text may send people there to look
// for them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../server/src/core/analysis/rules.ts';
import { removeFileLinks } from '../../server/src/lsp/hoverText.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { contributes } = JSON.parse(read('package.json'));

test('whoever speaks of the Problems panel says that hints are not in it', () => {
  const texts = [
    ...['README.md', 'docs/extension.md', 'docs/editors.md', 'docs/settings.md'].flatMap((path) =>
      read(path).split('\n'),
    ),
    ...contributes.walkthroughs.flatMap(({ steps }: { readonly steps: readonly { readonly description: string }[] }) =>
      steps.map(({ description }) => description),
    ),
  ];
  const speaking = texts.filter((text: string) => text.includes('Problems panel'));
  expect(speaking.length).toBeGreaterThan(3);
  expect(speaking.filter((text: string) => !/hints/.test(text))).toEqual([]);
});

test('the page of a rule that is shown as an explanation has no link that a preview would print as it is written', () => {
  const pages = rules.map(({ page }) => removeFileLinks(read(page)));
  // The example of a call is code, not a link.
  const links = pages.flatMap((page) => [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!));
  expect(links.filter((target) => !/^(https?:|#)/.test(target))).toEqual([]);
  expect(removeFileLinks('Recipe: [unexport](recipe.md), [more](https://example.org).')).toBe(
    'Recipe: unexport, [more](https://example.org).',
  );
});
