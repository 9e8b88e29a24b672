// Turns a message from outside into one sentence that can precede another sentence.

/**
 * The first line of a message, cut after `maxCharacters` characters with an ellipsis, or with a full stop at its end.
 */
export function asSentence(message: string, maxCharacters: number): string {
  const line = message.trim().split('\n')[0]!.trimEnd();
  const shortened = line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters)}…`;
  return /[.!?…]$/.test(shortened) ? shortened : `${shortened}.`;
}
