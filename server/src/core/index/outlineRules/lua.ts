// Finds the definitions in Lua for the outline.

import type { Node } from 'web-tree-sitter';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

/** Functions, also in tables and assignments, and variables of the file. Local ones are not exported. */
export const luaRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'chunk',
    'block',
    'variable_declaration',
    'if_statement',
    'else_statement',
    'elseif_statement',
    'do_statement',
    'for_statement',
    'return_statement',
    'expression_list',
    'table_constructor',
    'field',
    'function_call',
    'arguments',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'function_declaration':
        return readNamedDefinition(
          node,
          node.childForFieldName('name'),
          scope,
          getBodyIfLong(node, node.childForFieldName('body')),
        );
      case 'assignment_statement':
        return readAssignment(node, scope);
      case 'field':
        return readField(node, scope);
      default:
        return null;
    }
  },
};

/**
 * A definition with the name `a`, `M.a` or `M:a`. Null for a definition under a computed key, which has no name, and
 * for a metamethod that is assigned.
 */
function readNamedDefinition(
  node: Node,
  definitionNode: Node | null,
  scope: OutlineScope,
  container: Node | null,
  kind?: Definition['kind'],
): Definition[] | null {
  const nameNode =
    definitionNode?.childForFieldName('field') ?? definitionNode?.childForFieldName('method') ?? definitionNode;
  if (!definitionNode || nameNode?.type !== 'identifier' || definitionNode.type === 'bracket_index_expression')
    return null;
  const qualifiers = (definitionNode.childForFieldName('table')?.text ?? '')
    .split('.')
    .filter((name) => name !== '' && name !== '_G');
  // Assignments of metamethods (`Foo.__index = Foo`) are not definitions.
  if (!qualifiers.every((name) => /^\w+$/.test(name)) || (kind === 'variable' && nameNode.text.startsWith('__')))
    return null;
  const isLocal = node.children[0]?.type === 'local' || node.parent?.type === 'variable_declaration';
  return [
    {
      kind: kind ?? (definitionNode.type === 'method_index_expression' ? 'method' : 'function'),
      name: nameNode.text,
      nameNode,
      node: node.parent?.type === 'variable_declaration' ? node.parent : node,
      exported: scope.exported && !scope.inFunction && !isLocal,
      qualifiers,
      bodyNode: container,
    },
  ];
}

/**
 * The definitions of an assignment: `M.run = function () end`, `local T = { start = function () end }`, `LIMIT = 3`. A
 * local name for a module is not a definition.
 */
function readAssignment(node: Node, scope: OutlineScope): Definition[] | null {
  const names =
    node.namedChildren
      .find((child) => child?.type === 'variable_list')
      ?.namedChildren.filter((child): child is Node => child !== null) ?? [];
  const values = node.namedChildren.find((child) => child?.type === 'expression_list')?.namedChildren ?? [];
  const definitions = names.flatMap((name, index) => {
    const value = values[index] ?? null;
    if (value?.type === 'function_definition')
      return (
        readNamedDefinition(
          node,
          name,
          scope,
          getBodyIfLong(node, value.childForFieldName('body')),
          name.type === 'method_index_expression' ? 'method' : 'function',
        ) ?? []
      );
    if (scope.inFunction || (value?.type === 'function_call' && value.childForFieldName('name')?.text === 'require'))
      return [];
    return (
      readNamedDefinition(
        node,
        name,
        scope,
        value?.type === 'table_constructor' ? value : null,
        /^[A-Z][A-Z0-9_]+$/.test(name.text) ? 'constant' : 'variable',
      ) ?? []
    );
  });
  return definitions.length > 0 ? definitions : null;
}

/** A function that is a field of a table; null for any other field. */
function readField(node: Node, scope: OutlineScope): Definition[] | null {
  const value = node.childForFieldName('value');
  const nameNode = node.childForFieldName('name');
  if (value?.type !== 'function_definition' || !nameNode || !['identifier', 'string'].includes(nameNode.type))
    return null;
  return [
    {
      kind: 'method',
      name: nameNode.text.replaceAll(/^['"]|['"]$/g, ''),
      nameNode,
      node,
      exported: scope.exported && !scope.inFunction,
      bodyNode: getBodyIfLong(node, value.childForFieldName('body')),
    },
  ];
}
