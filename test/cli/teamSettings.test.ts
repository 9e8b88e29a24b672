// Settings and manifests that a repository brings along: what is bad costs a notice, never the product.

import { afterEach, expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function open(files: Readonly<Record<string, string>>) {
  const repository = await createTemporaryRepository(files);
  const selfware = await createCommandLine(repository.dir);
  disposals.push(
    () => selfware.dispose(),
    () => repository.dispose(),
  );
  return selfware;
}

test('the doctor names each setting of the repository that was not taken', async () => {
  const lax = { 'verify.guardStrength': 1, 'charter.approval': 'minimal', constructor: 1, 'codeLens.figures': true };
  const selfware = await open({ ...sampleProject, '.selfware/settings.json': JSON.stringify(lax) });
  const { value } = await selfware.json(['doctor']);
  const { outcome, detail } = value.find(({ name }: { name: string }) => name === 'settings');
  expect(outcome).toBe('degraded');
  for (const name of ['verify.guardStrength', 'charter.approval', 'constructor']) expect(detail).toContain(name);
  expect(detail).not.toContain('codeLens');
});

test.each([
  [
    'a manifest with a NUL byte',
    {
      'package.json':
        '{"private": true, "main": "a\\u0000b", "bin": "\\u0000", "scripts": {"start": "node \\u0000.js"}}',
    },
  ],
  ['a manifest with a name of 5,000 characters', { 'package.json': JSON.stringify({ bin: 'x'.repeat(5000) }) }],
  ['a folder called package.json', { 'package.json/index.ts': 'export const a = 1;\n' }],
])('%s leaves the rest at work', async (_what, files) => {
  const { 'package.json': _, ...others } = sampleProject;
  const selfware = await open({ ...others, ...files });
  const { code, value } = await selfware.json(['analyse']);
  expect(code).toBe(1);
  expect(value.length).toBeGreaterThan(0);
});
