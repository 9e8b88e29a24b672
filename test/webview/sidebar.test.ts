// The sidebar in Chromium: what it shows, says aloud and sends, by mouse and by keyboard, with good and hostile data.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folded, fresh, full, hostile, opportunities } from './fixtures/states.ts';
import { state, viewCases } from './fixtures/views.ts';
import { onPage, pictures } from './onPage.ts';

test.each(viewCases)('shows $name', ({ name, message, texts, absent = [] }) =>
  onPage(message, async ({ page }) => {
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    for (const expected of texts) expect(text).toContain(expected);
    for (const unwanted of absent) expect(text).not.toContain(unwanted);
    expect(text).not.toContain('%');
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    await page.screenshot({ path: join(pictures, `${name.replace(/\W+/g, '-')}.png`), fullPage: true });
  }),
);

test('a lesson says what it does and when it was learned', () => {
  const shown = viewCases.find(({ name }) => name === 'what was learned');
  return onPage(
    shown!.message,
    async ({ page }) => {
      const text = (await page.locator('#learned').innerText()).replace(/\s+/g, ' ');
      expect(text).toContain('else-after-return is trusted 0.71 instead of 0.80.');
      expect(text).toContain('5 min ago');
      expect(text).toContain('in the code');
      expect(text).toContain('10 older lessons on the command line: selfware learned');
      await page.screenshot({ path: join(pictures, 'learned-opened.png'), fullPage: true });
    },
    { saved: folded('learned') },
  );
});

test('what a change makes better beside points stands above its paths, in words', () => {
  const claim = 'Fixes a defect. Without the change “mean of nothing” fails (NaN !== 0). It costs 0.04 points.';
  const [first] = full.pending;
  return onPage(state({ pending: [{ ...first!, claim }] }), async ({ page }) => {
    expect(await page.locator('.card .claim').allTextContents()).toEqual([claim]);
    // Only what gets better stands out; the evidence can be long.
    expect(await page.locator('.card .claim b').allTextContents()).toEqual(['Fixes a defect.']);
  });
});

test('with nothing to decide, the best opportunity is in view in a window of 1280 × 720', () =>
  onPage(
    state({ waiting: 0, pending: [], trend: full.trend.slice(-1) }),
    async ({ page }) => {
      const row = page.locator('selfware-rows .row').first();
      await row.waitFor();
      const box = (await row.boundingBox())!;
      expect(box.y + box.height).toBeLessThan(560);
      // What is only offered comes below the list.
      const below = ['Nothing waits for you.', 'Find Missing Tests or Faults…', 'Run Overnight…'];
      for (const text of below)
        expect((await page.getByText(text, { exact: true }).boundingBox())!.y).toBeGreaterThan(box.y);
    },
    { width: 300, height: 560 },
  ));

test('tests that cannot run, and the night, are told above the list', () =>
  onPage(
    state({
      waiting: 0,
      pending: [],
      setup: { outcome: 'degraded', detail: 'packages are missing', action: null },
      night: {
        branch: 'selfware/night-2026-11-27',
        state: 'ended',
        line: 'Last night: 1 change',
        step: null,
        changes: 1,
        untaken: 1,
        decided: null,
      },
    }),
    async ({ page }) => {
      const list = (await page.locator('selfware-rows').boundingBox())!;
      for (const text of ['Tests: packages are missing', 'Last night: 1 change'])
        expect((await page.getByText(text).boundingBox())!.y).toBeLessThan(list.y);
    },
  ));

test('Stop is there while something runs, with its word, and does not look like Refresh', () =>
  onPage(state({ activity: 'verifying' }), async ({ page, receive }) => {
    const stop = page.getByRole('button', { name: 'Stop…', exact: true });
    expect(await stop.innerText()).toContain('Stop…');
    const shape = (name: string) =>
      page.getByRole('button', { name, exact: true }).locator('.codicon').getAttribute('class');
    const ofStop = await shape('Stop…');
    await receive(state());
    await stop.waitFor({ state: 'detached' });
    expect(ofStop).not.toBe(await shape('Refresh index'));
  }));

