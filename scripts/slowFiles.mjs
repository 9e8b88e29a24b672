// Writes test/helpers/slowFiles.json, the order in which slow test files are started, from the reports of the last `npm
// test`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/** Minimum duration of a listed file, in milliseconds. The order of faster files hardly changes the total time. */
const SLOW_MS = 5_000;

const reports = ['unit', 'redteam'].map((lane) => join(root, 'test', 'output', `vitest-${lane}.json`));
const missingReports = reports.filter((path) => !existsSync(path));
if (missingReports.length > 0) {
  console.error(`There is no ${missingReports.join(', ')}. Run \`npm test\` first.`);
  process.exit(2);
}
const slowFiles = reports
  .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).testResults)
  .map(({ name, startTime, endTime }) => ({
    path: relative(root, name).replaceAll('\\', '/'),
    ms: endTime - startTime,
  }))
  .filter(({ ms }) => ms >= SLOW_MS)
  .sort((left, right) => right.ms - left.ms);
writeFileSync(
  join(root, 'test', 'helpers', 'slowFiles.json'),
  `${JSON.stringify(
    slowFiles.map(({ path }) => path),
    null,
    2,
  )}\n`,
);
