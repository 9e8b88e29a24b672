// Creates the specifier of an updated dependency in the style of the old one, as npm does.

/** True for a specifier that allows only one version. */
export function isExact(spec: string): boolean {
  return /^[=v]{0,2}\d+\.\d+\.\d+[^\s|]*$/.test(withoutAlias(spec));
}

/**
 * The specifier that allows only this version of the same package: the version or, for a package under another name,
 * `npm:NAME@VERSION`.
 */
export function pinnedSpec(spec: string, version: string): string {
  return `${aliasOf(spec)}${version}`;
}

/**
 * The specifier for a version in the style of the old one: exact, with `~` or with `^`. For other ranges, `save-prefix`
 * determines the style. If `save-exact` is set, the specifier is always exact. `npmrc`: the text of an .npmrc.
 */
export function styledSpec(spec: string, version: string, npmrc: string): string {
  if (isExact(spec) || /^save-exact=true$/m.test(npmrc)) return pinnedSpec(spec, version);
  const prefix = /^[~^]/.exec(withoutAlias(spec))?.[0] ?? /^save-prefix=["']?([~^]?)["']?$/m.exec(npmrc)?.[1] ?? '^';
  return `${aliasOf(spec)}${prefix}${version}`;
}

/** The prefix `npm:NAME@` of a specifier; empty if it has none. */
function aliasOf(spec: string): string {
  return /^npm:(?:@[^@/]+\/)?[^@]+/.exec(spec)?.[0].concat('@') ?? '';
}

function withoutAlias(spec: string): string {
  return spec.slice(aliasOf(spec).length);
}
