// Converts types of the type checker into shapes, which describe the values of the types.

import { ts } from 'ts-morph';
import type { Field, Parameter, Shape } from './plan.ts';

/** Maximum depth of a type. Deeper types are not supported, because their values would be large and say little. */
const MAX_DEPTH = 9;
/** Maximum number of parts of one type. A computed type can have millions. */
const MAX_PARTS = 20_000;
/** Maximum number of members of an interface. Of a larger one, only members that the file mentions are generated. */
const MAX_MEMBERS = 40;

/** Matches members whose use shows that a value is an array. `length` alone does not show it. */
const ARRAY_MEMBERS =
  /^(map|filter|forEach|reduce|push|pop|shift|unshift|splice|sort|some|every|find|findIndex|flatMap|join|reverse|length)$/;

/** Matches members whose use shows that a value is a string. */
const STRING_MEMBERS =
  /^(split|trim|trimStart|trimEnd|toLowerCase|toUpperCase|charAt|charCodeAt|codePointAt|replace|replaceAll|match|startsWith|endsWith|padStart|padEnd|substring|substr|normalize|repeat)$/;

/** True for the type of a name that the compiler could not resolve. */
export function isUnresolved(type: ts.Type): boolean {
  return (type as { readonly intrinsicName?: string }).intrinsicName === 'error';
}

/** Thrown if no value of a type can be generated; `message` names the type. */
export class Unsupported extends Error {}

/** Converts types into shapes. */
export interface ShapeReader {
  /** Describes the parameters of a signature. Throws `Unsupported`. */
  parametersOf(signature: ts.Signature, node: ts.Node): Parameter[];
  /** Describes the values of a type. Throws `Unsupported`. */
  shapeOf(type: ts.Type, node: ts.Node): Shape;
  /** Shapes of types that contain themselves, by the name that `ref` uses. */
  readonly shapes: Record<string, Shape>;
}

/**
 * Creates a reader of types. `mentioned`: every name in the file. If no value can be generated for a member, the member
 * is omitted if it is optional or not mentioned; otherwise, its type is unsupported. `refusesUnresolved`: refuses types
 * from imports that were not found, instead of reading them as `any`.
 */
