// The pictures of the README, made by playing the main path in a real VS Code: media/review.gif, and review and sidebar
// in light, dark and high contrast.
// Usage: npm test -- --lane pictures   (KEEP=1 keeps the temporary folders; MEDIA names another folder than media/)

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, openBrowser, packagedExtension, play, root, startWorkbench, webview } from './harness.mjs';
import { makeShop, shopFiles } from './shop.mjs';
import { createWindow, setTheme } from './window.mjs';

const recording = join(dirname(fileURLToPath(import.meta.url)), 'recording');
if (!existsSync(join(recording, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: recording,
    stdio: ['ignore', 2, 2],
  });
const { createRecorder, pointAndClick } = await import('./recording/recorder.mjs');

const media = process.env.MEDIA ?? join(root, 'media');
mkdirSync(media, { recursive: true });
/** GitHub and the Marketplace show a page at about this width: text is read as it was drawn. */
const size = { width: 1200, height: 740 };
const themes = [
  ['Light 2026', 'vs', 'light'],
  ['Default High Contrast', 'hc-black', 'contrast'],
  ['Dark 2026', 'vs-dark', 'dark'],
];

const project = makeShop();
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
  extraSettings: {
    'workbench.colorTheme': 'Dark 2026',
    // Quiet by default, and the change that the recording shows.
    'selfware.analysis.rules': { 'work-in-loop': 'hint' },
    'workbench.layoutControl.enabled': false,
    'git.blame.statusBarItem.enabled': false,
    'editor.lineNumbers': 'on',
    'breadcrumbs.enabled': false,
  },
});
const { browser, page } = await openBrowser();
await page.setViewportSize(size);
const window = createWindow(page, 'pictures');
const { status, shot, command, lens, tab, toast } = window;
const sidebar = webview(page);
const recorder = createRecorder(page);
const onDisk = (path) => readFileSync(join(project, path), 'utf8');
const changed = 'src/customers.ts';
const title = /^Improve: .*bestCustomers/;

const steps = {
  'the repository is indexed and analysed': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await status.filter({ hasText: /points/ }).waitFor();
    await command('Selfware: Focus on Overview View');
    await sidebar.getByRole('button', { name: title }).first().waitFor({ state: 'attached' });
    // Who works down the list.
    await sidebar.locator('#checkpoints summary').scrollIntoViewIfNeeded();
    await page.mouse.move(size.width / 2, size.height / 2);
  },

  'recorded: an opportunity of the sidebar is improved, and its review opens': async () => {
    recorder.start();
    await recorder.hold(1400);
    await pointAndClick(page, sidebar.getByRole('button', { name: title }).first());
    await recorder.waitFor(lens('Apply').waitFor());
    await recorder.waitFor(
      eventually(async () => (await toast('Improve').count()) === 0, 'the progress notification goes'),
    );
    await recorder.hold(2600);
  },

  'recorded: the verdicts of the gates, and it is applied': async () => {
    await pointAndClick(page, lens(/^(Proven|Tested|Checked|Unchecked)$/));
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'types' }).first().waitFor();
    await recorder.hold(2600);
    await page.keyboard.press('Escape');
    await pointAndClick(page, lens('Apply'));
    await recorder.waitFor(toast('Applied').waitFor());
    await tab('· customers.ts').waitFor({ state: 'detached' });
    await eventually(() => onDisk(changed) !== shopFiles[changed], 'the file changes on disk');
    await recorder.hold(2200);
  },

  'recorded: it is rolled back to the bytes from before': async () => {
    await pointAndClick(page, toast('Applied').getByRole('button', { name: 'Roll Back' }));
    await recorder.waitFor(toast('Rolled back').waitFor());
    await eventually(() => onDisk(changed) === shopFiles[changed], 'the bytes come back');
    await recorder.hold(2400);
    const told = await recorder.write(join(media, 'review.gif'));
    console.log(
      `   recording: ${told.seconds.toFixed(1)} s, ${told.frames} frames, ${(told.bytes / 1e6).toFixed(2)} MB`,
    );
    if (told.bytes > 3e6 || told.seconds < 12 || told.seconds > 20)
      throw new Error('A recording takes 12 to 20 s and 3 MB at most.');
  },

  'pictures of review and sidebar in three themes': async () => {
    await command('Notifications: Clear All Notifications');
    await sidebar
      .getByRole('button', { name: /^Improve: .*never read/ })
      .first()
      .click();
    await lens('Apply').waitFor();
    for (const [label, kind, name] of themes) {
      await setTheme(workbench, window, label, kind);
      await lens('Apply').waitFor();
      await sidebar
        .getByRole('button', { name: /^Review / })
        .first()
        .waitFor();
      await eventually(
        async () => (await page.locator('.notifications-toasts .notification-list-item').count()) === 0,
        'no notification is in the way',
      );
      await page.screenshot({ path: join(media, `review-${name}.png`) });
      await page.setViewportSize({ ...size, height: 1000 });
      await page.locator('.part.sidebar').screenshot({ path: join(media, `sidebar-${name}.png`) });
      await page.setViewportSize(size);
    }
  },
};

await play(steps, { workbench, browser, project, shot });
