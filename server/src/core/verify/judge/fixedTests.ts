// Reads from the text of a test file whether the tests that it declares can depend on the code under test: then a change
// of that code may make some of them vanish.

import { ts } from 'ts-morph';
import { isTestLibrary } from '../../paths/runners.ts';
import { lettersAndDigits } from '../parse/titles.ts';

/** What the text of a test file says about which tests there are. */
export interface FixedTests {
  readonly path: string;
  /** Number of places in the text that declare a test. */
  readonly places: number;
  /** How many of these are not switched off, and run once each: in no loop, condition or helper. */
  readonly certain: number;
  /** Letters and digits of the titles of the tests that are switched off. */
  readonly off: readonly string[];
  /** Why other files may decide which tests there are, as a part of a sentence; null if they cannot. */
  readonly open: string | null;
}

const CASES = new Set(['test', 'it', 'specify', 'xtest', 'xit', 'xspecify']);
const GROUPS = new Set(['describe', 'suite', 'context', 'xdescribe', 'xcontext']);
const HOOKS = new Set(['before', 'after', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll']);
const OFF = new Set(['skip', 'todo', 'xtest', 'xit', 'xspecify', 'xdescribe', 'xcontext']);
/** Words that make a test depend on something: `it.skipIf(…)`, `test.runIf(…)`. */
const CONDITIONAL = new Set(['skipIf', 'runIf']);
/**
 * Modules of Node that give the same answer whatever the files of the repository are, and data: if that is edited, the
 * tests run without the change in any case.
 */
const HARMLESS =
  /^(?:node:)?(?:assert|buffer|crypto|events|os|path|process|querystring|string_decoder|url|util)(?:\/.*)?$|\.json$/;
/** The region of code that runs while the runner collects the tests. Functions with a name are regions of their own. */
const COLLECTING = '';

/** Reads one file. Names are compared without regard to scopes, so a doubt makes the file open. */
export function fixedTestsOf(path: string, text: string): FixedTests {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : /\.[cm]?js$/.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const imported = new Map<string, string>();
  /** The identifiers that each region uses. */
  const uses = new Map<string, Set<string>>([[COLLECTING, new Set()]]);
  /** Names of identifiers that are handed to functions of the file: used only if the function uses its parameter. */
  const handed: { readonly region: string; readonly name: string; readonly to: string; readonly index: number }[] = [];
  const parameters = new Map<string, readonly string[]>();
  /** Other names for `test`: `const onLinux = isLinux ? test : test.skip`. */
  const aliases = new Set<string>();
  const off: string[] = [];
  let places = 0;
  let certain = 0;
  let open: string | null = null;
  walk(source, { region: COLLECTING, off: false, certain: true });
  return { path, places, certain, off, open: open ?? importUsed() };

  interface At {
    readonly region: string;
    readonly off: boolean;
    readonly certain: boolean;
  }

  function walk(node: ts.Node, at: At): void {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node)) return addImport(node);
    if (ts.isVariableDeclaration(node) && node.initializer && isRequire(node.initializer)) {
      for (const name of boundNames(node.name)) imported.set(name, specifierOf(node.initializer));
      return;
    }
    const lazy = namedFunction(node);
    if (lazy) return walkFunction(lazy, at);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && namesCase(node.initializer))
      aliases.add(node.name.text);
    if (ts.isCallExpression(node) && walkCall(node, at)) return;
    if (ts.isMetaProperty(node)) open ??= 'it uses `import.meta`';
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      open ??= 'it imports a module while the tests are collected';
    if (ts.isIdentifier(node)) return addUse(node, at);
    ts.forEachChild(node, (child) => walk(child, { ...at, certain: at.certain && isPlain(node) }));
  }

  function walkFunction({ name, parts, parameterNames }: NamedFunction, at: At): void {
    // Two functions of one name: neither is known.
    parameters.set(name, uses.has(name) ? [] : parameterNames);
    uses.set(name, uses.get(name) ?? new Set());
    for (const part of parts) walk(part, { ...at, region: name, certain: false });
  }

  /** True if the call declares a test, a group or a hook, or ends the walk for another reason. */
  function walkCall(call: ts.CallExpression, at: At): boolean {
    const names = namesOf(call.expression);
    const [first = '', ...rest] = names;
    if (HOOKS.has(names.at(-1) ?? '')) return true;
    const isAlias = aliases.has(first);
    const isCase = CASES.has(first) || isAlias;
    if (!isCase && !GROUPS.has(first)) return false;
    // `it.each(table)` is called once more, with the title.
    if (isCallee(call)) return false;
    const [title] = call.arguments;
    if (names.some((name) => CONDITIONAL.has(name))) open ??= 'a condition decides whether one of its tests runs';
    const isOff = at.off || isAlias || names.some((name) => OFF.has(name));
    const isTable = !ts.isIdentifier(call.expression) && !isPropertyChain(call.expression);
    if (isTable) walk(call.expression, { ...at, certain: false });
    if (isCase) countCase(title, { ...at, off: isOff, certain: at.certain && !isTable && rest.length <= 1 });
    for (const [index, argument] of call.arguments.entries()) {
      const isFunction = ts.isArrowFunction(argument) || ts.isFunctionExpression(argument);
      if (isCase && isFunction) lookInside(argument);
      else if (isFunction) walk(argument.body, { ...at, off: isOff, certain: at.certain && !isTable });
      // A function with a name, which runs as the test.
      else if (!(isCase && index > 0 && ts.isIdentifier(argument))) walk(argument, { ...at, certain: false });
    }
    return true;
  }

  function countCase(title: ts.Expression | undefined, at: At): void {
    places += 1;
    if (!at.off) {
      if (at.certain) certain += 1;
      return;
    }
    const known =
      title && ts.isStringLiteralLike(title) && !title.text.includes('%') ? lettersAndDigits(title.text) : '';
    if (known !== '') off.push(known);
    else open ??= 'the title of a test that is switched off is not a plain text';
  }

  /** A test that declares others, or skips itself, decides while it runs. */
  function lookInside(body: ts.Node): void {
    ts.forEachChild(body, (node) => {
      if (ts.isCallExpression(node)) {
        const names = namesOf(node.expression);
        const isNested = CASES.has(names[0] ?? '') || (names.length === 2 && CASES.has(names[1]!));
        const hasFunction = node.arguments.some((one) => ts.isArrowFunction(one) || ts.isFunctionExpression(one));
        if (isNested && hasFunction) open ??= 'a test declares other tests';
      }
      lookInside(node);
    });
  }

  function addImport({ importClause: clause, moduleSpecifier }: ts.ImportDeclaration): void {
    const specifier = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
    if (!clause || clause.isTypeOnly) return;
    if (clause.name) imported.set(clause.name.text, specifier);
    const bindings = clause.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) imported.set(bindings.name.text, specifier);
    else for (const { name } of bindings?.elements ?? []) imported.set(name.text, specifier);
  }

  function addUse(node: ts.Identifier, { region }: At): void {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return;
    if (ts.isPropertyAssignment(parent) && parent.name === node) return;
    if (ts.isCallExpression(parent) && parent.expression !== node && ts.isIdentifier(parent.expression)) {
      const index = parent.arguments.indexOf(node);
      handed.push({ region, name: node.text, to: parent.expression.text, index });
      return;
    }
    if (node.text === 'require') open ??= 'it loads a module while the tests are collected';
    uses.get(region)!.add(node.text);
  }

  /** The first import that the code of the collection uses, itself or by functions of the file. */
  function importUsed(): string | null {
    for (const { region, name, to, index } of handed) {
      const parameter = parameters.get(to)?.[index];
      if (parameter === undefined || uses.get(to)!.has(parameter)) uses.get(region)!.add(name);
    }
    const seen = new Set<string>();
    const pending = [COLLECTING];
    for (let region = pending.pop(); region !== undefined; region = pending.pop()) {
      for (const name of uses.get(region) ?? []) {
        if (seen.has(name)) continue;
        seen.add(name);
        const specifier = imported.get(name);
        if (specifier !== undefined && !isTestLibrary(specifier) && !HARMLESS.test(specifier))
          return `\`${name}\` of \`${specifier}\` is used while its tests are collected`;
        if (uses.has(name)) pending.push(name);
      }
    }
    return null;
  }
}

