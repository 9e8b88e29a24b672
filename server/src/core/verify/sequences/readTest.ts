// Evaluates how tests use objects of the tested code, statement by statement, without running them. Helpers of the
// tests are followed, and loops over known arrays are unrolled. Anything that cannot be determined is skipped.

import { ts } from 'ts-morph';
import { isTest } from '../../paths/tests.ts';
import { findImport, findRequireSpecifier, type LoadFile } from '../counterexamples/imports.ts';
import {
  evaluateElements,
  evaluateFields,
  evaluateLiteral,
  evaluateTemplate,
  UNKNOWN,
  unwrapExpression,
} from '../counterexamples/literals.ts';
import { resolveModule } from './exportReach.ts';
import {
  limitLength,
  evaluateFromEntries,
  isAsserted,
  isAwaited,
  evaluateObjectMethod,
  toExportPlace,
  findVariable,
} from './readTestParts.ts';
import { LIMITS, PATTERNS } from './testReaderLimits.ts';
import { isOfKind, readMember, toPlainData, ValueScope, type ObservedObject, type Value } from './values.ts';

/** The objects that this test file creates and uses, in order of creation. `load`: opens files that it imports. */
export function findObservedObjects(test: ts.SourceFile, load: LoadFile): readonly ObservedObject[] {
  const reading = new Reading(load);
  reading.runFile(test);
  return reading.objects.filter(({ steps }) => steps.length > 0);
}

/** A returned value; null if the next statement follows. */
type StatementResult = { readonly returned: Value } | null;

/** Evaluates the code of one test file, and records how it uses objects. */
class Reading {
  readonly objects: ObservedObject[] = [];
  private steps = LIMITS.steps;
  private depth = 0;
  /** Callbacks that run before each test, callbacks of outer groups first. */
  private readonly before: Value[] = [];
  private readonly files = new Map<ts.SourceFile, ValueScope>();
  private readonly load: LoadFile;

  constructor(load: LoadFile) {
    this.load = load;
  }

  runFile(file: ts.SourceFile): ValueScope {
    const fileScope = this.files.get(file);
    if (fileScope) return fileScope;
    const scope = new ValueScope(null);
    this.files.set(file, scope);
    this.runAll(file.statements, scope);
    return scope;
  }

  private runAll(statements: readonly ts.Statement[], scope: ValueScope): StatementResult {
    for (const statement of statements)
      if (ts.isFunctionDeclaration(statement) && statement.name)
        scope.declare(statement.name.text, { $: 'function', node: statement, scope });
    for (const statement of statements) {
      const result = this.runStatement(statement, scope);
      if (result) return result;
    }
    return null;
  }

  private runStatement(node: ts.Statement, scope: ValueScope): StatementResult {
    if (ts.isVariableStatement(node)) {
      for (const declaration of node.declarationList.declarations) this.declareVariable(declaration, scope);
      return null;
    }
    if (ts.isExpressionStatement(node)) {
      this.evaluate(node.expression, scope);
      return null;
    }
    if (ts.isReturnStatement(node))
      return { returned: node.expression ? this.evaluate(node.expression, scope) : undefined };
    if (ts.isBlock(node)) return this.runAll(node.statements, new ValueScope(scope));
    if (ts.isTryStatement(node)) return this.runStatement(node.tryBlock, scope);
    if (ts.isForOfStatement(node)) return this.runEach(node, scope);
    if (!ts.isIfStatement(node)) return null;
    const condition = this.evaluate(node.expression, scope);
    const result = condition === UNKNOWN || condition ? this.runStatement(node.thenStatement, scope) : null;
    if (result && condition !== UNKNOWN) return result;
    return node.elseStatement && (condition === UNKNOWN || !condition)
      ? this.runStatement(node.elseStatement, scope)
      : null;
  }

  private runEach(node: ts.ForOfStatement, scope: ValueScope): StatementResult {
    const table = this.evaluate(node.expression, scope);
    if (!isOfKind(table, 'array') || !ts.isVariableDeclarationList(node.initializer)) return null;
    for (const value of table.of) {
      const inner = new ValueScope(scope);
      this.bind(node.initializer.declarations[0]!.name, value, inner);
      const result = this.runStatement(node.statement, inner);
      if (result) return result;
    }
    return null;
  }

  private declareVariable({ name, initializer }: ts.VariableDeclaration, scope: ValueScope): void {
    const value = initializer ? this.evaluate(initializer, scope) : undefined;
    if (initializer && findRequireSpecifier(initializer) !== null) return;
    this.bind(name, value, scope);
  }

