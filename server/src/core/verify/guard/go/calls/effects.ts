// Finds functions of a Go package that may act on something outside, or whose results may depend on something outside:
// files, network, time, chance, other goroutines, and other packages of the repository.

import type { Node } from 'web-tree-sitter';
import type { GoFunction, ParsedGoFile } from './declarations.ts';

/** Packages of the standard library that only compute. Packages in their subfolders are listed separately. */
const PURE_PACKAGES = new Set(
  (
    'bytes cmp container/heap container/list container/ring encoding encoding/ascii85 encoding/base32 encoding/base64 ' +
    'encoding/binary encoding/csv encoding/hex encoding/json errors hash hash/adler32 hash/crc32 hash/crc64 hash/fnv ' +
    'html maps math math/big math/bits math/cmplx path regexp regexp/syntax slices sort strconv strings text/scanner ' +
    'unicode unicode/utf16 unicode/utf8 database/sql/driver'
  ).split(' '),
);
/**
 * Members that only compute, of packages that also do other things. `Fprint` writes to its first argument; code that
 * acts outside must name an outside argument, such as `os.Stdout`.
 */
const PURE_MEMBERS: Readonly<Record<string, RegExp>> = {
  fmt: /^(?:[SF]print\w*|Errorf|Sscan\w*|Append\w*|Stringer|State|Formatter)$/,
  time: /^(?:Duration|Nanosecond|Microsecond|Millisecond|Second|Minute|Hour|Month|Weekday)$/,
  sync: /^(?:Once|Mutex|RWMutex|OnceFunc|OnceValues?)$/,
  reflect: /^(?:DeepEqual|TypeOf|ValueOf|Kind|Type|Value)$/,
  io: /^(?:EOF|ErrUnexpectedEOF)$/,
  'path/filepath': /^(?:Base|Clean|Dir|Ext|Join|FromSlash|ToSlash|Match)$/,
};
/** Statements and expressions that involve other goroutines. */
const CONCURRENT_NODES = ['go_statement', 'send_statement', 'select_statement', 'channel_type'];
/** Matches functions of the language that write to standard error. */
const PRINT_PATTERN = /^(?:print|println)$/;

/** The outside effect of code that reads a variable which changes while the program runs. */
const CHANGING_VARIABLE = 'a variable of the package that changes';

/** A declaration at the top of a package. */
interface Unit {
  readonly name: string;
  readonly path: string;
  readonly node: Node;
}

/**
 * Maps the declarations that may act outside, by name, to what they use. A declaration that uses the name of such a
 * function, type or variable may also act outside. A variable may if a function other than `init` changes it, or if the
 * code that sets its value may.
 */
export function findOutsideEffects(
  files: readonly ParsedGoFile[],
  functions: readonly GoFunction[],
): ReadonlyMap<string, string> {
  const variables = collectUnits(files, 'var_declaration', 'var_spec');
  const types = collectUnits(files, 'type_declaration', 'type_spec', 'type_alias');
  const units: readonly Unit[] = [...functions, ...types, ...variables];
  const importsByFile = new Map(files.map((file) => [file.path, collectImportPaths(file)]));
  const unknownImports = new Map(files.flatMap((file) => findUnknownImport(file) ?? []));
  const actingByDeclaration = new Map<string, string>();
  const names = new Map<Unit, Set<string>>();
  for (const unit of units) {
    const foreignUse =
      unknownImports.get(unit.path) ?? findForeignUse(unit.node, importsByFile.get(unit.path) ?? new Map());
    if (foreignUse !== null && !actingByDeclaration.has(unit.name)) actingByDeclaration.set(unit.name, foreignUse);
    names.set(unit, collectUsedNames(unit.node, importsByFile.get(unit.path) ?? new Map()));
  }
  for (const candidate of functions)
    followAssignments(candidate, variables, names, actingByDeclaration, importsByFile.get(candidate.path) ?? new Map());
  for (let isGrown = true; isGrown; ) {
    isGrown = false;
    // A method is recognised only by its name, regardless of its receiver.
    const actingByName = new Map(
      [...actingByDeclaration].map(([name, foreignUse]) => [name.slice(name.indexOf('.') + 1), foreignUse]),
    );
    for (const unit of units) {
      if (actingByDeclaration.has(unit.name)) continue;
      const actingName = [...names.get(unit)!].find((name) => actingByName.has(name));
      if (actingName === undefined) continue;
      actingByDeclaration.set(unit.name, actingByName.get(actingName)!);
      isGrown = true;
    }
  }
  return actingByDeclaration;
}

/**
 * Marks the variables that a function changes. `init`, and functions that a `sync.Once` runs, set a variable only once;
 * the variable then uses what they use.
 */
function followAssignments(
  goFunction: GoFunction,
  variables: readonly Unit[],
  names: ReadonlyMap<Unit, Set<string>>,
  actingByDeclaration: Map<string, string>,
  imports: ReadonlyMap<string, string>,
): void {
  const foreignUseOfFunction = findForeignUse(goFunction.node, imports);
  const [initiallyAssigned, repeatedlyAssigned] = [
    collectAssignedNames(goFunction.node, true),
    collectAssignedNames(goFunction.node, false),
  ];
  for (const variable of variables) {
    const isChangedRepeatedly = repeatedlyAssigned.has(variable.name) && goFunction.name !== 'init';
    if (!isChangedRepeatedly && !initiallyAssigned.has(variable.name) && !repeatedlyAssigned.has(variable.name))
      continue;
    const useReason = isChangedRepeatedly ? CHANGING_VARIABLE : foreignUseOfFunction;
    if (useReason !== null) actingByDeclaration.set(variable.name, actingByDeclaration.get(variable.name) ?? useReason);
    else for (const name of names.get(goFunction)!) names.get(variable)!.add(name);
  }
}

