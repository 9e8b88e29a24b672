// The tests of a script, case by case, with what each asserts.

import { ts } from 'ts-morph';
import { ASSERTS, assertionNamesIn } from '../../syntax/assertionNames.ts';
import { rankOf, type Assertion, type TestCaseFacts } from './assertion.ts';

const CASES = new Set(['test', 'it', 'specify', 'Deno.test']);
const OFF_CASES = new Set(['xtest', 'xit', 'xspecify']);
const GROUPS = new Set(['describe', 'suite', 'context']);
const OFF_GROUPS = new Set(['xdescribe', 'xcontext']);
const OFF = new Set(['skip', 'todo', 'fixme', 'failing', 'fails', 'skipIf']);
/** Methods of the object that a test is handed which assert nothing. */
const NO_ASSERTION =
  /^(?:plan|log|timeout|teardown|before|after|beforeEach|afterEach|comment|context|end|test|skip|todo|diagnostic|mock|signal|name|passed|runOnly|setTimeout|getCause)$/;
/** Words that only make a chain read well. */
const FILLERS = new Set(
  'to be been is that which and has have with at of same but does still also a an resolves rejects it expect assert should'.split(
    ' ',
  ),
);

export function testCasesOf(path: string, text: string): readonly TestCaseFacts[] {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : /\.[cm]?js$/.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const known = assertionNamesIn(source);
  const cases: TestCaseFacts[] = [];
  const outside: Assertion[] = [];
  walk(source, { titles: [], off: false, only: false, into: outside, handed: new Set(), guard: '' });
  const all = [
    { path, name: '', line: 1, skipped: false, only: false, rows: null, body: '', assertions: outside },
    ...cases,
  ];
  return all.filter(({ name, assertions }) => name !== '' || assertions.length > 0);

  interface Place {
    readonly titles: readonly string[];
    readonly off: boolean;
    readonly only: boolean;
    readonly into: Assertion[];
    /** Names of the objects that tests are handed. */
    readonly handed: ReadonlySet<string>;
    /** What an assertion depends on within its case. */
    readonly guard: string;
  }

  function walk(node: ts.Node, place: Place): void {
    if (ts.isCallExpression(node)) {
      const group = groupIn(node);
      if (group) return walkGroup(group, place);
    }
    // `expect(a).to.be.true`
    if (ts.isExpressionStatement(node) && ts.isPropertyAccessExpression(node.expression)) note(node.expression, place);
    if (ts.isCallExpression(node) && !isWithinChain(node)) note(node, place);
    if (ts.isTryStatement(node) && node.catchClause && swallows(node.catchClause)) {
      walk(node.tryBlock, { ...place, guard: `${place.guard}try ` });
      walk(node.catchClause, place);
      if (node.finallyBlock) walk(node.finallyBlock, place);
      return;
    }
    if (ts.isIfStatement(node)) {
      walk(node.expression, place);
      const guarded = { ...place, guard: `${place.guard}if ` };
      walk(node.thenStatement, guarded);
      if (node.elseStatement) walk(node.elseStatement, guarded);
      return;
    }
    if (ts.isBlock(node) || ts.isSourceFile(node)) {
      for (const statement of node.statements) {
        walk(statement, place);
        // What follows never runs.
        if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) break;
      }
      return;
    }
    ts.forEachChild(node, (child) => walk(child, place));
  }

  function walkGroup({ kind, title, off, only, callback, rows, call }: Group, place: Place): void {
    const titles = [...place.titles, title];
    const inner = { ...place, titles, off: place.off || off, only: place.only || only };
    if (kind === 'group') {
      if (callback) walk(callback.body, inner);
      return;
    }
    const assertions: Assertion[] = [];
    const handed = callback?.parameters[0]?.name;
    const names = new Set(place.handed);
    if (handed && ts.isIdentifier(handed)) names.add(handed.text);
    // Nested cases of node:test and tap stand for themselves.
    if (callback) walk(callback.body, { ...inner, into: assertions, handed: names, guard: '' });
    cases.push({
      path,
      name: titles.join(' › '),
      line: lineOf(call),
      skipped: inner.off || !callback,
      only: inner.only,
      rows,
      body: callback ? plain(callback.getText(source)) : '',
      assertions,
    });
  }

  function note(expression: ts.Expression, { into, handed, guard }: Place): void {
    for (const one of assertionsIn(expression, handed))
      into.push({ ...one, line: lineOf(expression), guard, rank: rankOf(one) });
  }

  function lineOf(node: ts.Node): number {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }

  function assertionsIn(
    expression: ts.Expression,
    handed: ReadonlySet<string>,
  ): Omit<Assertion, 'line' | 'guard' | 'rank'>[] {
    const links = linksOf(expression);
    const [root] = links;
    if (!root) return [];
    const isHanded = handed.has(root.name) && links.length === 2 && links[1]!.args !== null;
    const isKnown = known.has(root.name) && links.some(({ args }) => args !== null);
    if ((isHanded || isKnown) && links.length === 2 && NO_ASSERTION.test(links[1]!.name)) return [];
    if (!isHanded && !isKnown && !links.some(({ name }) => ASSERTS.test(name))) return [];
    /** As it is called where it comes from. */
    const rootName = known.get(root.name) ?? root.name;
    const text = plain(expression.getText(source));
    const later = links.slice(1).filter(({ name, args }) => name === 'expect' && args !== null);
    // `request(app).get('/').expect(200).expect(/body/)`
    if (!ASSERTS.test(root.name) && !isHanded && later.length > 0)
      return later.map(({ args }) => ({
        text: `expect(${args!.join(', ')})`,
        subject: plain(links.slice(0, links.indexOf(later[0]!)).map(shown).join('.')),
        matcher: 'equal',
        negated: false,
        expected: args!.join(', '),
      }));
    const words = links.map(({ name }) => name).filter((name) => !FILLERS.has(name));
    const negated = words.some((word) => word === 'not' || word === 'doesNotThrow');
    const last = links.at(-1)!;
    if (rootName === 'expect' || words[0]?.startsWith('expect')) {
      const [subject = ''] = root.args ?? [];
      const matcher = words.filter((word) => word !== 'not' && !ASSERTS.test(word)).join('.');
      const expected = links.slice(1).flatMap(({ args }) => args ?? []);
      if (isEmptyTalk(subject, expected)) return [];
      return [{ text, subject, matcher: matcher || 'expect', negated, expected: expected.join(', ') }];
    }
    const should = links.findIndex(({ name }) => name === 'should');
    if (should > 0) {
      const expected = links.slice(should).flatMap(({ args }) => args ?? []);
      const matcher = links
        .slice(should + 1)
        .map(({ name }) => name)
        .filter((name) => !FILLERS.has(name) && name !== 'not');
      return [
        {
          text,
          subject: plain(links.slice(0, should).map(shown).join('.')),
          matcher: matcher.join('.') || 'should',
          negated,
          expected: expected.join(', '),
        },
      ];
    }
    const [subject = '', ...expected] = last.args ?? [];
    if (isEmptyTalk(subject, expected)) return [];
    const matcher = last === root ? rootName : last.name;
    return [{ text, subject, matcher, negated, expected: expected.slice(0, 2).join(', ') }];
  }

  function linksOf(expression: ts.Expression): readonly Link[] {
    const links: Link[] = [];
    let at: ts.Expression = expression;
    let args: readonly string[] | null = null;
    for (;;) {
      if (ts.isAwaitExpression(at) || ts.isParenthesizedExpression(at) || ts.isNonNullExpression(at))
        at = at.expression;
      else if (ts.isCallExpression(at)) {
        args = at.arguments.map((argument) => plain(argument.getText(source)));
        at = at.expression;
      } else if (ts.isPropertyAccessExpression(at)) {
        links.unshift({ name: at.name.text, args });
        args = null;
        at = at.expression;
      } else if (ts.isIdentifier(at)) {
        links.unshift({ name: at.text, args });
        return links;
      } else {
        links.unshift({ name: plain(at.getText(source)), args });
        return links;
      }
    }
  }
}

