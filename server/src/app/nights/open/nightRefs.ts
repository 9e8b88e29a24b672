// Names and lists the refs that keep commits of a night which are not on its branch.

import { createGitRunner } from '../../../adapters/git/runGit.ts';
import { LEFT_REF_PREFIX } from './keptCommits.ts';

/** Refs that keep the commits of parked changes. */
export const PARKED_REF_PREFIX = 'refs/selfware/held/';

/** The names of all refs with the prefix. */
export async function listRefs(folder: string, prefix: string): Promise<ReadonlySet<string>> {
  const text = await createGitRunner(folder).text(['for-each-ref', '--format=%(refname)', prefix]);
  return new Set(text.split('\n').filter((line) => line !== ''));
}

/** The ref that keeps the commit of a change that was left out. */
export function leftRefOf(night: string, proposal: string): string {
  return `${LEFT_REF_PREFIX}${night}/${proposal}`;
}

/** The ref that keeps the commit of a parked change. */
export function parkedRefOf(night: string, proposal: string): string {
  return `${PARKED_REF_PREFIX}${night}/${proposal}`;
}
