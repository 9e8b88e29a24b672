// The sidebar in Chromium: what it shows, says aloud and sends, by mouse and by keyboard, with good and hostile data.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import type { SidebarState } from '#protocol/state';
import { fresh, full, hostile } from './fixtures/states.ts';
import { startPageHouse, type OpenPage, type PageHouse } from './sidebarPage.ts';

const pictures = join(import.meta.dirname, '..', 'output', 'webview');
let house: PageHouse;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  house = await startPageHouse();
});

afterAll(async () => {
  await house.close();
});

/** Opens the page with a message and leaves it to the check; no page may break its policy or throw. */
async function onPage(message: ToWebview | null, check: (open: OpenPage) => Promise<void>, options: Parameters<PageHouse['open']>[0] = {}): Promise<void> {
  const open = await house.open(options);
  if (message) await open.receive(message);
  await check(open);
  expect(await open.troubles()).toEqual([]);
  await open.page.close();
}

const state = (part: Partial<SidebarState> = {}): ToWebview => ({ type: 'state', state: { ...full, ...part } });

const shown: readonly { readonly name: string; readonly message: ToWebview | null; readonly texts: readonly string[]; readonly absent?: readonly string[] }[] = [
  { name: 'before the first state', message: null, texts: ['Starting the language server'] },
  { name: 'a server that failed', message: { type: 'failure', message: 'The ledger is damaged.' }, texts: ['The ledger is damaged.', 'Show Output'] },
  { name: 'no folder', message: { type: 'noFolder' }, texts: ['No folder is open', 'Open Folder'] },
  { name: 'a full state', message: state(), texts: ['61.4 of 75 points', '19.2 of 25', 'unknown', 'Remove else after return in grade', '+0.42 points', 'statement0.ts:12', 'Remove unused import in clamp', '4 min ago', '688,214 of 700k tokens', '1,284 files', '2 of 10 changes'] },
  { name: 'the first indexing', message: { type: 'state', state: fresh }, texts: ['Indexing', '412 of 1,284', 'statement7.ts'], absent: ['None found'] },
  { name: 'indexing of unknown length', message: { type: 'state', state: { ...fresh, progress: { message: 'src', done: 7, total: null } } }, texts: ['Indexing', '7'] },
  { name: 'an untrusted workspace', message: state({ trusted: false }), texts: ['Restricted mode', 'Manage trust', 'trust the workspace first'] },
  { name: 'no git', message: state({ git: null }), texts: ['not a git repository'] },
  { name: 'no LanceDB', message: state({ index: full.index && { ...full.index, store: 'lexical' } }), texts: ['words only'] },
  { name: 'stopped', message: state({ activity: 'stopped' }), texts: ['nothing is applied until you resume', 'Resume'] },
  { name: 'a detached HEAD', message: state({ git: { branch: null, head: 'abcdef1234567890' } }), texts: ['detached HEAD at abcdef12'] },
  { name: 'nothing found, nothing pending, nothing applied', message: state({ opportunityCount: 0, opportunities: [], pending: [], checkpoints: [] }), texts: ['None found', 'No proposal waits', 'No change was applied yet'] },
  { name: 'notices', message: state({ notices: [{ severity: 'warning', message: 'No tests were found.', action: 'Set selfware.verify.testCommand.' }] }), texts: ['No tests were found.', 'Set selfware.verify.testCommand.'] },
];

test.each(shown)('shows $name', ({ name, message, texts, absent = [] }) =>
  onPage(message, async ({ page }) => {
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    for (const expected of texts) expect(text).toContain(expected);
    for (const unwanted of absent) expect(text).not.toContain(unwanted);
    expect(text).not.toContain('%');
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    await page.screenshot({ path: join(pictures, `${name.replace(/\W+/g, '-')}.png`) });
  }),
);

const clicks: readonly { readonly what: string; readonly message: ToWebview; readonly role: 'button'; readonly name: string; readonly sent: FromWebview }[] = [
  { what: 'Improve', message: state(), role: 'button', name: 'Improve', sent: { type: 'improve' } },
  { what: 'the improvement of one opportunity', message: state(), role: 'button', name: 'Improve: parseStatement has a cognitive complexity of 40 (15 is the limit)', sent: { type: 'improve', opportunity: 'opportunity-0' } },
  { what: 'a rule', message: state(), role: 'button', name: 'About the rule complex-function', sent: { type: 'openRule', rule: 'complex-function' } },
  { what: 'a review', message: state(), role: 'button', name: 'Review Remove else after return in grade', sent: { type: 'review', proposal: 'p1' } },
  { what: 'a rejection', message: state(), role: 'button', name: 'Reject Remove else after return in grade', sent: { type: 'reject', proposal: 'p1' } },
  { what: 'a rollback', message: state(), role: 'button', name: 'Roll back Remove unused import in clamp', sent: { type: 'rollback', checkpoint: 'c2' } },
  { what: 'a refresh', message: state(), role: 'button', name: 'Refresh index', sent: { type: 'index' } },
  { what: 'Stop', message: { type: 'state', state: fresh }, role: 'button', name: 'Stop', sent: { type: 'stop' } },
  { what: 'Resume', message: state({ activity: 'stopped' }), role: 'button', name: 'Resume', sent: { type: 'resume' } },
  { what: 'trust', message: state({ trusted: false }), role: 'button', name: 'Manage trust', sent: { type: 'manageTrust' } },
  { what: 'the output', message: { type: 'failure', message: 'x' }, role: 'button', name: 'Show Output', sent: { type: 'showOutput' } },
  { what: 'a folder', message: { type: 'noFolder' }, role: 'button', name: 'Open Folder', sent: { type: 'openFolder' } },
];

