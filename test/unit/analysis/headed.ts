// What the message of a finding looks like in a sidebar of 300 px: whom it is about first, then at once what it is.

import { expect } from 'vitest';

/** What fits. */
const SEEN = 38;

/** A symbol in backticks, or the name of a file; behind it words that say something within what is seen. */
export function mustBeHeaded(message: string): void {
  expect(message).toMatch(/^(`[^`]+`|[\w.-]+\.\w+: )/);
  const head = /^(`[^`]+`|[\w.-]+\.\w+:)/.exec(message)?.[0] ?? '';
  const seen = message.slice(head.length, Math.max(SEEN, head.length + 20));
  expect(seen.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length, message).toBeGreaterThan(1);
}
