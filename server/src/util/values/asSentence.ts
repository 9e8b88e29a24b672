// Turns a message from outside into one sentence that can precede another sentence.

/** The first line of a message, shortened to so many characters, with a full stop. */
export function asSentence(message: string, maxCharacters: number): string {
  const line = message.trim().split('\n')[0]!.trimEnd();
  const shortened = line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters)}…`;
  return /[.!?…]$/.test(shortened) ? shortened : `${shortened}.`;
}
