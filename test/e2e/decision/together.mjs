// Many safe fixes at once, why something is found, and a second window on the same folder.

import { eventually, patience, webview } from '../harness.mjs';
import { createWindow } from '../window.mjs';

const FILE = 'src/safe.ts';

export const steps = (world) => {
  const { command, openFile, page, quickInput, sidebar, toast, row } = world;
  const card = sidebar
    .getByRole('listitem')
    .filter({ has: page.getByText(FILE) })
    .filter({ has: page.getByRole('button', { name: /^Reject / }) });
  let second = null;

  return {
    'why something is found: a page whose links are links': async () => {
      await openFile(FILE);
      const place = page.locator('.editor-instance .view-line span span', { hasText: /\bunread\b/ }).first();
      const texts = async () =>
        Promise.all(
          page.frames().map((frame) =>
            frame
              .locator('.markdown-body, body.vscode-body')
              .first()
              .innerText({ timeout: 500 })
              .catch(() => ''),
          ),
        );
      const isShown = async () => (await texts()).some((text) => /unread/.test(text) && /unused-local/.test(text));
      const entry = page.locator('.action-widget .monaco-list-row', { hasText: 'Explain unused-local' });
      // Diagnostics that come meanwhile close the menu: once more then.
      await eventually(async () => {
        await page.keyboard.press('Escape');
        return place
          .click({ timeout: 3000 })
          .then(() => page.keyboard.press('Control+.'))
          .then(() => entry.click({ timeout: 5000 }))
          .then(() => eventually(isShown, 'the page is shown', 10_000))
          .then(
            () => true,
            // The cursor or a sticky line may lie above the word: it is clicked from the top of the file then.
            () => page.keyboard.press('Control+Home').then(() => false),
          );
      }, 'the page is shown');
      await world.shot('explained');
      const raw = (await texts()).find((text) => /\]\((?:file|command|https?):/.test(text));
      if (raw) throw new Error(`A link is shown as it is written: ${raw.slice(0, 500)}`);
      await command('View: Close All Editors');
    },

    'all safe fixes: one proposal for each file': async () => {
      await world.showSidebar();
      await command('Selfware: Fix All Safe');
      await toast(/proposals? waits?/).waitFor({ timeout: patience * 6 });
      await eventually(async () => (await card.count()) > 0, 'the file has its proposal');
      await world.shot('fix-all');
      if ((await card.count()) !== 1) throw new Error(`${await card.count()} proposals wait for one file.`);
      if (await page.locator('.monaco-diff-editor').count()) throw new Error('A review has opened by itself.');
      await command('Notifications: Clear All Notifications');
    },

    'rejected in one window: the other closes its review, says so, and lists it no more': async () => {
      const other = await page.context().newPage();
      other.setDefaultTimeout(patience);
      second = createWindow(other, '../decision-second');
      await other.goto(world.workbench.url(), { waitUntil: 'domcontentloaded' });
      await other.locator('.monaco-workbench').waitFor();
      await other.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
      const theirs = webview(other)
        .getByRole('listitem')
        .filter({ has: other.getByText(FILE) })
        .filter({ has: other.getByRole('button', { name: /^Reject / }) });
      // The order of the cards follows the points, so they move until these are known.
      await second.status.filter({ hasText: /points/ }).waitFor();
      await theirs.getByRole('button', { name: /^Review / }).click();
      await second.tab('· safe.ts').waitFor();
      await second.lens('Reject').waitFor();
      await card.getByRole('button', { name: /^Reject / }).click();
      await row('The change is wrong').first().waitFor();
      // All at once: a notice without buttons goes after some seconds, and it does not matter which comes first.
      await Promise.all([
        second.toast('rejected elsewhere').waitFor(),
        second.tab('· safe.ts').waitFor({ state: 'detached' }),
        toast('Rejected').waitFor(),
        quickInput.press('Enter'),
      ]);
      await eventually(async () => (await theirs.count()) === 0, 'it waits there no more');
      await second.shot('rejected-elsewhere');
      await other.close();
    },

    'the rest is rejected as well': async () => {
      const reject = sidebar.getByRole('button', { name: /^Reject / });
      for (let left = await reject.count(); left > 0; left--) {
        await reject.first().click();
        await row('The change is wrong').first().waitFor();
        await quickInput.press('Enter');
        await eventually(async () => (await reject.count()) < left, 'one less waits');
      }
      await command('Notifications: Clear All Notifications');
    },
  };
};
