// Runs the tests and the type check of a repository in its folder, as a person would, without our sandbox.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findWordsToRun, type DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import { describeProject, DETECTION_FILES } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { detectTypes } from '../../../server/src/core/verify/detect/typesCommand.ts';
import { parseTestOutput } from '../../../server/src/core/verify/parse/testOutput.ts';

/** The result of a check. */
export interface Checked {
  /** Null if the check was ended after the limit. */
  readonly exitCode: number | null;
  readonly seconds: number;
  /** Numbers of tests; null if they could not be read from the output. */
  readonly passed: number | null;
  readonly failed: number | null;
}

/** The results of both checks; null if the repository has no such check. */
export interface OwnChecks {
  readonly tests: Checked | null;
  readonly types: Checked | null;
}

const LIMIT_MS = 600_000;

/** Runs both checks, one after the other. */
export async function runOwnChecks(dir: string, signal: AbortSignal): Promise<OwnChecks> {
  const readText = (path: string) => (existsSync(join(dir, path)) ? readFileSync(join(dir, path), 'utf8') : null);
  const project = describeProject(
    { manifest: readText('package.json'), tsconfig: readText('tsconfig.json'), pyproject: readText('pyproject.toml') },
    DETECTION_FILES.filter((path) => existsSync(join(dir, path))),
  );
  const [tests, types] = [detectTests(project, ''), detectTypes(project, '')];
  return { types: types && (await runCheck(dir, types, signal)), tests: tests && (await runCheck(dir, tests, signal)) };
}

/** Runs the text of the script itself, so that its package manager need not be installed. */
function runCheck(dir: string, command: DetectedCommand, signal: AbortSignal): Promise<Checked> {
  const commandLine = findWordsToRun(command, false).command.join(' ');
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', commandLine], {
      cwd: dir,
      env: {
        ...process.env,
        PATH: `${join(dir, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        CI: '1',
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    // The whole process group is ended, because the workers of a test runner may outlive it.
    const killCheck = () => process.kill(-child.pid!, 'SIGKILL');
    const timer = setTimeout(killCheck, LIMIT_MS);
    signal.addEventListener('abort', killCheck, { once: true });
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', killCheck);
      const counts = parseTestOutput(output);
      resolve({
        exitCode,
        seconds: (performance.now() - startedAt) / 1000,
        passed: counts?.passed ?? null,
        failed: counts?.failed ?? null,
      });
    });
  });
}
