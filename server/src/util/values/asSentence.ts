// Turns a message from outside into one sentence that can precede another sentence.

/**
 * The first line of a message. If it is longer than `maxCharacters`, it is cut there and ends with an ellipsis;
 * otherwise it ends with a full stop, unless it already has a mark at its end.
 */
export function asSentence(message: string, maxCharacters: number): string {
  const line = message.trim().split('\n')[0]!.trimEnd();
  const shortened = line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters)}…`;
  return /[.!?…]$/.test(shortened) ? shortened : `${shortened}.`;
}
