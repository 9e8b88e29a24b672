// string-concat: finds strings of three or more pieces that are joined by `+`.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Text put together by plus',
  severity: 'hint',
  worth: 'style',
  recipe: 'template-string',
  description: 'A text of three or more pieces that are joined by `+`.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
