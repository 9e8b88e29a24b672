// What jobs see in a copy of a repository whose packages are installed only in the original.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSourceTreeOfCopy } from '../../../server/src/adapters/files/sourceTreeOfCopy.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const APP = "import { size } from 'shared';\nimport { word } from 'linked';\nexport const text = word.repeat(size);\n";
let original: TemporaryRepository;
let copy: TemporaryRepository;

beforeAll(async () => {
  const manifest = (name: string, types: string) => JSON.stringify({ name, version: '1.0.0', types });
  original = await createTemporaryRepository(
    {
      'packages/app/app.ts': `${APP}// edited by its user`,
      'packages/app/node_modules/only-app/index.d.ts': 'export declare const only: 1;',
      'packages/linked/package.json': manifest('linked', 'index.ts'),
      'packages/linked/index.ts': 'export const word = 1;',
      'node_modules/shared/package.json': manifest('shared', 'index.d.ts'),
      'node_modules/shared/index.d.ts': 'export declare const size: number;',
      'secret.ts': 'secret',
    },
    { git: false },
  );
  await mkdir(join(original.dir, 'node_modules'), { recursive: true });
  await symlink(join(original.dir, 'packages/linked'), join(original.dir, 'node_modules/linked'));
  copy = await createTemporaryRepository(
    {
      'packages/app/app.ts': APP,
      'packages/linked/package.json': manifest('linked', 'index.ts'),
      'packages/linked/index.ts': "export const word = 'a';",
    },
    { git: false },
  );
});
afterAll(async () => {
  await original.dispose();
  await copy.dispose();
});

it.each(['', 'packages/app'])(
  'types of packages are known in a copy, and linked packages are its own (root: "%s")',
  (prefix) => {
    const root = join(copy.dir, prefix);
    const tree = createSourceTreeOfCopy(root, { top: original.dir, prefix });
    const path = join(copy.dir, 'packages/app/app.ts');
    const project = openProject(tree, path, APP);
    const file = project.sourceFile();
    // In the original, `word` is a number, which has no `repeat`.
    expect(
      project.service
        .getProgram()!
        .getSemanticDiagnostics(file)
        .map(({ messageText }) => messageText),
    ).toEqual([]);
    expect(tree.rootDir).toBe(root);
    expect(tree.folderExists(join(copy.dir, 'packages/app/node_modules/only-app'))).toBe(true);
    expect(tree.list(join(copy.dir, 'node_modules')).map(({ name }) => name)).toEqual(['linked', 'shared']);
  },
);

it('no other file of the original is shown', () => {
  const tree = createSourceTreeOfCopy(copy.dir, { top: original.dir, prefix: '' });
  expect(tree.read(join(copy.dir, 'packages/app/app.ts'))).toBe(APP);
  for (const path of ['secret.ts', 'packages/app/app.ts', 'packages/linked/index.ts'])
    expect([path, tree.read(join(original.dir, path))]).toEqual([path, undefined]);
  for (const path of ['secret.ts', 'node_modules/../secret.ts', 'gone.ts'])
    expect([path, tree.read(join(copy.dir, path))]).toEqual([path, undefined]);
});
