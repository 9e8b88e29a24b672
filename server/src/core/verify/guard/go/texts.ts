// Guesses whether a Go expression is a string. For strings, replacing `+` by another operator would not compile.

import type { Node } from 'web-tree-sitter';

/** Matches functions that return strings. */
const STRING_FUNCTION_PATTERNS = [
  /^(?:string|fmt\.Sprint(?:f|ln)?|strconv\.(?:Itoa|Format\w+|Quote\w*))$/,
  /^strings\.(?:Join|Repeat|Replace|ReplaceAll|To\w+|Trim\w*|Title|Map)$/,
  /^(?:filepath\.\w+|path\.\w+|os\.Getenv|hex\.EncodeToString)$/,
  // Methods that return strings by convention.
  /\.(?:String|Error|Name)$/,
];
const FUNCTION_PATTERN = /^(?:function_declaration|method_declaration|func_literal)$/;
const TEXT_NODES = new Set(['interpreted_string_literal', 'raw_string_literal']);

/** True if the expression, or an operand of its sum, has the form of a string. */
export function isGoString(node: Node | null): boolean {
  if (node === null) return false;
  if (TEXT_NODES.has(node.type)) return true;
  switch (node.type) {
    case 'binary_expression':
      return isSum(node) && (isGoString(node.childForFieldName('left')) || isGoString(node.childForFieldName('right')));
    case 'parenthesized_expression':
    case 'expression_list':
      return node.namedChildren.some(isGoString);
    case 'call_expression': {
      const functionName = node.childForFieldName('function')?.text ?? '';
      return STRING_FUNCTION_PATTERNS.some((pattern) => pattern.test(functionName));
    }
    case 'slice_expression':
      return isGoString(node.childForFieldName('operand'));
    case 'identifier':
      return isDeclaredText(node);
    default:
      return false;
  }
}

function isSum(node: Node): boolean {
  return node.childForFieldName('operator')?.text === '+';
}

/** True if a function around the name declares it as a string, by a parameter or by its first value. */
function isDeclaredText(name: Node): boolean {
  for (let ancestor = name.parent; ancestor; ancestor = ancestor.parent) {
    if (!FUNCTION_PATTERN.test(ancestor.type)) continue;
    const parameters = ancestor.childForFieldName('parameters')?.namedChildren ?? [];
    const declaringParameter = parameters.find((node) =>
      node.namedChildren.some((part) => isNameIn(part, node, name.text)),
    );
    if (declaringParameter)
      return (
        declaringParameter.type === 'parameter_declaration' &&
        declaringParameter.childForFieldName('type')?.text === 'string'
      );
    const isKnown = isDeclaredAsString(ancestor.childForFieldName('body'), name);
    if (isKnown !== null) return isKnown;
  }
  return false;
}

function isNameIn(part: Node, parameter: Node, name: string): boolean {
  return part.type === 'identifier' && part.text === name && part.id !== parameter.childForFieldName('type')?.id;
}

/**
 * True if the body declares the name as a string before this use, false if as something else; null if it does not
 * declare the name.
 */
function isDeclaredAsString(body: Node | null, name: Node): boolean | null {
  for (const node of body?.descendantsOfType(['short_var_declaration', 'var_spec', 'range_clause']) ?? []) {
    if (!node || node.startIndex >= name.startIndex) break;
    if (node.type === 'var_spec') {
      if (!node.childrenForFieldName('name').some((candidate) => candidate?.text === name.text)) continue;
      const type = node.childForFieldName('type');
      return type ? type.text === 'string' : isGoString(node.childForFieldName('value'));
    }
    const names = node.childForFieldName('left')?.namedChildren.map((child) => child.text) ?? [];
    const index = names.indexOf(name.text);
    if (index < 0) continue;
    const values = node.childForFieldName('right');
    const value = values?.type === 'expression_list' ? values.namedChildren[index] : undefined;
    // A value that mentions the name itself would cause endless recursion.
    return value !== undefined && value.endIndex <= name.startIndex && isGoString(value);
  }
  return null;
}
