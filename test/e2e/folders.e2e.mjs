// Several folders in one window, in a real VS Code: which one is shown, which one a command means, what waits in the
// others, and Stop for all of them.
// Usage: node test/e2e/folders.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually, openBrowser, packagedExtension, patience, play, startWorkbench } from './harness.mjs';
import { files, makeProject } from './project.mjs';
import { makeShop, shopFiles } from './shop.mjs';
import { proposeByCommandLine, quoted } from './commandLine.mjs';
import { createWindow } from './window.mjs';

const [grades, shop] = [makeProject(), makeShop()];
const workspace = join(dirname(grades), 'both.code-workspace');
writeFileSync(workspace, JSON.stringify({ folders: [{ path: grades }, { path: shop }] }));
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace,
  extraArgs: ['--disable-workspace-trust'],
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'folders');
const { shot, command, lens, toast, tab, row, status, sidebar, quickInput } = window;
const inShop = (path) => readFileSync(join(shop, path), 'utf8');
const opportunities = sidebar.getByRole('list', { name: 'Opportunities' });
const folderChoice = sidebar.getByRole('combobox', { name: 'Workspace folder' });
const brought = {
  title: 'Import what is used',
  edits: [
    { file: 'src/discount.ts', search: 'orders > 100', replace: '100 < orders' },
    { file: 'src/stock.ts', search: 'let left', replace: 'const left' },
  ],
};

const steps = {
  'the first folder is shown, by its name; the Problems panel has what is in both': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /grades: [\d.]+ points/ }).waitFor();
    await window.openProblems();
    await window.openFile('src/grade.ts');
    await window.openFile('src/stock.ts');
    await window.problem('round').first().waitFor();
    await window.problem('parse').first().waitFor();
    await shot('problems-of-both');
  },

  'the sidebar names the folder that it is about, and shows another one when it is chosen there': async () => {
    await page.locator('.activitybar .action-label[aria-label^="Selfware"]').click();
    await opportunities
      .getByRole('button', { name: /grade\.ts/ })
      .first()
      .waitFor();
    await shot('sidebar-first');
    await folderChoice.selectOption(pathToFileURL(shop).href);
    await opportunities
      .getByRole('button', { name: /stock\.ts/ })
      .first()
      .waitFor();
    if (await opportunities.getByRole('button', { name: /grade\.ts/ }).count())
      throw new Error('The list has what lies in another folder.');
    await status.filter({ hasText: /shop: [\d.]+ points/ }).waitFor();
    await shot('sidebar-other');
  },

  'Improve from the palette asks which folder, that of the open file first; Escape does nothing': async () => {
    await tab('grade.ts').first().click();
    await page.locator('.tabs-container .tab.active', { hasText: 'grade.ts' }).waitFor();
    await command('Selfware: Improve');
    await page.locator('.quick-input-title', { hasText: 'Improve' }).waitFor();
    await row('shown now').waitFor();
    const [first] = await page.locator('.quick-input-widget .monaco-list-row .label-name').allInnerTexts();
    if (first !== 'grades') throw new Error(`The first one is ${first}.`);
    await shot('which-folder');
    await page.keyboard.press('Escape');
    await quickInput.waitFor({ state: 'hidden' });
    if (await page.locator('.monaco-diff-editor').count()) throw new Error('It improves all the same.');
    await status.filter({ hasText: /shop: / }).waitFor();
  },

  'what is chosen there is improved, and is what the window shows from then on': async () => {
    await command('Selfware: Improve');
    await page.locator('.quick-input-title', { hasText: 'Improve' }).waitFor();
    await row('/grades').first().click();
    await lens('Apply').waitFor({ timeout: patience * 3 });
    await status.filter({ hasText: /grades: / }).waitFor();
    await eventually(async () => (await toast('Improve').count()) === 0, 'the progress notification goes');
    await shot('improved');
  },

  'a proposal of another folder is found from here, and opening it changes the folder': async () => {
    await sidebar
      .getByRole('button', { name: /^Review / })
      .first()
      .waitFor();
    proposeByCommandLine(workbench, shop, brought);
    await page.keyboard.press('Escape');
    // Written by another process: looked at when something asks.
    await command('Selfware: Review Proposal');
    await row('1 decision waits there').waitFor();
    await shot('waits-in-the-other');
    await row('1 decision waits there').click();
    await tab(`${quoted(brought.title)} · Selfware`).waitFor();
    await status.filter({ hasText: /shop: / }).waitFor();
    await lens('Apply').waitFor();
  },

  'applied it changes that folder, and the button of its message takes that change back': async () => {
    await lens('Apply').click();
    await toast('Applied').waitFor({ timeout: patience * 2 });
    await eventually(
      () => inShop('src/stock.ts') !== shopFiles['src/stock.ts'],
      'the file of the other folder changes',
    );
    if (readFileSync(join(grades, 'src/grade.ts'), 'utf8') !== files['src/grade.ts'])
      throw new Error('A file of the first folder changes.');
    await shot('applied');
    await toast('Applied').getByRole('button', { name: 'Roll Back' }).click();
    await eventually(
      () =>
        inShop('src/stock.ts') === shopFiles['src/stock.ts'] &&
        inShop('src/discount.ts') === shopFiles['src/discount.ts'],
      'both files are as before',
    );
    await command('Notifications: Clear All Notifications');
  },

  'Stop stops all folders, and each says so': async () => {
    await command('Selfware: Stop');
    await status.filter({ hasText: /shop: .*stopped/ }).waitFor();
    await folderChoice.selectOption(pathToFileURL(grades).href);
    await status.filter({ hasText: /grades: .*stopped/ }).waitFor();
    await shot('stopped');
    await sidebar.getByRole('button', { name: 'Resume' }).click();
    await status.filter({ hasText: 'stopped' }).waitFor({ state: 'detached' });
  },

  'the set-up of both is one page': async () => {
    await command('Selfware: Check the Set-Up');
    await tab('The Set-Up').waitFor();
    const has = async (name) =>
      (
        await Promise.all(
          page.frames().map((frame) =>
            frame
              .locator('h2', { hasText: name })
              .count()
              .catch(() => 0),
          ),
        )
      ).some((count) => count > 0);
    await eventually(async () => (await has('grades')) && (await has('shop')), 'both folders have a section');
    await shot('set-up');
  },
};

await play(steps, { workbench, browser, project: grades, shot });
rmSync(dirname(shop), { recursive: true, force: true });
