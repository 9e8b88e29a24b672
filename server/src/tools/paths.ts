// Paths as agents write them.

/** True when `path` is `wanted` or lies below it. `./`, a slash at the end and backslashes are forgiven. */
export function within(path: string, wanted: string): boolean {
  const place = wanted
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
  return place === '' || place === '.' || path === place || path.startsWith(`${place}/`);
}
