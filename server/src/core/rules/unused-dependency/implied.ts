// Recognises packages that are used although no text names them: helpers of compilers, plugins that tools find by their
// names, and compilers of languages that the repository contains.

import { PACKAGE_PREFIXES, PACKAGE_FAMILIES, HOOK_INSTALLERS, LOADED_UNNAMED } from './loadedUnnamed.ts';

/** Packages that count as used if there is a file with one of these endings. */
const USED_BY_EXTENSION: readonly (readonly [name: RegExp, path: RegExp])[] = [
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
const USED_BY_PACKAGE: readonly (readonly [name: string, by: RegExp])[] = [
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
function findShortName(name: string): string | null {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const index = words.findIndex((word) => PACKAGE_KINDS.has(word));
  return index < 0 ? null : words.slice(index + 1).join('-');
}

/**
 * True for a package that may be in use although no text names it. `paths`: the files that the package may serve.
 * `declaredNames`: the names of all packages that the same manifest declares.
 */
export function isImplied(name: string, paths: readonly string[], declaredNames: readonly string[]): boolean {
  if (isLoadedUnnamed(name)) return true;
  if (USED_BY_PACKAGE.some(([pluginName, by]) => pluginName === name && declaredNames.some((other) => by.test(other))))
    return true;
  return USED_BY_EXTENSION.some(([names, path]) => names.test(name) && paths.some((filePath) => path.test(filePath)));
}

/** True for a package of the lists in `loadedUnnamed.ts`. */
function isLoadedUnnamed(name: string): boolean {
  if (LOADED_UNNAMED.has(name) || HOOK_INSTALLERS.has(name)) return true;
  return (
    PACKAGE_FAMILIES.some((family) => name === family || name.startsWith(`${family}-`)) ||
    PACKAGE_PREFIXES.some((prefix) => name.length > prefix.length && name.startsWith(prefix))
  );
}

/**
 * True for a package whose name contains a kind of plugin (`eslint-plugin-x`), because a shared configuration may refer
 * to it.
 */
export function isPlugin(name: string): boolean {
  return findShortName(name) !== null;
}

/**
 * Other names by which a text may refer to a package, besides the names of its programs. `declaredNames`: the names of
 * all declared packages and their programs: `conventional-changelog -p own` refers to `conventional-changelog-own`.
 */
export function collectOtherNames(name: string, declaredNames: readonly string[]): readonly string[] {
  const pluginName = findShortName(name);
  const scope = pluginName === null || !name.startsWith('@') ? [] : [name.slice(0, name.indexOf('/'))];
  return [
    ...(pluginName ? [pluginName] : []),
    ...scope.flatMap((prefix) => (pluginName ? [prefix, `${prefix}/${pluginName}`] : [prefix])),
    ...declaredNames.filter((other) => name.startsWith(`${other}-`)).map((other) => name.slice(other.length + 1)),
    // `coverage` switches on whichever of Vitest's providers is installed.
    ...(/coverage/.test(name) ? ['coverage'] : []),
  ];
}
