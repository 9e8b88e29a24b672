// Opens a pull request for a branch with the GitHub CLI (`gh`), at a person's request, after it has pushed the branch.
// Both steps use the person's own login.

import { SelfwareError } from '../../util/typedError.ts';
import { runGithubCli, requireGithubCli } from './githubCli.ts';
import { createUserGit, selectLastLines } from './userGit.ts';

/** The content of a pull request for an existing branch. */
export interface PullRequest {
  readonly branch: string;
  readonly title: string;
  /** The description, as Markdown. */
  readonly body: string;
}

/**
 * Pushes the branch and opens the pull request. Returns its URL. Throws `unavailable` if `gh` or a remote is
 * missing, and `writeFailed` if the push fails.
 */
export async function openPullRequest(
  rootDir: string,
  { branch, title, body }: PullRequest,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string> {
  requireGithubCli({ rootDir, env }, `Install it, or push the branch yourself: \`git push origin ${branch}\`.`);
  const git = createUserGit(rootDir, env);
  const remotes = (await git.text(['remote'], { signal })).split('\n').filter((name) => name !== '');
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  if (remote === undefined)
    throw new SelfwareError('unavailable', 'This repository has no remote to push to.', {
      action: 'Add one: `git remote add origin URL`.',
    });
  const pushResult = await git.ask(['push', remote, `refs/heads/${branch}:refs/heads/${branch}`], { signal });
  if (pushResult.code !== 0)
    throw new SelfwareError('writeFailed', `The branch was not pushed: ${selectLastLines(pushResult.stderr)}`, {
      action: 'Push it yourself, then run this again.',
    });
  return runGithubCli({
    rootDir,
    args: ['pr', 'create', '--head', branch, '--title', title, '--body-file', '-'],
    input: body,
    env,
    signal,
    failure: 'gh did not open the pull request',
    action: 'The branch was pushed. Open it by hand, or run `gh auth login`.',
  });
}
