// Lists the places at which Prettier, Oxfmt and Biome search for their configuration: their own files, and a key of
// package.json.

/** Names in the folder of the package. Source: Prettier's documentation, "Configuration File". */
export const PRETTIER_CONFIGS: readonly string[] = [
  '.prettierrc',
  ...['json', 'json5', 'yaml', 'yml', 'toml', 'js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map(
    (end) => `.prettierrc.${end}`,
  ),
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((end) => `prettier.config.${end}`),
];

/** True if this text of a package.json configures Prettier. Listing Prettier among the dependencies does not. */
export function configuresPrettier(text: string): boolean {
  return /"prettier"\s*:\s*[{"](?!\^|~|\d)/.test(text);
}

/** Names of Oxfmt's configuration: https://oxc.rs/docs/guide/usage/formatter/config */
export const OXFMT_CONFIGS = ['.oxfmtrc.json', '.oxfmtrc.jsonc'];

/** Names of files that configure Biome. */
export const BIOME_CONFIGS = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];

/** The folder, from the root, in which package managers put the programs of packages. */
export const BIN_FOLDER = 'node_modules/.bin/';
