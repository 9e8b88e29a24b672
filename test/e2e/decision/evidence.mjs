// A row of the list opens at its finding, and whoever reads the page of the evidence can decide there by the keyboard.

import { eventually } from '../harness.mjs';

const FILE = 'src/plain.ts';

export const steps = (world) => {
  const { page, command, toast, tab, status, sidebar } = world;
  const filter = sidebar.getByPlaceholder('Filter by text');
  return {
    'a row of the list opens at the finding, not at the start of its line': async () => {
      await world.showSidebar();
      await filter.fill('leftOver');
      await sidebar.locator('[data-row]', { hasText: 'plain.ts:3' }).first().click();
      await page.locator('.statusbar').getByText('Ln 3, Col 9').waitFor();
      await filter.fill('');
    },

    'on the page of the evidence, Apply is in the title and in the palette': async () => {
      await world.improve(FILE);
      await status.filter({ hasText: '1 to decide' }).waitFor();
      await command('Selfware: Show Evidence');
      await page.locator('.tab.active', { hasText: /Evidence.*leftOver/ }).waitFor();
      const action = (name) => page.locator('.editor-actions .action-label', { hasText: name });
      await world.mustBeSeen({ Apply: action(/^Apply$/).last(), Reject: action(/^Reject$/).last() });
      await world.shot('evidence');
      await command('Selfware: Apply All');
      await eventually(() => !/leftOver/.test(world.onDisk(FILE)), 'the change is in the file');
    },

    'what was applied no longer waits, and its pages are closed': async () => {
      await toast('Applied').waitFor();
      const text = await status.first().innerText();
      if (/to decide/.test(text)) throw new Error(`The status bar says ${text}`);
      await tab('Evidence').waitFor({ state: 'detached' });
      await world.shot('evidence-applied');
      await toast('Applied').getByRole('button', { name: 'Roll Back' }).click();
      await eventually(() => world.onDisk(FILE) === world.onStart(FILE), 'the bytes come back');
      await command('Notifications: Clear All Notifications');
    },
  };
};
