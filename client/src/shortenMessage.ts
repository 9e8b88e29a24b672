// Shortens messages for notifications, because VS Code truncates long ones. Plain data in and out.

/** Number of characters of a message that VS Code shows in full. */
const MAX_CHARACTERS = 150;

/** The text of the notification, and the text for its button "More…": '' if the notification has everything. */
export interface ShortenedMessage {
  readonly notice: string;
  readonly rest: string;
}

/**
 * Splits a message after as many sentences as a notification can show. If the first sentence is too long, it is cut off
 * between two words, and `remainder` is the whole message.
 */
export function shortenMessage(message: string): ShortenedMessage {
  if (message.length <= MAX_CHARACTERS) return { notice: message, rest: '' };
  const ends = [...message.matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const end = ends.findLast((position) => position <= MAX_CHARACTERS);
  if (end !== undefined) return { notice: message.slice(0, end), rest: message.slice(end).trim() };
  const cut = message.lastIndexOf(' ', MAX_CHARACTERS - 2);
  return { notice: `${message.slice(0, cut > 0 ? cut : MAX_CHARACTERS - 1)}…`, rest: message };
}
