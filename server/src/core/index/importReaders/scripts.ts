// Reads the imports of Ruby, PHP, Elixir, Lua, Zig and shell scripts, by path or by name. A path that is relative to
// the file begins with a dot.

import type { Node } from 'web-tree-sitter';
import { collectNodesOfType, removeQuotes } from './nodes.ts';

const RUBY_LOADERS = new Set(['require', 'require_relative', 'load', 'autoload', 'import']);

/**
 * Returns the paths of `require`, `require_relative`, `load`, `autoload` and `import`. A path with an interpolation is
 * skipped.
 */
export function readRubyImports(root: Node): string[] {
  return collectNodesOfType(root, ['call']).flatMap((node) => {
    const name = node.childForFieldName('method')?.text ?? '';
    if (!RUBY_LOADERS.has(name) || node.childForFieldName('receiver')) return [];
    const path = node.childForFieldName('arguments')?.namedChildren.findLast((child) => child?.type === 'string');
    // The value of `"#{dir}/x"` is known at run time only.
    if (!path || path.namedChildren.some((child) => child?.type === 'interpolation')) return [];
    return [name === 'require_relative' ? asRelativePath(removeQuotes(path.text)) : removeQuotes(path.text)];
  });
}

/** `use A\{B, C}` reads as `A\B`, `A\C`; `require __DIR__ . '/x.php'` as `./x.php`. */
export function readPhpImports(root: Node): string[] {
  return collectNodesOfType(root, [
    'namespace_use_declaration',
    'require_expression',
    'require_once_expression',
    'include_expression',
    'include_once_expression',
  ]).flatMap((node) => {
    if (node.type !== 'namespace_use_declaration') return readPhpPath(node.text);
    const group = node.childForFieldName('body');
    const prefix = group ? (node.namedChildren.find((child) => child?.type === 'namespace_name')?.text ?? '') : '';
    return collectNodesOfType(group ?? node, ['namespace_use_clause']).map((clause) => {
      const name = clause.text
        .replace(/^(function|const)\s+/i, '')
        .replace(/(?<!\s)\s+as\s+[\s\S]*$/i, '')
        .replace(/^\\/, '');
      return prefix ? `${prefix.replace(/^\\/, '')}\\${name}` : name;
    });
  });
}

/**
 * The path of a `require` or `include` whose argument is a constant text, alone or after `__DIR__` or `dirname(…)`;
 * empty for any other argument.
 */
function readPhpPath(expression: string): string[] {
  const path = expression
    .replace(/^\s*(require|include)(_once)?\b/i, '')
    .trim()
    .replace(/^\(([\s\S]*)\)$/, '$1')
    .trim();
  const match = /^(?:(dirname\s*\(\s*(?:__DIR__|__FILE__)\s*\)|__DIR__)\s*\.\s*)?(['"])([^'"$]+)\2$/i.exec(path);
  if (!match) return [];
  const [, folder, , name] = match;
  if (!folder) return [name!];
  return [(/dirname\s*\(\s*__DIR__/i.test(folder) ? '..' : '.') + name!.replace(/^(?!\/)/, '/')];
}

/** Returns the modules of `alias`, `import`, `require` and `use`. `alias A.{B, C}` reads as `A.B`, `A.C`. */
export function readElixirImports(root: Node): string[] {
  return collectNodesOfType(root, ['call']).flatMap((node) => {
    if (!['alias', 'import', 'require', 'use'].includes(node.childForFieldName('target')?.text ?? '')) return [];
    const argumentsNode = node.namedChildren.find((child) => child?.type === 'arguments')?.namedChildren[0];
    if (argumentsNode?.type === 'alias') return [argumentsNode.text];
    const prefix = argumentsNode?.type === 'dot' ? argumentsNode.childForFieldName('left') : null;
    if (prefix?.type !== 'alias') return [];
    return (
      argumentsNode!
        .childForFieldName('right')
        ?.namedChildren.flatMap((name) => (name?.type === 'alias' ? [`${prefix.text}.${name.text}`] : [])) ?? []
    );
  });
}

/** Returns the paths of `require`, `dofile`, `loadfile` and `import` that are constant texts. */
export function readLuaImports(root: Node): string[] {
  return collectNodesOfType(root, ['function_call']).flatMap((node) => {
    if (!['require', 'dofile', 'loadfile', 'import'].includes(node.childForFieldName('name')?.text ?? '')) return [];
    const [path] = node.childForFieldName('arguments')?.namedChildren ?? [];
    return path?.type === 'string' ? [path.childForFieldName('content')?.text ?? ''] : [];
  });
}

/**
 * Returns the arguments of `@import`, `@cInclude` and `@embedFile`. `@import("std")` reads as `std`, `@import("a.zig")`
 * as `./a.zig`.
 */
export function readZigImports(root: Node): string[] {
  return collectNodesOfType(root, ['builtin_function']).flatMap((node) => {
    const [name, argument] = node.namedChildren;
    if (!['@import', '@cInclude', '@embedFile'].includes(name?.text ?? '')) return [];
    const path = removeQuotes(argument?.namedChildren[0]?.text ?? '');
    return [name?.text !== '@cInclude' && path.includes('.') ? asRelativePath(path) : path];
  });
}

/**
 * The scripts that a shell script sources or that Bats loads. A variable or call at the beginning of a path counts as
 * the folder of the file, because that is usual. A path with any other variable is skipped.
 */
export function readBashImports(root: Node): string[] {
  return collectNodesOfType(root, ['command']).flatMap((node) => {
    const name = node.childForFieldName('name')?.text ?? '';
    if (!['source', '.', 'load', 'bats_load_library'].includes(name)) return [];
    const path = removeQuotes(node.childForFieldName('argument')?.text ?? '').replaceAll('"', '');
    const scriptPath = path.replace(/^(\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`)+\//, './');
    if (scriptPath.includes('$') || scriptPath.includes('`')) return [];
    return [name === 'load' && !scriptPath.startsWith('/') ? asRelativePath(scriptPath) : scriptPath];
  });
}

function asRelativePath(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}
