// Accepts only the plain spelling of a path, because other spellings could evade a list of names.

/** Maximum length of a file name in bytes, which all systems accept. */
const MAX_NAME_BYTES = 255;
/** Maximum length of a relative path in bytes. All systems accept it, even with the path of the root before it. */
const MAX_PATH_BYTES = 1_000;

/** The reason why a path is not a plain path relative to the root, as a sentence; null if it is one. */
export function explainUnsafePath(path: string): string | null {
  if (path === '') return 'It is empty.';
  if (countBytes(path) > MAX_PATH_BYTES || path.split('/').some((segment) => countBytes(segment) > MAX_NAME_BYTES))
    return 'It is longer than a file name may be.';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'It is absolute.';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{FFFD}]/u.test(path)) return 'It holds invisible characters.';
  if (path !== path.normalize('NFC')) return 'It is not in the usual Unicode form (NFC).';
  if (path.includes('\\') || path.includes(':'))
    return 'It holds a backslash or a colon, which name other places on some systems.';
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') return 'It holds empty parts, `.` or `..`.';
    if (/[. ]$/.test(segment) || segment.startsWith(' '))
      return 'A part of it begins or ends with a space, or ends with a dot; some systems drop those.';
    if (/^[^.]{1,6}~\d/.test(segment)) return 'It looks like the short form of another name (NAME~1).';
  }
  return null;
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/**
 * Normalises a name, so that names become equal if some file system treats them as equal. They may differ in
 * compatibility forms of Unicode and in letter case.
 */
export function foldName(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}
