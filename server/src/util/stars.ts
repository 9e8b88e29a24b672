// Matches texts with patterns with stars. The time is at most proportional to the length of the text times the length
// of the pattern.

/** True if `text` matches `pattern`, in which each `*` matches any number of characters. */
export function matchesStarPattern(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [start = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return pattern === text;
  if (text.length < start.length + last.length || !text.startsWith(start) || !text.endsWith(last)) return false;
  let position = start.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const index = text.indexOf(part, position);
    if (index < 0 || index + part.length > end) return false;
    position = index + part.length;
  }
  return true;
}