test('nothing takes the place of Refresh while the index is built: a click that comes late pauses nothing', () =>
  onPage(state(), async ({ page, receive, sent }) => {
    const refresh = page.getByRole('button', { name: 'Refresh index', exact: true });
    const { x, y, width, height } = (await refresh.boundingBox())!;
    await receive({ type: 'state', state: fresh });
    await refresh.waitFor({ state: 'detached' });
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(await sent()).toEqual([]);
  }));

test('nothing of an untrusted workspace can be improved from here', () =>
  onPage(state({ trusted: false }), async ({ page, sent }) => {
    expect(await page.getByRole('button', { name: /^Improve:/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Improve' }).click({ force: true });
    expect(await sent()).toEqual([]);
  }));

test('a change of activity is said aloud', () =>
  onPage(state(), async ({ page, receive }) => {
    const status = page.getByRole('status').last();
    expect(await status.textContent()).toContain('Ready, 1 decision waits');
    await receive(state({ activity: 'verifying' }));
    expect(await status.textContent()).toContain('Verifying in a sandbox');
  }));

test('hostile texts stay texts', () =>
  onPage({ type: 'state', state: hostile() }, async ({ page }) => {
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect(await page.locator('selfware-sidebar img, selfware-sidebar script, selfware-sidebar style').count()).toBe(0);
    expect(await page.locator('body').innerText()).toContain('onerror="window.harmed=1"');
  }));

test('a hidden sidebar comes back as it was', async () => {
  let saved: unknown;
  await onPage(state(), async ({ page }) => {
    await page.locator('#memory summary').click();
    await page.locator('#checkpoints summary').click();
    await page.waitForFunction(() => {
      const { folded: now } = (window as unknown as { readonly saved: { readonly folded: readonly string[] } | null })
        .saved ?? { folded: ['memory'] };
      return now.includes('checkpoints') && !now.includes('memory');
    });
    saved = await page.evaluate('window.saved');
  });
  await onPage(
    null,
    async ({ page, receive }) => {
      await page.getByText('61.4').first().waitFor();
      expect(await page.locator('#memory').getAttribute('open')).not.toBeNull();
      expect(await page.locator('#checkpoints').getAttribute('open')).toBeNull();
      // Nobody takes what was saved for what is.
      expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
      await receive(state());
      expect(await page.locator('main').getAttribute('aria-busy')).toBe('false');
    },
    { saved },
  );
});

test('what has changed is put into what is shown', () =>
  onPage(state(), async ({ page, receive }) => {
    await receive({
      type: 'patch',
      changes: { activity: 'indexing', progress: { message: 'src/a.ts', done: 3, total: 9 } },
    });
    expect(await page.locator('.running').innerText()).toContain('3 of 9');
    expect(await page.getByText('61.4').count()).toBe(1);
  }));

const lower = { width: 300, height: 420 };

test('indexing with every saved file moves nothing', () =>
  onPage(
    state(),
    async ({ page, receive }) => {
      const apply = page.getByRole('button', { name: /^Apply / });
      const before = await apply.boundingBox();
      await receive(state({ activity: 'indexing' }));
      expect(await apply.boundingBox()).toEqual(before);
    },
    lower,
  ));

test('what a person waits for, and the way to end it, stand above everything else', () =>
  onPage(
    state({ activity: 'verifying', progress: { message: 'Tests: 12 s with the change', done: 3, total: 9 } }),
    async ({ page }) => {
      for (const place of [page.getByText('12 s with the change'), page.getByRole('button', { name: 'Stop…' })]) {
        const box = await place.boundingBox();
        expect(box!.y + box!.height).toBeLessThan(140);
      }
      expect(await page.getByRole('region', { name: 'Activity' }).count()).toBe(1);
    },
    lower,
  ));

test('a decision that comes in is in view, wherever the sidebar was scrolled to; nothing else moves it', () =>
  onPage(
    state(),
    async ({ page, receive }) => {
      const scrolled = () => page.evaluate(() => document.scrollingElement!.scrollTop);
      await page.evaluate(() => document.scrollingElement!.scrollTo({ top: 9999 }));
      const below = await scrolled();
      expect(below).toBeGreaterThan(100);
      await receive(state({ opportunityRevision: 2 }));
      await receive(state({ pending: [], waiting: 0 }));
      expect(await scrolled()).toBeGreaterThan(100);
      const [first] = full.pending;
      await receive(state({ pending: [{ ...first!, id: 'fresh', title: 'Remove spare' }], waiting: 1 }));
      expect(await scrolled()).toBe(0);
      const box = await page.getByRole('button', { name: 'Apply Remove spare' }).boundingBox();
      expect(box!.y + box!.height).toBeLessThan(lower.height);
    },
    lower,
  ));

test('a narrow sidebar does not scroll sideways', () =>
  onPage(
    { type: 'state', state: hostile() },
    async ({ page }) => {
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    },
    { width: 180 },
  ));

test.each([
  ['while a change is applied', (title: string) => ({ message: title, making: [] })],
  [
    'while a change is checked again before it is applied',
    (title: string) => ({
      message: 'Tests: 9 s with the change',
      making: [{ ...full.pending[0]!, id: 'again', title }],
    }),
  ],
])('%s, its card says so, and nothing can be applied or rejected by mouse or keyboard', (_when, shown) => {
  const [first] = full.pending;
  const { message, making } = shown(first!.title);
  const other = { ...first!, id: 'other', title: 'Remove spare' };
  const applying = {
    activity: 'applying',
    progress: { message, done: 0, total: 1 },
    making,
    pending: [first!, other],
    waiting: 2,
  } as const;
  return onPage(state(applying), async ({ page, sent }) => {
    const buttons = [
      page.getByRole('button', { name: `Applying ${first!.title}` }),
      page.getByRole('button', { name: 'Apply Remove spare' }),
      page.getByRole('button', { name: 'Reject Remove spare' }),
    ];
    expect(await buttons[0]!.innerText()).toContain('Applying …');
    for (const button of buttons) {
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.dispatchEvent('click');
      await button.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })));
    }
    expect((await sent()).filter(({ type }) => type === 'apply' || type === 'reject')).toEqual([]);
  });
});

