// Reads the author and the committer that git would use. `requireIdentity` fails early if they are unknown, and
// `copyIdentity` copies them to another repository.

import { SelfwareError } from '../../util/typedError.ts';
import { GitFailure, type GitRunner } from './runGit.ts';
import { createUserGit } from './userGit.ts';

/**
 * Copies the author and the committer that git uses in one repository to the configuration of another, even if only the
 * environment names them. An author or committer that is unknown to git is not copied.
 */
export async function copyIdentity(source: GitRunner, target: GitRunner): Promise<void> {
  for (const role of ['author', 'committer']) {
    const ident = await source.text(['var', `GIT_${role.toUpperCase()}_IDENT`]).catch((error: unknown) => {
      if (error instanceof GitFailure) return '';
      throw error;
    });
    const [, name, email] = /^(.*) <([^<>]*)> \d+ [+-]\d+$/.exec(ident.trim()) ?? [];
    if (name === undefined || email === undefined) continue;
    await target.text(['config', `${role}.name`, name]);
    await target.text(['config', `${role}.email`, email]);
  }
}

/** The error if git does not know who commits. Only a person can change that, so trying again later does not help. */
export class UnknownIdentity extends SelfwareError {
  constructor() {
    super('unavailable', 'git does not know who commits here.', {
      action: 'Set it: git config --global user.name "…", and the same with user.email.',
    });
    this.name = 'UnknownIdentity';
  }
}

/**
 * Throws `UnknownIdentity` (`unavailable`), with the commands that help, if git does not know the name or the address
 * of the author or the committer in the repository that contains `folder`. Does nothing outside a repository.
 */
export async function requireIdentity(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const git = createUserGit(folder, env);
  const doesGitSucceed = async (...args: readonly string[]) => (await git.ask(args, { signal })).code === 0;
  // `git var` also fails outside of a repository. Only an unknown identity inside one is an error.
  for (const identityVariable of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    if (!(await doesGitSucceed('var', identityVariable)) && (await doesGitSucceed('rev-parse', '--git-dir')))
      throw new UnknownIdentity();
}
