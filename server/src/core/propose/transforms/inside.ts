// Decides which paths a request may name.

/** True for a path relative to the root, with `/`, that does not lead upwards. */
export function isInside(path: string): boolean {
  return (
    path !== '' &&
    !/^([/\\]|[A-Za-z]:)|\\|\0/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}
