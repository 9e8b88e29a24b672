// The node types that each language of tree-sitter uses for functions, branches and blocks.

import type { Language } from '../../model.ts';
import type { FunctionKind } from '../functionUnit.ts';

/** The meaning of a node type for the metrics. */
export type NodeRole =
  | 'lambda'
  | 'if'
  | 'elseIf'
  | 'else'
  | 'loop'
  | 'switch'
  | 'case'
  /** A case that adds a level itself, because no enclosing block does. */
  | 'nestingCase'
  | 'catch'
  | 'try'
  | 'ternary'
  | 'logical'
  | 'jump'
  /** Counts for cyclomatic complexity only. */
  | 'branch'
  | 'parentheses'
  | 'block';

/** The meanings of node types in one language. */
export interface LanguageTable {
  /** By type of node: the kind of the function. */
  readonly functions: Readonly<Record<string, FunctionKind>>;
  /** By type of node: its meaning. */
  readonly roles: Readonly<Record<string, NodeRole>>;
  /** Children in these fields of an `if`, loop, switch or catch are one level deeper. */
  readonly nestedFields: ReadonlySet<string>;
  readonly logicalOperators: ReadonlySet<string>;
  /** Types of nodes around a function that make it a method. */
  readonly classes: ReadonlySet<string>;
  /** Types of nodes in a block that do not count as statements. */
  readonly idleTypes: ReadonlySet<string>;
  /** Types of nodes that are the label of a jump. */
  readonly labels: ReadonlySet<string>;
  /** True if comments start with `#`. */
  readonly hashComments: boolean;
}

const NESTED_FIELDS = new Set(['consequence', 'body']);
const AND_OR = new Set(['&&', '||']);
const COMMENT_TYPES = ['comment', 'line_comment', 'block_comment'];

const C_ROLES: Readonly<Record<string, NodeRole>> = {
  lambda_expression: 'lambda',
  if_statement: 'if',
  else_clause: 'else',
  for_statement: 'loop',
  for_range_loop: 'loop',
  while_statement: 'loop',
  do_statement: 'loop',
  switch_statement: 'switch',
  case_statement: 'case',
  catch_clause: 'catch',
  try_statement: 'try',
  conditional_expression: 'ternary',
  binary_expression: 'logical',
  goto_statement: 'jump',
  parenthesized_expression: 'parentheses',
  compound_statement: 'block',
};

const C_TABLE: LanguageTable = {
  functions: { function_definition: 'function' },
  roles: C_ROLES,
  nestedFields: NESTED_FIELDS,
  logicalOperators: new Set(['&&', '||', 'and', 'or']),
  classes: new Set(['class_specifier', 'struct_specifier']),
  idleTypes: new Set([
    ...COMMENT_TYPES,
    'compound_statement',
    'case_statement',
    'break_statement',
    'continue_statement',
  ]),
  labels: new Set(['statement_identifier']),
  hashComments: false,
};

/** By language: its table. Scripts have none, because the compiler parses them. */
export const LANGUAGE_TABLES: Readonly<Partial<Record<Language, LanguageTable>>> = {
  c: C_TABLE,
  cpp: C_TABLE,
  python: {
    functions: { function_definition: 'function' },
    roles: {
      lambda: 'lambda',
      if_statement: 'if',
      elif_clause: 'elseIf',
      else_clause: 'else',
      for_statement: 'loop',
      while_statement: 'loop',
      match_statement: 'switch',
      case_clause: 'case',
      except_clause: 'catch',
      except_group_clause: 'catch',
      try_statement: 'try',
      conditional_expression: 'ternary',
      boolean_operator: 'logical',
      if_clause: 'branch',
      for_in_clause: 'branch',
      parenthesized_expression: 'parentheses',
      block: 'block',
      module: 'block',
    },
    nestedFields: NESTED_FIELDS,
    logicalOperators: new Set(['and', 'or']),
    classes: new Set(['class_definition']),
    idleTypes: new Set([
      ...COMMENT_TYPES,
      'pass_statement',
      'break_statement',
      'continue_statement',
      'import_statement',
      'import_from_statement',
      'future_import_statement',
    ]),
    labels: new Set(),
    hashComments: true,
  },
  rust: {
    functions: { function_item: 'function' },
    roles: {
      closure_expression: 'lambda',
      if_expression: 'if',
      else_clause: 'else',
      for_expression: 'loop',
      while_expression: 'loop',
      loop_expression: 'loop',
      match_expression: 'switch',
      match_arm: 'case',
      binary_expression: 'logical',
      break_expression: 'jump',
      continue_expression: 'jump',
      try_expression: 'branch',
      parenthesized_expression: 'parentheses',
      block: 'block',
      source_file: 'block',
    },
    nestedFields: NESTED_FIELDS,
    logicalOperators: AND_OR,
    classes: new Set(['impl_item', 'trait_item']),
    idleTypes: new Set([
      ...COMMENT_TYPES,
      'attribute_item',
      'inner_attribute_item',
      'use_declaration',
      'mod_item',
      'block',
      'empty_statement',
    ]),
    labels: new Set(['label']),
    hashComments: false,
  },
  go: {
    functions: { function_declaration: 'function', method_declaration: 'method' },
    roles: {
      func_literal: 'lambda',
      if_statement: 'if',
      for_statement: 'loop',
      expression_switch_statement: 'switch',
      type_switch_statement: 'switch',
      select_statement: 'switch',
      expression_case: 'nestingCase',
      type_case: 'nestingCase',
      communication_case: 'nestingCase',
      default_case: 'nestingCase',
      binary_expression: 'logical',
      break_statement: 'jump',
      continue_statement: 'jump',
      goto_statement: 'jump',
      parenthesized_expression: 'parentheses',
      statement_list: 'block',
      source_file: 'block',
    },
    nestedFields: NESTED_FIELDS,
    logicalOperators: AND_OR,
    classes: new Set(),
    idleTypes: new Set([
      ...COMMENT_TYPES,
      'package_clause',
      'import_declaration',
      'break_statement',
      'continue_statement',
      'block',
      'empty_statement',
    ]),
    labels: new Set(['label_name']),
    hashComments: false,
  },
  java: {
    functions: {
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      compact_constructor_declaration: 'constructor',
    },
    roles: {
      lambda_expression: 'lambda',
      if_statement: 'if',
      for_statement: 'loop',
      enhanced_for_statement: 'loop',
      while_statement: 'loop',
      do_statement: 'loop',
      switch_expression: 'switch',
      switch_block_statement_group: 'block',
      switch_rule: 'block',
      switch_label: 'case',
      catch_clause: 'catch',
      try_statement: 'try',
      try_with_resources_statement: 'try',
      ternary_expression: 'ternary',
      binary_expression: 'logical',
      break_statement: 'jump',
      continue_statement: 'jump',
      parenthesized_expression: 'parentheses',
      block: 'block',
      constructor_body: 'block',
    },
    nestedFields: NESTED_FIELDS,
    logicalOperators: AND_OR,
    classes: new Set(),
    idleTypes: new Set([...COMMENT_TYPES, 'block', 'break_statement', 'continue_statement', 'switch_label']),
    labels: new Set(['identifier']),
    hashComments: false,
  },
};
