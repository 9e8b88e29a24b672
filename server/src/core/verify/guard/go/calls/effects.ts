// Finds functions of a Go package that may act on something outside, or whose results may depend on something outside:
// files, network, time, chance, other goroutines, other packages of the repository.

import type { GoFunction, ParsedFile } from './declarations.ts';

/** Packages of the standard library that only compute. Their subfolders have rows of their own. */
const PURE = new Set(
  (
    'bytes cmp container/heap container/list container/ring encoding encoding/ascii85 encoding/base32 encoding/base64 ' +
    'encoding/binary encoding/csv encoding/hex encoding/json errors hash hash/adler32 hash/crc32 hash/crc64 hash/fnv ' +
    'html maps math math/big math/bits math/cmplx path regexp regexp/syntax slices sort strconv strings text/scanner ' +
    'unicode unicode/utf16 unicode/utf8 database/sql/driver'
  ).split(' '),
);
/** Members that only compute, of packages that also do other things. */
const PURE_MEMBERS: Readonly<Record<string, RegExp>> = {
  fmt: /^(?:Sprint\w*|Errorf|Sscan\w*|Append\w*|Stringer|State|Formatter)$/,
  time: /^(?:Duration|Nanosecond|Microsecond|Millisecond|Second|Minute|Hour|Month|Weekday)$/,
  sync: /^(?:Once|Mutex|RWMutex|OnceFunc|OnceValues?)$/,
  reflect: /^(?:DeepEqual|TypeOf|ValueOf|Kind|Type|Value)$/,
  io: /^(?:EOF|ErrUnexpectedEOF)$/,
  'path/filepath': /^(?:Base|Clean|Dir|Ext|Join|FromSlash|ToSlash|Match)$/,
};
/** Statements and expressions that involve other goroutines. */
const CONCURRENT = ['go_statement', 'send_statement', 'select_statement', 'channel_type'];
/** Functions of the language that write to the standard error. */
const PRINTS = /^(?:print|println)$/;

/**
 * The functions that may act outside, by name, each with what it uses. A function that uses the name of such a function
 * counts, too; so does one that uses a variable of the package whose value comes from such a package.
 */
export function actingOutside(
  files: readonly ParsedFile[],
  functions: readonly GoFunction[],
): ReadonlyMap<string, string> {
  const acting = new Map<string, string>();
  const names = new Map<GoFunction, ReadonlySet<string>>();
  const importsOf = new Map(files.map((file) => [file.path, importsIn(file)]));
  for (const one of functions) {
    const used = foreignUse(one.node, importsOf.get(one.path) ?? new Map());
    if (used !== null) acting.set(one.name, used);
    names.set(one, namesIn(one.node));
  }
  for (const [name, used] of variablesOf(files, importsOf)) if (!acting.has(name)) acting.set(name, used);
  for (let grown = true; grown; ) {
    grown = false;
    // A method is recognised by its own name, whatever its receiver is.
    const known = new Map([...acting].map(([name, used]) => [name.slice(name.indexOf('.') + 1), used]));
    for (const one of functions) {
      if (acting.has(one.name)) continue;
      const through = [...names.get(one)!].find((name) => known.has(name));
      if (through === undefined) continue;
      acting.set(one.name, known.get(through)!);
      grown = true;
    }
  }
  return acting;
}

/** The import paths of a file by the name that the file uses; `.` and `_` for those without one. */
export function importsIn({ root }: Pick<ParsedFile, 'root'>): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const spec of root.descendantsOfType('import_spec')) {
    if (!spec) continue;
    const path = (spec.childForFieldName('path')?.text ?? '').slice(1, -1);
    const last = path
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1)!;
    imports.set(spec.childForFieldName('name')?.text ?? last.replace(/^go-|\.go$|-go$/, ''), path);
  }
  return imports;
}

function foreignUse(node: ParsedFile['root'], imports: ReadonlyMap<string, string>): string | null {
  if (imports.has('.')) return imports.get('.')!;
  for (const type of CONCURRENT) if (node.descendantsOfType(type).length > 0) return 'other goroutines';
  for (const one of node.descendantsOfType(['selector_expression', 'qualified_type'])) {
    const [first, last] = [one?.namedChild(0)?.text ?? '', one?.namedChildren.at(-1)?.text ?? ''];
    const path = imports.get(first);
    if (path === undefined || PURE.has(path) || PURE_MEMBERS[path]?.test(last)) continue;
    return `${first}.${last}`;
  }
  for (const call of node.descendantsOfType('call_expression')) {
    const name = call?.childForFieldName('function')?.text ?? '';
    if (PRINTS.test(name)) return name;
  }
  return null;
}

function namesIn(node: ParsedFile['root']): ReadonlySet<string> {
  const body = node.childForFieldName('body') ?? node;
  return new Set(body.descendantsOfType(['identifier', 'field_identifier']).map((one) => one?.text ?? ''));
}

/** Variables at the top of the package whose values come from packages that act outside. */
function variablesOf(
  files: readonly ParsedFile[],
  importsOf: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly (readonly [name: string, used: string])[] {
  return files.flatMap(({ path, root }) =>
    root.namedChildren
      .filter(({ type }) => type === 'var_declaration')
      .flatMap((node) => node.descendantsOfType('var_spec'))
      .flatMap((spec) => {
        const used = spec && foreignUse(spec, importsOf.get(path) ?? new Map());
        if (!spec || used === null) return [];
        return spec.childrenForFieldName('name').flatMap((name) => (name ? [[name.text, used] as const] : []));
      }),
  );
}
