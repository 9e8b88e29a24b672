// Runs the mocha suite of exthost/ inside the real extension host, with the installed .vsix as the extension under
// test.
// Usage: node test/e2e/exthost.e2e.mjs   (SELFWARE_TEST_GREP runs some of them, EXTHOST_SECONDS is the limit)

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { eventually, openBrowser, packagedExtension, pictures, root, startWorkbench } from './harness.mjs';
import { makeProject, reviewFiles } from './project.mjs';

const vsix = packagedExtension();
const suite = join(root, 'dist', 'test', 'exthost.cjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/e2e/exthost/run.ts'],
  outfile: suite,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'mocha'],
  logLevel: 'warning',
});

/**
 * Tells the page when the tests are over. The oldest VS Code is served by a code-server that cannot be asked for it:
 * there the report tells.
 */
const driver = process.env.SELFWARE_E2E_HOST === 'oldest' ? [] : ['--vscode-option', 'enable-smoke-test-driver'];
const project = makeProject(reviewFiles);
const report = join(dirname(project), 'report.json');
const workbench = await startWorkbench({
  vsix,
  workspace: project,
  env: {
    SELFWARE_TEST_REPORT: report,
    ...(process.env.SELFWARE_TEST_GREP ? { SELFWARE_TEST_GREP: process.env.SELFWARE_TEST_GREP } : {}),
  },
  extraArgs: ['--disable-workspace-trust', ...driver],
});
const { browser, page } = await openBrowser();

/** Errors of the whole workbench, most of them not ours: each told once. */
const errors = new Set();
const finished = new Promise((done) => {
  page.exposeFunction('codeAutomationExit', done);
  page.exposeFunction('codeAutomationLog', (type, args) => {
    const text = args.map((part) => String(part).slice(0, 500)).join(' ');
    if (type !== 'error' || errors.has(text)) return;
    errors.add(text);
    console.log('[extension host]', text);
  });
});
const remote = (path) => `vscode-remote://${new URL(workbench.base).host}${path}`;
const installed = readdirSync(workbench.extensions).find((name) => name.startsWith('selfware.selfware-'));
const payload = [
  ['extensionDevelopmentPath', remote(join(workbench.extensions, installed))],
  ['extensionTestsPath', remote(suite)],
  ['skipWelcome', 'true'],
];
await page.goto(workbench.url(`&payload=${encodeURIComponent(JSON.stringify(payload))}`), {
  waitUntil: 'domcontentloaded',
});

const limit = Number(process.env.EXTHOST_SECONDS ?? 480) * 1000;
const late = new Promise((done) => setTimeout(() => done('too late'), limit).unref());
const ended = eventually(() => existsSync(`${report}.end`), 'the suite ends', limit).then(
  () => Number(readFileSync(`${report}.end`, 'utf8')),
  () => 'too late',
);
const code = await Promise.race([finished, ended, late]);
if (code !== 0) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, 'exthost-FAILED.png') });
}
const tests = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
if (tests.length === 0 || code === 'too late')
  tests.push({ name: `the suite runs to its end (exit code ${code})`, error: `It did not within ${limit / 1000} s.` });
for (const { name, error } of tests) console.log(error === null ? `ok ${name}` : `FAILED ${name}\n${error}`);
if (tests.some(({ error }) => error !== null))
  for (const path of workbench.logs())
    console.log(`--- ${path}\n${readFileSync(path, 'utf8').split('\n').slice(-25).join('\n')}`);
await browser.close();
await workbench.stop({ keep: Boolean(process.env.KEEP) });
if (!process.env.KEEP) rmSync(dirname(project), { recursive: true, force: true });
const failed = tests.filter(({ error }) => error !== null).length;
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