/** The declarations of one kind at the top of the files. */
function collectUnits(
  files: readonly ParsedGoFile[],
  declaration: string,
  ...specs: readonly string[]
): readonly Unit[] {
  return files.flatMap(({ path, root }) =>
    root.namedChildren
      .filter(({ type }) => type === declaration)
      .flatMap((node) => node.descendantsOfType([...specs]))
      .flatMap((node) =>
        (node?.childrenForFieldName('name') ?? []).flatMap((name) =>
          node && name ? [{ name: name.text, path, node }] : [],
        ),
      ),
  );
}

/**
 * The names that a function assigns, increments, decrements or takes the address of: inside of functions that are
 * passed to a `sync.Once` if `isInsideOnce` is true, and elsewhere if it is false.
 */
function collectAssignedNames(node: Node, isInsideOnce: boolean): ReadonlySet<string> {
  const targets = [
    ...node.descendantsOfType('assignment_statement').map((node) => node?.childForFieldName('left')),
    ...node.descendantsOfType(['inc_statement', 'dec_statement']).map((node) => node?.namedChild(0)),
    ...node
      .descendantsOfType('unary_expression')
      .map((node) => (node?.text.startsWith('&') ? node.childForFieldName('operand') : null)),
  ];
  return new Set(
    targets.flatMap((node) => (node && isInsideOnceFunction(node) === isInsideOnce ? [...collectNames(node)] : [])),
  );
}

/** True for code in a function that is passed to a method `Do`, such as that of a `sync.Once`. */
function isInsideOnceFunction(node: Node): boolean {
  for (let ancestor: Node | null = node; ancestor; ancestor = ancestor.parent)
    if (ancestor.type === 'func_literal' && ancestor.parent?.type === 'argument_list')
      return ancestor.parent.parent?.childForFieldName('function')?.text.endsWith('.Do') === true;
  return false;
}

/**
 * The path of the file with the path of an import whose name is unknown, because the last part of the import path is
 * not used in the file. Null if all names are known.
 */
function findUnknownImport(file: ParsedGoFile): readonly (readonly [path: string, used: string])[] | null {
  const usedNames = collectNames(file.root);
  const unknownImports = [...collectImportPaths(file)].filter(([name]) => name !== '_' && !usedNames.has(name));
  return unknownImports.length === 0 ? null : [[file.path, unknownImports[0]![1]]];
}

/** Maps the name that a file uses for each import to the import path; `.` and `_` stand for imports without a name. */
export function collectImportPaths({ root }: Pick<ParsedGoFile, 'root'>): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const spec of root.descendantsOfType('import_spec')) {
    if (!spec) continue;
    const path = (spec.childForFieldName('path')?.text ?? '').slice(1, -1);
    const lastSegment = path
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1)!;
    imports.set(spec.childForFieldName('name')?.text ?? lastSegment.replace(/^go-|\.go$|-go$/, ''), path);
  }
  return imports;
}

/**
 * A description of the first use in the node that may do more than compute; null if there is none. `imports`: import
 * paths by their names in the file.
 */
function findForeignUse(node: Node, imports: ReadonlyMap<string, string>): string | null {
  if (imports.has('.')) return imports.get('.')!;
  for (const type of CONCURRENT_NODES) if (node.descendantsOfType(type).length > 0) return 'other goroutines';
  for (const use of node.descendantsOfType(['selector_expression', 'qualified_type'])) {
    const [first, last] = [use?.namedChild(0)?.text ?? '', use?.namedChildren.at(-1)?.text ?? ''];
    const path = imports.get(first);
    if (path === undefined || PURE_PACKAGES.has(path) || PURE_MEMBERS[path]?.test(last)) continue;
    return `${first}.${last}`;
  }
  for (const call of node.descendantsOfType('call_expression')) {
    const name = call?.childForFieldName('function')?.text ?? '';
    if (PRINT_PATTERN.test(name)) return name;
  }
  return null;
}

const NAME_NODES = ['identifier', 'field_identifier', 'type_identifier', 'package_identifier'];

function collectNames(node: Node): Set<string> {
  return new Set(node.descendantsOfType(NAME_NODES).map((node) => node?.text ?? ''));
}

/**
 * The names that a declaration uses, without functions and values of imported packages: `errors.New` does not use a
 * function `New` of this package. If the declaration uses the name of an import in another way, it may declare that
 * name itself, so members of that name count.
 */
function collectUsedNames(node: Node, imports: ReadonlyMap<string, string>): Set<string> {
  const operandOf = (name: Node) =>
    name.parent?.type === 'selector_expression' ? name.parent.childForFieldName('operand') : null;
  const namesUsedAlone = new Set(
    node
      .descendantsOfType('identifier')
      .flatMap((identifier) => (identifier && operandOf(identifier)?.id !== identifier.id ? [identifier.text] : [])),
  );
  const isForeign = (name: Node) => {
    const operand = name.type === 'field_identifier' ? operandOf(name) : null;
    return operand?.type === 'identifier' && imports.has(operand.text) && !namesUsedAlone.has(operand.text);
  };
  return new Set(node.descendantsOfType(NAME_NODES).flatMap((name) => (name && !isForeign(name) ? [name.text] : [])));
}