interface Link {
  readonly name: string;
  /** Null: it is not called. */
  readonly args: readonly string[] | null;
}

interface Group {
  readonly kind: 'group' | 'case';
  readonly call: ts.CallExpression;
  readonly title: string;
  readonly off: boolean;
  readonly only: boolean;
  readonly callback: ts.FunctionExpression | ts.ArrowFunction | null;
  /** Of a table of cases, where it stands in the call. */
  readonly rows: number | null;
}

function groupIn(call: ts.CallExpression): Group | null {
  const names: string[] = [];
  let rows: number | null = null;
  let at: ts.Expression = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(at)) {
      names.unshift(at.name.text);
      at = at.expression;
    } else if (ts.isCallExpression(at)) {
      const [table] = at.arguments;
      if (table && ts.isArrayLiteralExpression(table)) rows = table.elements.length;
      at = at.expression;
    } else if (ts.isTaggedTemplateExpression(at)) {
      rows = at.template
        .getText()
        .split('\n')
        .filter((line) => line.includes('${')).length;
      at = at.tag;
    } else break;
  }
  if (!ts.isIdentifier(at)) return null;
  names.unshift(at.text);
  const [first = '', second = ''] = names;
  const isCase = CASES.has(first) || OFF_CASES.has(first) || CASES.has(`${first}.${second}`) || second === 'test';
  const isGroup = GROUPS.has(first) || OFF_GROUPS.has(first) || second === 'describe';
  const [title] = call.arguments;
  if ((!isCase && !isGroup) || !title) return null;
  const callback = call.arguments.find(
    (one): one is ts.FunctionExpression | ts.ArrowFunction => ts.isFunctionExpression(one) || ts.isArrowFunction(one),
  );
  const isTitle = ts.isStringLiteralLike(title) || ts.isTemplateExpression(title);
  if (!callback && !(isTitle && isCase)) return null;
  // `test.before(() => …)` and the like are no cases.
  if (names.slice(1).some((name) => /^(?:before|after|beforeEach|afterEach|use|step|extend|macro)$/.test(name)))
    return null;
  return {
    kind: isCase ? 'case' : 'group',
    call,
    title: isTitle ? title.getText().slice(1, -1) : plain(title.getText()).slice(0, 80),
    off: OFF_CASES.has(first) || OFF_GROUPS.has(first) || names.some((name) => OFF.has(name)) || isSwitchedOff(call),
    only: names.includes('only'),
    callback: callback ?? null,
    rows,
  };
}

