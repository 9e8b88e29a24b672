// template-string: rewrites strings that are joined by `+` as templates.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'template-string',
  title: 'Write a text as a template',
  safety: 'Every value in it is a string, a number or the like, which a template prints as + does.',
} as const satisfies RecipeFacts;
