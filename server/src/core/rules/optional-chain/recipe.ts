// optional-chain: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'optional-chain',
  title: 'Ask by ?.',
  safety: 'Of what is asked for, only null and undefined are falsy, as far as the types tell, and no getter is read.',
} as const satisfies RecipeFacts;
