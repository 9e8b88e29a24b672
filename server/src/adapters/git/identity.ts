// Checks that git knows who commits, before work begins that ends with a commit.

import { SelfwareError } from '../../util/typedError.ts';
import { createUserGit } from './userGit.ts';

/**
 * Configuration that says who commits. A private repository gets it from the user's repository, whose configuration git
 * does not read there.
 */
export const IDENTITY_KEYS = [
  'user.name',
  'user.email',
  'author.name',
  'author.email',
  'committer.name',
  'committer.email',
] as const;

/** git does not know who commits. Only a person can change that, so trying again later does not help. */
export class UnknownIdentity extends SelfwareError {
  constructor() {
    super('unavailable', 'git does not know who commits here.', {
      action: 'Set it: git config --global user.name "…", and the same with user.email.',
    });
    this.name = 'UnknownIdentity';
  }
}

/**
 * Throws `UnknownIdentity` (`unavailable`), with the commands that help, if git does not know the name or the address of the author or the
 * committer in the repository that holds `dir`. Does nothing outside a repository.
 */
export async function requireIdentity(
  dir: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const git = createUserGit(dir, env);
  const asks = async (...args: readonly string[]) => (await git.ask(args, { signal })).code === 0;
  if (!(await asks('rev-parse', '--git-dir'))) return;
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    if (!(await asks('var', who))) throw new UnknownIdentity();
}
