// Tests whether a path is one of several files and folders, or lies in one of them.

/**
 * True if `path` is one of `places` or lies in one of them. Paths are relative, with `/`; the place '' contains
 * everything, and a slash at the end of a place does not matter.
 */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    const folder = place.replace(/(?<!\/)\/+$/, '');
    return folder === '' || path === folder || path.startsWith(`${folder}/`);
  });
}
