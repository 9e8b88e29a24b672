// Finds the definitions in Go for the outline.

import type { Node } from 'web-tree-sitter';
import type { Definition, OutlineRules } from './rule.ts';

/** Top-level definitions. Those whose name begins with a capital letter are exported. */
export const goRules: OutlineRules = {
  containers: new Set(['source_file', 'type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list']),
  readDefinitions(node) {
    switch (node.type) {
      case 'function_declaration':
        return readNamedDefinition(node, 'function', node);
      case 'method_declaration':
        return readNamedDefinition(node, 'method', node, parseReceiver(node));
      case 'type_spec': {
        const type = node.childForFieldName('type')?.type;
        return readNamedDefinition(
          node,
          type === 'struct_type' ? 'class' : type === 'interface_type' ? 'interface' : 'type',
          declarationOf(node),
        );
      }
      case 'type_alias':
        return readNamedDefinition(node, 'type', declarationOf(node));
      case 'const_spec':
        return readNamedDefinition(node, 'constant', declarationOf(node));
      case 'var_spec':
        return readNamedDefinition(node, 'variable', declarationOf(node));
      default:
        return null;
    }
  },
};

function readNamedDefinition(
  node: Node,
  kind: Definition['kind'],
  definitionNode: Node,
  qualifiers: readonly string[] = [],
): Definition[] {
  return node
    .childrenForFieldName('name')
    .filter((nameNode): nameNode is Node => nameNode?.isNamed && nameNode.text !== '_')
    .map((nameNode) => ({
      kind,
      name: nameNode.text,
      nameNode,
      node: definitionNode,
      exported: /^\p{Lu}/u.test(nameNode.text),
      qualifiers,
      bodyNode: null,
    }));
}

/** `func (s *Store[T]) Get()` belongs to `Store`. */
function parseReceiver(node: Node): readonly string[] {
  const name = /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)(\[[^\]]*\])?\s*\)$/u.exec(
    node.childForFieldName('receiver')?.text ?? '',
  )?.[1];
  return name ? [name] : [];
}

/** The declaration that contains this spec, if it contains no other spec; otherwise the spec. */
function declarationOf(spec: Node): Node {
  const declaration = spec.parent;
  return declaration &&
    /_declaration$/.test(declaration.type) &&
    declaration.namedChildren.filter((child) => child?.type !== 'comment').length === 1
    ? declaration
    : spec;
}
