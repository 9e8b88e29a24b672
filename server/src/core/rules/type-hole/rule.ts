// type-hole: finds an `as`, `!` or `any` that the compiler proves needless, or for which it knows a type.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Type that says less than the compiler knows',
  severity: 'hint',
  worth: 'removal',
  recipe: 'exact-types',
  description: 'An `as`, `!` or `any` that the compiler proves needless, or for which it knows a type.',
  needs: 'project',
  defaultOn: false,
} as const satisfies RuleFacts;
