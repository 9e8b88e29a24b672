// Finds the functions that a file declares and exports, by `export` or by `module.exports`, and the nodes that declare
// them.

import { ts } from 'ts-morph';
import type { ModuleOutline } from '../differential/declarations.ts';
import { nameFromFile } from './nameFromFile.ts';
import { listModuleStatements } from './wrappedModule.ts';

/** An exported function. */
export interface ExportedFunction {
  readonly name: string;
  /** `default` for a default export, and for a function that is `module.exports` itself. */
  readonly exportedAs: string;
  /** The name of its declaration in the outline of the file, if the names differ. */
  readonly declaredAs?: string;
  readonly signature: ts.Signature;
  readonly declaration: ts.Declaration;
}

/** Functions that the file itself declares and exports. Of overloads, takes the first one with parameters. */
export function collectExportedFunctions(file: ts.SourceFile, checker: ts.TypeChecker): readonly ExportedFunction[] {
  const module = checker.getSymbolAtLocation(file);
  if (!module) return findCommonJsFunctions(file, checker);
  const moduleFunctions = findAssignedFunction(module, file, checker);
  const namedExports = checker.getExportsOfModule(module).flatMap((symbol): ExportedFunction[] => {
    if (moduleFunctions.length > 0 && (symbol.name === 'default' || symbol.name === 'export=')) return [];
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target.valueDeclaration ?? target.declarations?.[0];
    if (!declaration || declaration.getSourceFile() !== file || ts.isClassLike(declaration)) return [];
    const signature = findSignature(checker.getTypeOfSymbolAtLocation(target, declaration));
    if (!signature) return [];
    const exportedAs = symbol.name === 'export=' ? 'default' : symbol.name;
    const functionName =
      target.name === 'default' || target.name === 'export=' ? findDeclaredName(declaration) : target.name;
    const name = exportedAs === 'default' ? (functionName ?? nameFromFile(file.fileName)) : exportedAs;
    return [{ name, exportedAs, signature, declaration }];
  });
  return [...moduleFunctions, ...namedExports];
}

/** The name in `export default function slugify() {}`; undefined if there is none. */
function findDeclaredName(declaration: ts.Declaration): string | undefined {
  const name = ts.getNameOfDeclaration(declaration);
  return name && ts.isIdentifier(name) ? name.text : undefined;
}

/** The function in `export = slugify`. A namespace of the same name may declare further members. */
function findAssignedFunction(
  module: ts.Symbol,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): readonly ExportedFunction[] {
  const exportSymbol = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  const target =
    exportSymbol && exportSymbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exportSymbol) : null;
  const declaration = target?.declarations?.find(ts.isFunctionDeclaration);
  if (!target || !declaration || declaration.getSourceFile() !== file) return [];
  const signature = findSignature(checker.getTypeOfSymbolAtLocation(target, declaration));
  return signature ? [{ name: target.name, exportedAs: 'default', signature, declaration }] : [];
}

/** The functions that a script without `import` and `export` assigns to `module.exports` or to members of `exports`. */
function findCommonJsFunctions(file: ts.SourceFile, checker: ts.TypeChecker): readonly ExportedFunction[] {
  const assignedFunctions = collectAssignedToExports(file, checker);
  const moduleFunction = assignedFunctions.find(({ exportedAs }) => exportedAs === 'default');
  if (!moduleFunction) return assignedFunctions;
  const members = [...assignedFunctions, ...collectFunctionsOfProperties(moduleFunction, file, checker)].filter(
    (member) => member !== moduleFunction,
  );
  // A function that is both `module.exports` and a member of it is returned once.
  return [moduleFunction, ...members.filter(({ declaration }) => declaration !== moduleFunction.declaration)];
}

/**
 * The functions that are assigned to properties of the function in `module.exports`, such as `slug.reverse = (text) =>
 * …`.
 */
