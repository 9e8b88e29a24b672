// Recognises a line that contains only a path, with the decorations that models add.

/**
 * Matches a line with only a path, possibly as a heading, a list item or a comment, in bold, in quotation marks, or
 * after `File:`.
 */
const DECORATED_PATTERN =
  /^(?:#{1,6} |\*{1,2}|[-*] |\/\/ |# )?(?:[Ff]ile(?:name)?:|[Pp]ath:)?\s?[`*"']{0,3}([\w@.$()[\]/\\ -]{1,300}?)[`*"':]{0,4}$/;

/**
 * Finds the path on a line; null if the line contains anything else. A path contains a dot or a slash, and no space.
 */
export function findPathOnLine(line: string): string | null {
  const pathInInfoString =
    /^[`~]{3,}\s*(?:[\w+#-]*[ :]\s*)?(?:title=|path=|file=)?["']?([\w@.$()[\]/-]*[./][\w@.$()[\]/-]*)["']?\s*$/.exec(
      line,
    );
  if (pathInInfoString) return pathInInfoString[1]!;
  const path = DECORATED_PATTERN.exec(line.trim())?.[1]?.trim();
  if (path === undefined || path === '') return null;
  const isPath = /[./]/.test(path) && !path.endsWith('.') && !/\s/.test(path);
  return isPath ? path : null;
}

/** Normalises a path: `/` as its separator, and no leading `./`. */
export function normalisePath(path: string): string {
  let cleanPath = path.trim().replaceAll('\\', '/');
  while (cleanPath.startsWith('./')) cleanPath = cleanPath.slice(2);
  return cleanPath;
}