  private bind(name: ts.BindingName, value: Value, scope: ValueScope): void {
    if (ts.isIdentifier(name)) {
      if (isOfKind(value, 'object')) value.variable ??= name.text;
      scope.declare(name.text, value);
      return;
    }
    for (const [index, element] of name.elements.entries()) {
      if (!ts.isBindingElement(element)) continue;
      const key = ts.isArrayBindingPattern(name) ? String(index) : (element.propertyName ?? element.name).getText();
      this.bind(element.name, element.dotDotDotToken ? UNKNOWN : readMember(value, key), scope);
    }
  }

  private evaluate(node: ts.Expression, scope: ValueScope): Value {
    this.steps -= 1;
    if (this.steps < 0 || this.depth > LIMITS.depth) return UNKNOWN;
    this.depth += 1;
    try {
      return limitLength(this.evaluateNode(node, scope));
    } finally {
      this.depth -= 1;
    }
  }

  private evaluateNode(node: ts.Expression, scope: ValueScope): Value {
    const literal = evaluateLiteral(node);
    if (literal !== UNKNOWN) return literal;
    if (ts.isIdentifier(node)) return this.nameValue(node, scope);
    const wrapped = ts.isAwaitExpression(node) ? node.expression : unwrapExpression(node);
    if (wrapped) return this.evaluate(wrapped, scope);
    if (ts.isPrefixUnaryExpression(node)) {
      const value = this.evaluate(node.operand, scope);
      const isMinus = node.operator === ts.SyntaxKind.MinusToken && typeof value === 'number';
      if (isMinus) return -value;
      return node.operator === ts.SyntaxKind.ExclamationToken && value !== UNKNOWN ? !value : UNKNOWN;
    }
    if (ts.isArrayLiteralExpression(node)) return this.listOf(node, scope);
    if (ts.isObjectLiteralExpression(node)) return this.recordOf(node, scope);
    if (ts.isTemplateExpression(node)) return evaluateTemplate(node, (part) => this.evaluate(part, scope));
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { $: 'function', node, scope };
    if (ts.isConditionalExpression(node)) {
      const condition: Value = this.evaluate(node.condition, scope);
      if (condition === UNKNOWN) return UNKNOWN;
      return this.evaluate(condition ? node.whenTrue : node.whenFalse, scope);
    }
    if (ts.isBinaryExpression(node)) return this.binary(node, scope);
    if (ts.isNewExpression(node)) return this.made(node, scope);
    if (ts.isPropertyAccessExpression(node)) return this.member(node, scope);
    if (ts.isElementAccessExpression(node)) {
      const receiver: Value = this.evaluate(node.expression, scope);
      const key: Value = this.evaluate(node.argumentExpression, scope);
      return typeof key === 'string' || typeof key === 'number' ? readMember(receiver, String(key)) : UNKNOWN;
    }
    return ts.isCallExpression(node) ? this.called(node, scope) : UNKNOWN;
  }

  private nameValue(node: ts.Identifier, scope: ValueScope): Value {
    const { text } = node;
    const binding = scope.find(text);
    if (binding) return binding.value;
    if (text === 'undefined') return undefined;
    const file = node.getSourceFile();
    const source = findImport(file, text);
    const openedModule = source && resolveModule(file, source.from, this.load);
    if (!openedModule) return UNKNOWN;
    const path = openedModule.fileName;
    if (!isTest(path)) return { $: 'import', path, name: source.imported };
    return this.runFile(openedModule).find(source.imported)?.value ?? UNKNOWN;
  }

  private listOf(node: ts.ArrayLiteralExpression, scope: ValueScope): Value {
    const elements = evaluateElements<Value>(
      node,
      (part) => this.evaluate(part, scope),
      (value) => (isOfKind(value, 'array') ? value.of : null),
    );
    return elements ? { $: 'array', of: elements } : UNKNOWN;
  }

  private recordOf(node: ts.ObjectLiteralExpression, scope: ValueScope): Value {
    const fields = evaluateFields<Value>(
      node,
      (part) => this.evaluate(part, scope),
      (value) => (isOfKind(value, 'record') ? value.fields : null),
    );
    return fields ? { $: 'record', fields } : UNKNOWN;
  }

