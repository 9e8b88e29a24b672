// Reads the tests of a Go file, case by case, with their assertions.

import type { Node, Tree } from 'web-tree-sitter';
import { rankAssertion, type Assertion, type TestCaseFacts } from '../assertion.ts';
import { findCallAssertions, findFailedConditions, failsTest, type GoForm } from './assertionForms.ts';
import { listBuildConstraints } from './constraints.ts';
import { collectTableRows } from './tables.ts';

/** Matches names of test functions. */
const CASE_PATTERN = /^(?:Test|Fuzz|Example)(?![a-z])/;
/** The function that runs the tests of its package, if there is one. It may omit tests. */
const MAIN_FUNCTION = 'TestMain';
/** Matches the types of test objects, such as `*testing.T`, whose methods fail a test. */
const OBJECT_TYPE = /^\*?(?:\w+\.)?(?:T|B|F|TB|M|C)$/;
/** Stands in a guard for a constant condition, which contains no name. */
const CONSTANT_CONDITION = 'constant ';
/** Matches the node type of a loop. */
const LOOP_PATTERN = /^for_statement$/;
/** Matches methods of a test object that skip the test. */
const SKIP_PATTERN = /^(?:Skip|Skipf|SkipNow)$/;

/** The part of a parser that is needed here. The caller frees its trees. */
export interface GoParser {
  parse(language: 'go', text: string): Promise<Tree | null>;
}

/**
 * The test cases of the file; empty if it cannot be parsed. Subtests are separate cases. The code outside of all cases
 * comes first, as a case without a name. Throws the errors of parsing.
 */
