// Creates mutants of the values that a Go function returns: each becomes the zero value of its type.

import type { Node } from 'web-tree-sitter';
import type { MutantReplacement } from '../mutators.ts';

const FUNCTION_PATTERN = /^(?:function_declaration|method_declaration|func_literal)$/;
const NUMBER_PATTERN = /^(?:u?int(?:8|16|32|64)?|uintptr|byte|rune|float(?:32|64)|complex(?:64|128))$/;
const POINTER_PATTERN = /^(?:pointer_type|slice_type|map_type|channel_type|function_type|interface_type)$/;
const ZERO_LITERALS = new Set(['nil', '0', '0.0', '""', '``', 'false']);

/**
 * One replacement for each returned value, except zero values, `true`, other plain literals and functions. Empty if the
 * statement returns a different number of values than the function has results.
 */
export function replaceResultsByZero(statement: Node): MutantReplacement[] {
  const values = statement.namedChildren.find(({ type }) => type === 'expression_list')?.namedChildren ?? [];
  const types = listResultTypes(findFunctionAround(statement));
  // The numbers differ for `return f()` if `f` has several results.
  if (values.length === 0 || values.length !== types.length) return [];
  return values.flatMap((value, index) => replaceByZero(value, types[index]!));
}

function findFunctionAround(node: Node): Node | null {
  let ancestor = node.parent;
  while (ancestor && !FUNCTION_PATTERN.test(ancestor.type)) ancestor = ancestor.parent;
  return ancestor;
}

/** The types of the results, one for each result: `(a, b int, err error)` has three. */
function listResultTypes(functionNode: Node | null): readonly Node[] {
  const result = functionNode?.childForFieldName('result');
  if (!result) return [];
  if (result.type !== 'parameter_list') return [result];
  return result.namedChildren.flatMap((child) => {
    const type = child.childForFieldName('type');
    if (!type) return [];
    const names = child.namedChildren.filter((part) => part.type === 'identifier' && part.id !== type.id).length;
    return Array.from({ length: Math.max(1, names) }, () => type);
  });
}

/** Replaces the value by zero. The old value stays in the code, because Go rejects unused variables and imports. */
function replaceByZero(value: Node, type: Node): MutantReplacement[] {
  const zero = getZeroValue(type);
  if (ZERO_LITERALS.has(value.text) || value.text === zero || value.type === 'func_literal') return [];
  // Literals have other mutants (`mutators.ts`).
  if (/_literal$/.test(value.type) && value.type !== 'composite_literal') return [];
  if (value.type === 'true') return [];
  const text =
    zero === 'false' ? `false && (${value.text})` : `func() ${type.text} { _ = ${value.text}; return ${zero} }()`;
  return [{ operator: 'return', start: value.startIndex, end: value.endIndex, text, shown: zero }];
}

function getZeroValue(type: Node): string {
  const { text } = type;
  if (text === 'bool') return 'false';
  if (text === 'string') return '""';
  if (NUMBER_PATTERN.test(text)) return '0';
  return text === 'error' || text === 'any' || POINTER_PATTERN.test(type.type) ? 'nil' : `*new(${text})`;
}
