// Copies the files that ship both in the extension and in the npm package.
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** The names in dist/ that the command line and the language server need. */
export const PROGRAM_PARTS = [
  'main.js',
  'cli.js',
  'worker.js',
  'harness.js',
  'localModel.js',
  'acpClient.js',
  'agentTools.js',
  'inTests.js',
  'python',
  'chunks',
  'grammars',
  'ruff',
  'models',
];

/** Copies these names from dist/ to STAGE/dist, without source maps. */
export function copyParts(names, stage) {
  mkdirSync(join(stage, 'dist'));
  for (const name of names)
    cpSync(join(root, 'dist', name), join(stage, 'dist', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
}

/**
 * Copies the pages of rules and recipes to the same paths in STAGE, because links lead there and the server shows them.
 */
export function copyPages(stage) {
  for (const name of ['rules', 'recipes'])
    cpSync(join(root, 'server/src/core', name), join(stage, 'server/src/core', name), {
      recursive: true,
      filter: (path) => !path.includes('fixtures') && (statSync(path).isDirectory() || path.endsWith('.md')),
    });
}
