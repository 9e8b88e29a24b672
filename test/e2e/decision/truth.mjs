// What is said is so: one answer to what can be done here, and a hover that leaves room for others.

import { eventually } from '../harness.mjs';
import { SIZES } from './world.mjs';

const MAX_WHEN_IDLE = 16;

export const steps = (world) => {
  const { page, sidebar, command, openFile } = world;
  const hover = page.locator('.monaco-hover:visible');
  const word = (name) =>
    page.locator('.editor-instance .view-line span span', { hasText: new RegExp(`\\b${name}\\b`) }).first();
  const rows = sidebar.locator('selfware-rows [data-row]');
  const link = (name) => sidebar.getByRole('button', { name, exact: true });
  const more = sidebar.getByText(/\d+ (?:is|are) hidden: (?:its rule is|their rules are) quiet by default\./).first();

  return {
    'the list says how much more there is, and Improve says what it can try': async () => {
      await world.showSidebar();
      await more.scrollIntoViewIfNeeded();
      const shown = await rows.count();
      await sidebar
        .getByText(/Improve can try [\d,]+ of the [\d,]+ shown/)
        .first()
        .waitFor();
      const canImprove = await sidebar
        .getByRole('button', { name: 'Improve', exact: true })
        .getAttribute('aria-disabled');
      if (canImprove !== 'false') throw new Error('Improve is not enabled.');
      await world.atEachSize('more', async () => {
        await link('Show all').scrollIntoViewIfNeeded();
        await world.mustBeSeen({ 'Show all': link('Show all') });
      });
      await link('Show all').click();
      await eventually(async () => (await rows.count()) > shown, 'quiet ones are listed, too');
      await link('Hide them').click();
      await eventually(async () => (await rows.count()) === shown, 'they are hidden again');
    },

    'the words of the house are not asked of a person': async () => {
      await sidebar.locator('body').evaluate((body) => {
        for (const details of body.querySelectorAll('details:not([open]) > summary')) details.click();
      });
      await sidebar.locator('#events li').first().waitFor();
      const words = await sidebar.locator('body').innerText();
      await world.shot('words');
      const unexplained = words.match(
        /.*\b(probation|judge files?|guards?|receipts?|behaviou?r[- ]changing|gates?)\b.*/i,
      );
      if (unexplained) throw new Error(`It says: ${unexplained[0]}`);
      if (!/Ruler \d+: how points are counted/.test(words)) throw new Error('What the ruler is, is not said.');
      for (const id of ['memory', 'charter', 'events']) {
        const section = sidebar.locator(`#${id}[open] > summary`);
        if (await section.count()) await section.click();
      }
    },

    'the palette lists few commands when nothing happens': async () => {
      // Tall, so that the list leaves none out.
      await page.setViewportSize({ width: 1280, height: 3000 });
      const ours = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: /^\s*Selfware: / });
      await eventually(async () => {
        if (!(await world.quickInput.isVisible())) await page.keyboard.press('F1');
        await world.quickInput.fill('>Selfware: ', { timeout: 2000 }).catch(() => undefined);
        return (await ours.filter({ hasText: 'Search…' }).count()) > 0;
      }, 'the palette lists our commands');
      // VS Code itself adds one for each view.
      const names = (await ours.allInnerTexts()).filter((name) => !/Selfware: Focus on/.test(name));
      await world.shot('palette');
      await page.keyboard.press('Escape');
      await page.setViewportSize(SIZES[0]);
      if (names.length > MAX_WHEN_IDLE) throw new Error(`${names.length} are listed: ${names.join(', ')}`);
      const impossible = names.filter((name) => /Apply|Reject|Stop|Resume|Hunk|Commit/.test(name));
      if (impossible.length > 0) throw new Error(`Nothing of this can be done now: ${impossible.join(', ')}`);
    },

    'hints are dots and not in the Problems panel, as the walkthrough says': async () => {
      await command('Selfware: Get Started');
      const step = page.locator('.getting-started-step', { hasText: 'See opportunities' });
      await step.click();
      const sentence = step.getByText('hints as dots, which VS Code keeps out of its Problems panel');
      await world.atEachSize('walkthrough', async () => {
        await sentence.scrollIntoViewIfNeeded();
        await world.mustBeSeen({ 'what the walkthrough says of hints': sentence });
      });
      await command('View: Close All Editors');
      await openFile('src/safe.ts');
      await page.locator('.editor-instance .squiggly-hint').first().waitFor();
      await world.openProblems();
      await world.problem('is declared but never read').first().waitFor();
      await world.shot('problems');
      if ((await world.problem('a list of all matches').count()) > 0)
        throw new Error('A hint is in the Problems panel.');
      await command('View: Hide Panel');
    },

    'a hover on a finding says in one line what it is': async () => {
      await openFile('src/safe.ts');
      // The brackets are drawn by the style sheet.
      const told = hover.filter({ hasText: /selfware\W?unused-local/ });
      await eventually(async () => {
        await page.keyboard.press('Escape');
        await word('unread').hover();
        return told
          .first()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      }, 'the finding is told');
      await hover.filter({ hasText: 'const unread: number' }).first().waitFor();
      await world.shot('hover-finding');
      const lines = (await told.first().innerText()).split('\n').filter((text) => text.includes('unused-local'));
      if (lines.length !== 1) throw new Error(`It is said ${lines.length} times: ${lines.join(' | ')}`);
      await page.keyboard.press('Escape');
    },

    'a hover on a function is its signature, without figures of ours': async () => {
      await openFile('src/deep.ts');
      await command('Go to Symbol in Editor');
      await page.keyboard.type('isHigh');
      await page.keyboard.press('Enter');
      await eventually(async () => {
        await word('isHigh').hover();
        return (await hover.filter({ hasText: 'function isHigh' }).count()) > 0;
      }, 'the signature is shown');
      if (/complexity|nesting/.test(await hover.first().innerText())) throw new Error('Figures stand in the hover.');
      await world.shot('hover-function');
      await page.keyboard.press('Escape');
    },
  };
};
