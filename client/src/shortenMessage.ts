// Shortens what a notice says, because VS Code cuts a longer one. Plain data in and out.

/** The number of characters that a notice shows in full. */
const MAX_CHARACTERS = 150;

/** What a notice says, and what is left for "More…"; '' if nothing is. */
export interface ShortenedMessage {
  readonly notice: string;
  readonly rest: string;
}

/** The sentences that a notice can show, at least the first one. A sentence that is too long is cut at a word. */
export function shortenMessage(message: string): ShortenedMessage {
  if (message.length <= MAX_CHARACTERS) return { notice: message, rest: '' };
  const ends = [...message.matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const end = ends.findLast((position) => position <= MAX_CHARACTERS);
  if (end !== undefined) return { notice: message.slice(0, end), rest: message.slice(end).trim() };
  const cut = message.lastIndexOf(' ', MAX_CHARACTERS - 2);
  return { notice: `${message.slice(0, cut > 0 ? cut : MAX_CHARACTERS - 1)}…`, rest: message };
}
