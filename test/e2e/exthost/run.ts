// Entry of the suite inside the extension host: mocha over the tests, the outcome into the file that the runner reads.

import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { defineAgentToolTests } from './agentTools.ts';
import { defineCharterTests } from './charter.ts';
import { defineReportTests } from './reports.ts';
import { defineReviewTests } from './reviews.ts';
import { defineRulesTests } from './rules.ts';
import { defineTests } from './suite.ts';

/** Called by VS Code (extensionTestsPath). Rejects when a test failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'tdd',
    timeout: 240_000,
    bail: false,
    ...(process.env['SELFWARE_TEST_GREP'] ? { grep: process.env['SELFWARE_TEST_GREP'] } : {}),
  });
  mocha.suite.emit('pre-require', globalThis, 'exthost', mocha);
  defineTests();
  defineAgentToolTests();
  defineCharterTests();
  defineReportTests();
  defineRulesTests();
  defineReviewTests();
  const report: { name: string; error: string | null }[] = [];
  const file = process.env['SELFWARE_TEST_REPORT'];
  // After each test: who is ended for taking too long has said what it found by then.
  const tell = (name: string, error: string | null) => {
    report.push({ name, error });
    if (file) writeFileSync(file, JSON.stringify(report));
  };
  const failures = await new Promise<number>((done) => {
    const runner = mocha.run(done);
    runner.on('pass', (test) => tell(test.fullTitle(), null));
    runner.on('fail', (test, error: Error) => tell(test.fullTitle(), error.stack ?? error.message));
  });
  if (file) writeFileSync(`${file}.end`, String(failures));
  if (failures > 0) throw new Error(`${failures} failed`);
}
