// Decides whether a path that a request names may be inside the repository.

/** True for a path relative to the root, with `/` as the separator, without empty parts, `.` or `..`. */
export function isInRepository(path: string): boolean {
  return (
    path !== '' &&
    !/^([/\\]|[A-Za-z]:)|\\|\0/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}
