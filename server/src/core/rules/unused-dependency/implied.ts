// Recognises packages that are used although no text names them: helpers of compilers, plugins that tools find by their
// names, and compilers of languages that the repository contains.

import { PACKAGE_PREFIXES, PACKAGE_FAMILIES, HOOK_INSTALLERS, LOADED_UNNAMED } from './loadedUnnamed.ts';

/** Packages that count as used if there is a file with one of these endings. */
const BY_EXTENSION: readonly (readonly [name: RegExp, path: RegExp])[] = [
  [/^(typescript|ttypescript|ts-node|tsx|@typescript\/.+)$/, /\.[cm]?tsx?$/],
  [/^(sass|node-sass|sass-embedded|sass-loader)$/, /\.(scss|sass|vue|svelte)$/],
  [/^less(-loader)?$/, /\.(less|vue|svelte)$/],
  [/^stylus(-loader)?$/, /\.(styl|vue|svelte)$/],
  [/^(pug|pug-.+)$/, /\.(pug|jade|vue)$/],
  [
    /^(ejs|hbs|handlebars|express-handlebars|nunjucks|mustache|eta|liquidjs)$/,
    /\.(ejs|hbs|handlebars|njk|mustache|eta|liquid|html)$/,
  ],
  [/^coffee-?script$/, /\.coffee$/],
  [/^(react|react-dom|preact|solid-js|vue)$/, /\.([jt]sx|vue|mdx?)$/],
  [/^graphql$/, /\.(graphql|gql)$/],
  [/^(tailwindcss|@tailwindcss\/.+|autoprefixer|postcss)$/, /\.(p?css|scss)$/],
];

/** Packages that are loaded without an import by another package (`by`), if that package is declared. */
const BY_NEIGHBOUR: readonly (readonly [name: string, by: RegExp])[] = [
  ['sharp', /^(next|astro|gatsby(-.+)?|@nuxt\/image)$/],
];

/** Words in the names of packages that a tool finds by their names. */
const PACKAGE_KINDS: ReadonlySet<string> = new Set(
  (
    'plugin preset config transform reporter runner environment parser formatter loader resolver transformer ' +
    'adapter addon theme extension coverage'
  ).split(' '),
);

/**
 * The short name by which configuration may refer to a plugin: `unicorn` for `eslint-plugin-unicorn`. Empty if the name
 * ends with its kind (`@scope/eslint-plugin`), null if it is not a plugin.
 */
function shortName(name: string): string | null {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const index = words.findIndex((word) => PACKAGE_KINDS.has(word));
  return index < 0 ? null : words.slice(index + 1).join('-');
}

/**
 * True for a package that may be in use although no text names it. `paths`: the files that the package may serve.
 * `declared`: the names of all packages that the same manifest declares.
 */
export function isImplied(name: string, paths: readonly string[], declared: readonly string[]): boolean {
  if (isLoadedUnnamed(name)) return true;
  if (BY_NEIGHBOUR.some(([pluginName, by]) => pluginName === name && declared.some((other) => by.test(other))))
    return true;
  return BY_EXTENSION.some(([names, path]) => names.test(name) && paths.some((filePath) => path.test(filePath)));
}

/** True for a package of the lists in `loadedUnnamed.ts`. */
function isLoadedUnnamed(name: string): boolean {
  if (LOADED_UNNAMED.has(name) || HOOK_INSTALLERS.has(name)) return true;
  return (
    PACKAGE_FAMILIES.some((family) => name === family || name.startsWith(`${family}-`)) ||
    PACKAGE_PREFIXES.some((beginning) => name.length > beginning.length && name.startsWith(beginning))
  );
}

/**
 * True for a package whose name contains a kind of plugin (`eslint-plugin-x`), because a shared configuration may refer
 * to it.
 */
export function isPlugin(name: string): boolean {
  return shortName(name) !== null;
}

/**
 * Other names by which a text may refer to a package, besides the names of its programs. `declared`: the names of all
 * declared packages and their programs: `conventional-changelog -p own` refers to `conventional-changelog-own`.
 */
export function collectOtherNames(name: string, declared: readonly string[]): readonly string[] {
  const short = shortName(name);
  const scope = short === null || !name.startsWith('@') ? [] : [name.slice(0, name.indexOf('/'))];
  return [
    ...(short ? [short] : []),
    ...scope.flatMap((prefix) => (short ? [prefix, `${prefix}/${short}`] : [prefix])),
    ...declared.filter((other) => name.startsWith(`${other}-`)).map((other) => name.slice(other.length + 1)),
    // `coverage` switches on whichever of Vitest's providers is installed.
    ...(/coverage/.test(name) ? ['coverage'] : []),
  ];
}
