// Finds the names that the imports of a file bind, and the names that the file re-exports.

import type { Node, Tree } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import type { Binding } from '../../ports/catalogue.ts';

/**
 * Maximum length of a statement in UTF-16 units, far above the length of an import written by hand. Longer ones are
 * skipped.
 */
const MAX_STATEMENT = 20_000;

/** By language: matches the declaration of the namespace to which a file adds. */
const NAMESPACE_DECLARATIONS: Readonly<Record<string, RegExp>> = {
  csharp: /^[ \t]*namespace[ \t]+([\w.]+)/gm,
  haskell: /^module[ \t]+([\w.']+)/gm,
};

/**
 * The names that a file imports and exports. A binding is a list of the specifier, the imported name (`*` for the whole
 * module, '' for the last part of the specifier) and the local name (`*` for all names).
 */
export interface Bindings {
  readonly bindings: readonly Binding[];
  readonly exports: readonly Binding[];
  readonly declares: readonly string[];
  /** Specifiers from which the file imports only types. */
  readonly types: readonly string[];
  /** Ranges of the import statements, in order. Names inside them do not count as uses. */
  readonly skip: readonly (readonly [from: number, to: number])[];
}

/** The bindings of a file; none in a language without a reader, where an import stands for every name of its target. */
export function readBindings(tree: Tree, language: Language, text: string): Bindings {
  const reader = READER_BY_LANGUAGE[language as string];
  const declaration = NAMESPACE_DECLARATIONS[language as string];
  const declares = declaration ? [...new Set([...text.matchAll(declaration)].map(([, name]) => name!))] : [];
  if (!reader) return { bindings: [], exports: [], declares, types: [], skip: [] };
  const nodes = collectStatements(tree, reader, text);
  const bindings: Binding[] = [];
  const exports: Binding[] = [];
  const skip: [number, number][] = [];
  const erasedSpecifiers = new Set<string>();
  const loadedSpecifiers = new Set<string>();
  for (const node of nodes) {
    const statement = text.slice(node.startIndex, node.endIndex);
    if (statement.length > MAX_STATEMENT) continue;
    const [before, beforeExports] = [bindings.length, exports.length];
    if (reader.read(statement, bindings, exports)) skip.push([node.startIndex, node.endIndex]);
    if (reader !== ecmaScriptReader) continue;
    const isErased = isTypeOnly(removeComments(statement));
    for (const [from] of [...bindings.slice(before), ...exports.slice(beforeExports)])
      (isErased ? erasedSpecifiers : loadedSpecifiers).add(from);
    // An import without names runs the module for its side effects.
    const [, specifier] = /^import\s*['"]([^'"]+)['"]/.exec(statement) ?? [];
    if (specifier !== undefined) loadedSpecifiers.add(specifier);
  }
  const before = bindings.length;
  reader.readText?.(text, bindings, exports);
  for (const [from] of bindings.slice(before)) loadedSpecifiers.add(from);
  return {
    bindings,
    exports,
    declares,
    types: [...erasedSpecifiers].filter((from) => !loadedSpecifiers.has(from)),
    skip,
  };
}

/**
 * The statements of a file that the reader reads. With `begins`, only children of the root that begin with one of them.
 */
function collectStatements(tree: Tree, { types, begins }: Reader, text: string): Node[] {
  const nodes = begins ? tree.rootNode.namedChildren : tree.rootNode.descendantsOfType(types);
  return nodes.filter(
    (node): node is Node => node !== null && (!begins || begins.some((word) => text.startsWith(word, node.startIndex))),
  );
}

/** Reads the imports and exports of one language from the text of its statements. */
interface Reader {
  /** Types of the syntax nodes that are such statements. */
  readonly types: string[];
  /** Words with which the statements begin, if the statements are children of the root. */
  readonly begins?: readonly string[];
  /**
   * Adds to both lists. Returns true if the statement only imports or re-exports, so that names in it do not count as
   * uses.
   */
  read(statement: string, bindings: Binding[], exports: Binding[]): boolean;
  /** Adds the imports and exports that the text of a file contains in other forms than these statements. */
  readText?(text: string, bindings: Binding[], exports: Binding[]): void;
}

const NAME_PATTERN = '[\\p{L}_$][\\p{L}\\p{N}_$]*';

const ecmaScriptReader: Reader = {
  types: [],
  begins: ['import', 'export'],
  read(statement, bindings, exports) {
    const code = removeComments(statement);
    // Unless it follows a list or a star, `from` may be part of any text in the code.
    const mayHaveFrom = /^(?:import\b|export\s*(?:type\s*)?[{*])/.test(code);
    const from = mayHaveFrom
      ? (/\bfrom\s*['"]([^'"]+)['"]/.exec(code)?.[1] ?? /^import\s*['"]([^'"]+)['"]/.exec(code)?.[1])
      : undefined;
    const list = /\{([^{}]*)\}/.exec(code)?.[1];
    if (code.startsWith('import')) {
      const equals = new RegExp(
        `^import\\s+(?:type\\s+)?(${NAME_PATTERN})\\s*=\\s*require\\s*\\(\\s*['"]([^'"]+)`,
        'u',
      ).exec(code);
      if (equals) bindings.push([equals[2]!, '*', equals[1]!]);
      if (from === undefined) return true;
      const namespaceName = new RegExp(`\\*\\s*as\\s+(${NAME_PATTERN})`, 'u').exec(code)?.[1];
      const defaultName = new RegExp(
        `^import\\s+(?:type\\s+(?!from\\b)|defer\\s+)?(${NAME_PATTERN})\\s*(?:,|from\\b)`,
        'u',
      ).exec(code)?.[1];
      if (namespaceName) bindings.push([from, '*', namespaceName]);
      if (defaultName) bindings.push([from, 'default', defaultName]);
      for (const [name, as] of parseEntries(list)) bindings.push([from, name, as]);
      return true;
    }
    if (from !== undefined) {
      const namespaceName = new RegExp(`\\*\\s*as\\s+(${NAME_PATTERN}|'[^']*'|"[^"]*")`, 'u').exec(code)?.[1];
      if (list !== undefined) for (const [name, as] of parseEntries(list)) exports.push([from, name, as]);
      else exports.push([from, '*', namespaceName?.replaceAll(/['"]/g, '') ?? '*']);
      return true;
    }
    if (/^export\s*(type\s*)?\{/.test(code)) {
      for (const [name, as] of parseEntries(list)) exports.push(['', name, as]);
      // The names in this statement are exported, not used.
      return true;
    }
    const defaultName = new RegExp(
      `^export\\s+(?:default|=)\\s+(?:(?:async\\s+)?function\\s*\\*?\\s*|(?:abstract\\s+)?class\\s+)?(${NAME_PATTERN})`,
      'u',
    ).exec(code)?.[1];
    if (defaultName) exports.push(['', defaultName, 'default']);
    return false;
  },
  readText(text, bindings, exports) {
    const requirePattern =
      /(?:const|let|var)\s+([\w$]+|\{[^{}]*\})\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*['"`]([^'"`\n$]+)['"`]\s*\)(?:\.([\w$]+))?/g;
    for (const [, target = '', from = '', member] of text.matchAll(requirePattern)) {
      if (target.startsWith('{'))
        for (const [name, as] of parseEntries(target.slice(1, -1).replaceAll(':', ' as ')))
          bindings.push([from, name, as]);
      else bindings.push([from, member ?? '*', target]);
    }
    const exportPattern =
      /^[^\S\n]*module\.exports\s*=\s*(?:require\s*\(\s*['"]([^'"\n]+)['"]\s*\)|([\w$]+)\s*;?\s*$)/gm;
    for (const [, from, name] of text.matchAll(exportPattern))
      exports.push(from ? [from, '*', '*'] : ['', name!, 'default']);
    for (const [, as = '', from, name] of text.matchAll(
      /^[^\S\n]*(?:module\.)?exports\.([\w$]+)\s*=\s*(?:require\s*\(\s*['"]([^'"\n]+)['"]\s*\)|([\w$]+)\s*;?\s*$)/gm,
    ))
      exports.push(from ? [from, '*', as] : ['', name!, as]);
  },
};

/**
 * True if the compiler erases the statement, according to its own text: `import type …`, `export type …`, `{ type A,
 * type B }`.
 */
function isTypeOnly(code: string): boolean {
  if (
    /^(?:import|export)\s+type\s*[{*]/.test(code) ||
    new RegExp(`^import\\s+type\\s+(?!from\\b)${NAME_PATTERN}\\s*(?:from\\b|=)`, 'u').test(code)
  )
    return true;
  const braceList =
    /^(?:import|export)\s*\{([^{}]*)\}\s*from\b/
      .exec(code)?.[1]
      ?.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '') ?? [];
  return braceList.length > 0 && braceList.every((entry) => /^type\s+(?!as\b)/.test(entry));
}

/** Reads imports of Python. It adds no exports, because every name that a module imports can be imported from it. */
const pythonReader: Reader = {
  types: ['import_statement', 'import_from_statement'],
  read(statement, bindings) {
    const code = statement
      .replaceAll(/#.*$/gm, '')
      .replaceAll(/[()\\]/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const [, from, names] = /^from ?(\.[. ]*[\w.]*|[\w.]+) import (.+)$/.exec(code) ?? [];
    if (from !== undefined && names !== undefined) {
      for (const [name, as] of parseEntries(names)) bindings.push([from.replaceAll(' ', ''), name, as]);
    } else for (const [name, as] of parseEntries(/^import (.+)$/.exec(code)?.[1])) bindings.push([name, '*', as]);
    return true;
  },
};

const rustReader: Reader = {
  types: ['use_declaration', 'mod_item'],
  read(statement, bindings, exports) {
    const [, visibility, use] =
      /^(pub(?:\s*\([^)]*\))?\s+)?use\s+([\s\S]+?);?\s*$/.exec(removeComments(statement)) ?? [];
    if (use !== undefined) {
      for (const [path, as] of expandUseTree(use.replaceAll(/\s+/g, ' ').trim(), 0)) {
        const binding: Binding = as === '*' ? [path, '*', '*'] : [path, '', as];
        bindings.push(binding);
        if (visibility) exports.push(binding);
      }
      return true;
    }
    const [, modVisibility, name] =
      /^(?:#\[[^\]]*\]\s*)*(pub(?:\s*\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;\s*$/.exec(statement) ?? [];
    if (name === undefined) return false;
    bindings.push([`self::${name}`, '*', name]);
    if (modVisibility) exports.push([`self::${name}`, '*', name]);
    return true;
  },
};

const goReader: Reader = {
  types: ['import_spec'],
  read(statement, bindings) {
    const [, alias, path] = /^(?:([\w.]+)\s+)?["`]([^"`]+)["`]/.exec(statement) ?? [];
    if (path === undefined || alias === '_') return true;
    const lastSegment = path
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1)!
      .replace(/^go-|\.go$|-go$/, '');
    bindings.push(alias === '.' ? [path, '*', '*'] : [path, '*', alias ?? lastSegment]);
    return true;
  },
};

/** Reads imports of Java, Kotlin and Scala. */
const jvmReader: Reader = {
  types: ['import_declaration', 'import_header', 'import'],
  read(statement, bindings) {
    // In some grammars the keyword node has the same type as the whole statement.
    if (statement === 'import') return false;
    const code = removeComments(statement)
      .replace(/^import\s+(static\s+)?/, '')
      .replace(/(?<![;\s])[;\s]+$/, '')
      .replaceAll(/\s+/g, ' ');
    const [, prefix, list] = /^([^{]*)\.\{(.*)\}$/.exec(code) ?? [];
    const importedPaths = list === undefined ? [code] : list.split(',').map((part) => `${prefix}.${part.trim()}`);
    for (const importedPath of importedPaths) {
      const [, path = '', as] = /^([^ ]+)(?: ?(?:as|=>) ?([\w$]+))?$/.exec(importedPath) ?? [];
      const lastName = path.split('.').at(-1)!;
      if (path !== '')
        bindings.push(lastName === '*' || lastName === '_' ? [path, '*', '*'] : [path, '', as ?? lastName]);
    }
    return true;
  },
};

const phpReader: Reader = {
  types: ['namespace_use_declaration'],
  read(statement, bindings) {
    const code = removeComments(statement)
      .replace(/^use\s+(function\s+|const\s+)?/, '')
      .replace(/(?<![;\s])[;\s]+$/, '')
      .replaceAll(/\s+/g, ' ');
    const [, prefix, list] = /^(.*\\) ?\{(.*)\}$/.exec(code) ?? [];
    for (const part of (list ?? code).split(',')) {
      const [, path = '', as] = /^\s*([^ ]+)(?: as (\w+))?\s*$/i.exec(part) ?? [];
      if (path !== '') bindings.push([`${prefix ?? ''}${path}`, '', as ?? path.split('\\').at(-1)!]);
    }
    return true;
  },
};

/** Creates a reader for languages that import by assigning a call to a name. `pattern`: groups for name and path. */
const createAssignmentReader = (pattern: RegExp): Reader => ({
  types: [],
  read: () => false,
  readText(text, bindings) {
    for (const [, as, from] of text.matchAll(pattern)) bindings.push([from!, '*', as!]);
  },
});

const elixirReader: Reader = {
  types: [],
  read: () => false,
  readText(text, bindings) {
    for (const [, path = '', list, as] of text.matchAll(
      /^[^\S\n]*alias\s+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*as:\s*(\w+))?\s*$/gm,
    )) {
      for (const part of list === undefined ? [path] : list.split(',').map((name) => `${path}.${name.trim()}`))
        bindings.push([part, '', as ?? part.split('.').at(-1)!]);
    }
    for (const [, path] of text.matchAll(/^[^\S\n]*(?:import|use)\s+([A-Z][\w.]*)/gm)) bindings.push([path!, '*', '*']);
  },
};

const READER_BY_LANGUAGE: Readonly<Record<string, Reader>> = {
  typescript: ecmaScriptReader,
  tsx: ecmaScriptReader,
  javascript: ecmaScriptReader,
  python: pythonReader,
  rust: rustReader,
  go: goReader,
  java: jvmReader,
  kotlin: jvmReader,
  scala: jvmReader,
  php: phpReader,
  elixir: elixirReader,
  lua: createAssignmentReader(/\blocal\s+(\w+)\s*=\s*require\s*\(?\s*['"]([^'"\n]+)['"]/g),
  zig: createAssignmentReader(/\bconst\s+(\w+)\s*=\s*@import\s*\(\s*"([^"\n]+)"/g),
};

/** `a, type b, c as d` → pairs of the imported name and the local name. */
function parseEntries(list: string | undefined): (readonly [name: string, as: string])[] {
  return (list ?? '').split(',').flatMap((entry) => {
    const entryText = entry.trim().replace(/^type\s+(?!as\b)/, '');
    const [, name, as] = /^(\S+)(?:\s+as\s+(\S+))?/.exec(entryText) ?? [];
    return name === undefined ? [] : [[removeQuotes(name), removeQuotes(as ?? name)] as const];
  });
}

/** Maximum nesting of braces in a `use`. */
const MAX_TREE_DEPTH = 30;

/** `a::{b as c, d::*}` → [a::b, c], [a::d, *]. */
function expandUseTree(use: string, depth: number): (readonly [path: string, as: string])[] {
  const braceStart = use.indexOf('{');
  if (braceStart < 0) {
    const [, path = '', as] = /^(\S+?)(?: as (\S+))?$/.exec(use.trim()) ?? [];
    if (path.endsWith('*')) return [[path.replace(/(::)?\*$/, ''), '*']];
    const wholePath = path.replace(/::self$/, '');
    return wholePath === '' || as === '_' ? [] : [[wholePath, as ?? wholePath.split('::').at(-1)!.replace(/^r#/, '')]];
  }
  if (depth > MAX_TREE_DEPTH) return [];
  const prefix = use.slice(0, braceStart).trim();
  return splitAtTopCommas(use.slice(braceStart + 1, use.lastIndexOf('}'))).flatMap((part) =>
    expandUseTree(prefix + part, depth + 1),
  );
}

/** Splits a list at the commas that are not inside braces. */
function splitAtTopCommas(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index <= list.length; index++) {
    const character = list[index];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      parts.push(list.slice(from, index).trim());
      from = index + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

function removeComments(statement: string): string {
  return statement.includes('/')
    ? statement.replaceAll(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(^|[\s,{;])\/\/.*$/gm, '$1')
    : statement;
}

function removeQuotes(name: string): string {
  return name.replaceAll(/^['"]|['"]$/g, '');
}