test('a row that was turned down says why, and offers to try again instead of Improve', () => {
  const [only] = opportunities(1);
  const { id, rule, path } = only!;
  const before = { opportunity: id, rule, path, by: 'rolledBack', reason: 'the tests failed', since: 0 } as const;
  return onPage(
    state({ opportunityCount: 1 }),
    async ({ page, sent }) => {
      const row = page.locator('[data-row]').first();
      expect(await row.locator('.where').innerText()).toMatch(/Rolled back before$/);
      expect(await row.getAttribute('title')).toContain('Rolled back before: the tests failed');
      // One after the other on one line: neither is written over the other.
      const [name, rest] = await row.locator('.where').evaluate((line) =>
        [...line.childNodes]
          .filter(({ nodeType, textContent }) => nodeType !== Node.COMMENT_NODE && textContent!.trim() !== '')
          .map((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            const { left, right } = range.getBoundingClientRect();
            return { left, right };
          }),
      );
      expect(name!.right).toBeLessThanOrEqual(rest!.left + 1);
      const again = page.getByRole('button', { name: /^Try Again: .*Rolled back before: the tests failed/ });
      await row.focus();
      await again.focus();
      await page.keyboard.press('Enter');
      expect(await sent()).toContainEqual({ type: 'improve', opportunity: id, again: true });
    },
    { opportunities: [only!], turnedDown: new Map([[id, before]]) },
  );
});
