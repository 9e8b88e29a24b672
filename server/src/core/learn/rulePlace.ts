// Normalises and checks the place of a rule: the file or the folder of the repository to which it applies.

import { posix } from 'node:path';

/** Maximum number of characters of a place; a longer path would take more room than the rule itself. */
const MAX_CHARACTERS = 200;

/**
 * The place relative to the root, with `/` as separator and without a slash at the end; null for the whole repository.
 * The text may begin with `./` or have backslashes.
 */
export function normalisePlace(placeText: string): string | null {
  const path = posix.normalize(placeText.trim().replaceAll('\\', '/')).replace(/\/$/, '');
  return path === '.' || path === '' ? null : path;
}

/** The reason why a text is not a place in the repository, as a sentence; null if it is one. */
export function explainRefusedPlace(placeText: string): string | null {
  const path = normalisePlace(placeText);
  if (/^(?:\/|[a-z]:)/i.test(placeText.trim().replaceAll('\\', '/')) || path === '..' || path?.startsWith('../'))
    return 'The place of a rule is a path within the repository, relative to its root.';
  if (placeText.length > MAX_CHARACTERS) return `The place of a rule has at most ${MAX_CHARACTERS} characters.`;
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}⟦⟧]/u.test(placeText)
    ? 'The place of a rule has characters that no path should have.'
    : null;
}