  private binary(node: ts.BinaryExpression, scope: ValueScope): Value {
    const { left, right, operatorToken } = node;
    const value = this.evaluate(right, scope);
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      if (ts.isIdentifier(left)) {
        if (isOfKind(value, 'object')) value.variable ??= left.text;
        scope.assign(left.text, value);
      }
      return value;
    }
    const before = this.evaluate(left, scope);
    const isAdding = operatorToken.kind === ts.SyntaxKind.PlusToken;
    return isAdding && typeof before === 'string' && typeof value === 'string' ? before + value : UNKNOWN;
  }

  private evaluateArguments(node: ts.CallExpression | ts.NewExpression, scope: ValueScope): readonly Value[] {
    return (node.arguments ?? []).map((argument) =>
      ts.isSpreadElement(argument)
        ? (this.evaluate(argument.expression, scope), UNKNOWN)
        : this.evaluate(argument, scope),
    );
  }

  private made(node: ts.NewExpression, scope: ValueScope): Value {
    const callee = this.evaluate(node.expression, scope);
    const args = this.evaluateArguments(node, scope);
    const code = `new ${node.expression.getText()}()`;
    if (args.length === 0 && PATTERNS.emptyCollection.test(code)) return { $: 'code', text: code };
    return isOfKind(callee, 'import')
      ? this.observe({ ...toExportPlace(callee), how: 'new', factory: null }, args)
      : UNKNOWN;
  }

  /** Creates a new object of the tested code; unknown if not all arguments are known. */
  private observe(maker: ObservedObject['maker'], args: readonly Value[]): Value {
    const callbacks: ObservedObject['callbacks'] = [];
    const making = toPlainData(args, callbacks);
    if (making === null || maker.exportedAs === '*' || this.objects.length >= LIMITS.objects) return UNKNOWN;
    const object: ObservedObject = { $: 'object', maker, making, variable: null, steps: [], callbacks };
    this.objects.push(object);
    return object;
  }

  private member(node: ts.PropertyAccessExpression, scope: ValueScope): Value {
    const receiver = this.evaluate(node.expression, scope);
    const name = node.name.text;
    if (isOfKind(receiver, 'import') && receiver.name === '*') return { $: 'import', path: receiver.path, name };
    if (isOfKind(receiver, 'object') && !name.startsWith('_'))
      this.note(receiver, { name, kind: 'get', path: null, given: [], ...(isAsserted(node) && { asserted: true }) });
    return readMember(receiver, name);
  }

  private note(object: ObservedObject, step: ObservedObject['steps'][number]): void {
    if (object.steps.length < LIMITS.uses) object.steps.push(step);
  }

  private called(node: ts.CallExpression, scope: ValueScope): Value {
    const { expression: callee } = node;
    if (ts.isPropertyAccessExpression(callee)) return this.calledMember(node, callee, scope);
    const calleeValue = this.evaluate(callee, scope);
    const args = this.evaluateArguments(node, scope);
    if (isOfKind(calleeValue, 'function')) return this.enter(calleeValue, args);
    if (isOfKind(calleeValue, 'import')) return this.calledImport(node, calleeValue, args);
    if (isOfKind(calleeValue, 'result')) return this.calledResult(calleeValue, args);
    const eachRows = ts.isCallExpression(callee) ? this.findTableRows(callee, scope) : null;
    const name = ts.isIdentifier(callee) ? callee.text : '';
    if (name === 'spy') return { $: 'spy', node };
    this.runCallbacks(name, eachRows, args);
    return UNKNOWN;
  }

  private calledImport(
    node: ts.CallExpression,
    importedValue: Extract<Value, { readonly $: 'import' }>,
    args: readonly Value[],
  ): Value {
    const [first, ...otherArguments] = args;
    if (!isOfKind(first, 'object'))
      return this.observe({ ...toExportPlace(importedValue), how: 'call', factory: null }, args);
    const argumentValues = toPlainData(otherArguments, first.callbacks);
    const { name, path } = importedValue;
    if (argumentValues)
      this.note(first, {
        name,
        kind: 'function',
        path,
        given: argumentValues,
        ...(isAwaited(node) && { awaited: true }),
      });
    return UNKNOWN;
  }

  private calledResult(
    { of, method, variable }: Extract<Value, { readonly $: 'result' }>,
    args: readonly Value[],
  ): Value {
    const argumentValues = toPlainData(args, of.callbacks);
    if (argumentValues && variable !== null)
      this.note(of, { name: method, kind: 'result', path: null, variable, given: argumentValues });
    return UNKNOWN;
  }

  private calledMember(node: ts.CallExpression, callee: ts.PropertyAccessExpression, scope: ValueScope): Value {
    const name = callee.name.text;
    const receiver = this.evaluate(callee.expression, scope);
    const args = this.evaluateArguments(node, scope);
    if (isOfKind(receiver, 'object')) {
      const argumentValues = name.startsWith('_') ? null : toPlainData(args, receiver.callbacks);
      if (argumentValues)
        this.note(receiver, {
          name,
          kind: 'method',
          path: null,
          given: argumentValues,
          ...(isAwaited(node) && { awaited: true }),
        });
      return argumentValues ? { $: 'result', of: receiver, method: name, variable: findVariable(node) } : UNKNOWN;
    }
    if (isOfKind(receiver, 'import'))
      return receiver.name === '*'
        ? this.calledImport(node, { ...receiver, name }, args)
        : this.observe({ ...toExportPlace(receiver), how: 'call', factory: name }, args);
    const [first] = args;
    if (isOfKind(receiver, 'array') && isOfKind(first, 'function')) {
      const values = receiver.of.map((value, index) => this.enter(first, [value, index]));
      return name === 'map' ? { $: 'array', of: values } : UNKNOWN;
    }
    if (ts.isIdentifier(callee.expression)) {
      const isOf = `${callee.expression.text}.${name}`;
      if (PATTERNS.spyMakers.test(isOf)) return { $: 'spy', node };
      if (isOf === 'Array.isArray' && first !== UNKNOWN) return isOfKind(first, 'array');
      if (/^Object\.(?:keys|values|entries)$/.test(isOf) && isOfKind(first, 'record'))
        return evaluateObjectMethod(first.fields, name);
      if (isOf === 'Object.fromEntries' && isOfKind(first, 'array')) return evaluateFromEntries(first.of);
      // `it.only(…)`, `describe.skip(…)`.
      this.runCallbacks(callee.expression.text, null, args);
    } else this.runCallbacks('', null, args);
    return UNKNOWN;
  }

  /** The rows of `it.each(table)`. */
  private findTableRows(callee: ts.CallExpression, scope: ValueScope): readonly Value[] | null {
    const isEach = ts.isPropertyAccessExpression(callee.expression) && callee.expression.name.text === 'each';
    const table = isEach && callee.arguments[0] ? this.evaluate(callee.arguments[0], scope) : null;
    return isOfKind(table, 'array') ? table.of : null;
  }

  /** Runs the callbacks of an unknown function, such as `describe`, `it` or `expect`. */
  private runCallbacks(name: string, rows: readonly Value[] | null, args: readonly Value[]): void {
    const callbacks = args.filter((callback) => isOfKind(callback, 'function'));
    if (PATTERNS.before.test(name)) {
      this.before.push(...callbacks);
      for (const callback of callbacks) this.enter(callback, []);
      return;
    }
    const outerCount = this.before.length;
    const isTest = PATTERNS.tests.test(name) || rows !== null;
    for (const callback of callbacks)
      for (const row of rows ?? [UNKNOWN]) {
        const passed: readonly Value[] = isOfKind(row, 'array') ? row.of : [row];
        if (!isTest) this.enter(callback, passed);
        else
          this.runTest(() => {
            for (const hook of this.before) if (isOfKind(hook, 'function')) this.enter(hook, []);
            this.enter(callback, passed);
          });
      }
    this.before.length = outerCount;
  }

  /** Evaluates one test. A test that cannot be evaluated, or takes too many steps, does not affect the others. */
  private runTest(read: () => void): void {
    const { depth, steps } = this;
    const outerCount = this.before.length;
    this.steps = Math.min(steps, LIMITS.stepsOfTest);
    const savedSteps = this.steps;
    try {
      read();
    } catch {
      this.depth = depth;
      this.before.length = outerCount;
    }
    this.steps = steps - (savedSteps - this.steps);
  }

  private enter({ node, scope }: Extract<Value, { readonly $: 'function' }>, args: readonly Value[]): Value {
    if (this.depth > LIMITS.depth || !node.body) return UNKNOWN;
    this.depth += 1;
    const inner = new ValueScope(scope);
    for (const [index, { name, dotDotDotToken, initializer }] of node.parameters.entries()) {
      const value: Value = dotDotDotToken ? { $: 'array', of: args.slice(index) } : args[index];
      this.bind(name, value === undefined && initializer ? this.evaluate(initializer, inner) : value, inner);
    }
    const value = ts.isBlock(node.body)
      ? this.runAll(node.body.statements, inner)?.returned
      : this.evaluate(node.body, inner);
    this.depth -= 1;
    return value;
  }
}
