// Finds properties of this machine that influence an installation, and the programs of services and tools that it has.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MachineFacts } from '../../core/ports/packages.ts';
import { computeRepositoryKey } from '../git/repositoryKey.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';
import { addVirtualEnvironment } from '../sandbox/environment.ts';
import { findServiceProgram } from '../sandbox/services.ts';

/** Maximum time in milliseconds that a Python may take to start. */
const MAX_PROBE_MS = 10_000;

/**
 * The facts about this machine. They are read again at each call, because somebody may have installed a missing
 * program.
 */
export async function collectMachineFacts(
  rootDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<MachineFacts> {
  const path = env['PATH'] ?? '';
  const programs: readonly (readonly [string, string | null])[] = [
    ['postgresql', findServiceProgram('postgresql')],
    ['redis', findServiceProgram('redis')],
    ['pytest', await findPythonWithPytest(path, rootDir)],
    ['pytest of the virtual environment', findVirtualEnvironmentPytest(rootDir, env)],
    ['go', findTrustedProgram('go', path, [rootDir])],
    ['cargo', findTrustedProgram('cargo', path, [rootDir])],
    ['npm', findTrustedProgram('npm', path, [rootDir])],
  ];
  return {
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
    abi: process.versions.modules,
    repository: `${await computeRepositoryKey(rootDir)} ${rootDir}`,
    programs: Object.fromEntries(programs.filter((entry): entry is readonly [string, string] => entry[1] !== null)),
  };
}

/**
 * The pytest of the virtual environment whose programs come first in sandboxes; null if there is none. It is only
 * looked up, never started.
 */
function findVirtualEnvironmentPytest(
  rootDir: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const folder = addVirtualEnvironment(env, [rootDir], () => false)['VIRTUAL_ENV'];
  if (!folder) return null;
  const program = process.platform === 'win32' ? join(folder, 'Scripts', 'pytest.exe') : join(folder, 'bin', 'pytest');
  return existsSync(program) ? program : null;
}

/**
 * The first Python of the machine that has pytest; null if there is none. Never a program of the repository: each is
 * started in an empty environment, outside of the tree.
 */
async function findPythonWithPytest(path: string, rootDir: string): Promise<string | null> {
  for (const candidate of new Set(['/usr/bin/python3', findTrustedProgram('python3', path, [rootDir])])) {
    if (candidate === null) continue;
    const works = await promisify(execFile)(candidate, ['-I', '-c', 'import pytest'], {
      cwd: '/',
      timeout: MAX_PROBE_MS,
      env: { PATH: '/usr/bin:/bin' },
    }).then(
      () => true,
      () => false,
    );
    if (works) return candidate;
  }
  return null;
}
