// What files of Ruby and PHP load: by path, and in PHP by name.

import type { Node } from 'web-tree-sitter';
import { nodes, unquoted } from './nodes.ts';

const rubyLoaders = new Set(['require', 'require_relative', 'load', 'autoload', 'import']);

/** What is relative to the file begins with a dot. */
export function rubyImports(root: Node): string[] {
  return nodes(root, ['call']).flatMap((node) => {
    const name = node.childForFieldName('method')?.text ?? '';
    if (!rubyLoaders.has(name) || node.childForFieldName('receiver')) return [];
    const path = node.childForFieldName('arguments')?.namedChildren.findLast((child) => child?.type === 'string');
    // `"#{dir}/x"` is known at run time only.
    if (!path || path.namedChildren.some((child) => child?.type === 'interpolation')) return [];
    return [name === 'require_relative' ? relative(unquoted(path.text)) : unquoted(path.text)];
  });
}

/** `use A\{B, C}` reads as `A\B`, `A\C`; `require __DIR__ . '/x.php'` as `./x.php`. */
export function phpImports(root: Node): string[] {
  return nodes(root, ['namespace_use_declaration', 'require_expression', 'require_once_expression', 'include_expression', 'include_once_expression']).flatMap((node) => {
    if (node.type !== 'namespace_use_declaration') return phpPath(node.text);
    const group = node.childForFieldName('body');
    const prefix = group ? node.namedChildren.find((child) => child?.type === 'namespace_name')?.text ?? '' : '';
    return nodes(group ?? node, ['namespace_use_clause']).map((clause) => {
      const name = clause.text.replace(/^(function|const)\s+/i, '').replace(/\s+as\s+[\s\S]*$/i, '').replace(/^\\/, '');
      return prefix ? `${prefix.replace(/^\\/, '')}\\${name}` : name;
    });
  });
}

function phpPath(expression: string): string[] {
  const path = expression.replace(/^\s*(require|include)(_once)?\b/i, '').trim().replace(/^\(([\s\S]*)\)$/, '$1').trim();
  const match = /^(?:(dirname\s*\(\s*(?:__DIR__|__FILE__)\s*\)|__DIR__)\s*\.\s*)?(['"])([^'"$]+)\2$/i.exec(path);
  if (!match) return [];
  const [, folder, , name] = match;
  if (!folder) return [name!];
  return [(/dirname\s*\(\s*__DIR__/i.test(folder) ? '..' : '.') + name!.replace(/^(?!\/)/, '/')];
}

function relative(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}
