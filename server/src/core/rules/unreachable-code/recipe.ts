// remove-unreachable: removes statements that control never reaches.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-unreachable',
  title: 'Remove code that nothing reaches',
  safety: 'A statement before it always leaves, and what is hoisted out of it stays.',
} as const satisfies RecipeFacts;
