// The figures of the sidebar in Chromium: points, categories and meters, in words and in each theme.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { full } from './fixtures/states.ts';
import { state } from './fixtures/views.ts';
import { onPage, pictures } from './onPage.ts';
import type { OpenPage } from './sidebarPage.ts';

test('points are told, not shouted, and what was checked is no small print', () =>
  onPage(state(), async ({ page }) => {
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { fontSize, color } = getComputedStyle(element);
          return { size: Number.parseFloat(fontSize), color };
        });
    const [total, text, meaning] = await Promise.all(['.total strong', 'body', '.card .meaning'].map(look));
    expect(total!.size).toBeLessThan(text!.size * 1.5);
    expect(meaning!.color).toBe(text!.color);
  }));

test('a change of the points says what made it', () =>
  onPage(state(), async ({ page }) => {
    expect(await page.getByRole('img', { name: 'Points over 9 measurements: from 58.2 to 61.4' }).count()).toBe(1);
    expect(await page.locator('selfware-trend canvas').count()).toBe(1);
    expect((await page.getByRole('list', { name: 'What moved the points' }).innerText()).replace(/\s+/g, ' ')).toMatch(
      /^\+0\.87 Rolled back: Flatten nested if in walk \d+ min ago −0\.3/,
    );
  }));