/** Nodes that run what they hold exactly once. */
function isPlain(node: ts.Node): boolean {
  return ts.isSourceFile(node) || ts.isBlock(node) || ts.isExpressionStatement(node) || ts.isAwaitExpression(node);
}

interface NamedFunction {
  readonly name: string;
  /** Its body, and what its parameters are without arguments. */
  readonly parts: readonly ts.Node[];
  readonly parameterNames: readonly string[];
}

function namedFunction(node: ts.Node): NamedFunction | null {
  if (ts.isFunctionDeclaration(node) && node.name && node.body) return partsOf(node.name.text, node, node.body);
  if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isIdentifier(node.name)) return null;
  const { initializer, name } = node;
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)
    ? partsOf(name.text, initializer, initializer.body)
    : null;
}

function partsOf(name: string, { parameters }: ts.SignatureDeclaration, body: ts.Node): NamedFunction {
  const simple = parameters.every((one) => ts.isIdentifier(one.name) && !one.initializer && !one.dotDotDotToken);
  return {
    name,
    parts: [...parameters.flatMap(({ initializer }) => initializer ?? []), body],
    parameterNames: simple ? parameters.map((one) => (one.name as ts.Identifier).text) : [],
  };
}

/** True for `test`, `test.skip`, and a choice between such. */
function namesCase(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return namesCase(node.whenTrue) && namesCase(node.whenFalse);
  return isPropertyChain(node) && CASES.has(namesOf(node)[0] ?? '');
}

/** `['it', 'each']` for `it.each(table)`. */
function namesOf(callee: ts.Expression): readonly string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return namesOf(callee.expression);
  return ts.isTaggedTemplateExpression(callee) ? namesOf(callee.tag) : [];
}

function isPropertyChain(node: ts.Expression): boolean {
  return ts.isIdentifier(node) || (ts.isPropertyAccessExpression(node) && isPropertyChain(node.expression));
}

function isCallee(call: ts.CallExpression): boolean {
  return ts.isCallExpression(call.parent) && call.parent.expression === call;
}

/** `require('…')`, with a member perhaps. */
function isRequire(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return isRequire(node.expression);
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'require' &&
    node.arguments.length === 1 &&
    ts.isStringLiteralLike(node.arguments[0]!)
  );
}

function specifierOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return specifierOf(node.expression);
  const [first] = ts.isCallExpression(node) ? node.arguments : [];
  return first && ts.isStringLiteralLike(first) ? first.text : '';
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}
