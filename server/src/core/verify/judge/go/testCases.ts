// Reads the tests of a Go file, case by case, with their assertions.

import type { Node, Tree } from 'web-tree-sitter';
import { rankOf, type Assertion, type TestCaseFacts } from '../assertion.ts';
import { callAssertions, failedConditions, failureIn, type GoForm } from './assertionForms.ts';

const CASE = /^(?:Test|Fuzz|Example)(?![a-z])/;
const LOOP = /^for_statement$/;
/** Calls of the object of a test that end or mark it as skipped. */
const SKIPS = /^(?:Skip|Skipf|SkipNow)$/;

/** The part of a parser that is needed here; the caller frees its trees. */
export interface GoParser {
  parse(language: 'go', text: string): Promise<Tree | null>;
}

/** The cases of the file; none if it is not parsed. Subtests are cases of their own. Throws what parsing throws. */
export async function goTestCases(parser: GoParser, path: string, text: string): Promise<readonly TestCaseFacts[]> {
  const tree = await parser.parse('go', text);
  if (!tree) return [];
  try {
    return casesIn(path, tree.rootNode);
  } finally {
    tree.delete();
  }
}

interface Case {
  readonly titles: readonly string[];
  readonly assertions: Assertion[];
  /** Names of the objects through which the test fails: `t`, and those of the tests around it. */
  readonly objects: ReadonlySet<string>;
  skipped: boolean;
  rows: number | null;
}

interface Place {
  readonly into: Case;
  readonly guard: string;
  readonly certain: boolean;
}

function casesIn(path: string, root: Node): readonly TestCaseFacts[] {
  const cases: TestCaseFacts[] = [];
  const helpers: Case = { titles: [], assertions: [], objects: new Set(['t', 'tb', 'b']), skipped: false, rows: null };
  for (const node of root.namedChildren) {
    const name = node.childForFieldName('name')?.text ?? '';
    const body = node.childForFieldName('body');
    if (!body || !/^(?:function|method)_declaration$/.test(node.type)) continue;
    const isMethod = node.type === 'method_declaration';
    // Suites (testify, check.v1) have tests as methods.
    const isCase = CASE.test(name) && (!isMethod || name.startsWith('Test'));
    if (!isCase) walk(body, { into: helpers, guard: '', certain: false });
    else addCase({ titles: [name], node, body, objects: new Set(), certain: true });
  }
  if (helpers.assertions.length > 0)
    cases.unshift({
      ...{ path, name: '', line: 1, skipped: false, only: false, certain: false, rows: null, body: '' },
      assertions: helpers.assertions,
    });
  return cases;

  function addCase(one: {
    readonly titles: readonly string[];
    readonly node: Node;
    readonly body: Node;
    readonly objects: ReadonlySet<string>;
    readonly certain: boolean;
  }): Case {
    const { titles, node, body, certain } = one;
    const parameters = node.childForFieldName('parameters')?.descendantsOfType('identifier') ?? [];
    const receiver = node.childForFieldName('receiver')?.descendantsOfType('identifier') ?? [];
    const objects = new Set([...one.objects, ...[...parameters, ...receiver].flatMap((name) => name?.text ?? [])]);
    const made: Case = { titles, assertions: [], objects, skipped: false, rows: rowsIn(body) };
    walk(body, { into: made, guard: '', certain });
    const output = /^[ \t]*\/\/ (?:unordered )?output:[^]*$/im.exec(body.text)?.[0];
    if (titles[0]!.startsWith('Example') && output !== undefined)
      made.assertions.push(
        assertionOf(
          { text: output, subject: titles[0]!, matcher: 'equal', negated: false, expected: output },
          body,
          '',
        ),
      );
    cases.push({
      path,
      name: titles.join(' › '),
      line: node.startPosition.row + 1,
      skipped: made.skipped,
      only: false,
      certain,
      rows: made.rows,
      body: normalised(body.text),
      assertions: made.assertions,
    });
    return made;
  }

  function walk(node: Node, place: Place): void {
    const { into, guard } = place;
    if (node.type === 'call_expression') {
      const sub = subtestIn(node);
      if (sub) {
        addCase({ ...sub, titles: [...into.titles, sub.title], objects: into.objects, certain: place.certain });
        return;
      }
      if (SKIPS.test(memberOf(node, into.objects) ?? '')) into.skipped = true;
      add(callAssertions(node, into.objects), node, place);
    }
    if (node.type === 'if_statement') {
      walkIf(node, place);
      return;
    }
    if (node.type === 'statement_list') {
      walkList(node, place);
      return;
    }
    const inner = LOOP.test(node.type) || node.type === 'func_literal' ? { ...place, certain: false } : place;
    const isBranch = /_case$/.test(node.type);
    for (const child of node.namedChildren) walk(child, isBranch ? { ...inner, guard: `${guard}if ` } : inner);
  }

  /** `if got != want { t.Errorf(…) }` demands that both are equal. */
  function walkIf(node: Node, place: Place): void {
    const condition = node.childForFieldName('condition');
    const then = node.childForFieldName('consequence');
    const otherwise = node.childForFieldName('alternative');
    const initializer = node.childForFieldName('initializer');
    if (initializer) walk(initializer, place);
    if (!condition || !then) return;
    const fails = failureIn(then, place.into.objects);
    if (fails) add(failedConditions(condition, initializer), node, place);
    else {
      walk(condition, place);
      walk(then, { ...place, guard: `${place.guard}if ` });
    }
    // `else if` has the failure of the first condition behind it.
    if (otherwise) walk(otherwise, fails ? place : { ...place, guard: `${place.guard}if ` });
  }

  /** What follows a statement that leaves does not run, or runs only if a condition does not leave. */
  function walkList(list: Node, place: Place): void {
    let inner = place;
    for (const statement of list.namedChildren) {
      walk(statement, inner);
      if (leaves(statement)) return;
      const then = statement.type === 'if_statement' ? statement.childForFieldName('consequence') : null;
      const last = then?.namedChildren[0]?.namedChildren.at(-1);
      if (last && leaves(last) && then && !failureIn(then, place.into.objects))
        inner = { ...inner, guard: `${inner.guard}if ` };
    }
  }
}

