// Finds parts of an agent's login in a change: text in the repository may have asked the agent to copy them.

import type { FileEdit } from '../../core/model.ts';

/** Matches long words, which may be tokens. Those without letters or without digits are ignored. */
const TOKEN_PATTERN = /[A-Za-z0-9_-]{20,}/g;

/**
 * The path of the first edit that adds a token of `secrets` (the texts of logins and keys) to a text, or whose path
 * contains one; null if none does.
 */
export function findLeakingPath(edits: readonly FileEdit[], secrets: readonly string[]): string | null {
  const tokens = collectTokens(secrets);
  const addsToken = ({ path, before, after }: FileEdit, token: string) =>
    path.includes(token) || ((after?.includes(token) ?? false) && !(before?.includes(token) ?? false));
  return edits.find((edit) => tokens.some((token) => addsToken(edit, token)))?.path ?? null;
}

/** The text with `…` in place of each token of `secrets`. */
export function removeTokens(text: string, secrets: readonly string[]): string {
  return collectTokens(secrets).reduce((redacted, token) => redacted.replaceAll(token, '…'), text);
}

/** The tokens in these texts, longest first, so that a token that contains another token is replaced as a whole. */
function collectTokens(secrets: readonly string[]): readonly string[] {
  const tokens = secrets.flatMap((text) => text.match(TOKEN_PATTERN) ?? []);
  return [...new Set(tokens)]
    .filter((token) => /\d/.test(token) && /[A-Za-z]/.test(token))
    .sort((a, b) => b.length - a.length);
}
