// axe-core looks at every state of the sidebar in every kind of theme: nothing that keeps people out, and no text too
// pale to read.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { opportunities } from './fixtures/states.ts';
import { themes } from './fixtures/themes.ts';
import { viewCases } from './fixtures/views.ts';
import { sample } from '../helpers/thorough.ts';
import { startPageHouse, type OpenPage, type PageHouse } from './sidebarPage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** All rules, in the first theme. */
const EVERY_RULE = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
/** The rules that ask for colours: only their answers differ between themes. */
const COLOUR_RULES = "{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }";
let house: PageHouse;

beforeAll(async () => {
  house = await startPageHouse();
});

afterAll(async () => {
  await house.close();
});

// `npm test` looks at the first two themes, the lane `thorough` at all.
describe.each(sample(Object.keys(themes), 2).map((theme, index) => ({ theme, isFirst: index === 0 })))(
  '$theme',
  ({ theme, isFirst }) => {
    let open: OpenPage;
    // One page for all states, as in life.
    beforeAll(async () => {
      open = await house.open({
        theme,
        opportunities: opportunities(12),
        saved: { folded: [], opened: ['codeQuality', 'safety'] },
      });
      await open.page.evaluate(axe);
    });

    test.each(viewCases)('$name: nothing serious', async ({ message }) => {
      const { page, receive } = open;
      if (message) await receive(message);
      // All that it has looked at would be megabytes, of which only the number counts.
      const { violations, passed } = (await page.evaluate(
        `axe.run(document, { runOnly: ${isFirst ? EVERY_RULE : COLOUR_RULES}, resultTypes: ['violations'] })
        .then(({ violations, passes }) => ({ violations, passed: passes.length }))`,
      )) as Pick<AxeResults, 'violations'> & { readonly passed: number };
      const found = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`));
      expect(found).toEqual([]);
      // It looked: an empty page has nothing to pass.
      expect(passed).toBeGreaterThan(isFirst ? 5 : 0);
    });
  },
);
