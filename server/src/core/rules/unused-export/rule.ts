// unused-export: finds exported names that no other file of the project imports.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused export',
  severity: 'hint',
  worth: 'removal',
  recipe: 'unexport',
  description: 'An exported name that no other file of the project imports.',
  needs: 'project',
  inputs: ['unused exports'],
} as const satisfies RuleFacts;
