// What a person waits for says how long, Stop asks, and a server that dies in the middle of it costs nothing.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness.mjs';
import { languageServers } from '../window.mjs';
import { paceOf } from './files.mjs';

const FILE = 'src/held.ts';
/** Long enough to look at both sizes and to press Stop. */
const SLOW_SECONDS = 120;
/** What the last run took, before and after that time is over. */
const ESTIMATE = /of about \d+ s|it took \d+ s last time/;
const ELAPSED = /(\d+) s (?:of about \d+ s )?(?:with|without) the change/;

export const steps = (world) => {
  const { page, command, toast, dialog, sidebar } = world;
  const write = (path, text) => writeFileSync(join(world.project, path), text);
  const fileTab = page.locator('.tabs-container .tab[data-resource-name="held.ts"]:not([aria-label*="·"])');
  const card = sidebar.getByRole('listitem', { name: /spare/ });
  const notice = toast('Applying').filter({ hasText: ELAPSED });
  const checkpoint = sidebar
    .getByRole('list', { name: 'Checkpoints' })
    .getByRole('listitem', { name: /spare/ })
    .first();
  const stop = sidebar.getByRole('button', { name: 'Stop…' });
  // Not in the ledger, which tells what was.
  const running = sidebar.locator('.activity, .cards').getByText(/^(Verifying|Proposed|Applying)/);
  const seconds = async (place) => Number(ELAPSED.exec(await place.innerText())?.[1]);
  const waitsAgain = async () => {
    await card.getByRole('button', { name: /^Review / }).waitFor();
    await eventually(async () => (await running.count()) === 0, 'nothing seems to run');
  };

  return {
    'while a check runs, its time goes on in the notice and in the sidebar': async () => {
      await world.improve(FILE);
      write('pace.json', paceOf(SLOW_SECONDS));
      // Edited elsewhere in the file, so that applying verifies it again.
      write(FILE, `${world.onStart(FILE)}\n/** Best of all. */\nexport const best = 100;\n`);
      await fileTab.click();
      // At once: the editor may not have read it again yet.
      await card.getByRole('button', { name: /^Apply / }).click();
      await notice.waitFor();
      const before = await seconds(notice);
      await eventually(async () => (await seconds(notice)) > before, 'the time goes on');
      // The tests ran when the proposal was made, too.
      await notice.getByText(ESTIMATE).first().waitFor();
      const inSidebar = sidebar.getByText(ELAPSED).first();
      await world.atEachSize('waiting', async () => {
        await world.mustBeSeen({ 'the time in the notice': notice.getByText(ELAPSED).first() });
        await world.mustBeSeen({
          'the time in the sidebar': inSidebar,
          Stop: stop,
          'the time in the status bar': world.status.getByText(/Applying \d+ s/),
        });
      });
    },

    'Stop is a word, looks unlike Refresh, and asks before it ends something': async () => {
      if ((await stop.innerText()).trim() !== 'Stop…') throw new Error(`Stop is called ${await stop.innerText()}`);
      if ((await stop.locator('.codicon-refresh, .codicon-sync').count()) > 0)
        throw new Error('It looks like Refresh.');
      await stop.click();
      const question = dialog.filter({ hasText: 'Stop what Selfware is doing?' });
      await question.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await world.shot('stop');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await notice.waitFor();
    },

    'the server is killed meanwhile: one sentence, and the proposal waits again': async () => {
      const [pid] = languageServers(world.workbench.extensions);
      process.kill(pid, 'SIGKILL');
      await toast('The language server was stopped while it was applying a change.').waitFor();
      await waitsAgain();
      await world.shot('killed');
      if ((await page.getByText('Pending response').count()) > 0) throw new Error('A message of the library is shown.');
    },

    'the ledger does not say that it was refused': async () => {
      const section = sidebar.locator('#events');
      await section.locator('summary').click();
      const lines = section.locator('li', { hasText: 'spare' });
      await lines
        .filter({ hasText: /Interrupted: Remove unused spare.*It waits as before/ })
        .first()
        .waitFor();
      if ((await lines.filter({ hasText: /Refused/ }).count()) > 0)
        throw new Error((await lines.allInnerTexts()).join('\n'));
      await world.shot('ledger');
      await section.locator('summary').click();
    },

    'after a reload nothing seems to run, and it waits as before': async () => {
      await world.reload();
      await waitsAgain();
      await world.shot('killed-reloaded');
    },

    'it can be applied, and the file is shown where it has changed': async () => {
      write('pace.json', paceOf(0));
      // Looked at far from where it changes.
      await fileTab.click();
      const end = page.locator('.editor-instance .view-line', { hasText: 'best = 100' });
      // The tab has the focus a moment before its text.
      await eventually(async () => {
        await page.keyboard.press('Control+End');
        return end.isVisible();
      }, 'the end is in view');
      await world.showSidebar();
      await card.getByRole('button', { name: /^Apply / }).click();
      await toast('Applied').waitFor();
      await eventually(
        () => !/spare/.test(world.onDisk(FILE)) && /best = 100/.test(world.onDisk(FILE)),
        'the change is in the file',
      );
      await world.mustBeSeen({
        'the lines around the change': page.locator('.editor-instance .view-line', {
          hasText: 'return score > limit230',
        }),
      });
      await checkpoint.getByText(/kept/).waitFor();
      await eventually(
        async () => (await page.locator('.codelens-decoration a', { hasText: /spare/ }).count()) === 0,
        'nothing is offered of it in the file',
      );
      await world.shot('kept');
    },

    'undone in the editor: the checkpoint says so, and offers no commit': async () => {
      await command('Notifications: Clear All Notifications');
      await page.locator('.editor-instance .view-line', { hasText: 'return score > limit230' }).click();
      await page.keyboard.press('Control+Z');
      await checkpoint.getByText(/undone since/).waitFor();
      await checkpoint.scrollIntoViewIfNeeded();
      await world.shot('undone');
      if ((await sidebar.getByRole('button', { name: /^Commit/ }).count()) > 0) throw new Error('A commit is offered.');
      await page.keyboard.press('Control+S');
      await eventually(() => /spare/.test(world.onDisk(FILE)), 'it is saved');
    },
  };
};
