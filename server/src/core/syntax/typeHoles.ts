// Finds occurrences of `any`, `as T` and `!` that the compiler does not need, or for which it knows an exact type.

import { ts } from 'ts-morph';
import { hasExportKeyword } from './declarations/modifiers.ts';

/**
 * A type hole: a place at which the types are less precise than they could be. `needless …`: without it, the type is
 * the same. `known any`: the compiler knows a type for this `any`.
 */
export interface TypeHole {
  readonly kind: 'needless as' | 'needless !' | 'known any';
  /** Offsets of the part that is underlined for a person; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The edits that fill the hole; most only delete. */
  readonly edits: readonly HoleEdit[];
  /** One phrase about this place, without a full stop. */
  readonly explanation: string;
}

/** A replacement of a part of a file by another text. */
export interface HoleEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A file in a program whose text can be replaced. */
export interface RetypableFile {
  sourceFile(): ts.SourceFile;
  checker(): ts.TypeChecker;
  readonly options: ts.CompilerOptions;
}

const TypeFlags = ts.TypeFlags;
/** Flags of types without a value. */
const NULLISH_FLAGS = TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void;
/** Flags of types about which nothing is certain. */
const UNCERTAIN_FLAGS =
  TypeFlags.Any |
  TypeFlags.Unknown |
  TypeFlags.Never |
  TypeFlags.TypeParameter |
  TypeFlags.IndexedAccess |
  TypeFlags.Conditional |
  TypeFlags.Substitution |
  TypeFlags.Index;
/** Maximum number of characters of a type. A longer one is hard to read. */
const MAX_TYPE_LENGTH = 60;
/** Flags for the text of a type that is not shortened. */
const EXACT_TEXT_FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** False if the text certainly has no type hole: a quick test before a type checker is started. */
export function mayHaveTypeHoles(text: string): boolean {
  return /\bas\s+(?!const\b)\S|[\w)\]]!(?![=])|:\s*any\b/.test(text);
}

/**
 * The candidates for type holes, in the order of the text. Each still has to be tried. Without strict null checks,
 * only holes of the kind `known any` are among them.
 */
export function findTypeHoles(file: RetypableFile): readonly TypeHole[] {
  const { options } = file;
  const sourceFile = file.sourceFile();
  // Without strict null checks, any type may include null, and an assertion may state that this one does not.
  const isStrict = options.strictNullChecks ?? options.strict ?? false;
  const checker = file.checker();
  const holes: TypeHole[] = [];
  const visit = (node: ts.Node): void => {
    const hole = ts.isNonNullExpression(node)
      ? isStrict && findNeedlessNonNull(node, checker, options)
      : ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)
        ? isStrict && findNeedlessAssertion(node, checker)
        : ts.isVariableDeclaration(node) || ts.isParameter(node)
          ? findKnownAny(node, checker)
          : null;
    if (hole) holes.push(hole);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return holes.toSorted((a, b) => a.start - b.start);
}

/** The text with the edits of these holes. */
export function fillHoles(text: string, holes: readonly TypeHole[]): string {
  let result = text;
  const edits = holes.flatMap((hole) => hole.edits).toSorted((a, b) => b.start - a.start);
  for (const { start, end, text: newText } of edits) result = result.slice(0, start) + newText + result.slice(end);
  return result;
}

/**
 * The hole at a needless `!`; null if it may be needed. If `noUncheckedIndexedAccess` is off, `!` after `list[i]` is
 * kept, because it tells readers something that the types do not contain.
 */
function findNeedlessNonNull(
  node: ts.NonNullExpression,
  checker: ts.TypeChecker,
  options: ts.CompilerOptions,
): TypeHole | null {
  const { expression } = node;
  if (!options.noUncheckedIndexedAccess && readsIndex(expression)) return null;
  const parts = findParts(checker, checker.getTypeAtLocation(expression));
  if (!parts || parts.some(({ flags }) => (flags & NULLISH_FLAGS) !== 0)) return null;
  const start = node.end - 1;
  if (node.getSourceFile().text[start] !== '!') return null;
  return {
    kind: 'needless !',
    start: node.getStart(),
    end: node.end,
    edits: [{ start, end: node.end, text: '' }],
    explanation: `\`${shorten(expression)}\` is never null or undefined`,
  };
}

