// Finds the definitions in Java for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import type { Definition, OutlineRules, OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
  method_declaration: 'method',
  constructor_declaration: 'method',
  compact_constructor_declaration: 'method',
};

/** Types, methods and constants. */
export const javaRules: OutlineRules = {
  containers: new Set([
    'program',
    'class_body',
    'interface_body',
    'enum_body',
    'enum_body_declarations',
    'annotation_type_body',
  ]),
  readDefinitions(node, scope) {
    if (node.type === 'field_declaration' || node.type === 'constant_declaration') return readConstants(node, scope);
    const kind = KIND_BY_NODE[node.type];
    const nameNode = kind ? node.childForFieldName('name') : null;
    if (!kind || !nameNode) return null;
    return [
      {
        kind,
        name: nameNode.text,
        nameNode,
        node,
        exported: isPublic(node, scope),
        bodyNode: kind === 'method' ? null : node.childForFieldName('body'),
      },
    ];
  },
};

/** `static final` fields and the fields of an interface; other fields are private details of their class. */
function readConstants(node: Node, scope: OutlineScope): Definition[] | null {
  const modifiers = collectModifiers(node);
  if (scope.kind !== 'interface' && !(modifiers.includes('static') && modifiers.includes('final'))) return null;
  return node.childrenForFieldName('declarator').flatMap((declarator) => {
    const nameNode = declarator?.childForFieldName('name');
    return nameNode
      ? [
          {
            kind: 'constant' as const,
            name: nameNode.text,
            nameNode,
            node,
            exported: isPublic(node, scope),
            bodyNode: null,
          },
        ]
      : [];
  });
}

/** True for a public definition. Members of an interface are public unless they are marked otherwise. */
function isPublic(node: Node, scope: OutlineScope): boolean {
  const modifiers = collectModifiers(node);
  if (scope.kind === 'interface') return scope.exported && !modifiers.includes('private');
  return modifiers.includes('public') && (scope.names.length === 0 || scope.exported);
}

function collectModifiers(node: Node): readonly string[] {
  return (
    node.namedChildren.find((child) => child?.type === 'modifiers')?.children.map((child) => child?.type ?? '') ?? []
  );
}
