// Entry of the suite inside the extension host: mocha over the tests, the outcome into the file that the runner reads.

import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { defineTests } from './suite.ts';

/** Called by VS Code (extensionTestsPath). Rejects when a test failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: 120_000, bail: false });
  mocha.suite.emit('pre-require', globalThis, 'exthost', mocha);
  defineTests();
  const report: { name: string; error: string | null }[] = [];
  const failures = await new Promise<number>((done) => {
    const runner = mocha.run(done);
    runner.on('pass', (test) => report.push({ name: test.fullTitle(), error: null }));
    runner.on('fail', (test, error: Error) => report.push({ name: test.fullTitle(), error: error.stack ?? error.message }));
  });
  const file = process.env['SELFWARE_TEST_REPORT'];
  if (file) writeFileSync(file, JSON.stringify(report));
  if (failures > 0) throw new Error(`${failures} failed`);
}