export function createShapeReader(
  checker: ts.TypeChecker,
  mentioned: ReadonlySet<string>,
  refusesUnresolved = false,
): ShapeReader {
  const shapes: Record<string, Shape> = {};
  const inProgress = new Map<ts.Type, string>();
  /**
   * Finished shapes with their numbers of parts. A shape that is used twice is written out twice, so its parts count
   * twice.
   */
  const finishedShapes = new Map<ts.Type, { readonly shape: Shape; readonly parts: number }>();
  let nameCount = 0;
  /** Number of parts that may still be read. */
  let partsLeft = 0;

  return {
    shapes,
    shapeOf: (type, node) => readWithinLimit(() => shapeOf(type, node, 0)),
    parametersOf: (signature, node) => readWithinLimit(() => parametersOf(signature, node)),
  };

  /**
   * Runs `read` with a limit for the number of parts. If the limit was exceeded, members may be missing, so the whole
   * type is refused.
   */
  function readWithinLimit<Result>(read: () => Result): Result {
    partsLeft = MAX_PARTS;
    try {
      const result = read();
      if (partsLeft < 0) throw new Unsupported('a type that is too large');
      return result;
    } finally {
      if (partsLeft < 0) finishedShapes.clear();
    }
  }

  function parametersOf(signature: ts.Signature, node: ts.Node): Parameter[] {
    return signature.getParameters().map((symbol) => {
      const declaration = symbol.valueDeclaration;
      const parameter = declaration && ts.isParameter(declaration) ? declaration : null;
      const isRest = parameter?.dotDotDotToken !== undefined;
      const type = checker.getTypeOfSymbolAtLocation(symbol, node);
      const optional = parameter ? checker.isOptionalParameter(parameter) : false;
      const usage = parameter && type.flags & ts.TypeFlags.Any ? findShapeByUse(parameter) : null;
      const declaredShape = shapeOf(type, node, 0);
      // A declared `any` accepts everything. Without a type, only the use of a parameter shows what it is.
      const shape: Shape = !usage
        ? declaredShape
        : parameter?.type
          ? { kind: 'union', of: [usage, declaredShape] }
          : usage;
      return { name: symbol.name, shape, optional, rest: isRest };
    });
  }

  function shapeOf(type: ts.Type, node: ts.Node, depth: number): Shape {
    if (depth > MAX_DEPTH) throw new Unsupported('a type that is nested too deeply');
    if (partsLeft-- < 0) throw new Unsupported('a type that is too large');
    const { flags } = type;
    if (refusesUnresolved && isUnresolved(type)) throw new Unsupported('a type that is not found here');
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return { kind: 'any' };
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return { kind: 'undefined' };
    if (flags & ts.TypeFlags.Null) return { kind: 'null' };
    if (flags & ts.TypeFlags.Boolean) return { kind: 'boolean' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { kind: 'literal', value: checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.String) return { kind: 'string' };
    if (flags & ts.TypeFlags.Number) return { kind: 'number' };
    if (flags & ts.TypeFlags.BigInt) return { kind: 'bigint' };
    if (flags & ts.TypeFlags.ESSymbol) return { kind: 'symbol' };
    if (flags & ts.TypeFlags.NonPrimitive) return { kind: 'object' };
    if (type.isUnion()) return { kind: 'union', of: type.types.map((part) => shapeOf(part, node, depth)) };
    if (flags & ts.TypeFlags.TypeParameter) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type ? shapeOf(constraint, node, depth + 1) : { kind: 'any' };
    }
    if (
      flags &
      (ts.TypeFlags.Conditional | ts.TypeFlags.IndexedAccess | ts.TypeFlags.Index | ts.TypeFlags.Substitution)
    ) {
      const constraint = checker.getBaseConstraintOfType(type);
      if (constraint && constraint !== type) return shapeOf(constraint, node, depth + 1);
    }
    if (type.isIntersection()) {
      // A branded primitive is a plain primitive at run time.
      const primitive = type.types.find(
        (part) =>
          part.flags &
          (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike),
      );
      return primitive ? shapeOf(primitive, node, depth) : readRecord(type, node, depth);
    }
    if (flags & ts.TypeFlags.Object) return readObject(type as ts.ObjectType, node, depth);
    throw new Unsupported(`a value of the type ${formatType(type)}`);
  }

  function readObject(type: ts.ObjectType, location: ts.Node, depth: number): Shape {
    const outerName = inProgress.get(type);
    if (outerName !== undefined) {
      // The actual shape replaces this one when the outer reading of the type has ended.
      shapes[outerName] ??= { kind: 'any' };
      return { kind: 'ref', name: outerName };
    }
    const finishedShape = finishedShapes.get(type);
    if (finishedShape) {
      partsLeft -= finishedShape.parts;
      if (partsLeft < 0) throw new Unsupported('a type that is too large');
      return finishedShape.shape;
    }
    const partsLeftBefore = partsLeft;
    const name = `${type.symbol?.name ?? 'type'}${++nameCount}`;
    inProgress.set(type, name);
    try {
      const shape =
        readBuiltIn(type, location, depth) ?? readCallable(type, location, depth) ?? readRecord(type, location, depth);
      if (shapes[name]) shapes[name] = shape;
      finishedShapes.set(type, { shape, parts: partsLeftBefore - partsLeft });
      return shape;
    } finally {
      inProgress.delete(type);
    }
  }

  function readBuiltIn(type: ts.ObjectType, location: ts.Node, depth: number): Shape | null {
    const inner = (index: number): Shape => {
      const part = checker.getTypeArguments(type as ts.TypeReference)[index];
      return part ? shapeOf(part, location, depth + 1) : { kind: 'any' };
    };
    if (checker.isTupleType(type)) return readTuple(type as ts.TupleTypeReference, location, depth);
    if (checker.isArrayType(type)) return { kind: 'array', of: inner(0) };
    if (
      !type.symbol?.declarations?.some(
        (declaration) =>
          declaration.getSourceFile().hasNoDefaultLib ||
          /\/(lib\.[\w.]*|@types\/node\/.*)\.d\.ts$/.test(declaration.getSourceFile().fileName) ||
          /typescript\/lib\//.test(declaration.getSourceFile().fileName),
      )
    )
      return null;
    switch (type.symbol.name) {
      case 'Date':
        return { kind: 'date' };
      case 'RegExp':
        return { kind: 'regexp' };
      case 'Error':
      case 'TypeError':
      case 'RangeError':
      case 'SyntaxError':
        return { kind: 'error' };
      case 'Map':
      case 'ReadonlyMap':
        return { kind: 'map', key: inner(0), value: inner(1) };
      case 'Set':
      case 'ReadonlySet':
        return { kind: 'set', of: inner(0) };
      case 'Promise':
      case 'PromiseLike':
        return { kind: 'promise', of: inner(0) };
      case 'ArrayLike':
        return { kind: 'array', of: inner(0) };
      case 'Iterable':
      case 'Iterator':
      case 'IterableIterator':
      case 'IteratorObject':
      case 'Generator':
        return { kind: 'iterable', of: inner(0), async: false };
      case 'AsyncIterable':
      case 'AsyncIterator':
      case 'AsyncIterableIterator':
      case 'AsyncGenerator':
        return { kind: 'iterable', of: inner(0), async: true };
      case 'Uint8Array':
      case 'Buffer':
        return { kind: 'bytes' };
      case 'URL':
        return { kind: 'url' };
      case 'AbortSignal':
        return { kind: 'signal' };
      case 'Function':
        return { kind: 'function', returns: { kind: 'any' } };
      case 'Object':
        return { kind: 'object' };
      case 'String':
      case 'Number':
      case 'Boolean':
      case 'Symbol':
        throw new Unsupported(`a \`${type.symbol.name}\` object`);
      default:
        return null;
    }
  }

  function readTuple(type: ts.TupleTypeReference, location: ts.Node, depth: number): Shape {
    const flags = type.target.elementFlags;
    const parts = checker
      .getTypeArguments(type)
      .map((part, index) => ({ part, flags: flags[index] ?? ts.ElementFlags.Required }));
    if (parts.some((element, index) => element.flags & ts.ElementFlags.Variable && index < parts.length - 1))
      throw new Unsupported('a tuple with a rest in its middle');
    const fixedParts = parts.filter((element) => !(element.flags & ts.ElementFlags.Variable));
    const lastPart = parts.at(-1);
    return {
      kind: 'tuple',
      of: fixedParts.map((element) => ({
        shape: shapeOf(element.part, location, depth + 1),
        optional: (element.flags & ts.ElementFlags.Optional) !== 0,
      })),
      rest: lastPart && lastPart.flags & ts.ElementFlags.Variable ? shapeOf(lastPart.part, location, depth + 1) : null,
    };
  }

  function readCallable(type: ts.ObjectType, location: ts.Node, depth: number): Shape | null {
    const [signature] = type.getCallSignatures();
    if (!signature) {
      if (type.getConstructSignatures().length > 0) throw new Unsupported(`a class (\`${formatType(type)}\`)`);
      return null;
    }
    return { kind: 'function', returns: shapeOf(signature.getReturnType(), location, depth + 1) };
  }

  function readRecord(type: ts.Type, location: ts.Node, depth: number): Shape {
    const properties = checker.getPropertiesOfType(type);
    const hasManyMembers = properties.length > MAX_MEMBERS;
    const fields: Field[] = [];
    for (const property of properties) {
      if (property.name.startsWith('__@') || property.name.startsWith('#') || isHidden(property)) continue;
      const isMentioned = mentioned.has(property.name);
      if (hasManyMembers && !isMentioned) continue;
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      try {
        fields.push({
          name: property.name,
          shape: shapeOf(checker.getTypeOfSymbolAtLocation(property, location), location, depth + 1),
          optional,
        });
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        // An optional member may be absent, and no code here needs a member that it does not mention.
        if (isMentioned && !optional) throw error;
      }
    }
    if (hasManyMembers && fields.length === 0) throw new Unsupported(`a \`${formatType(type)}\``);
    const index = checker.getIndexInfosOfType(type).find(({ keyType }) => keyType.flags & ts.TypeFlags.String);
    return { kind: 'record', fields, index: index ? shapeOf(index.type, location, depth + 1) : null };
  }

  function formatType(type: ts.Type): string {
    const text = checker.typeToString(type);
    return text.length > 60 ? `${text.slice(0, 57)}…` : text;
  }
}

