// Finds the definitions in shell scripts, and the tests of Bats, for the outline.

import type { Node } from 'web-tree-sitter';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

/**
 * Functions, declared variables, constants and Bats tests. All are exported except tests and functions inside
 * functions.
 */
export const bashRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'program',
    'if_statement',
    'elif_clause',
    'else_clause',
    'compound_statement',
    'list',
    'case_statement',
    'case_item',
    'redirected_statement',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'function_definition':
        return createDefinition(node, node.childForFieldName('name'), scope);
      case 'declaration_command':
        return readVariables(node, scope);
      case 'variable_assignment': {
        const nameNode = node.childForFieldName('name');
        // Variables in lower case are temporary; only those in capitals count as constants.
        return nameNode && /^[A-Z][A-Z0-9_]*$/.test(nameNode.text)
          ? defineVariable(node, nameNode, 'variable', scope)
          : null;
      }
      case 'command':
        return readBatsTest(node);
      default:
        return null;
    }
  },
};

/** The definition of a function; null if its name is missing, as in code with errors. */
function createDefinition(node: Node, nameNode: Node | null, scope: OutlineScope): Definition[] | null {
  return nameNode
    ? [
        {
          kind: 'function',
          name: nameNode.text,
          nameNode,
          node,
          exported: !scope.inFunction,
          bodyNode: getBodyIfLong(node, node.childForFieldName('body')),
        },
      ]
    : null;
}

/** The variables of a declaration: `readonly A=1`, `declare -r B=2 C=3`, `export D=4`. Null for `local`. */
function readVariables(node: Node, scope: OutlineScope): Definition[] | null {
  if (node.children[0]?.type === 'local') return null;
  const isConstant =
    node.children[0]?.type === 'readonly' ||
    node.namedChildren.some((child) => child?.type === 'word' && /^-\w*r/.test(child.text));
  return node.namedChildren.flatMap((child) => {
    const nameNode = child?.type === 'variable_assignment' ? child.childForFieldName('name') : null;
    return nameNode ? (defineVariable(node, nameNode, isConstant ? 'constant' : 'variable', scope) ?? []) : [];
  });
}

function defineVariable(
  node: Node,
  nameNode: Node,
  kind: 'constant' | 'variable',
  scope: OutlineScope,
): Definition[] | null {
  return scope.inFunction || nameNode.type !== 'variable_name'
    ? null
    : [{ kind, name: nameNode.text, nameNode, node, exported: true, bodyNode: null }];
}

/**
 * Defines the test of `@test "name" {`, which is not shell syntax: the parser reads it as a command, and the closing
 * brace as another command.
 */
function readBatsTest(node: Node): Definition[] | null {
  if (node.childForFieldName('name')?.text !== '@test') return null;
  const nameNode = node.childForFieldName('argument');
  if (!nameNode) return null;
  let lastNode = node;
  for (
    let nextNode = node.nextNamedSibling;
    nextNode && nextNode.childForFieldName('name')?.text !== '@test';
    nextNode = nextNode.nextNamedSibling
  ) {
    if (nextNode.type === 'function_definition' && nextNode.startPosition.column === 0) break;
    lastNode = nextNode;
    if (nextNode.text === '}') break;
  }
  return [
    {
      kind: 'function',
      name: nameNode.text.replaceAll(/^['"]|['"]$/g, ''),
      nameNode,
      node,
      to: lastNode,
      exported: false,
      bodyNode: null,
    },
  ];
}
