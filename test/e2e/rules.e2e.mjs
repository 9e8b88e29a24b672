// Rules and tools in a real VS Code: rules that the repository brings along are read and accepted, a rule of an agent
// is switched on, and a proposed command is rejected.
// Usage: node test/e2e/rules.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, play, root, startWorkbench } from './harness.mjs';
import { makeProject } from './project.mjs';
import { createWindow } from './window.mjs';

const RULE = 'Return early instead of nesting.';
const project = makeProject({
  'AGENTS.md': '# Rules for agents\n\nUse two spaces.\nRun `npm test` before you commit.\n',
  'CLAUDE.md': 'See AGENTS.md.\n',
});
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
});
const { browser, page } = await openBrowser();
const { shot, command, status, dialog, quickInput, sidebar, tab, toast } = createWindow(page, 'rules');

/** What an agent records: without a terminal, the command line speaks for one. */
function cli(...args) {
  const {
    stdout,
    stderr,
    status: code,
  } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args, '--repo', project, '--json'], {
    env: { ...process.env, SELFWARE_HOME: join(workbench.home, 'selfware') },
    encoding: 'utf8',
  });
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim() === '' ? null : JSON.parse(stdout);
}
for (const session of ['one', 'two', 'three'])
  for (const line of ['npm run typecheck', 'npm test'])
    cli('feedback', 'record', 'tool_success', `command:${line}`, '--session', session);
const { version } = cli('rules', 'read', 'CODE');
cli('rules', 'update', 'CODE', '--version', version, '--add', RULE, '--events', '1');

const section = sidebar.locator('#toDecide');
const card = (text) => section.locator('.card', { hasText: text });
const lens = (text) => page.locator('.codelens-decoration a', { hasText: text }).first();
const read = async (path, words) => {
  await card(path)
    .getByRole('button', { name: `Read ${path}` })
    .click();
  // The older text of a file that has changed is closed a moment later.
  await tab(path).first().waitFor();
  await page.locator('.editor-instance .view-line', { hasText: words }).first().waitFor();
};

const steps = {
  'the sidebar lists what waits, with its evidence': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /[\d.]+ points/ }).waitFor();
    await command('Selfware: Show Sidebar');
    await card('AGENTS.md').waitFor();
    await card(RULE).filter({ hasText: 'Feedback, tool success: command:npm run typecheck' }).waitFor();
    await card('Proposed command').filter({ hasText: '$ npm run typecheck && npm test' }).waitFor();
    await section.scrollIntoViewIfNeeded();
    await shot('waiting');
  },

  'a file of rules opens as a text that cannot be edited; only there it can be accepted': async () => {
    if (await card('AGENTS.md').getByRole('button', { name: 'Accept' }).count())
      throw new Error('It can be accepted unread.');
    await read('AGENTS.md', 'Use two spaces.');
    await lens('Accept: models and agents').waitFor();
    await shot('read');
    await page.locator('.editor-instance .view-line', { hasText: 'Use two spaces.' }).first().click();
    await page.keyboard.type('x');
    if (
      await tab('AGENTS.md')
        .filter({ has: page.locator('.dirty') })
        .count()
    )
      throw new Error('It can be edited.');
  },

  'a text that has changed since it was opened is not accepted: the new one is shown, and no notice stays':
    async () => {
      writeFileSync(join(project, 'AGENTS.md'), 'Use tabs.\n');
      await lens('Accept: models and agents').click();
      await page.locator('.editor-instance .view-line', { hasText: 'Use tabs.' }).first().waitFor();
      await page.locator('.statusbar').getByText('AGENTS.md has changed since it was shown.').waitFor();
      await shot('stale');
      if (await toast('has changed').count()) throw new Error('A notice is shown.');
      await card('AGENTS.md').waitFor();
      await eventually(async () => (await tab('AGENTS.md').count()) === 1, 'the older text is closed');
      await command('Selfware: Accept Rules');
      await card('AGENTS.md').waitFor({ state: 'detached' });
      await eventually(async () => (await tab('AGENTS.md').count()) === 0, 'no text of it is open');
      if (cli('rules', 'list').length !== 1) throw new Error('Another rule was written.');
    },

  'another file is kept off': async () => {
    await card('CLAUDE.md').getByRole('button', { name: 'Keep Off' }).click();
    await card('CLAUDE.md').waitFor({ state: 'detached' });
  },

  'a rule of an agent is switched on by the keyboard': async () => {
    await card(RULE).getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Enter');
    await card(RULE).waitFor({ state: 'detached' });
    if (cli('rules', 'list')[0].state !== 'on') throw new Error('The rule is not on.');
  },

  'the command is rejected with a reason; with nothing left, the section is gone': async () => {
    await card('Proposed command').getByRole('button', { name: 'Reject' }).click();
    await quickInput.waitFor();
    await quickInput.fill('We use make.');
    await page.keyboard.press('Enter');
    await section.waitFor({ state: 'detached' });
    if (await dialog.count()) throw new Error('A dialog is open.');
    await shot('over');
    if (cli('inbox', 'list').open?.length) throw new Error('It still waits.');
  },
};

await play(steps, { workbench, browser, project, shot });
