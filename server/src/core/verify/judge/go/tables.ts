// Reads the rows of test tables in Go: the elements of slice and map literals.

import type { Node } from 'web-tree-sitter';

const TABLE_PATTERN = /^(?:slice_type|map_type|array_type|implicit_length_array_type)$/;

/** The rows of all tables inside the node, without differences of layout; null if there is no table. */
export function collectTableRows(node: Node): readonly string[] | null {
  const tables = node
    .descendantsOfType('composite_literal')
    .flatMap((literal) => (literal && isTable(literal) ? [literal] : []));
  if (tables.length === 0) return null;
  return tables.flatMap((table) =>
    (table.childForFieldName('body')?.namedChildren ?? [])
      .filter(({ type }) => type !== 'comment')
      .map(({ text }) => text.replace(/\s+/g, ' ').trim()),
  );
}

/**
 * True for a slice, array or map literal of inline structs, or one that is directly assigned to a variable or used by a
 * loop.
 */
function isTable(literal: Node): boolean {
  const type = literal.childForFieldName('type');
  if (!TABLE_PATTERN.test(type?.type ?? '')) return false;
  if (/\bstruct\b/.test(type?.text ?? '')) return true;
  const owner = literal.parent?.parent;
  return (
    owner?.type === 'short_var_declaration' || owner?.type === 'var_spec' || literal.parent?.type === 'range_clause'
  );
}
