// Writes the range of an updated dependency in the style of the old one, as npm does.

/** True for a range that allows one version only. */
export function isExact(spec: string): boolean {
  return /^[=v]{0,2}\d+\.\d+\.\d+[^\s|]*$/.test(withoutAlias(spec));
}

/** The specifier for one version, of the same package: `npm:NAME@VERSION` for one under another name. */
export function pinnedSpec(spec: string, version: string): string {
  return `${aliasOf(spec)}${version}`;
}

/**
 * The specifier for a version: exact, with `~` or with `^`, as the old one. Other ranges follow `save-prefix`, and
 * `save-exact` always counts. `npmrc`: the text of an .npmrc.
 */
export function styledSpec(spec: string, version: string, npmrc: string): string {
  if (isExact(spec) || /^save-exact=true$/m.test(npmrc)) return pinnedSpec(spec, version);
  const prefix = /^[~^]/.exec(withoutAlias(spec))?.[0] ?? /^save-prefix=["']?([~^]?)["']?$/m.exec(npmrc)?.[1] ?? '^';
  return `${aliasOf(spec)}${prefix}${version}`;
}

function aliasOf(spec: string): string {
  return /^npm:(?:@[^@/]+\/)?[^@]+/.exec(spec)?.[0].concat('@') ?? '';
}

function withoutAlias(spec: string): string {
  return spec.slice(aliasOf(spec).length);
}
