// An unattended run in a real VS Code: the questions with their way back, the run in the background, its end, its
// report, its changes in the review or applied at once, its branch as one commit and as a pull request.
// Usage: node test/e2e/night.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { openBrowser, packagedExtension, patience, play, startWorkbench } from './harness.mjs';
import { files, makeProject } from './project.mjs';
import { createWindow } from './window.mjs';

/** One more flaw, for which a recipe has a proof. */
const markOf = `
/** The mark of a value. */
export function markOf(value: number): string {
  if (value >= 90) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = value >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}
`;
// The run ends after its fourth change.
const project = makeProject({
  '.selfware/charter.json': '{"maxChanges": 4}\n',
  'src/clamp.ts': `${files['src/clamp.ts']}${markOf}`,
});
/** Stands for GitHub's own program, which needs an account; keeps its arguments. */
const bin = mkdtempSync(join(tmpdir(), 'sw-gh-'));
writeFileSync(
  join(bin, 'gh'),
  `#!/bin/sh\necho "$@" > "${bin}/arguments"\ncat > "${bin}/body"\necho https://example.com/pull/1\n`,
);
chmodSync(join(bin, 'gh'), 0o755);
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
  env: { PATH: [bin, process.env.PATH].join(delimiter) },
});
const { browser, page } = await openBrowser();
const { shot, command, toast, tab, onPage, row, status, dialog, quickInput, sidebar, lens } = createWindow(
  page,
  'night',
);
const git = (...args) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
const TITLE = 'Selfware: Run Overnight';
const head = git('rev-parse', 'HEAD');

/** Before the run and after it: HEAD, its branch, the index, and the files. */
const untouched = () => {
  if (git('rev-parse', 'HEAD') !== head || git('branch', '--show-current') !== 'main')
    throw new Error('HEAD has moved.');
  if (git('status', '--porcelain') !== '') throw new Error(`Files have changed:\n${git('status', '--porcelain')}`);
  if (readFileSync(join(project, 'src/grade.ts'), 'utf8') !== files['src/grade.ts'])
    throw new Error('A file has changed.');
};

