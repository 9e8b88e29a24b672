// Reviews in a real VS Code, as a person sees them: why, evidence, edits by hand that survive a reload, reasons,
// Refactor Preview.
// Usage: node test/e2e/review.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, patience, play, startWorkbench } from './harness.mjs';
import { makeProject, reviewFiles } from './project.mjs';
import { createWindow } from './window.mjs';

const project = makeProject(reviewFiles);
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'review');
const { shot, command, lens, toast, tab, row, quickInput, status } = window;
const onDisk = (path) => readFileSync(join(project, path), 'utf8');
const preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
const right = page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor');
const quiet = () => eventually(async () => (await toast('Improve').count()) === 0, 'the progress notification goes');

const steps = {
  'a file is improved from the Explorer': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /points/ }).waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'src' }).first().click();
    await window.contextMenu(
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'level.ts' }),
      'Improve This',
    );
    await lens('Apply').waitFor();
    await quiet();
    await shot('review');
  },

  'the right side can be edited, and the real file stays as it is': async () => {
    await right.locator('.view-line span span', { hasText: /level/ }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' // mine');
    await lens('Apply with my edits').waitFor();
    await lens('Discard my edits').waitFor();
    await shot('edited');
    if (/mine/.test(onDisk('src/level.ts'))) throw new Error(onDisk('src/level.ts'));
  },

  'what was typed survives a reload in the middle of the review': async () => {
    await page.keyboard.press('Control+S');
    await page.locator('.tabs-container .tab.dirty', { hasText: 'level.ts' }).waitFor({ state: 'detached' });
    await window.reload();
    await lens('Apply with my edits').waitFor();
    await right.locator('.view-line', { hasText: '// mine' }).first().waitFor();
    await shot('reloaded');
  },

  'why: a hover at the hunk, by the keyboard alone': async () => {
    const why = page.locator('.monaco-hover:visible', { hasText: 'checks passed' }).first();
    await lens('Why?').click();
    await why.waitFor();
    await shot('why');
    await page.keyboard.press('Escape');
  },

  'evidence opens beside the diff: gates, points by category, provenance': async () => {
    await right.locator('.view-line').first().click();
    await page.keyboard.press('Alt+F7');
    await preview.getByRole('heading', { name: 'Checks' }).waitFor();
    await preview.getByText('Code quality').first().waitFor();
    await preview.getByText(/Recipe remove-unused/).waitFor();
    await lens('Apply').waitFor();
    await shot('evidence');
    await command('View: Close All Editors in Group');
  },

  'applied with the edit, as it stands': async () => {
    await lens('Apply with my edits').click();
    await toast('Applied').waitFor();
    await eventually(
      () => /mine/.test(onDisk('src/level.ts')) && !/round/.test(onDisk('src/level.ts')),
      'the file holds the change and the edit',
    );
    await tab('· level.ts').waitFor({ state: 'detached' });
    await shot('applied');
    await command('Notifications: Clear All Notifications');
  },

  'the buttons of the title reject, for a reason that is chosen or typed': async () => {
    await window.contextMenu(
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'undone.ts' }),
      'Improve This',
    );
    await lens('Apply').waitFor();
    await quiet();
    await page
      .locator(
        '.editor-actions .action-label[aria-label^="Reject"], .title-actions .action-label[aria-label^="Reject"]',
      )
      .first()
      .click();
    await row('The change is wrong').first().waitFor();
    await shot('reject');
    await quickInput.fill('We keep them apart.');
    await row('In your own words').first().waitFor();
    await page.keyboard.press('Enter');
    await toast('Rejected').waitFor();
    await tab('· undone.ts').waitFor({ state: 'detached' });
    if (onDisk('src/undone.ts') !== reviewFiles['src/undone.ts']) throw new Error('A rejected proposal was written.');
    await command('Notifications: Clear All Notifications');
  },

  'all that waits, in the Refactor Preview; what is ticked is all that is written': async () => {
    await command('Selfware: Fix All Safe');
    // Six proposals, verified one after the other.
    await toast(/proposals? waits?/).waitFor({ timeout: patience * 4 });
    await command('Selfware: Review All in Refactor Preview');
    const pane = page.locator('.refactor-preview, .bulk-edit-panel').first();
    await pane.locator('.monaco-list-row', { hasText: 'gone.ts' }).first().waitFor();
    await shot('refactor-preview');
    await pane
      .locator('.monaco-list-row', { hasText: 'gone.ts' })
      .locator('input[type=checkbox], .monaco-checkbox')
      .first()
      .click();
    await shot('ticked');
    await page.getByRole('button', { name: 'Apply', exact: true }).first().click();
    await toast('Applied:').waitFor();
    await eventually(() => !/round/.test(onDisk('src/gone.ts').split('\n')[0]), 'what was ticked is applied');
    for (const path of ['src/moved.ts', 'src/kept.ts', 'src/agents.ts'])
      if (onDisk(path) !== reviewFiles[path]) throw new Error(`${path} was not ticked, and was written.`);
    await shot('batch-applied');
  },
};

await play(steps, { workbench, browser, project, shot });