function isHidden(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration;
  return (
    declaration !== undefined &&
    (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0
  );
}

/** The shape that the use of a parameter in its function suggests; null if it suggests none. */
function findShapeByUse(parameter: ts.ParameterDeclaration): Shape | null {
  if (!ts.isIdentifier(parameter.name) || parameter.dotDotDotToken) return null;
  const name = parameter.name.text;
  const members = new Set<string>();
  let isCalled = false;
  let isCalculatedWith = false;
  const visit = (node: ts.Node): void => {
    const parent = node.parent;
    if (ts.isIdentifier(node) && node.text === name && parent) {
      // Members that every object has say nothing about a type, and generating them would only break the code.
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node && !(parent.name.text in {}))
        members.add(parent.name.text);
      if (ts.isCallExpression(parent) && parent.expression === node) isCalled = true;
      if (ts.isForOfStatement(parent) && parent.expression === node) members.add('forEach');
      if (
        ts.isBinaryExpression(parent) &&
        [
          ts.SyntaxKind.MinusToken,
          ts.SyntaxKind.AsteriskToken,
          ts.SyntaxKind.SlashToken,
          ts.SyntaxKind.PercentToken,
          ts.SyntaxKind.LessThanToken,
          ts.SyntaxKind.GreaterThanToken,
        ].includes(parent.operatorToken.kind)
      )
        isCalculatedWith = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(parameter.parent);
  if (isCalled) return { kind: 'function', returns: { kind: 'any' } };
  const memberNames = [...members];
  if (memberNames.some((member) => STRING_MEMBERS.test(member))) return { kind: 'string' };
  if (memberNames.some((member) => ARRAY_MEMBERS.test(member) && member !== 'length'))
    return { kind: 'array', of: { kind: 'any' } };
  if (memberNames.includes('length'))
    return { kind: 'union', of: [{ kind: 'string' }, { kind: 'array', of: { kind: 'any' } }] };
  if (memberNames.length > 0)
    return {
      kind: 'record',
      fields: memberNames.map((member) => ({ name: member, shape: { kind: 'any' }, optional: false })),
      index: null,
    };
  return isCalculatedWith ? { kind: 'number' } : null;
}
