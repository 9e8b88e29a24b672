// Keeps repository text in a notice from becoming a link. Plain data in and out.

/**
 * The text without links: VS Code shows `[text](command:…)` in a notice as a link that runs the command. Two characters
 * are separated, and nothing is left out.
 */
export function removeLinks(message: string): string {
  return message.replaceAll('](', '] (');
}
