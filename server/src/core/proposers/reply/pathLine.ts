// Recognises a line that is only a path, in the ways in which models decorate it.

const DECORATED_PATTERN =
  /^(?:#{1,6} |\*{1,2}|[-*] |\/\/ |# )?(?:[Ff]ile(?:name)?:|[Pp]ath:)?\s?[`*"']{0,3}([\w@.$()[\]/\\ -]{1,300}?)[`*"':]{0,4}$/;

/** The path on the line, or null if the line has anything else. A path has a dot or a slash, and no space. */
export function pathOnLine(line: string): string | null {
  const info =
    /^[`~]{3,}\s*(?:[\w+#-]*[ :]\s*)?(?:title=|path=|file=)?["']?([\w@.$()[\]/-]*[./][\w@.$()[\]/-]*)["']?\s*$/.exec(
      line,
    );
  if (info) return info[1]!;
  const path = DECORATED_PATTERN.exec(line.trim())?.[1]?.trim();
  if (path === undefined || path === '') return null;
  const isPath = /[./]/.test(path) && !path.endsWith('.') && !/\s/.test(path);
  return isPath ? path : null;
}

/** The path with `/` as its separator, and without a leading `./`. */
export function plainPath(path: string): string {
  let cleanPath = path.trim().replaceAll('\\', '/');
  while (cleanPath.startsWith('./')) cleanPath = cleanPath.slice(2);
  return cleanPath;
}