function add(forms: readonly GoForm[], node: Node, { into, guard }: Place): void {
  for (const form of forms) into.assertions.push(assertionOf(form, node, guard));
}

function assertionOf(form: GoForm, node: Node, guard: string): Assertion {
  return { ...form, line: node.startPosition.row + 1, guard, rank: rankOf(form) };
}

/** `t.Run("name", func(t *testing.T) { … })`; the name of a row is left as it is written. */
function subtestIn(call: Node): { readonly title: string; readonly node: Node; readonly body: Node } | null {
  if (call.childForFieldName('function')?.childForFieldName('field')?.text !== 'Run') return null;
  const [title, callback, ...more] = call.childForFieldName('arguments')?.namedChildren ?? [];
  const body = callback?.type === 'func_literal' ? callback.childForFieldName('body') : null;
  if (!title || !callback || !body || more.length > 0) return null;
  return { title: title.text.replace(/^["`]|["`]$/g, ''), node: callback, body };
}

/** The called member of an object of a test: `Skip` in `t.Skip()`. */
function memberOf(call: Node, objects: ReadonlySet<string>): string | null {
  const callee = call.childForFieldName('function');
  if (callee?.type !== 'selector_expression' || !objects.has(rootOf(callee))) return null;
  return callee.childForFieldName('field')?.text ?? null;
}

/** `s` in `s.T().Skip`. */
function rootOf(node: Node): string {
  let at: Node = node;
  for (;;) {
    const inner = at.childForFieldName('operand') ?? at.childForFieldName('function');
    if (!inner) return at.text;
    at = inner;
  }
}

/** The number of rows in tables of cases: composite literals of slices and maps whose elements are written out. */
function rowsIn(body: Node): number | null {
  const tables = body
    .descendantsOfType('composite_literal')
    .filter(
      (one) =>
        one && /^(?:slice_type|map_type|implicit_length_array_type)$/.test(one.childForFieldName('type')?.type ?? ''),
    )
    .filter(
      (one) =>
        /\bstruct\b/.test(one?.childForFieldName('type')?.text ?? '') ||
        one?.parent?.parent?.type === 'short_var_declaration',
    )
    .map((one) => one?.childForFieldName('body')?.namedChildren.filter(({ type }) => type !== 'comment').length ?? 0);
  return tables.length === 0 ? null : Math.max(...tables);
}

function leaves(statement: Node): boolean {
  return statement.type === 'return_statement' || /^(?:break|continue|goto)_statement$/.test(statement.type);
}

function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