test.each(clicks)('asks for $what by mouse and by keyboard', ({ message, role, name, sent }) =>
  onPage(message, async ({ page, sent: messages }) => {
    const button = page.getByRole(role, { name, exact: true }).first();
    await button.hover();
    await button.click();
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await messages()).toEqual([sent, sent]);
  }),
);

test('nothing of an untrusted workspace can be improved from here', () =>
  onPage(state({ trusted: false }), async ({ page, sent }) => {
    expect(await page.getByRole('button', { name: /^Improve:/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Improve' }).click({ force: true });
    expect(await sent()).toEqual([]);
  }));

test('the list is one stop for Tab; arrows, Home and End move in it; Enter opens the place', () =>
  onPage(state(), async ({ page, sent }) => {
    await page.getByLabel('Filter opportunities').focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('statement0.ts:12');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('statement1.ts:19');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    expect(await focused()).toContain('statement11.ts');
    await page.keyboard.press('Home');
    expect(await focused()).toContain('statement0.ts');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain('Improve: parseStatement');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).not.toContain('statement');
    expect(await sent()).toEqual([{ type: 'openOpportunity', path: 'src/parser/deep/folder/statement1.ts', line: 19 }]);
  }));

test('figures are meters with words; headings and lists have names', () =>
  onPage(state(), async ({ page }) => {
    expect(await page.getByRole('meter', { name: 'Code quality' }).getAttribute('aria-valuetext')).toBe('19.2 of 25');
    expect(await page.getByRole('meter', { name: 'Test coverage' }).getAttribute('aria-valuetext')).toBe('unknown');
    expect(await page.getByRole('meter', { name: 'Semantic' }).getAttribute('aria-valuetext')).toBe('688,214 of 700k tokens');
    expect(await page.getByRole('heading').allInnerTexts()).toEqual(['ledger-tools', 'To decide', 'Opportunities', 'Checkpoints', 'Memory'].map((text, i) => (i ? text.toUpperCase() : text)));
    expect(await page.getByRole('list', { name: 'Opportunities' }).count()).toBe(1);
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, vscode-button')].filter((button) => !(button.getAttribute('aria-label') ?? button.textContent)?.trim()).length);
    expect(nameless).toBe(0);
  }));

test('a change of activity is said aloud', () =>
  onPage(state(), async ({ page, receive }) => {
    const status = page.getByRole('status');
    expect(await status.textContent()).toContain('Ready, 1 proposal waits');
    await receive(state({ activity: 'verifying' }));
    expect(await status.textContent()).toContain('Verifying in a sandbox');
  }));

test('hostile texts stay texts', () =>
  onPage({ type: 'state', state: hostile() }, async ({ page }) => {
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect(await page.locator('selfware-sidebar img, selfware-sidebar script, selfware-sidebar style').count()).toBe(0);
    expect(await page.locator('body').innerText()).toContain('onerror="window.harmed=1"');
  }));

test('the filter and "Show more" bound the list', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ ...full.opportunities[0]!, id: `o${i}`, path: `src/file${i}.ts` }));
  return onPage(state({ opportunities: many, opportunityCount: 4321 }), async ({ page }) => {
    const rows = page.getByRole('list', { name: 'Opportunities' }).getByRole('listitem');
    expect(await rows.count()).toBe(30);
    await page.getByRole('button', { name: 'Show more (170)' }).click();
    expect(await rows.count()).toBe(60);
    await page.getByLabel('Filter opportunities').fill('file199 complex');
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Filter opportunities').fill('nowhere');
    expect(await page.getByText('No opportunity matches.').count()).toBe(1);
  });
});

test('a hidden sidebar comes back as it was', async () => {
  let saved: unknown;
  await onPage(state(), async ({ page }) => {
    await page.locator('#memory summary').click();
    await page.waitForFunction('window.saved.folded.length === 1');
    saved = await page.evaluate('window.saved');
  });
  await onPage(null, async ({ page }) => {
    await page.getByText('61.4').first().waitFor();
    await page.waitForFunction("document.querySelector('#memory') && !document.querySelector('#memory').open");
    expect(await page.locator('#checkpoints').getAttribute('open')).not.toBeNull();
  }, { saved });
});

test('the list keeps its focus when a new state arrives', () =>
  onPage(state(), async ({ page, receive }) => {
    await page.getByLabel('Filter opportunities').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await receive(state({ activity: 'indexing', progress: { message: 'src', done: 1, total: 2 } }));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('statement1.ts:19');
  }));

test.each(['dark', 'light', 'highContrast'])('texts can be read in the %s theme', (theme) =>
  onPage(state({ trusted: true, notices: [{ severity: 'warning', message: 'No tests were found.', action: null }] }), async ({ page }) => {
    await page.screenshot({ path: join(pictures, `theme-${theme}.png`), fullPage: true });
    const [text, ground] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]);
    expect(text).not.toBe(ground);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBe(0);
  }, { theme, height: 1300 }),
);

test('a narrow sidebar does not scroll sideways', () =>
  onPage({ type: 'state', state: hostile() }, async ({ page }) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  }, { width: 180 }));
