// Parses a list of proposers, which are asked in this order until one of them answers.

import { SelfwareError } from '../../util/typedError.ts';

/**
 * Parses the names, in order and each once. A comma separates two names only if a kind such as `ollama:` follows, so a
 * name may contain a comma. Throws `usage` for an empty name.
 */
export function parseProposerNames(list: string): readonly string[] {
  const names = list.split(/,(?=\s*[a-z][a-z-]*:)/).map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new SelfwareError('usage', 'A name in the list of proposers is empty.', {
      action: 'Write them as --proposer ollama:MODEL,openai:MODEL.',
    });
  return [...new Set(names)];
}
