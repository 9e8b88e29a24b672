// Runs the mocha suite of exthost/ inside the real extension host, with the installed .vsix as the extension under test.
// Usage: node test/e2e/exthost.e2e.mjs

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { openBrowser, pictures, root, startWorkbench } from './harness.mjs';
import { makeProject } from './project.mjs';

const vsix = process.env.SELFWARE_VSIX ?? join(root, 'dist', `selfware-${process.platform}-${process.arch}.vsix`);
const suite = join(root, 'dist', 'test', 'exthost.cjs');
await build({ absWorkingDir: root, entryPoints: ['test/e2e/exthost/run.ts'], outfile: suite, bundle: true, platform: 'node', format: 'cjs', target: 'node22', external: ['vscode', 'mocha'], logLevel: 'warning' });

const project = makeProject();
const report = join(dirname(project), 'report.json');
const workbench = await startWorkbench({ vsix, workspace: project, env: { SELFWARE_TEST_REPORT: report }, extraArgs: ['--disable-workspace-trust', '--vscode-option', 'enable-smoke-test-driver'] });
const { browser, page } = await openBrowser();

const finished = new Promise((done) => {
  page.exposeFunction('codeAutomationExit', done);
  page.exposeFunction('codeAutomationLog', (type, args) => type === 'error' && console.log('[extension host]', ...args.map((part) => String(part).slice(0, 500))));
});
const remote = (path) => `vscode-remote://${new URL(workbench.base).host}${path}`;
const installed = readdirSync(workbench.extensions).find((name) => name.startsWith('selfware.selfware-'));
const payload = [['extensionDevelopmentPath', remote(join(workbench.extensions, installed))], ['extensionTestsPath', remote(suite)], ['skipWelcome', 'true']];
await page.goto(workbench.url(`&payload=${encodeURIComponent(JSON.stringify(payload))}`), { waitUntil: 'domcontentloaded' });

const limit = 300_000;
const late = new Promise((done) => setTimeout(() => done('too late'), limit).unref());
const code = await Promise.race([finished, late]);
if (code !== 0) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, 'exthost-FAILED.png') });
}
const tests = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [{ name: `the suite runs (exit code ${code})`, error: `It wrote no report within ${limit / 1000} s.` }];
for (const { name, error } of tests) console.log(error === null ? `ok ${name}` : `FAILED ${name}\n${error}`);
await browser.close();
await workbench.stop({ keep: Boolean(process.env.KEEP) });
if (!process.env.KEEP) rmSync(dirname(project), { recursive: true, force: true });
const failed = tests.filter(({ error }) => error !== null).length;
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
