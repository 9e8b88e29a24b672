// Makes the sandbox's tree a separate git work tree: detached at the user's HEAD, with the user's objects borrowed for
// reading. If these objects are not the repository's own, it gets a copy of HEAD's objects, without history. A linked
// worktree (`git worktree add`) would share refs, stash, configuration and object store with the user's repository, so
// a test that commits, stashes or tags would change them. In a private repository, all of that stays in the sandbox and
// is removed with it, and nothing has to be registered with, or pruned from, the user's repository. Layout:
// gitrepository-layout(5).

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatAlternateLine } from '../git/alternateLine.ts';
import { copyCommit } from '../git/copyCommit.ts';
import { createGitRunner } from '../git/runGit.ts';
import type { RepositoryContent } from './repositoryContent.ts';

/**
 * Creates the repository in `tree`, which must exist and be empty. Afterwards, `git status` in it compares with the
 * user's HEAD. Throws `unavailable`, `cancelled`, GitFailure.
 */
export async function createPrivateRepository(
  tree: string,
  content: RepositoryContent,
  signal: AbortSignal,
): Promise<void> {
  const git = join(tree, '.git');
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'info', 'hooks'].map((folder) =>
      mkdir(join(git, folder), { recursive: true }),
    ),
  );
  const files: Record<string, string> = {
    HEAD: `${content.head}\n`,
    config: formatConfiguration(content.objectFormat),
    'packed-refs': content.objects === null ? selectRefsTo(content.refs, content.head) : content.refs,
  };
  if (content.objects !== null) files['objects/info/alternates'] = `${formatAlternateLine(content.objects)}\n`;
  const shallow = content.objects === null ? `${content.head}\n` : content.shallow;
  if (shallow !== null) files['shallow'] = shallow;
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(git, name), text)));
  if (content.objects === null) await copyCommit(content.top, content.head, join(git, 'objects'), signal);
  await createGitRunner(tree).text(['read-tree', 'HEAD'], { signal });
}

/** The lines of a packed-refs file that point to this commit. The targets of the others do not exist in the copy. */
function selectRefsTo(refs: string, head: string): string {
  return refs
    .split('\n')
    .filter((line) => line.startsWith(`${head} `))
    .map((line) => `${line}\n`)
    .join('');
}

function formatConfiguration(objectFormat: string): string {
  const core = [
    '[core]',
    `\trepositoryformatversion = ${objectFormat === 'sha1' ? 0 : 1}`,
    '\tbare = false',
    '\tautocrlf = false',
    '[gc]',
    '\tauto = 0',
  ];
  if (objectFormat !== 'sha1') core.push('[extensions]', `\tobjectformat = ${objectFormat}`);
  return `${core.join('\n')}\n`;
}
