// Diffs of commits as text.

import { expect, test } from 'vitest';
import { readCommitDiffs } from '../../../server/src/adapters/git/commitDiffs.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

test('the diff of a commit, without programs that the repository names; unknown commits are left out', async () => {
  const repository = await createTemporaryRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=own\n' });
  try {
    await repository.write('a.txt', 'two\n');
    await repository.git('commit', '-qam', 'Two');
    const commit = (await repository.git('rev-parse', 'HEAD')).trim();
    const marker = `${repository.dir}/ran`;
    await repository.git('config', 'diff.external', `touch ${marker}`);
    await repository.git('config', 'diff.own.command', `touch ${marker}`);
    await repository.git('config', 'diff.own.textconv', `touch ${marker}; cat`);
    const diffs = await readCommitDiffs(repository.dir, [commit, '0'.repeat(40)], (diff) => diff.slice(-20));
    expect([...diffs.keys()]).toEqual([commit]);
    expect(diffs.get(commit)).toBe('@ -1 +1 @@\n-one\n+two\n'.slice(-20));
    expect(await repository.git('status', '--porcelain')).toBe('');
  } finally {
    await repository.dispose();
  }
});
