// What is said is so: one answer to what can be done here, and a hover that leaves room for others.

import { eventually } from '../harness.mjs';

export const steps = (world) => {
  const { page, sidebar, command, openFile } = world;
  const hover = page.locator('.monaco-hover:visible');
  const rows = sidebar.locator('selfware-rows [data-row]');
  const link = (name) => sidebar.getByRole('button', { name, exact: true });
  const more = sidebar.getByText(/\d+ more from rules that are quiet by default\./).first();

  return {
    'the list says how much more there is, and Improve says what it can try': async () => {
      await world.showSidebar();
      await more.scrollIntoViewIfNeeded();
      const shown = await rows.count();
      await sidebar.getByText(/Improve can try \d+ of the \d+ shown/).first().waitFor();
      const canImprove = await sidebar.getByRole('button', { name: 'Improve', exact: true }).getAttribute('aria-disabled');
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

    'a hover on a function is its signature, without figures of ours': async () => {
      await openFile('src/deep.ts');
      const word = (name) => page.locator('.editor-instance .view-line span span', { hasText: new RegExp(`\\b${name}\\b`) }).first();
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
