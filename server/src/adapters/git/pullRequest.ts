// Opens a pull request for a branch with the GitHub command line, at a person's request: pushes the branch, then asks
// `gh`. Both use the person's own login.

import { spawn } from 'node:child_process';
import { SelfwareError } from '../../util/typedError.ts';
import { ownProgram } from '../system/ownPrograms.ts';
import { createUserGit, lastLines } from './userGit.ts';

/** A pull request that is opened for an existing branch. */
export interface PullRequest {
  readonly branch: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** Returns what `gh` prints, which is the address. Throws `unavailable` without `gh` or a remote, `writeFailed`. */
export async function openPullRequest(
  rootDir: string,
  { branch, title, body }: PullRequest,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string> {
  const gh = ownProgram('gh', env['PATH'] ?? '', [rootDir]);
  if (gh === null)
    throw new SelfwareError('unavailable', 'The GitHub command line `gh` was not found.', {
      action: `Install it, or push the branch yourself: \`git push origin ${branch}\`.`,
    });
  const git = createUserGit(rootDir, env);
  const remotes = (await git.text(['remote'], { signal })).split('\n').filter((name) => name !== '');
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  if (remote === undefined)
    throw new SelfwareError('unavailable', 'This repository has no remote to push to.', {
      action: 'Add one: `git remote add origin URL`.',
    });
  const pushed = await git.ask(['push', remote, `refs/heads/${branch}:refs/heads/${branch}`], { signal });
  if (pushed.code !== 0)
    throw new SelfwareError('writeFailed', `The branch was not pushed: ${lastLines(pushed.stderr)}`, {
      action: 'Push it yourself, then run this again.',
    });
  return run(gh, ['pr', 'create', '--head', branch, '--title', title, '--body-file', '-'], body, {
    rootDir,
    env,
    signal,
  });
}

function run(
  program: string,
  args: readonly string[],
  input: string,
  { rootDir, env, signal }: { readonly rootDir: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: rootDir, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    child.on('error', (cause) =>
      reject(
        new SelfwareError('unavailable', '`gh` could not be started.', { action: 'Run `gh auth status`.', cause }),
      ),
    );
    child.on('close', (code) =>
      code === 0
        ? resolve(texts.out.trim())
        : reject(
            new SelfwareError('writeFailed', `gh did not open the pull request: ${lastLines(texts.err)}`, {
              action: 'The branch was pushed. Open it by hand, or run `gh auth login`.',
            }),
          ),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
