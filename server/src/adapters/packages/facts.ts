// Finds properties of this machine that influence an installation, and the programs of services and tools that it has.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { MachineFacts } from '../../core/ports/packages.ts';
import { repositoryKey } from '../git/repositoryKey.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';
import { serviceProgram } from '../sandbox/services.ts';

/** Time limit in milliseconds for starting a Python. */
const PROBE_MS = 10_000;

/**
 * The facts about this machine. They are read again at each call, because somebody may have installed a missing
 * program.
 */
export async function machineFacts(rootDir: string, path: string): Promise<MachineFacts> {
  const programs: readonly (readonly [string, string | null])[] = [
    ['postgresql', serviceProgram('postgresql')],
    ['redis', serviceProgram('redis')],
    ['pytest', await pythonWithPytest(path, rootDir)],
    ['go', findTrustedProgram('go', path, [rootDir])],
    ['cargo', findTrustedProgram('cargo', path, [rootDir])],
    ['npm', findTrustedProgram('npm', path, [rootDir])],
  ];
  return {
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
    abi: process.versions.modules,
    repository: `${await repositoryKey(rootDir)} ${rootDir}`,
    programs: Object.fromEntries(programs.filter((entry): entry is readonly [string, string] => entry[1] !== null)),
  };
}

/**
 * The first Python of the machine that has pytest; null if there is none. Never a program of the repository: each is
 * started in an empty environment, outside of the tree.
 */
async function pythonWithPytest(path: string, rootDir: string): Promise<string | null> {
  for (const candidate of new Set(['/usr/bin/python3', findTrustedProgram('python3', path, [rootDir])])) {
    if (candidate === null) continue;
    const works = await promisify(execFile)(candidate, ['-I', '-c', 'import pytest'], {
      cwd: '/',
      timeout: PROBE_MS,
      env: { PATH: '/usr/bin:/bin' },
    }).then(
      () => true,
      () => false,
    );
    if (works) return candidate;
  }
  return null;
}