/** `test('…', { skip: true }, …)`. */
function isSwitchedOff(call: ts.CallExpression): boolean {
  return call.arguments.some(
    (one) =>
      ts.isObjectLiteralExpression(one) &&
      one.properties.some(
        (property) =>
          ts.isPropertyAssignment(property) &&
          /^(?:skip|todo)$/.test(property.name.getText()) &&
          property.initializer.kind !== ts.SyntaxKind.FalseKeyword,
      ),
  );
}

/** The outer end of a chain of calls stands for all of it. */
function isWithinChain(call: ts.CallExpression): boolean {
  const { parent } = call;
  return ts.isPropertyAccessExpression(parent) || (ts.isCallExpression(parent) && parent.expression === call);
}

/** It catches what an assertion throws, and goes on. */
function swallows({ block }: ts.CatchClause): boolean {
  return !/\b(?:throw|expect|assert|fail|reject|should)\b|\bt\./.test(block.getText());
}

/** About literals alone, or something compared with itself. */
function isEmptyTalk(subject: string, expected: readonly string[]): boolean {
  const literal = /^(?:true|false|null|undefined|-?\d[\d_.]*|'[^']*')$/;
  if (expected.length === 0) return literal.test(subject);
  return (literal.test(subject) && expected.every((one) => literal.test(one))) || subject === expected[0];
}

/** In one form, whatever its layout and quotes. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/"((?:[^"'\\]|\\.)*)"/g, "'$1'")
    .replace(/, ?([)\]}])/g, '$1')
    .replace(/([([{]) /g, '$1')
    .replace(/ ([)\]}])/g, '$1')
    .replace(/;(?=\s|$)/g, '')
    .trim();
}

function shown({ name, args }: Link): string {
  return args === null ? name : `${name}(${args.join(', ')})`;
}
