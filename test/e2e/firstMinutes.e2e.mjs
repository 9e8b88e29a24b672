// The first minutes in a real VS Code: nothing unasked, indexing that is counted, paused, reloaded and killed, and how
// long activation takes.
// Usage: node test/e2e/firstMinutes.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { readFileSync } from 'node:fs';
import { eventually, openBrowser, packagedExtension, play, startWorkbench } from './harness.mjs';
import { makeEmptyExtension } from './emptyExtension.mjs';
import { makeProject, plainFiles } from './project.mjs';
import { counts, createWindow, languageServers, watchTexts } from './window.mjs';

const project = makeProject(plainFiles(12_000));
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  peers: [makeEmptyExtension('Empty Peer')],
  workspace: project,
  extraSettings: { 'security.workspace.trust.startupPrompt': 'always' },
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'first-minutes');
const { status, dialog, shot } = window;
const server = () => languageServers(workbench.extensions);
let watched;

const steps = {
  'nothing is asked for: no notification, no webview, and indexing is counted in the status bar': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await dialog.filter({ hasText: 'Do you trust the authors' }).waitFor();
    await dialog.getByRole('button', { name: /Yes, I trust/ }).click();
    watched = watchTexts(status);
    await status.filter({ hasText: /Indexing [\d,]+ of [\d,]+/ }).waitFor();
    await shot('indexing');
    if (await page.locator('.notifications-toasts .notification-list-item', { hasText: 'Selfware' }).count())
      throw new Error('A notification came unasked.');
    if (await page.locator('iframe.webview').count()) throw new Error('A webview opened unasked.');
  },

  'indexing is paused from the menu of the status bar, and resumed': async () => {
    await pause();
    await shot('paused');
    await window.menu('Resume indexing');
    await status.filter({ hasText: /Indexing [\d,]+ of [\d,]+/ }).waitFor();
  },

  'it goes on after a reload': async () => {
    // Paused, so that there is work left when the window is back, however fast the machine is.
    await pause();
    const [before, total] = rising(await watched.stop()).at(-1);
    await window.reload();
    watched = watchTexts(status);
    await eventually(
      () => watched.texts.some((text) => /Finishing the index|Analysing|points/.test(text)),
      'indexing comes to its end',
    );
    const after = rising(watched.texts);
    console.log(
      `   counts before the reload: ${before} of ${total}, after it: ${after.map(([done]) => done).join(', ')}`,
    );
    if (after.length === 0) throw new Error('No count was seen after the reload.');
    if (after.some(([done]) => done < before)) throw new Error('What was indexed before the reload is indexed again.');
  },

  'a killed language server comes back and says so, and goes on': async () => {
    const [pid] = server();
    process.kill(pid, 'SIGKILL');
    await page.locator('.statusbar-item', { hasText: 'had stopped and runs again' }).waitFor();
    await shot('server-back');
    await eventually(() => server().length === 1 && server()[0] !== pid, 'another language server runs');
    await status.filter({ hasText: /points/ }).waitFor();
    const said = counts(await watched.stop());
    if (said.some(([done, total]) => done > total))
      throw new Error(`More is done than there is: ${JSON.stringify(said)}`);
  },

  'activation is short': async () => {
    const [millis, floor] = await window.activationMillis(['Selfware', 'Empty Peer']);
    const own = workbench
      .logs()
      .filter((path) => path.endsWith('Selfware.log'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/Activated in .*/g)].map(([line]) => line));
    console.log(
      `   activation, as VS Code says: ${millis} ms, and ${floor} ms of an extension that does nothing${own.map((line) => `; as we say: ${line}`).join('')} (goal: 50 ms)`,
    );
    if (Number.isNaN(millis) || Number.isNaN(floor)) throw new Error(`VS Code tells no time: ${millis}, ${floor}`);
  },
};

await play(steps, { workbench, browser, project, shot });

async function pause() {
  await window.menu('Pause indexing');
  await status.filter({ hasText: 'Indexing paused' }).waitFor();
}

/** Counts of one pass. Throws where they go back. */
function rising(texts) {
  const list = counts(texts);
  if (list.some(([done], at) => at > 0 && done < list[at - 1][0]))
    throw new Error(`The count goes back: ${JSON.stringify(list)}`);
  return list;
}
