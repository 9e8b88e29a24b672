// The list of opportunities in Chromium: pages, filters, keyboard, and ten thousand rows of which few exist.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { opportunities } from './fixtures/states.ts';
import { state } from './fixtures/views.ts';
import { settled, startPageHouse, type OpenPage, type PageHouse } from './sidebarPage.ts';

let house: PageHouse;

beforeAll(async () => {
  house = await startPageHouse();
});

afterAll(async () => {
  await house.close();
});

async function onList(count: number, check: (open: OpenPage) => Promise<void>): Promise<void> {
  const open = await house.open({ opportunities: opportunities(count) });
  await open.receive(state({ opportunityCount: count }));
  await check(open);
  expect(await open.troubles()).toEqual([]);
  await open.release();
}

const focusedText = ({ page }: OpenPage) =>
  page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim() ?? '');

test('it is one stop for Tab; arrows, pages, Home and End move in it; Enter opens the place', () =>
  onList(300, async (open) => {
    const { page, sent } = open;
    await page.getByRole('button', { name: 'A recipe can do it, 150' }).focus();
    await page.keyboard.press('Tab');
    expect(await focusedText(open)).toContain('statement0.ts:12');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(open)).toContain('statement1.ts:19');
    await page.keyboard.press('Enter');
    await page.keyboard.press('PageDown');
    expect(await focusedText(open)).toMatch(/statement1\d\.ts/);
    await page.keyboard.press('Home');
    expect(await focusedText(open)).toContain('statement0.ts');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(
      'Improve: parseStatement',
    );
    for (let rest = 0; rest < 3; rest++) await page.keyboard.press('Tab');
    expect(await focusedText(open)).not.toContain('statement');
    expect(await sent()).toEqual([
      { type: 'openOpportunity', path: 'src/parser/deep/folder/statement1.ts', line: 19, column: 1 },
    ]);
  }));

test('the end of a long list is read when it is gone to', () =>
  onList(10_000, async (open) => {
    const { page } = open;
    await page.locator('selfware-rows [data-row]').first().focus();
    await page.keyboard.press('End');
    await settled(page);
    expect(await focusedText(open)).toContain('statement9999.ts');
    expect(await page.locator('li[data-index="9999"]').getAttribute('aria-posinset')).toBe('10000');
    // The row with the focus stays, wherever one scrolls.
    await page.locator('selfware-rows').evaluate((rows) => rows.scrollTo(0, 0));
    await settled(page);
    expect(await focusedText(open)).toContain('statement9999.ts');
  }));

test('filters narrow it by words, rule, folder, severity and recipe', () =>
  onList(200, async ({ page }) => {
    const rows = page.getByRole('list', { name: 'Opportunities' });
    await page.getByLabel('Filter opportunities').fill('statement199 else');
    await settled(page);
    expect(await rows.getByRole('listitem').count()).toBe(1);
    expect(await page.getByText('1 of 200').count()).toBe(1);
    await page.getByLabel('Filter opportunities').fill('nowhere');
    await settled(page);
    expect(await page.getByText('No opportunity matches.').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Rule').selectOption('complex-function');
    await settled(page);
    expect(await page.getByText('67 of 200').count()).toBe(1);
    await page.getByRole('button', { name: 'A recipe can do it, 34' }).click();
    await settled(page);
    expect(await page.getByText('34 of 200').count()).toBe(1);
    await page.getByLabel('Rule').selectOption('');
    await page.getByRole('button', { name: /^Warnings/ }).click();
    await settled(page);
    expect(await rows.getByRole('listitem').first().innerText()).toContain('statement14.ts');
    await page.getByLabel('Folder').selectOption('src/parser');
    await settled(page);
    expect(await page.getByRole('button', { name: /^Warnings/ }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await settled(page);
    expect([
      await page.getByLabel('Rule').inputValue(),
      await page.getByLabel('Folder').inputValue(),
      await rows.getByRole('listitem').first().getAttribute('aria-setsize'),
    ]).toEqual(['', '', '200']);
  }));

test('filters come back with the sidebar', async () => {
  const open = await house.open({
    opportunities: opportunities(200),
    saved: { filter: { text: 'statement19', severities: ['hint'] } },
  });
  await open.receive(state({ opportunityCount: 200 }));
  expect(await open.page.getByLabel('Filter opportunities').inputValue()).toBe('statement19');
  expect(await open.page.getByText(/^\d of 200$/).count()).toBe(1);
  await open.release();
});

test('another list is read anew, in the place where one was', () =>
  onList(400, async ({ page, receive, serve }) => {
    await page.locator('selfware-rows').evaluate((rows) => rows.scrollTo(0, 200 * 40));
    await settled(page);
    await page.locator('li[data-index="205"] [data-row]').focus();
    serve(opportunities(600).slice(200));
    await receive(state({ opportunityCount: 400, opportunityRevision: 2 }));
    expect(await page.locator('selfware-rows').evaluate((rows) => rows.scrollTop)).toBe(200 * 40);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('statement405.ts');
  }));

test('a state that says nothing new of it asks for nothing', () =>
  onList(400, async ({ page, receive }) => {
    await page.evaluate(
      'window.before = 0; const real = window.pageOf; window.pageOf = (message) => { window.before++; return real(message); }',
    );
    await receive(state({ opportunityCount: 400, activity: 'verifying' }));
    await receive({ type: 'patch', changes: { progress: { message: 'tests', done: 1, total: 2 } } });
    expect(await page.evaluate('window.before')).toBe(0);
  }));

test('ten thousand make no more elements than a hundred', async () => {
  const elements = async ({ page }: OpenPage) => {
    // Rows are added frame by frame.
    await settled(page);
    return page.evaluate(() => document.querySelectorAll('*').length);
  };
  let few = 0;
  await onList(100, async (open) => void (few = await elements(open)));
  await onList(10_000, async (open) => {
    const { page } = open;
    expect(Math.abs((await elements(open)) - few)).toBeLessThan(30);
    for (const share of [0.2, 0.5, 0.9, 0.3]) {
      await page.locator('selfware-rows').evaluate((rows, to) => rows.scrollTo(0, rows.scrollHeight * to), share);
      await settled(page);
      expect(await page.getByText('Loading…').count()).toBe(0);
      expect((await elements(open)) - few).toBeLessThan(200);
    }
  });
});
