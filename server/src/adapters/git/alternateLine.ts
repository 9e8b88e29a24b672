// Formats a line of the file that lets a repository read the objects of another repository (gitrepository-layout(5)).

/**
 * A folder as a line of the alternates file. Git also accepts a quoted path, in which line breaks are written as `\\n`.
 */
export function formatAlternateLine(folder: string): string {
  if (!/^["#]|[\n\r]/.test(folder)) return folder;
  const quoted = folder.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${quoted}"`;
}
