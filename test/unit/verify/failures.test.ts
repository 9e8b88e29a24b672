// Why a test failed, by what real runners say of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyFailure, showsDefect, type FailureKind } from '../../../server/src/core/verify/claims/failures.ts';
import { parseTestReport, type ReportFormat } from '../../../server/src/core/verify/parse/testReport.ts';

test.each<[said: string, kind: FailureKind]>([
  ['AssertionError: expected NaN to be +0 // Object.is equality', 'assertion'],
  ['Error: expect(received).toBe(expected)\n\nExpected: 0\nReceived: NaN', 'assertion'],
  ['Expected values to be strictly equal:\n\nNaN !== 0', 'assertion'],
  ['assert 1 == 2\n +  where 1 = f()', 'assertion'],
  ["TypeError: Cannot read properties of null (reading 'buffer')", 'error'],
  ['TypeError: mean is not a function', 'error'],
  ['RangeError: Maximum call stack size exceeded', 'error'],
  ['ZeroDivisionError: division by zero', 'error'],
  ['TypeError: (0 , __vite_ssr_import_1__.median) is not a function', 'loading'],
  ['ReferenceError: median is not defined', 'loading'],
  ["AttributeError: module 'm' has no attribute 'median'", 'loading'],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module './median.js'", 'loading'],
  ["SyntaxError: The requested module './mean.js' does not provide an export named 'median'", 'loading'],
  ["ImportError: cannot import name 'median' from 'm'", 'loading'],
  ['Error: Test timed out in 5000ms.', 'time'],
  ['test timed out after 200ms', 'time'],
  ['Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called', 'time'],
  ['', 'unknown'],
  ['boom', 'unknown'],
])('%s', (said, kind) => {
  expect(classifyFailure(said, (name) => name === 'mean')).toBe(kind);
});

test.each<[file: string, format: ReportFormat, said: RegExp]>([
  ['node-report.xml', 'junit', /AssertionError|ERR_/],
  ['vitest-report.json', 'jest', /AssertionError/],
  ['mocha-report.json', 'mocha', /AssertionError|Error/],
])('%s says how its tests failed', (file, format, said) => {
  const text = readFileSync(join(import.meta.dirname, '../../fixtures/verify/output', file), 'utf8');
  const cases = parseTestReport(text, format)?.cases ?? [];
  const failures = cases.filter(({ outcome }) => outcome === 'failed').map(({ failure = '' }) => failure);
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.some((failure) => said.test(failure))).toBe(true);
  expect(cases.filter(({ outcome }) => outcome === 'passed').every(({ failure }) => failure === undefined)).toBe(true);
});

test.each([
  ['AssertionError: expected 1 to be 2', true],
  ['TypeError: x.map is not a function', true],
  ['TypeError: fetch failed', false],
  ['Error: connect ECONNREFUSED 127.0.0.1:6379', false],
  ['Error: getaddrinfo ENOTFOUND example.org', false],
  ['Error: spawn chrome ENOENT', false],
  ['Error: Test timed out in 5000ms.', false],
  ["Error: Cannot find module './missing.js'", false],
  ['', false],
])('a defect of the code, or what is around it: %j', (failure, defect) => {
  expect(showsDefect(failure)).toBe(defect);
});
