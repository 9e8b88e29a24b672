// Tests whether a path is in one of several places.

/**
 * True if `path` is one of `places` or is below one. Paths are relative, with `/`; '' means everything, and a slash at
 * the end of a place does not matter.
 */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    const folder = place.replace(/(?<!\/)\/+$/, '');
    return folder === '' || path === folder || path.startsWith(`${folder}/`);
  });
}
