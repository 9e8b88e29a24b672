// Prevents text from the repository from becoming a link in a notification. Does not use VS Code's API.

/**
 * The message without links. VS Code shows `[text](command:…)` in a notification as a link that runs the command. A
 * space between `]` and `(` prevents that, and all text stays readable.
 */
export function removeLinks(message: string): string {
  return message.replaceAll('](', '] (');
}