/** The hole at a needless `as T` or `<T>`; null if the assertion may be needed. */
function findNeedlessAssertion(node: ts.AssertionExpression, checker: ts.TypeChecker): TypeHole | null {
  const { expression, type } = node;
  if (ts.isConstTypeReference(type) || hasComment(node)) return null;
  const [targetType, expressionType] = [checker.getTypeFromTypeNode(type), checker.getTypeAtLocation(expression)];
  if (((targetType.flags | expressionType.flags) & UNCERTAIN_FLAGS) !== 0 || containsAny(checker, expressionType))
    return null;
  const contextualType = checker.getContextualType(node);
  const isSame = expressionType === targetType;
  // In `return { … } as T`, if a T is expected anyway, the compiler checks the object for missing properties as soon as
  // `as T` is removed.
  const isExpected = contextualType === targetType && !isSame && checker.isTypeAssignableTo(expressionType, targetType);
  if (!isSame && !isExpected) return null;
  const sourceFile = node.getSourceFile();
  const typeText = type.getText(sourceFile).replace(/\s+/g, ' ');
  return {
    kind: 'needless as',
    start: node.getStart(sourceFile),
    end: node.end,
    edits: [...createRemovalEdits(node, sourceFile), ...createParenthesisEdits(node, sourceFile)],
    explanation: isSame
      ? `\`${shorten(expression)}\` already is ${quote(typeText)}`
      : `${quote(typeText)} is expected here, and the compiler accepts \`${shorten(expression)}\` as one`,
  };
}

function createRemovalEdits(node: ts.AssertionExpression, sourceFile: ts.SourceFile): HoleEdit[] {
  const { expression } = node;
  return ts.isAsExpression(node)
    ? [{ start: expression.end, end: node.end, text: '' }]
    : [{ start: node.getStart(sourceFile), end: expression.getStart(sourceFile), text: '' }];
}

