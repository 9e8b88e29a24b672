// What has one source is current, and every contributed command has a handler.

import { expect, test } from 'vitest';
import { createGeneratedFiles } from '../../scripts/generate.mjs';
import { read } from './sourceFiles.ts';

test('generated parts of package.json and the docs are current (npm run generate)', () => {
  for (const [path, text] of Object.entries(createGeneratedFiles() as Record<string, string>))
    expect(read(path), path).toBe(text);
});

test('every contributed command has a handler, and every handler is contributed', () => {
  const manifest = JSON.parse(read('package.json'));
  const contributed = manifest.contributes.commands.map((entry: { command: string }) => entry.command).sort();
  const handlers = [...read('client/src/commands.ts').matchAll(/['"](selfware\.[A-Za-z]+)['"]\s*:/g)]
    .map((match) => match[1])
    .sort();
  expect(handlers).toEqual(contributed);
});

test('the type check sees the API of the oldest VS Code that is supported, and no newer one', () => {
  const { engines, devDependencies } = JSON.parse(read('package.json'));
  expect(engines.vscode).toBe(`^${devDependencies['@types/vscode']}`);
});

test('menus and keybindings name contributed commands only', () => {
  const manifest = JSON.parse(read('package.json'));
  const contributed = new Set(manifest.contributes.commands.map((entry: { command: string }) => entry.command));
  const used = [
    ...Object.values(manifest.contributes.menus ?? {}).flat(),
    ...(manifest.contributes.keybindings ?? []),
  ].map((entry) => (entry as { command: string }).command);
  expect(used.filter((command) => !contributed.has(command))).toEqual([]);
});

test('only what is not in the bundle is a run-time dependency', () => {
  const bundling = read('esbuild.mjs');
  const names = Object.keys(JSON.parse(read('package.json')).dependencies);
  expect(names.filter((name) => !bundling.includes(`'${name}-*'`))).toEqual([]);
});
