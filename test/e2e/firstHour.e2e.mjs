// A first hour with the extension in a real VS Code: an index that loses its server, the walkthrough, a proposal
// corrected by hand, applied and rolled back, a dismissal, settings, the charter, every theme.
// Usage: node test/e2e/firstHour.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  eventually,
  openBrowser,
  openLightBulb,
  packagedExtension,
  patience,
  play,
  startWorkbench,
  webview,
} from './harness.mjs';
import { files, makeProject, plainFiles } from './project.mjs';
import { createWindow, languageServers, setTheme } from './window.mjs';

const project = makeProject(plainFiles(3000));
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraSettings: { 'security.workspace.trust.startupPrompt': 'always' },
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'first-hour');
const sidebar = webview(page);
const { status, dialog, shot, command, lens, problem, row } = window;
const onDisk = (path) => readFileSync(join(project, path), 'utf8');
const step = (title) => page.locator('.getting-started-step', { hasText: title }).first();
const isDone = async (title) => (await step(title).locator('[role=checkbox][aria-checked=true]').count()) > 0;

const steps = {
  'the workbench is trusted, and the repository is being indexed': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await dialog.filter({ hasText: 'Do you trust the authors' }).waitFor();
    await dialog.getByRole('button', { name: /Yes, I trust/ }).click();
    await status.filter({ hasText: /Indexing [\d,]+ of [\d,]+/ }).waitFor();
  },

  'a language server that is killed in the middle of it comes back, says so, and ends the index': async () => {
    const [pid] = languageServers(workbench.extensions);
    process.kill(pid, 'SIGKILL');
    await page.locator('.statusbar-item', { hasText: 'had stopped and runs again' }).waitFor();
    await shot('server-back');
    await status.filter({ hasText: /points/ }).waitFor();
  },

  'the walkthrough opens on request; what was done is ticked': async () => {
    await command('Selfware: Get Started');
    await step('Open a repository').waitFor();
    await eventually(() => isDone('Open a repository'), 'the first step is done');
    if (await isDone('Review a proposal')) throw new Error('A step is ticked that nobody has done.');
    for (const [title, name] of [
      ['Open a repository', 'open'],
      ['See opportunities', 'see'],
      ['Review a proposal', 'review'],
      ['Approve it, and roll it back', 'rollback'],
      ['Set the charter', 'charter'],
    ]) {
      await step(title).click();
      await page.locator('.getting-started-step.expanded', { hasText: title }).waitFor();
      await eventually(
        async () => (await page.locator('.getting-started-media iframe, .getting-started-media img').count()) > 0,
        'its picture shows',
      );
      await shot(`walkthrough-${name}`);
    }
  },

  'its button opens the sidebar, which ticks the second step': async () => {
    await step('See opportunities').click();
    await page.getByRole('button', { name: 'Show the Sidebar' }).first().click();
    await eventually(() => isDone('See opportunities'), 'the second step is done');
  },

  'the light bulb improves, and a hand corrects the proposal': async () => {
    await window.openFile('src/grade.ts');
    await window.openProblems();
    await problem('round').first().waitFor();
    await window.cursorOn('round');
    await openLightBulb(page, 'Improve');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Improve' }).first().click();
    // Types, tests and mutants run in the meantime.
    await lens('Apply').waitFor({ timeout: patience * 3 });
    await shot('review');
    await page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-line').nth(1).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('// Grades as the school gives them.');
    await page.keyboard.press('Enter');
    await lens('Discard my edits').waitFor();
    await shot('corrected');
  },

  'the review and the correction survive a reload': async () => {
    await window.reload();
    await lens('Discard my edits').waitFor();
    if (onDisk('src/grade.ts') !== files['src/grade.ts']) throw new Error('The file changed before approval.');
  },

  'applied with the correction, and rolled back to the bytes from before': async () => {
    await lens(/Apply/).click();
    // What a hand has changed is verified again first.
    await page
      .locator('.notifications-toasts .notification-list-item', { hasText: 'Applied' })
      .waitFor({ timeout: patience * 3 });
    await eventually(() => /as the school gives them/.test(onDisk('src/grade.ts')), 'the corrected text is on disk');
    if (/round/.test(onDisk('src/grade.ts'))) throw new Error(onDisk('src/grade.ts'));
    // The review, and what the reload has brought back beside it.
    await eventually(async () => (await window.tab('grade.ts').count()) === 1, 'only the file itself is open');
    await shot('applied');
    await window.menu('Roll back');
    await row('Remove unused round').first().waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => onDisk('src/grade.ts') === files['src/grade.ts'], 'the bytes come back');
  },

  'an opportunity is dismissed from the light bulb': async () => {
    await command('Notifications: Clear All Notifications');
    await window.openFile('src/report.ts');
    // A hint: three dots in the editor, and no row of the Problems panel.
    await window.cursorOn('else');
    await openLightBulb(page, 'Dismiss');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Dismiss' }).first().click();
    await row('Not a problem here').first().waitFor();
    await shot('dismiss');
    await row('Not a problem here').first().click();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page
      .locator('.statusbar-item', { hasText: /[Dd]ismissed/ })
      .first()
      .waitFor();
  },

  'a setting takes effect at once': async () => {
    await command('Selfware: Open Settings');
    await page
      .locator('.settings-editor .settings-group-title-label, .settings-editor .setting-item')
      .first()
      .waitFor();
    await shot('settings');
    await window.closeModal();
    await sidebar
      .getByText(/a needless/)
      .first()
      .waitFor();
    mkdirSync(join(project, '.vscode'));
    writeFileSync(
      join(project, '.vscode', 'settings.json'),
      JSON.stringify({ 'selfware.rules.disabled': ['else-after-return'] }),
    );
    await eventually(
      async () => (await sidebar.getByText(/a needless/).count()) === 0,
      'the rule that is switched off is gone from the sidebar',
    );
  },

  'the charter opens as a draft, and nothing is written before it is saved': async () => {
    await command('Selfware: Open the Charter');
    await window.tab('charter.json').waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'protectedPaths' }).first().waitFor();
    await shot('charter');
    await page.keyboard.press('Control+S');
    await eventually(() => /protectedPaths/.test(onDiskOrNull('.selfware/charter.json') ?? ''), 'the charter is saved');
    await eventually(async () => (await page.locator('.tab.dirty').count()) === 0, 'nothing is unsaved');
  },

  'every theme: the sidebar keeps what it shows, and takes the colours': async () => {
    const colours = new Set();
    for (const [label, kind] of [
      ['Light 2026', 'vs'],
      ['Dark 2026', 'vs-dark'],
      ['Default High Contrast', 'hc-black'],
      ['Default High Contrast Light', 'hc-light'],
    ]) {
      await setTheme(workbench, window, label, kind);
      await status.filter({ hasText: /points/ }).waitFor();
      await sidebar
        .getByText(/of [\d,.]+ points/)
        .first()
        .waitFor();
      colours.add(
        await sidebar
          .locator('body')
          .evaluate(
            (body) =>
              getComputedStyle(body).getPropertyValue('--vscode-foreground') +
              getComputedStyle(body).getPropertyValue('--vscode-sideBar-background'),
          ),
      );
      await shot(`sidebar-${kind}`);
    }
    if (colours.size !== 4) throw new Error(`The colours of four themes are ${[...colours].join(', ')}.`);
  },
};

await play(steps, { workbench, browser, project, shot });

function onDiskOrNull(path) {
  try {
    return onDisk(path);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