const steps = {
  'the questions have a way back, and Escape ends them without a run': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /[\d.]+ points/ }).waitFor();
    await command(TITLE);
    await row('Until 07:00').waitFor();
    await shot('until');
    await page.keyboard.press('Enter');
    await row('your setting').waitFor();
    await page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
    await row('Until 07:00').waitFor();
    await page.keyboard.press('Escape');
    await quickInput.waitFor({ state: 'hidden' });
  },

  'a time can be typed; the summary says what happens and what never does': async () => {
    await command(TITLE);
    await row('Another Time').click();
    await page.locator('.quick-input-message', { hasText: 'to confirm your input' }).waitFor();
    await quickInput.fill('soon');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-message', { hasText: 'Type a time of day' }).waitFor();
    await quickInput.fill('30m');
    await page.keyboard.press('Enter');
    await row('your setting').waitFor();
    await page.keyboard.press('Enter');
    await row('Everything').waitFor();
    await shot('scope');
    // A kind of work is ticked, then unticked again.
    for (const isTicked of [true, false]) {
      await row('Only Some Kinds of Work').click();
      await row('missing tests').click();
      await shot(isTicked ? 'kinds' : 'no-kinds');
      await page.locator('.quick-input-action').getByRole('button', { name: 'OK' }).click();
      await row(isTicked ? 'As Chosen' : 'Everything').waitFor();
    }
    await row('Leave Folders Out').click();
    await row('src').first().waitFor();
    await page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
    await row('Everything').waitFor();
    await page.keyboard.press('Enter');
    await row('Recipes Alone').waitFor();
    await shot('whom');
    await page.keyboard.press('Enter');
    await dialog.filter({ hasText: 'Never touched: your files' }).waitFor();
    await dialog.filter({ hasText: 'A change by a recipe: is committed if proven' }).waitFor();
    await shot('summary');
  },

  'it runs in the background, and the sidebar says so': async () => {
    await dialog.getByRole('button', { name: 'Start' }).click();
    await toast('works in the background until').waitFor({ timeout: patience * 2 });
    await command('Selfware: Show Sidebar');
    await sidebar.getByText(/Unattended run: running until/).waitFor();
    await shot('running');
  },

  'its end is told once, with the report': async () => {
    await toast('Last night: 4 changes').waitFor({ timeout: patience * 4 });
    await sidebar.getByText('Last night: 4 changes').waitFor();
    await shot('over');
    await toast('Last night').getByRole('button', { name: 'Show' }).click();
    await tab('Last Night').first().waitFor();
    await onPage('1. ').waitFor();
    await onPage("-import { clamp, round } from './clamp.ts';").waitFor();
    await shot('report');
    untouched();
    if (!git('branch', '--list', 'selfware/night-*')) throw new Error('There is no branch.');
  },

  'one change is taken out from the report, after a question, and the others are verified again': async () => {
    await page
      .locator('.editor-actions, .title-actions')
      .getByRole('button', { name: /Drop the Night's Changes/ })
      .first()
      .click();
    await row('Drop the Whole Night').waitFor();
    await shot('drop');
    await row('Take Out Single Changes').click();
    await row('1. ').first().waitFor();
    await shot('take-out');
    await row('1. ').first().click();
    await page.locator('.quick-input-action').getByRole('button', { name: 'OK' }).click();
    await dialog.filter({ hasText: 'The 3 other changes are checked again' }).waitFor();
    await shot('take-out-question');
    await dialog.getByRole('button', { name: 'Take Out', exact: true }).click();
    await toast('now holds 3 changes').waitFor({ timeout: patience * 2 });
    // The page shows what is left.
    await onPage(/night-[\d-]+: 3 changes$/).waitFor();
    await command('View: Close All Editors');
    await sidebar.getByText('Last night: 3 changes').waitFor();
    untouched();
  },

  'another one is taken into the review from the sidebar, and nothing is written': async () => {
    await sidebar.getByRole('button', { name: /^Take change 1: / }).click();
    await row('Review It').waitFor();
    await shot('take');
    await row('Review It').click();
    await toast('1 change waits for your decision').waitFor();
    await lens('Apply').waitFor();
    await shot('taken');
    untouched();
  },

  'the other two are applied at once, each with a checkpoint': async () => {
    await command("Selfware: Take the Night's Changes");
    await row('2. ').first().waitFor();
    await shot('take-two');
    await page.locator('.quick-input-action').getByRole('button', { name: 'OK' }).click();
    await row('Apply These 2 Now').click();
    await toast(/2 changes|2 of 2/).waitFor({ timeout: patience * 2 });
    await shot('applied-two');
    if (git('diff', '--name-only').split('\n').length < 2) throw new Error('The changes were not applied.');
    if (git('rev-parse', 'HEAD') !== head || git('branch', '--show-current') !== 'main')
      throw new Error('HEAD has moved.');
    git('checkout', '--quiet', '--', '.');
  },

  'the branch is made one commit, after a question': async () => {
    await command("Selfware: Squash the Night's Changes");
    await dialog.filter({ hasText: 'become one commit with the same files' }).waitFor();
    await shot('squash');
    await dialog.getByRole('button', { name: 'Squash', exact: true }).click();
    await toast('is one commit now').waitFor();
    await shot('squashed');
    const [branch] = git('branch', '--list', 'selfware/night-*', '--format=%(refname:short)').split('\n');
    if (git('rev-list', '--count', `main..${branch}`) !== '1') throw new Error('It is not one commit.');
  },

  'a pull request is asked for, after a question: opened with the report, or the missing program is named':
    async () => {
      const remote = mkdtempSync(join(tmpdir(), 'sw-remote-'));
      execFileSync('git', ['init', '--quiet', '--bare', remote]);
      git('remote', 'add', 'origin', remote);
      await command('Selfware: Open a Pull Request for the Night');
      await dialog.filter({ hasText: 'is pushed to your remote' }).waitFor();
      await shot('pull-request');
      await dialog.getByRole('button', { name: 'Push and Open' }).click();
      // The server of VS Code may take the search path of a login shell, where the stand-in is not found.
      const [opened, notFound] = [toast('https://example.com/pull/1'), toast('The GitHub command line')];
      await opened.or(notFound).first().waitFor();
      await shot('pull-request-answer');
      if (await notFound.count()) return;
      await opened.getByRole('button', { name: 'Open in Browser' }).waitFor();
      if (!readFileSync(join(bin, 'body'), 'utf8').includes('## 1. ')) throw new Error('The report is not the body.');
      if (!git('ls-remote', '--heads', 'origin').includes('selfware/night-')) throw new Error('Nothing was pushed.');
    },

  'dropped, its branch is gone, after a question': async () => {
    await command("Selfware: Drop the Night's Changes");
    await dialog.filter({ hasText: 'The branch is deleted' }).waitFor();
    await dialog.getByRole('button', { name: 'Drop', exact: true }).click();
    await toast('is deleted').waitFor();
    if (git('branch', '--list', 'selfware/night-*')) throw new Error('The branch is still there.');
    untouched();
  },
};

await play(steps, { workbench, browser, project, shot });
