// Whether a change carries a part of what an agent was lent: words of the repository may have asked for that.

import type { FileEdit } from '../../core/model.ts';

/** What can be a token: long, with letters and digits. */
const TOKEN = /[A-Za-z0-9_-]{20,}/g;

/** The path of an edit that brings along a token of `lent`, texts of logins and keys; null = none does. */
export function leakedIn(edits: readonly FileEdit[], lent: readonly string[]): string | null {
  const tokens = tokensOf(lent);
  const brings = ({ path, before, after }: FileEdit, token: string) =>
    path.includes(token) || ((after?.includes(token) ?? false) && !(before?.includes(token) ?? false));
  return edits.find((edit) => tokens.some((token) => brings(edit, token)))?.path ?? null;
}

/** The text without the tokens of `lent`. */
export function withoutTokens(text: string, lent: readonly string[]): string {
  return tokensOf(lent).reduce((rest, token) => rest.replaceAll(token, '…'), text);
}

/** Longest first, so that none hides in another. */
function tokensOf(lent: readonly string[]): readonly string[] {
  const words = lent.flatMap((text) => text.match(TOKEN) ?? []);
  return [...new Set(words)]
    .filter((token) => /\d/.test(token) && /[A-Za-z]/.test(token))
    .sort((one, other) => other.length - one.length);
}
