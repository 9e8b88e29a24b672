// Creates the specifier of an updated dependency in the style of the old one, as npm does.

/** True for a specifier that allows only one version. */
function isExactSpec(spec: string): boolean {
  return /^[=v]{0,2}\d+\.\d+\.\d+[^\s|]*$/.test(removeAlias(spec));
}

/**
 * The specifier that allows only this version of the same package: the version or, for a package under another name,
 * `npm:NAME@VERSION`.
 */
export function createPinnedSpec(spec: string, version: string): string {
  return `${aliasPrefixOf(spec)}${version}`;
}

/**
 * The specifier for a version in the style of the old one: exact, with `~` or with `^`. For other ranges, `save-prefix`
 * determines the style. If `save-exact` is set, the specifier is always exact. `npmrc`: the text of an .npmrc.
 */
export function createStyledSpec(spec: string, version: string, npmrc: string): string {
  if (isExactSpec(spec) || /^save-exact=true$/m.test(npmrc)) return createPinnedSpec(spec, version);
  const prefix = /^[~^]/.exec(removeAlias(spec))?.[0] ?? /^save-prefix=["']?([~^]?)["']?$/m.exec(npmrc)?.[1] ?? '^';
  return `${aliasPrefixOf(spec)}${prefix}${version}`;
}

/** The prefix `npm:NAME@` of a specifier; empty if it has none. */
function aliasPrefixOf(spec: string): string {
  return /^npm:(?:@[^@/]+\/)?[^@]+/.exec(spec)?.[0].concat('@') ?? '';
}

function removeAlias(spec: string): string {
  return spec.slice(aliasPrefixOf(spec).length);
}
