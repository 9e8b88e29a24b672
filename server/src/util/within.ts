// Whether a path lies in one of some places.

/**
 * True when `path` is one of `places` or lies below one. Paths are relative, with `/`; '' is everything, and a slash at
 * the end of a place does not matter.
 */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    const folder = place.replace(/(?<!\/)\/+$/, '');
    return folder === '' || path === folder || path.startsWith(`${folder}/`);
  });
}
