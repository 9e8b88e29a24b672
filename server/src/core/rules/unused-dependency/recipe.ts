// remove-dependency: removes a package that nothing uses from package.json.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-dependency',
  title: 'Remove an unused dependency',
  safety: 'Types, linter, build and tests pass in a tree in which the package is not installed.',
  claims: 'request',
  needsPerson: true,
  editsManifest: true,
  onlyIfAsked: true,
} as const satisfies RecipeFacts;
