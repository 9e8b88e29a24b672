// Finds the definitions in Ruby for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import type { Definition, OutlineRules, OutlineScope } from './rule.ts';

/** Methods that define attributes or delegating methods when they are called in the body of a class. */
const DEFINING_MACROS = new Set([
  'attr',
  'attr_accessor',
  'attr_reader',
  'attr_writer',
  'cattr_accessor',
  'mattr_accessor',
  'class_attribute',
  'thread_mattr_accessor',
  'def_delegators',
  'def_delegator',
  'delegate',
]);
/** Calls whose value is a new class or module. */
const CLASS_MAKERS = new Set(['Struct.new', 'Class.new', 'Module.new', 'Data.define']);
const HIDING_METHODS = new Set(['private', 'protected']);

/** Modules, classes, methods, attributes and constants. All are exported unless `private` or `protected` hides them. */
export const rubyRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'program',
    'body_statement',
    'call',
    'argument_list',
    'do_block',
    'block',
    'block_body',
    'if',
    'unless',
    'then',
    'else',
    'elsif',
    'begin',
    'rescue',
    'ensure',
    'if_modifier',
    'unless_modifier',
    'begin_block',
    'assignment',
    'operator_assignment',
    'hash',
    'pair',
    'lambda',
    'parenthesized_statements',
    'return',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'class':
      case 'module':
        return readTypeDefinition(node, scope);
      case 'singleton_class':
        return { enter: { ...scope, kind: 'class' }, node: node.childForFieldName('body') ?? node };
      case 'method':
      case 'singleton_method':
        return readMethod(node, scope);
      case 'alias':
        return createDefinition(node, node.childForFieldName('name'), 'method', scope);
      case 'assignment':
        return readConstants(node, scope);
      case 'call':
        return readMacro(node, scope);
      default:
        return null;
    }
  },
  findHidden: findHiddenDefinitions,
};

/**
 * The definition of a class or module; `qualifiers` of `class A::B::C` are `A` and `B`. Null if the name is missing.
 */
function readTypeDefinition(node: Node, scope: OutlineScope): Definition[] | null {
  const qualifiedName = node.childForFieldName('name');
  const nameNode = qualifiedName?.childForFieldName('name') ?? qualifiedName;
  if (!qualifiedName || !nameNode) return null;
  const qualifiers = qualifiedName.text
    .split('::')
    .slice(0, -1)
    .filter((name) => name !== '');
  return [
    {
      kind: node.type === 'class' ? 'class' : 'module',
      name: nameNode.text,
      nameNode,
      node,
      exported: isVisible(nameNode, scope),
      qualifiers,
      bodyNode: node.childForFieldName('body'),
    },
  ];
}

/** A method. `def Other.run` belongs to `Other`, `def self.run` to the enclosing class. */
function readMethod(node: Node, scope: OutlineScope): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  if (!nameNode) return null;
  const object = node.childForFieldName('object')?.text;
  const qualifiers = object && object !== 'self' && object !== scope.names.at(-1) ? object.split('::') : [];
  const kind = scope.kind === 'class' || scope.kind === 'module' || object !== undefined ? 'method' : 'function';
  const exported =
    node.type === 'singleton_method'
      ? scope.exported && !scope.hiddenDefinitions?.has(nameNode.text)
      : isVisible(node, scope) && isVisible(nameNode, scope);
  return [{ kind, name: nameNode.text, nameNode, node, exported, qualifiers, bodyNode: null }];
}

/** The constants of an assignment: `LIMIT = 3`, `A, B = 1, 2`, `Point = Struct.new(:x) do … end`. */
function readConstants(node: Node, scope: OutlineScope): Definition[] | null {
  const leftSide = node.childForFieldName('left');
  if (!leftSide || scope.inFunction) return null;
  const names =
    leftSide.type === 'constant'
      ? [leftSide]
      : leftSide.type === 'left_assignment_list'
        ? leftSide.namedChildren.filter((child): child is Node => child?.type === 'constant')
        : [];
  const right = node.childForFieldName('right');
  const makesClass =
    right?.type === 'call' &&
    CLASS_MAKERS.has(`${right.childForFieldName('receiver')?.text}.${right.childForFieldName('method')?.text}`);
  return names.length === 0
    ? null
    : names.map((nameNode) => ({
        kind: makesClass ? 'class' : 'constant',
        name: nameNode.text,
        nameNode,
        node,
        exported: isVisible(nameNode, scope),
        bodyNode: makesClass ? right.childForFieldName('block') : null,
      }));
}

/** The methods or attributes that a call in the body of a class defines; null for any other call. */
function readMacro(node: Node, scope: OutlineScope): Definition[] | null {
  const name = node.childForFieldName('method')?.text ?? '';
  if (node.childForFieldName('receiver') || scope.inFunction) return null;
  const macroArguments =
    node
      .childForFieldName('arguments')
      ?.namedChildren.filter((child): child is Node => child?.type === 'simple_symbol' || child?.type === 'string') ??
    [];
  if (name === 'define_method' || name === 'alias_method')
    return macroArguments[0] ? createDefinition(node, macroArguments[0], 'method', scope) : null;
  if (!DEFINING_MACROS.has(name) || macroArguments.length === 0) return null;
  return macroArguments.flatMap((nameNode) => createDefinition(node, nameNode, 'variable', scope) ?? []);
}

function createDefinition(
  node: Node,
  nameNode: Node | null,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
): Definition[] | null {
  const name = nameNode?.text.replaceAll(/^[:'"]+|['"]+$/g, '');
  return nameNode && name ? [{ kind, name, nameNode, node, exported: isVisible(node, scope), bodyNode: null }] : null;
}

function isVisible(node: Node, scope: OutlineScope): boolean {
  return (
    scope.exported &&
    !scope.inFunction &&
    !scope.hiddenDefinitions?.has(node.startIndex) &&
    !scope.hiddenDefinitions?.has(node.text)
  );
}

/**
 * The hidden definitions of a body, by name or by start index; null if there are none. `private` without arguments
 * hides all definitions up to the next `public` or `module_function`; `private :a`, `private_class_method :a` and
 * `private_constant :A` hide by name; `private def a` hides that definition.
 */
function findHiddenDefinitions(body: Node): ReadonlySet<number | string> | null {
  const hidden = new Set<number | string>();
  let hidesFollowing = false;
  for (const child of body.namedChildren) {
    if (!child) continue;
    if (child.type === 'identifier')
      hidesFollowing =
        HIDING_METHODS.has(child.text) || (hidesFollowing && !['public', 'module_function'].includes(child.text));
    else if (hidesFollowing) hidden.add(child.startIndex);
    const name = child.type === 'call' ? (child.childForFieldName('method')?.text ?? '') : '';
    if (!HIDING_METHODS.has(name) && name !== 'private_constant' && name !== 'private_class_method') continue;
    for (const argument of child.childForFieldName('arguments')?.namedChildren ?? []) {
      if (argument?.type === 'method') hidden.add(argument.startIndex);
      else if (argument) hidden.add(argument.text.replace(/^:/, ''));
    }
  }
  return hidden.size > 0 ? hidden : null;
}