/** The edits that remove parentheses, `(x as T).y` → `x.y`, which are there only for the assertion. */
function createParenthesisEdits(node: ts.AssertionExpression, sourceFile: ts.SourceFile): HoleEdit[] {
  const { parent, expression } = node;
  if (!ts.isParenthesizedExpression(parent) || !isPlainChain(expression)) return [];
  if (ts.isNewExpression(parent.parent) && !ts.isIdentifier(expression)) return [];
  const start = parent.getStart(sourceFile);
  if (/[\w$]/.test(sourceFile.text[start - 1] ?? '')) return [];
  return [
    { start, end: node.getStart(sourceFile), text: '' },
    { start: node.end, end: parent.end, text: '' },
  ].filter((edit) => !/\/[/*]/.test(sourceFile.text.slice(edit.start, edit.end)));
}

/** True for names, members and calls: nothing binds tighter, and no optional chain would become longer. */
function isPlainChain(node: ts.Expression): boolean {
  if (ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword) return true;
  if (!(ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node)))
    return false;
  return node.questionDotToken === undefined && isPlainChain(node.expression);
}

/** The hole at `e: any` in a catch, or at a parameter or constant with the annotation `any` whose type is known. */
function findKnownAny(
  node: ts.VariableDeclaration | ts.ParameterDeclaration,
  checker: ts.TypeChecker,
): TypeHole | null {
  const { type, name } = node;
  if (type?.kind !== ts.SyntaxKind.AnyKeyword || !ts.isIdentifier(name)) return null;
  const declaredType = ts.isVariableDeclaration(node)
    ? findTypeOfVariable(node, checker)
    : findTypeOfParameter(node, checker);
  if (declaredType === null) return null;
  return {
    kind: 'known any',
    start: node.getStart(),
    end: type.end,
    edits: [{ start: type.getStart(), end: type.end, text: declaredType.text }],
    explanation: declaredType.explanation.replace('NAME', name.text),
  };
}

/** A type that the compiler knows. `explanation`: a phrase with the placeholder `NAME` for the variable. */
interface KnownType {
  readonly text: string;
  readonly explanation: string;
}

/** The known type of a variable of a `catch` or of a constant that is not exported; null for other variables. */
function findTypeOfVariable(node: ts.VariableDeclaration, checker: ts.TypeChecker): KnownType | null {
  if (ts.isCatchClause(node.parent))
    return {
      text: 'unknown',
      explanation: 'everything that is read from `NAME` is checked first, so it can be `unknown`',
    };
  const isConstant = ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
  const isExported = ts.isVariableStatement(node.parent.parent) && hasExportKeyword(node.parent.parent);
  if (!isConstant || isExported || !node.initializer || isInExportList(node, checker)) return null;
  const text = findTypeText(checker, checker.getTypeAtLocation(node.initializer), node);
  return text === null ? null : { text, explanation: `\`NAME\` is ${quote(text)}` };
}

/** The type that every call of a local function passes for a parameter; null if the calls differ or are unknown. */
function findTypeOfParameter(node: ts.ParameterDeclaration, checker: ts.TypeChecker): KnownType | null {
  const owner = node.parent;
  if (!('body' in owner) || !owner.body || node.dotDotDotToken || node.initializer) return null;
  // A parameter property is a member, too.
  if (ts.canHaveModifiers(node) && (ts.getModifiers(node)?.length ?? 0) > 0) return null;
  const text = findTypeOfArguments(node, owner as ts.FunctionLikeDeclaration, checker);
  return text === null ? null : { text, explanation: `every call passes ${quote(text)} as \`NAME\`` };
}

/**
 * The type of the arguments for a parameter, if all uses of the function are calls that pass the same type; otherwise
 * null.
 */
function findTypeOfArguments(
  node: ts.ParameterDeclaration,
  owner: ts.FunctionLikeDeclaration,
  checker: ts.TypeChecker,
): string | null {
  if (!ts.isFunctionDeclaration(owner) || !owner.name || hasExportKeyword(owner) || !ts.isSourceFile(owner.parent))
    return null;
  const symbol = checker.getSymbolAtLocation(owner.name);
  const index = owner.parameters.indexOf(node);
  if (!symbol || (symbol.declarations?.length ?? 0) !== 1) return null;
  const types = new Set<string | null>();
  const visit = (location: ts.Node): void => {
    if (ts.isIdentifier(location) && location !== owner.name && location.text === owner.name!.text) {
      if (findSymbolOfName(location, checker) === symbol) {
        const call =
          ts.isCallExpression(location.parent) && location.parent.expression === location ? location.parent : null;
        const argument = call?.arguments[index];
        const hasFixedPosition = call && !call.arguments.slice(0, index + 1).some(ts.isSpreadElement);
        types.add(
          argument && hasFixedPosition ? findTypeText(checker, checker.getTypeAtLocation(argument), node) : null,
        );
      }
    }
    ts.forEachChild(location, visit);
  };
  visit(owner.parent);
  const [firstType, ...otherTypes] = types;
  return otherTypes.length === 0 ? (firstType ?? null) : null;
}

/** The variable or function to which a name refers, even in an export list or in `{ name }`. */
function findSymbolOfName(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = name;
  if (ts.isExportSpecifier(parent)) return checker.getExportSpecifierLocalTargetSymbol(parent);
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  return checker.getSymbolAtLocation(name);
}

/** True for a variable that the file exports by `export { name }` or `export default name`. */
function isInExportList(node: ts.VariableDeclaration, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(node.name);
  return node.getSourceFile().statements.some((statement) => {
    if (ts.isExportAssignment(statement))
      return ts.isIdentifier(statement.expression) && findSymbolOfName(statement.expression, checker) === symbol;
    const clause = ts.isExportDeclaration(statement) && !statement.moduleSpecifier ? statement.exportClause : undefined;
    if (!clause || !ts.isNamedExports(clause)) return false;
    return clause.elements.some((element) => checker.getExportSpecifierLocalTargetSymbol(element) === symbol);
  });
}

/**
 * The type as it would be written at a node; null if it is uncertain, null or undefined, too long, or cannot be written
 * there.
 */
function findTypeText(checker: ts.TypeChecker, originalType: ts.Type, location: ts.Node): string | null {
  const type = checker.getBaseTypeOfLiteralType(originalType);
  if ((type.flags & (UNCERTAIN_FLAGS | NULLISH_FLAGS)) !== 0 || containsAny(checker, type)) return null;
  const text = checker.typeToString(type, location, EXACT_TEXT_FLAGS);
  return text.length > MAX_TYPE_LENGTH || /\bany\b|import\(|typeof |\.\.\.|__|\{ *\}/.test(text) ? null : text;
}

/** True for `any[]`, `Promise<any>` and similar types with unknown parts. */
function containsAny(checker: ts.TypeChecker, type: ts.Type): boolean {
  return /\bany\b/.test(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation));
}

/** The members of a union, or the type itself as the only member; null if one of them is uncertain. */
function findParts(checker: ts.TypeChecker, declaredType: ts.Type): readonly ts.Type[] | null {
  const type = checker.getBaseConstraintOfType(declaredType) ?? declaredType;
  const parts = type.isUnion() ? type.types : [type];
  return (declaredType.flags & UNCERTAIN_FLAGS) === 0 && parts.every(({ flags }) => (flags & UNCERTAIN_FLAGS) === 0)
    ? parts
    : null;
}

/** True for an access to an element, possibly in parentheses or with `!`. */
function readsIndex(node: ts.Expression): boolean {
  if (ts.isElementAccessExpression(node)) return true;
  return (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) && readsIndex(node.expression);
}

/** True if a comment is within the part that the removal of the assertion would delete. */
function hasComment(node: ts.AssertionExpression): boolean {
  const sourceFile = node.getSourceFile();
  const { expression } = node;
  const [start, end] = ts.isAsExpression(node)
    ? [expression.end, node.end]
    : [node.getStart(sourceFile), expression.getStart(sourceFile)];
  return /\/[/*]/.test(sourceFile.text.slice(start, end));
}

function shorten(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ').replaceAll('`', "'");
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

function quote(type: string): string {
  return `\`${type.length > 40 ? `${type.slice(0, 37)}…` : type}\``;
}
