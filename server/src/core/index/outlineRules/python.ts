// Finds the definitions in Python for the outline.

import type { Node } from 'web-tree-sitter';
import {
  getBodyIfLong,
  includeWrappers,
  type AncestorNode,
  type Definition,
  type OutlineRules,
  type OutlineScope,
} from './rule.ts';

const WRAPPER_NODES = new Set(['decorated_definition']);

/** Functions, classes and variables of the module. A name that begins with `_` is not exported. */
export const pythonRules: OutlineRules = {
  containers: new Set([
    'module',
    'block',
    'decorated_definition',
    'if_statement',
    'elif_clause',
    'else_clause',
    'try_statement',
    'except_clause',
    'finally_clause',
    'with_statement',
    'expression_statement',
  ]),
  readDefinitions(node, scope, type, above) {
    if (type === 'function_definition' || type === 'class_definition')
      return readFunctionOrClass(node, scope, type, above);
    return type === 'assignment' ? readTopLevelVariable(node, scope, above) : null;
  },
};

function readFunctionOrClass(
  node: Node,
  scope: OutlineScope,
  type: string,
  above: AncestorNode | null,
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  if (!nameNode) return null;
  const body = node.childForFieldName('body');
  const isClass = type === 'class_definition';
  return [
    {
      kind: isClass ? 'class' : scope.kind === 'class' ? 'method' : 'function',
      name: nameNode.text,
      nameNode,
      node: includeWrappers(node, WRAPPER_NODES, above),
      exported: isPublic(nameNode.text, scope),
      bodyNode: isClass ? body : getBodyIfLong(node, body),
    },
  ];
}

/** A variable of the module. If its name has only capitals, it counts as a constant. */
function readTopLevelVariable(node: Node, scope: OutlineScope, above: AncestorNode | null): Definition[] | null {
  const nameNode = node.childForFieldName('left');
  if (scope.inFunction || scope.names.length > 0 || nameNode?.type !== 'identifier') return null;
  const kind = /^[A-Z][A-Z0-9_]*$/.test(nameNode.text) ? 'constant' : 'variable';
  return [
    {
      kind,
      name: nameNode.text,
      nameNode,
      node: above?.node ?? node,
      exported: isPublic(nameNode.text, scope),
      bodyNode: null,
    },
  ];
}

/**
 * True for a public name. Names like `__init__` belong to the language; they are as public as the class around them.
 */
function isPublic(name: string, scope: OutlineScope): boolean {
  const isHidden = name.startsWith('_') && !/^__\w+__$/.test(name);
  return !isHidden && !scope.inFunction && (scope.names.length === 0 || scope.exported);
}
