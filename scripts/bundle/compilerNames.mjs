// A plugin of the bundler for the parts of ts-morph that Selfware uses: names of the compiler are resolved when the
// bundle is built, and not each time the code reads them.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const namespace = 'ts-morph-parts';

/**
 * Creates the plugin. It replaces `ts-morph` by one of two modules: the compiler alone, for the analysis, or the
 * compiler with `Project`, for the recipes. The compiler offers two thousand names in one object, and its kinds of
 * nodes in another. Without the plugin, each use of a name is a lookup in a table, and our code uses such names for
 * every node. The plugin therefore turns each name that our sources use into a variable of the bundle, and each member
 * of an enumeration into its number.
 */
export function createCompilerNamesPlugin(root) {
  const file = join(root, 'node_modules', '@ts-morph', 'common', 'dist', 'typescript.js');
  const sources = join(root, 'server', 'src');
  const compiler = createRequire(import.meta.url)(file);
  return {
    name: 'compiler-names',
    setup(builder) {
      const parts = {
        compiler: () =>
          [
            `const compiler = require(${JSON.stringify(file)});`,
            ...findUsedNames(sources, compiler).map((name) => `export const ${name} = compiler.${name};`),
          ].join('\n'),
        all: () =>
          "import * as all from 'ts-morph';\nexport * as ts from 'ts-morph/compiler';\nexport const Project = all.Project;\n",
      };
      builder.onResolve({ filter: /^ts-morph(\/compiler)?$/ }, ({ path, importer, namespace: from }) => {
        if (from === namespace) return path === 'ts-morph' ? undefined : { path: 'compiler', namespace };
        return { path: importsProject(readFileSync(importer, 'utf8')) ? 'all' : 'compiler', namespace };
      });
      builder.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: parts[path](), resolveDir: root }));
      builder.onLoad({ filter: /[\\/]server[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return text.includes("'ts-morph'")
          ? { contents: resolveCompilerNames(text, compiler), loader: 'ts' }
          : undefined;
      });
    },
  };
}

/**
 * The text of one of our sources with the names of the compiler resolved. The line numbers stay the same. Exported for
 * its test.
 */
export function resolveCompilerNames(text, compiler) {
  const inlineMember = (original, enumeration, member) => findMemberNumber(compiler[enumeration], member) ?? original;
  const inlined = text.replace(/(?<![\w$]|[^.]\.)ts\.([A-Z]\w*)\.([A-Za-z]\w*)\b/g, inlineMember);
  const inlinedAliases = /\bconst K = ts\.SyntaxKind;|\bconst \{ SyntaxKind: K \} = ts;/.test(text)
    ? inlined.replace(/(?<![\w$]|[^.]\.)K\.([A-Z]\w*)\b/g, (original, member) =>
        inlineMember(original, 'SyntaxKind', member),
      )
    : inlined;
  return inlinedAliases.replace(/^import \{ ts \} from 'ts-morph';$/m, "import * as ts from 'ts-morph';");
}

/** True if a source imports `Project`. */
function importsProject(text) {
  return /^import \{[^}]*\bProject\b[^}]*\} from 'ts-morph';$/m.test(text);
}

/**
 * The number of a member of an enumeration, as source text; null if the enumeration does not exist or has no such
 * member.
 */
function findMemberNumber(enumeration, member) {
  const value = enumeration?.[member];
  return typeof value === 'number' && typeof enumeration[value] === 'string'
    ? value < 0
      ? `(${value})`
      : String(value)
    : null;
}

/**
 * The names of the compiler that our sources use as values. Types are left out, because the compiler has only values at
 * run time.
 */
function findUsedNames(sources, compiler) {
  const texts = readdirSync(sources, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .filter((text) => text.includes("'ts-morph'"));
  const usedNames = texts.flatMap((text) =>
    [...text.matchAll(/(?<![\w$]|[^.]\.)ts\.(\w+)|\bconst \{([^}]*)\} = ts\b(?!\.)/g)].flatMap(([, name, taken]) =>
      name === undefined ? [...taken.matchAll(/(\w+)(?=\s*[:,]|\s*$)/g)].map(([word]) => word) : [name],
    ),
  );
  return [...new Set(usedNames)].filter((name) => Object.hasOwn(compiler, name)).sort();
}
