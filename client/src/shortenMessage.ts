// Shortens messages for notifications, because VS Code truncates long ones. Does not use VS Code's API.

/** Maximum number of characters of a message that VS Code shows in full. */
const MAX_CHARACTERS = 150;

/** The text of the notification, and the text for its button "More…": '' if the notification has everything. */
export interface ShortenedMessage {
  readonly notice: string;
  readonly remainingText: string;
}

/**
 * Splits a message after as many sentences as a notification can show. If the first sentence is too long, it is cut off
 * between two words, and `remainingText` is the whole message.
 */
export function shortenMessage(message: string): ShortenedMessage {
  if (message.length <= MAX_CHARACTERS) return { notice: message, remainingText: '' };
  const sentenceEnds = [...message.matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const lastEnd = sentenceEnds.findLast((position) => position <= MAX_CHARACTERS);
  if (lastEnd !== undefined) return { notice: message.slice(0, lastEnd), remainingText: message.slice(lastEnd).trim() };
  const cutOffset = message.lastIndexOf(' ', MAX_CHARACTERS - 2);
  return { notice: `${message.slice(0, cutOffset > 0 ? cutOffset : MAX_CHARACTERS - 1)}…`, remainingText: message };
}