export async function readGoTestCases(parser: GoParser, path: string, text: string): Promise<readonly TestCaseFacts[]> {
  const tree = await parser.parse('go', text);
  if (!tree) return [];
  try {
    return collectCases(path, tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** A case while it is being read. */
interface Case {
  readonly titles: readonly string[];
  readonly assertions: Assertion[];
  /** Names of test objects in scope: `t`, and the test objects of the cases around it. */
  readonly objects: ReadonlySet<string>;
  skipped: boolean;
  skipsAlways: boolean;
}

/** The context of the node that is being read. */
interface Place {
  /** The case to which assertions are added. */
  readonly into: Case;
  readonly guard: string;
  readonly certain: boolean;
  readonly needs?: readonly string[];
}

function collectCases(path: string, root: Node): readonly TestCaseFacts[] {
  const cases: TestCaseFacts[] = [];
  const helpers = { titles: [], assertions: [] as Assertion[], skipped: false, skipsAlways: false };
  const constraints = listBuildConstraints(path, root.text);
  const parts: string[] = [];
  const needsOfFile: string[] = [];
  const table: string[] = [];
  for (const node of root.namedChildren) {
    const name = node.childForFieldName('name')?.text ?? '';
    const body = node.childForFieldName('body');
    if (!body || !/^(?:function|method)_declaration$/.test(node.type)) {
      if (/^(?:comment|package_clause|import_declaration)$/.test(node.type)) continue;
      parts.push(normalise(node.text));
      table.push(...(collectTableRows(node) ?? []));
      continue;
    }
    const isMethod = node.type === 'method_declaration';
    // In suites (testify, check.v1), tests are methods.
    const isCase = CASE_PATTERN.test(name) && name !== MAIN_FUNCTION && (!isMethod || name.startsWith('Test'));
    if (isCase) {
      const needs = isMethod ? [...constraints, 'a suite'] : constraints;
      addCase({ titles: [name], node, body, objects: new Set(), certain: !isMethod, needs });
      continue;
    }
    parts.push(normalise(node.text));
    if (name === MAIN_FUNCTION && !runsAllTests(node, body)) needsOfFile.push(MAIN_FUNCTION);
    const objects = new Set(['t', 'tb', 'b', ...collectObjects(node)]);
    walk(body, { into: { ...helpers, objects }, guard: '', certain: false });
  }
  if (helpers.assertions.length + parts.length > 0)
    cases.unshift({
      ...{
        path,
        name: '',
        line: 1,
        skipped: false,
        only: false,
        certain: false,
        body: '',
        table,
        parts,
        needs: needsOfFile,
      },
      rows: table.length === 0 ? null : table.length,
      assertions: helpers.assertions,
    });
  return cases;

  function addCase(testCase: {
    readonly titles: readonly string[];
    readonly node: Node;
    readonly body: Node;
    readonly objects: ReadonlySet<string>;
    readonly certain: boolean;
    readonly needs: readonly string[];
  }): void {
    const { titles, node, body, certain, needs } = testCase;
    const parameters = node.childForFieldName('parameters')?.descendantsOfType('identifier') ?? [];
    const receiver = node.childForFieldName('receiver')?.descendantsOfType('identifier') ?? [];
    const objects = new Set([...testCase.objects, ...[...parameters, ...receiver].flatMap((name) => name?.text ?? [])]);
    const newCase: Case = { titles, assertions: [], objects, skipped: false, skipsAlways: false };
    const rows = collectTableRows(body);
    walk(body, { into: newCase, guard: '', certain, needs });
    const output = /^[ \t]*\/\/ (?:unordered )?output:[^]*$/im.exec(body.text)?.[0];
    if (titles[0]!.startsWith('Example') && output !== undefined)
      newCase.assertions.push(
        createAssertion(
          { text: output, subject: titles[0]!, matcher: 'equal', isNegated: false, expected: output },
          body,
          '',
        ),
      );
    cases.push({
      path,
      name: titles.join(' › '),
      line: node.startPosition.row + 1,
      skipped: newCase.skipped,
      skipsAlways: newCase.skipsAlways,
      needs,
      only: false,
      certain,
      rows: rows?.length ?? null,
      ...(rows ? { table: rows } : {}),
      body: normalise(body.text),
      assertions: newCase.assertions,
    });
  }

  function walk(node: Node, place: Place): void {
    const { into, guard } = place;
    if (node.type === 'call_expression') {
      const subtest = findSubtest(node);
      if (subtest) {
        const { certain, needs = [] } = place;
        addCase({ ...subtest, titles: [...into.titles, subtest.title], objects: into.objects, certain, needs });
        return;
      }
      if (SKIP_PATTERN.test(findMember(node, into.objects) ?? '')) {
        into.skipped = true;
        into.skipsAlways ||= !guard.includes('if ');
      }
      addAssertions(findCallAssertions(node, into.objects), node, place);
    }
    if (node.type === 'if_statement') {
      walkIf(node, place);
      return;
    }
    if (node.type === 'statement_list') {
      walkStatements(node, place);
      return;
    }
    const inner = LOOP_PATTERN.test(node.type) || node.type === 'func_literal' ? { ...place, certain: false } : place;
    const isBranch = /_case$/.test(node.type);
    for (const child of node.namedChildren) walk(child, isBranch ? { ...inner, guard: `${guard}if ` } : inner);
  }

  /**
   * Reads an `if`. If its branch fails the test, its condition is an assertion; otherwise, it guards the code inside.
   */
  function walkIf(node: Node, place: Place): void {
    const condition = node.childForFieldName('condition');
    const consequence = node.childForFieldName('consequence');
    const alternative = node.childForFieldName('alternative');
    const initializer = node.childForFieldName('initializer');
    if (initializer) walk(initializer, place);
    if (!condition || !consequence) return;
    const branchFails = failsTest(consequence, place.into.objects);
    if (branchFails) addAssertions(findFailedConditions(condition, initializer), node, place);
    else {
      walk(condition, place);
      walk(consequence, { ...place, guard: `${place.guard}${isConstant(condition) ? CONSTANT_CONDITION : 'if '}` });
    }
    // If the first branch fails the test, the remaining chain runs in every passing test, so it needs no guard.
    if (alternative) walk(alternative, branchFails ? place : { ...place, guard: `${place.guard}if ` });
  }

  /**
   * Reads statements in order. After one that always exits, nothing runs; after an `if` that exits, the remaining
   * statements are guarded.
   */
  function walkStatements(statementList: Node, place: Place): void {
    let inner = place;
    for (const statement of statementList.namedChildren) {
      walk(statement, inner);
      if (alwaysExits(statement)) return;
      const consequence = statement.type === 'if_statement' ? statement.childForFieldName('consequence') : null;
      const lastStatement = consequence?.namedChildren[0]?.namedChildren.at(-1);
      if (lastStatement && alwaysExits(lastStatement) && consequence && !failsTest(consequence, place.into.objects))
        inner = { ...inner, guard: `${inner.guard}if ` };
    }
  }
}

function addAssertions(forms: readonly GoForm[], node: Node, { into, guard }: Place): void {
  for (const form of forms) into.assertions.push(createAssertion(form, node, guard));
}

function createAssertion(form: GoForm, node: Node, guard: string): Assertion {
  return { ...form, line: node.startPosition.row + 1, guard: `${guard}${form.guard ?? ''}`, rank: rankAssertion(form) };
}

/**
 * The subtest in `t.Run("name", func(t *testing.T) { … })`; null for any other call. A computed name is represented by
 * its code.
 */
function findSubtest(call: Node): { readonly title: string; readonly node: Node; readonly body: Node } | null {
  if (call.childForFieldName('function')?.childForFieldName('field')?.text !== 'Run') return null;
  const [title, callback, ...otherArguments] = call.childForFieldName('arguments')?.namedChildren ?? [];
  const body = callback?.type === 'func_literal' ? callback.childForFieldName('body') : null;
  if (!title || !callback || !body || otherArguments.length > 0) return null;
  return { title: title.text.replace(/^["`]|["`]$/g, ''), node: callback, body };
}

/** The called method of a test object, such as `Skip` in `t.Skip()`; null for any other call. */
function findMember(call: Node, objects: ReadonlySet<string>): string | null {
  const callee = call.childForFieldName('function');
  if (callee?.type !== 'selector_expression' || !objects.has(findRoot(callee))) return null;
  return callee.childForFieldName('field')?.text ?? null;
}

/** The expression at the start of a chain, such as `s` of `s.T().Skip`. */
function findRoot(node: Node): string {
  let current: Node = node;
  for (;;) {
    const inner = current.childForFieldName('operand') ?? current.childForFieldName('function');
    if (!inner) return current.text;
    current = inner;
  }
}

/** Names of the parameters that are test objects by their types. */
function collectObjects(declaration: Node): readonly string[] {
  const parameters = declaration.childForFieldName('parameters')?.namedChildren ?? [];
  return parameters
    .filter((parameter) => OBJECT_TYPE.test(parameter.childForFieldName('type')?.text ?? ''))
    .flatMap((parameter) =>
      parameter.namedChildren.filter(({ type }) => type === 'identifier').map(({ text }) => text),
    );
}

/** False if `TestMain` may end without running the tests, or with exit code 0 regardless of their result. */
function runsAllTests(main: Node, body: Node): boolean {
  const [object = 'm'] = collectObjects(main);
  if (/\bos\.Exit\(0\)/.test(body.text)) return false;
  const statements = body.namedChildren.flatMap((child) =>
    child.type === 'statement_list' ? child.namedChildren : child,
  );
  const end = statements.findIndex(alwaysExits);
  // The statement that exits may itself run the tests: `os.Exit(m.Run())`.
  return (end < 0 ? statements : statements.slice(0, end + 1)).some((statement) =>
    statement.descendantsOfType('call_expression').some((call) => {
      if (!call || isInBranch(call, body)) return false;
      const args = call.childForFieldName('arguments')?.namedChildren ?? [];
      return call.childForFieldName('function')?.text === `${object}.Run` || args.some(({ text }) => text === object);
    }),
  );
}

function isInBranch(node: Node, body: Node): boolean {
  for (let ancestor = node.parent; ancestor && ancestor.id !== body.id; ancestor = ancestor.parent)
    if (ancestor.type === 'block' || /_case$/.test(ancestor.type)) return true;
  return false;
}

/** True for a condition without names and calls, such as `true` or `1 == 1`. */
function isConstant(condition: Node): boolean {
  return condition.descendantsOfType(['identifier', 'call_expression']).length === 0;
}

/** True if the statements after this one in its block do not run. */
function alwaysExits(statement: Node): boolean {
  return (
    /^(?:return|break|continue|goto)_statement$/.test(statement.type) ||
    /^(?:runtime\.Goexit|os\.Exit)\(/.test(statement.text)
  );
}

function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
