// Proposals that change several files, in a real VS Code: one diff of all of them, a file or a hunk of them alone,
// applied and rolled back.
// Usage: node test/e2e/severalFiles.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, patience, play, startWorkbench, webview } from './harness.mjs';
import { proposeByCommandLine, quoted } from './commandLine.mjs';
import { makeProject, reviewFiles } from './project.mjs';
import { createWindow } from './window.mjs';

const project = makeProject(reviewFiles);
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'several-files');
const { shot, command, lens, toast, tab, row, status } = window;
const onDisk = (path) => readFileSync(join(project, path), 'utf8');
const changed = () =>
  Object.keys(reviewFiles)
    .filter((path) => onDisk(path) !== reviewFiles[path])
    .sort()
    .join();
const mustBeUntouched = () => {
  if (changed() !== '') throw new Error(`Written: ${changed()}`);
};
/** Changes of which each holds alone. */
const unused = (path) => ({ file: path, search: 'import { clamp, round }', replace: 'import { clamp }' });
const both = {
  title: 'Read no more than is needed',
  edits: [
    unused('src/level.ts'),
    { file: 'src/level.ts', search: 'value >= step', replace: 'step <= value' },
    unused('src/gone.ts'),
  ],
};
const whole = { title: 'Import what is used', edits: [unused('src/kept.ts'), unused('src/moved.ts')] };

const steps = {
  'a proposal that was made on the command line is one diff of its files': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /points/ }).waitFor();
    proposeByCommandLine(workbench, project, both);
    await review(both);
    for (const name of ['level.ts', 'gone.ts'])
      await page.locator('.multiDiffEditor', { hasText: name }).first().waitFor();
    await lens('Apply file').waitFor();
    await shot('review');
    mustBeUntouched();
  },

  'a file is skipped, and taken in again': async () => {
    await lens('Skip file').click();
    await lens('Apply all but 2 skipped').waitFor();
    await shot('file-skipped');
    await lens('Include file').click();
    await lens('Apply all but').waitFor({ state: 'detached' });
  },

  'a hunk is skipped by the keyboard, and taken in again': async () => {
    await page.locator('.multiDiffEditor .modified .view-line span span', { hasText: 'clamp' }).first().click();
    await page.keyboard.press('Shift+Alt+Enter');
    await lens('Apply all but 1 skipped').waitFor();
    await page.keyboard.press('Shift+Alt+Enter');
    await lens('Apply all but').waitFor({ state: 'detached' });
  },

  'one file is applied without the other, and rolled back': async () => {
    await lens('Apply file').click();
    await applied('src/level.ts');
    await shot('file-applied');
    await rollBack();
  },

  'the rest that waits is rejected': async () => {
    await page.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
    const reject = webview(page).getByRole('button', { name: /^Reject / });
    await reject.first().waitFor();
    for (let left = await reject.count(); left > 0; left = await reject.count()) {
      await reject.first().click();
      await row('The change is wrong').first().waitFor();
      await page.keyboard.press('Enter');
      await eventually(async () => (await reject.count()) < left, 'one less waits');
    }
    await command('Notifications: Clear All Notifications');
  },

  'all files are applied, and rolled back': async () => {
    proposeByCommandLine(workbench, project, whole);
    await review(whole);
    await lens('Apply all').click();
    await applied('src/kept.ts,src/moved.ts');
    await tab(`${quoted(whole.title)} · Selfware`).waitFor({ state: 'detached' });
    await shot('applied');
    await rollBack();
  },
};

await play(steps, { workbench, browser, project, shot });

/** The only one that waits opens at once. */
async function review({ title: words }) {
  const title = quoted(words);
  await command('Selfware: Review Proposal');
  await tab(`${title} · Selfware`).or(row(title)).first().waitFor();
  if (await row(title).count()) await row(title).first().click();
  await tab(`${title} · Selfware`).waitFor();
  await lens('Apply all').waitFor();
}

async function applied(paths) {
  await toast('Applied').waitFor({ timeout: patience * 2 });
  await eventually(() => changed() === paths, `${paths} hold the change, and nothing else`);
}

async function rollBack() {
  await toast('Applied').getByRole('button', { name: 'Roll Back' }).click();
  await eventually(() => changed() === '', 'all files are as before');
  await command('Notifications: Clear All Notifications');
}
