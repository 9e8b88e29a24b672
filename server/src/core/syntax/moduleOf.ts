// Normalises the paths of modules of the repository, so that they can be compared.

/**
 * The path of a module of the repository without extension and without `/index`: `src/orders` for
 * `src/orders/index.ts`.
 */
export function toModulePath(path: string): string {
  return path
    .replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, '')
    .replace(/(^|\/)index$/, '$1')
    .replace(/\/$/, '');
}