/** Where a text stands, whatever lies above it: as a person clicks. */
async function clickOn(page: OpenPage['page'], text: string): Promise<void> {
  const box = (await page.getByText(text).first().boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test('a category opens what it consists of and what costs most, by mouse and by keyboard', () =>
  onPage(state(), async ({ page, sent }) => {
    const opener = page.getByRole('button', { name: 'Show what Code quality consists of and what costs most' });
    expect(await opener.getAttribute('aria-expanded')).toBe('false');
    expect(await page.getByText('dead code').count()).toBe(0);
    expect(await page.getByText(/^[\d.]+ of them are not measured here/).count()).toBe(1);
    // The whole line is the button, the figure at its end too.
    await clickOn(page, '19.2 of 25');
    const hide = page.getByRole('button', { name: 'Hide what Code quality consists of' });
    expect(await hide.getAttribute('aria-expanded')).toBe('true');
    const text = (await page.getByRole('group', { name: 'Code quality' }).innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(
      'over-complex functions 10.2 of 16.7 40 points of cognitive complexity beyond 15 in a function',
    );
    expect(text).toContain('unused exports 0 of 4.2 Not measured: needs a package whose entry points are known');
    expect(text).toContain('−4.1 parseStatement statement0.ts:12 · 25 points');
    await page.getByRole('button', { name: /^−4.1 parseStatement/ }).click();
    await page
      .getByRole('group', { name: 'Code quality' })
      .getByRole('button', { name: /^Improve: parseStatement/ })
      .click();
    expect(await sent()).toEqual([
      { type: 'openOpportunity', path: 'src/parser/deep/folder/statement0.ts', line: 12 },
      { type: 'improve', opportunity: 'opportunity-0' },
    ]);
    await hide.focus();
    await page.keyboard.press('Enter');
    expect(await page.getByText('dead code').count()).toBe(0);
    await opener.focus();
    await page.keyboard.press('Space');
    expect(await page.getByText('dead code').count()).toBe(1);
  }));

test('where nothing may be improved, places that cost points can only be looked at', () =>
  onPage(state({ trusted: false }), async ({ page }) => {
    await clickOn(page, '19.2 of 25');
    expect(await page.getByRole('button', { name: /^−4.1 parseStatement/ }).count()).toBe(1);
    expect(
      await page
        .getByRole('group', { name: 'Code quality' })
        .getByRole('button', { name: /^Improve/ })
        .count(),
    ).toBe(0);
  }));

test('a notice about a missing library offers to install it; others offer nothing', () => {
  const notice = { severity: 'warning', message: 'The embedder cannot be used.', action: null } as const;
  return onPage(state({ notices: [notice, { ...notice, component: 'embeddings' }] }), async ({ page, sent }) => {
    await page.getByRole('button', { name: 'Install what is missing…' }).click();
    expect(await sent()).toContainEqual({ type: 'installComponent', component: 'embeddings' });
  });
});

test.each(['dark', 'light', 'highContrast', 'highContrastLight'])(
  'an opened category fits into 300 px in the %s theme',
  (theme) =>
    onPage(
      state(),
      async ({ page }) => {
        await clickOn(page, '19.2 of 25');
        await clickOn(page, '18.1 of 20');
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ).toBe(0);
        await page.screenshot({ path: join(pictures, `category-${theme}.png`) });
      },
      { theme, width: 300, height: 760 },
    ),
);

test('how points are counted is said in plain words', () =>
  onPage(state(), async ({ page }) => {
    expect(await page.getByText('Ruler 9', { exact: true }).getAttribute('title')).toBe(
      'How points are counted; version 9. What is not measured earns nothing. Points of different versions are never compared.',
    );
  }));

test.each(['dark', 'light', 'highContrast', 'highContrastLight'])('texts can be read in the %s theme', (theme) =>
  onPage(
    state({ trusted: true, notices: [{ severity: 'warning', message: 'No tests were found.', action: null }] }),
    async ({ page }) => {
      await page.screenshot({ path: join(pictures, `theme-${theme}.png`), fullPage: true });
      const [text, ground] = await page.evaluate(() => [
        getComputedStyle(document.body).color,
        getComputedStyle(document.body).backgroundColor,
      ]);
      expect(text).not.toBe(ground);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    },
    { theme, height: 1300 },
  ),
);

test.each(['dark', 'light', 'highContrast', 'highContrastLight'])(
  'what is unknown is drawn unlike what is empty in the %s theme',
  (theme) => {
    const [unknown, ...others] = full.points!.categories.toSorted(
      (a, b) => Number(a.points !== null) - Number(b.points !== null),
    );
    const categories = [unknown!, { ...others[0]!, points: 0 }, ...others.slice(1)];
    return onPage(
      state({ points: { ...full.points!, categories } }),
      async ({ page }) => {
        const lookOf = (label: string) =>
          page
            .getByRole('meter', { name: label, exact: true })
            .locator('.track')
            .evaluate((track) => [
              getComputedStyle(track).borderTopStyle,
              getComputedStyle(track).backgroundImage !== 'none',
            ]);
        expect(await lookOf(unknown!.label)).toEqual(['dashed', true]);
        expect(await lookOf(others[0]!.label)).not.toEqual(['dashed', true]);
        await page.locator('.categories').screenshot({ path: join(pictures, `unknown-${theme}.png`) });
      },
      { theme, height: 1300 },
    );
  },
);

test('figures are meters with words; headings and lists have names', () =>
  onPage(
    state(),
    async ({ page }) => {
      expect(await page.getByRole('meter', { name: 'Code quality' }).getAttribute('aria-valuetext')).toBe(
        '19.2 of 25, +0.61',
      );
      expect(await page.getByRole('meter', { name: 'Test coverage' }).getAttribute('aria-valuetext')).toBe(
        'not measured',
      );
      const told = (name: string) => page.getByRole('meter', { name }).getAttribute('aria-valuetext');
      expect(await Promise.all(['Semantic', 'Episodic', 'Working'].map(told))).toEqual([
        '788,214 of 700k + 88k borrowed',
        '3,200 of 100k, 88k lent',
        '12,400 of 100k tokens',
      ]);
      const sections = ['Opportunities', 'Checkpoints', 'Memory', 'Charter', 'Ledger'].map((text) =>
        text.toUpperCase(),
      );
      expect(await page.getByRole('heading').allInnerTexts()).toEqual(['TO DECIDE', 'ledger-tools', ...sections]);
      expect(await page.getByRole('list', { name: 'Opportunities' }).count()).toBe(1);
      const nameless = await page.evaluate(
        () =>
          [...document.querySelectorAll('button, vscode-button')].filter(
            (button) => !(button.getAttribute('aria-label') ?? button.textContent)?.trim(),
          ).length,
      );
      expect(nameless).toBe(0);
    },
    { saved: { folded: ['charter', 'events'] } },
  ));
