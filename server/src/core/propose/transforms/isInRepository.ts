// Decides whether a path that a request names has the form of a path in the repository. Only its text is examined, so
// it may still be missing, or lead outside by a link.

/** True for a path relative to the root, with `/` as the separator, without empty parts, `.` or `..`. */
export function isPlainRelativePath(path: string): boolean {
  return (
    path !== '' &&
    !/^([/\\]|[A-Za-z]:)|\\|\0/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}
