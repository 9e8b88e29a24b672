// Licences below the root as far as they say that a folder is somebody else's.

import { expect, test } from 'vitest';
import { createForeignFolderLookup, isLicencePath } from '../../../server/src/core/prioritise/otherLicences.ts';

const ROOT = {
  folder: '',
  text: 'MIT License\n\nCopyright (c) 2016-2024 Maria Ordinary\n\nPermission is hereby granted …',
};
const MANIFEST = JSON.stringify({
  name: 'shop',
  author: 'Maria Ordinary',
  repository: 'https://github.com/shopkeepers/shop',
  dependencies: { '@contoso/extractor': '1' },
});

test.each([
  ['a fork', 'Copyright (c) Contoso Corporation. All rights reserved.', true],
  ['of a person', 'The MIT License\n\nCopyright 2017 Some Body', true],
  ['with a sign', 'Copyright © 2013-Present Some Body, https://body.example', true],
  [
    'of two, one of whom is ours',
    'Copyright (c) 2015 Some Body\nCopyright (c) 2020 Maria Ordinary and contributors',
    false,
  ],
  ['our own', 'Copyright (c) 2020 Maria Ordinary', false],
  ['of the company around the project', 'Copyright (c) 2023 The Shop Technology Company', false],
  ['of its maintainers', 'Copyright (c) 2023-present, Shopkeepers, Inc. and affiliates.', false],
  ['a placeholder', 'Copyright (c) [year] [fullname]', false],
  ['a licence without a holder', 'Commons Licence: do what you like.', false],
])('%s', (_name, text, others) => {
  const folderOf = createForeignFolderLookup([ROOT, { folder: 'packages/part', text }], MANIFEST);
  expect(folderOf('packages/part/src/a.ts')).toBe(others ? 'packages/part/' : null);
  expect([folderOf('packages/partial/a.ts'), folderOf('src/a.ts')]).toEqual([null, null]);
});

test('where the root names nobody, nobody is somebody else', () => {
  const other = { folder: 'packages/part', text: 'Copyright (c) Contoso Corporation' };
  expect(createForeignFolderLookup([other], MANIFEST)('packages/part/a.ts')).toBeNull();
  expect(
    createForeignFolderLookup([{ folder: '', text: 'Unlicensed.' }, other], null)('packages/part/a.ts'),
  ).toBeNull();
  expect(createForeignFolderLookup([ROOT, other], '{ broken')('packages/part/a.ts')).toBe('packages/part/');
});

test('names of licences', () => {
  expect(
    ['LICENSE', 'a/LICENCE.md', 'a/license.txt', 'COPYING', 'a/LICENSE-MIT', 'src/license.ts', 'licenses/a.md'].map(
      isLicencePath,
    ),
  ).toEqual([true, true, true, true, false, false, false]);
});
