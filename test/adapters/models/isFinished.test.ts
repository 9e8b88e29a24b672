// An answer in JSON that the library ended within the JSON was cut.

import { expect, test } from 'vitest';
import { isFinished } from '../../../server/src/adapters/models/local/isFinished.ts';

test.each([
  ['eogToken', 'Any words', false, true],
  ['stopGenerationTrigger', 'Any words', false, true],
  ['stopGenerationTrigger', '{"edits": []}', true, true],
  ['stopGenerationTrigger', '{', true, false],
  ['maxTokens', '{"edits": []}', true, false],
])('%s after %s', (stopReason, text, isJsonExpected, expected) => {
  expect(isFinished(stopReason, text, isJsonExpected)).toBe(expected);
});
