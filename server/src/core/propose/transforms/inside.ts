// Which paths a request may name.

/** Relative to the root, with `/`, and never upwards. */
export function isInside(path: string): boolean {
  return (
    path !== '' &&
    !/^([/\\]|[A-Za-z]:)|\\|\0/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}
