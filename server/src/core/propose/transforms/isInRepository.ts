// Decides which paths a request may name.

/** True for a path relative to the root, with `/`, that has neither `..`, `.` nor an empty part in it. */
export function isInRepository(path: string): boolean {
  return (
    path !== '' &&
    !/^([/\\]|[A-Za-z]:)|\\|\0/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}
