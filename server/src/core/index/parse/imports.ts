// Reads the import specifiers of a file from its syntax tree, as they are written.

import type { Node, Tree } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import {
  readCsharpImports,
  readHaskellImports,
  readKotlinImports,
  readScalaImports,
  readSwiftImports,
} from '../importReaders/managed.ts';
import { collectNodesOfType, removeQuotes, type ImportReader } from '../importReaders/nodes.ts';
import {
  readBashImports,
  readElixirImports,
  readLuaImports,
  readPhpImports,
  readRubyImports,
  readZigImports,
} from '../importReaders/scripts.ts';

const READER_BY_LANGUAGE: Readonly<Record<Language, ImportReader>> = {
  typescript: readScriptImports,
  tsx: readScriptImports,
  javascript: readScriptImports,
  python: readPythonImports,
  rust: readRustImports,
  go: (root) =>
    collectNodesOfType(root, ['import_spec']).map((node) => removeQuotes(node.childForFieldName('path')?.text ?? '')),
  java: (root) =>
    collectNodesOfType(root, ['import_declaration']).map((node) =>
      node.text
        .replace(/^import\s+(static\s+)?/, '')
        .replace(/(?<!\s)\s*;\s*$/, '')
        .replaceAll(/\s/g, ''),
    ),
  c: readIncludes,
  cpp: readIncludes,
  ruby: readRubyImports,
  php: readPhpImports,
  csharp: readCsharpImports,
  scala: readScalaImports,
  elixir: readElixirImports,
  swift: readSwiftImports,
  bash: readBashImports,
  lua: readLuaImports,
  kotlin: readKotlinImports,
  haskell: readHaskellImports,
  zig: readZigImports,
};

/** The specifiers in text order, each once. C: `<a.h>` keeps its brackets. Rust: `mod a;` reads as `self::a`. */
export function findImports(tree: Tree, language: Language): string[] {
  return [...new Set(READER_BY_LANGUAGE[language](tree.rootNode))].filter((specifier) => specifier !== '');
}

/** TypeScript and JavaScript: imports, re-exports, and calls of `require` and `import` with a constant text. */
function readScriptImports(root: Node): string[] {
  const specifiers: string[] = [];
  for (const node of root.namedChildren) {
    if (!node || (node.type !== 'import_statement' && node.type !== 'export_statement')) continue;
    const source =
      node.childForFieldName('source') ??
      node.namedChildren.find((child) => child?.type === 'import_require_clause')?.childForFieldName('source');
    if (source) specifiers.push(removeQuotes(source.text));
  }
  for (const [, specifier] of root.text.matchAll(/\b(?:require|import)\s*\(\s*['"`]([^'"`\n$]+)['"`]\s*[,)]/g))
    specifiers.push(specifier!);
  return specifiers;
}

/** `import a.b` reads as `a.b`; `from a import b` as `a` and `a.b`; `from . import b` as `.b`. */
function readPythonImports(root: Node): string[] {
  return collectNodesOfType(root, ['import_statement', 'import_from_statement']).flatMap((node) => {
    const names = node
      .childrenForFieldName('name')
      .map((name) => (name?.type === 'aliased_import' ? name.childForFieldName('name')?.text : name?.text) ?? '');
    if (node.type === 'import_statement') return names;
    const module = node.childForFieldName('module_name')?.text.replaceAll(/\s/g, '') ?? '';
    if (/^\.+$/.test(module)) return names.map((name) => module + name);
    // A name is often a module; if it is not, it resolves to no file.
    return [module, ...names.map((name) => `${module}.${name}`)];
  });
}

/** The paths of `use`, and the modules that the file declares without a body. */
function readRustImports(root: Node): string[] {
  return collectNodesOfType(root, ['use_declaration', 'mod_item']).flatMap((node) => {
    if (node.type === 'use_declaration')
      return expandUse(node.childForFieldName('argument')?.text.replaceAll(/\s+/g, ' ') ?? '');
    return node.childForFieldName('body') ? [] : [`self::${node.childForFieldName('name')?.text ?? ''}`];
  });
}

/** The paths of a `use` declaration: `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`. */
function expandUse(use: string): string[] {
  const braceStart = use.indexOf('{');
  if (braceStart < 0)
    return [
      use
        .replace(/ as .*$/, '')
        .replace(/(::)?\b(self|\*)$/, '')
        .replace(/::\*$/, '')
        .trim(),
    ];
  const prefix = use.slice(0, braceStart);
  const inner = use.slice(braceStart + 1, use.lastIndexOf('}'));
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index <= inner.length; index++) {
    const character = inner[index];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    else if ((character === ',' && depth === 0) || character === undefined) {
      parts.push(inner.slice(from, index).trim());
      from = index + 1;
    }
  }
  return parts.filter((part) => part !== '').flatMap((part) => expandUse(prefix + part));
}

function readIncludes(root: Node): string[] {
  return collectNodesOfType(root, ['preproc_include']).map((node) => {
    const path = node.childForFieldName('path')?.text ?? '';
    return path.startsWith('<') ? path : removeQuotes(path);
  });
}
