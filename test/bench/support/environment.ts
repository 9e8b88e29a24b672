// Describes the machine and the version on which figures are measured, without which they cannot be compared.

import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine and the version. */
export interface Environment {
  readonly date: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Mean number of processes that used or waited for a core in the minute before the start. */
  readonly loadAtStart: number;
}

/** The environment of this process. */
export function readEnvironment(): Environment {
  return {
    date: new Date().toISOString().slice(0, 16),
    commit: readCommit(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    loadAtStart: Math.round(loadavg()[0]! * 100) / 100,
  };
}

/** The current commit, with a note if the sources differ from it. */
function readCommit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: join(import.meta.dirname, '..', '..', '..'),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', '--', 'server', 'package.json') === '' ? '' : ' with changes')
    );
  } catch {
    return 'unknown';
  }
}