function collectFunctionsOfProperties(
  moduleFunction: ExportedFunction,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): readonly ExportedFunction[] {
  return listModuleStatements(file).flatMap((statement): readonly ExportedFunction[] => {
    const expression = ts.isExpressionStatement(statement) ? statement.expression : null;
    if (!expression || !ts.isBinaryExpression(expression)) return [];
    const { left, right, operatorToken } = expression;
    if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(left)) return [];
    if (left.expression.getText(file) !== moduleFunction.name || !ts.isIdentifier(left.name)) return [];
    const name = left.name.text;
    const declaredAs = ts.isIdentifier(right) ? right.text : left.getText(file);
    return findFunctionOfValue(right, name, name, file, checker).map((property) => ({ ...property, declaredAs }));
  });
}

/**
 * The functions that the file assigns to `module.exports`, to members of `exports`, or as properties of an object in
 * `module.exports`.
 */
function collectAssignedToExports(file: ts.SourceFile, checker: ts.TypeChecker): readonly ExportedFunction[] {
  return listModuleStatements(file).flatMap((statement): readonly ExportedFunction[] => {
    const exported = readExport(statement, file);
    if (!exported) return [];
    const { member, value } = exported;
    if (member === null && ts.isObjectLiteralExpression(value))
      return value.properties.flatMap((property) => {
        const name = property.name && ts.isIdentifier(property.name) ? property.name.text : null;
        const memberValue = ts.isPropertyAssignment(property) ? property.initializer : property.name;
        return name !== null && memberValue && !ts.isComputedPropertyName(memberValue)
          ? findFunctionOfValue(memberValue, name, name, file, checker)
          : [];
      });
    const name = ts.isIdentifier(value) ? value.text : nameFromFile(file.fileName);
    return member === null
      ? findFunctionOfValue(value, name, 'default', file, checker)
      : findFunctionOfValue(value, member, member, file, checker);
  });
}

/**
 * What a statement assigns to `module.exports` (`member` is null) or to a member of `exports`, or what the factory of a
 * module returns. Null for any other statement.
 */
function readExport(
  statement: ts.Statement,
  file: ts.SourceFile,
): { readonly member: string | null; readonly value: ts.Expression } | null {
  if (ts.isReturnStatement(statement))
    return statement.expression ? { member: null, value: statement.expression } : null;
  const expression = ts.isExpressionStatement(statement) ? statement.expression : null;
  if (!expression || !ts.isBinaryExpression(expression)) return null;
  const target = /^(?:module\.)?exports(?:\.([A-Za-z_$][\w$]*))?$/.exec(expression.left.getText(file));
  return target && { member: target[1] ?? null, value: expression.right };
}

/** The function to which the expression evaluates; empty for any other value, and for a function of another file. */
function findFunctionOfValue(
  value: ts.Node,
  name: string,
  exportedAs: string,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): readonly ExportedFunction[] {
  const signature = findSignature(checker.getTypeAtLocation(value));
  const declaration = signature?.declaration;
  if (!signature || !declaration || declaration.getSourceFile() !== file || ts.isJSDocSignature(declaration)) return [];
  return [{ name, exportedAs, signature, declaration }];
}

/** The first call signature with parameters; if there is none, the first signature. */
function findSignature(type: ts.Type): ts.Signature | undefined {
  const signatures = type.getCallSignatures();
  return signatures.find((signature) => signature.getParameters().length > 0) ?? signatures[0];
}

/**
 * The node that declares the function in the outline of its file; if the outline lacks it, the type checker's
 * declaration.
 */
export function findDeclaringNode(
  { name, exportedAs, declaredAs, declaration }: ExportedFunction,
  { declarations }: Pick<ModuleOutline, 'declarations'>,
): ts.Node {
  if (declaredAs !== undefined) return declarations.get(declaredAs)?.node ?? declaration;
  const exported = [...declarations.values()].find((candidate) => candidate.exportedAs === exportedAs);
  const isAssigned = exported && ts.isExpressionStatement(exported.node);
  return (
    (isAssigned ? declarations.get(name) : exported)?.node ??
    exported?.node ??
    declarations.get(name)?.node ??
    declaration
  );
}
