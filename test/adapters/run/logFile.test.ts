// The log of a run has a limited size, while several processes keep it open.

import { readFileSync, rmSync, writeSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitLog, useLogFile } from '../../../server/src/adapters/run/logFile.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'selfware-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a log that is too large becomes the old one, and its writers continue at the beginning', () => {
  const path = join(folder, 'made', 'run.log');
  useLogFile(path, (first) =>
    useLogFile(path, (second) => {
      writeSync(first, 'before '.repeat(10));
      limitLog(path, 70);
      expect(readFileSync(path, 'utf8')).toHaveLength(70);
      limitLog(path, 69);
      writeSync(second, 'one ');
      writeSync(first, 'two');
    }),
  );
  expect(readFileSync(path, 'utf8')).toBe('one two');
  expect(readFileSync(`${path}.old`, 'utf8')).toBe('before '.repeat(10));
});

test('a log that is not there is no trouble', () => {
  expect(() => limitLog(join(folder, 'missing.log'))).not.toThrow();
});
