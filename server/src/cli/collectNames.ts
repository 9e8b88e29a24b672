// Collects the values of a repeatable option.

/** Adds the names in a value of a repeatable option to the earlier names. Commas separate the names in a value. */
export function collectNames(value: string, names: readonly string[]): readonly string[] {
  return [...names, ...value.split(',').filter((element) => element !== '')];
}
