// Finds top-level declarations by name, and parses a function that is given as text.

import { ts } from 'ts-morph';
import { parseSource, listSyntaxErrors } from '../syntax/parse.ts';
import type { Style } from '../fileStyle.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** A statement that declares something with a name. */
export type NameDeclaration =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.EnumDeclaration
  | ts.VariableStatement;

/** True for a statement that declares something with a name. */
export function isNameDeclaration(statement: ts.Node): statement is NameDeclaration {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isVariableStatement(statement)
  );
}

/** The names that a statement declares. */
export function listDeclaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => listBoundNames(name));
  if (!isNameDeclaration(statement)) return [];
  const { name } = statement as Exclude<NameDeclaration, ts.VariableStatement>;
  return name ? [name.text] : [];
}

/** Finds all top-level statements that declare the name, such as overloads and merged declarations. */
export function findDeclarations(sourceFile: ts.SourceFile, name: string): NameDeclaration[] {
  return sourceFile.statements.filter(
    (statement): statement is NameDeclaration =>
      isNameDeclaration(statement) && listDeclaredNames(statement).includes(name),
  );
}

/** A function that was found by its name. */
export interface NamedFunction {
  readonly name: string;
  readonly node: ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;
  /** The statement or class member that contains the function, without its comments. */
  readonly declaration: ts.Statement | ts.MethodDeclaration;
  readonly nameNode: ts.Identifier;
}

/**
 * Finds a top-level function, a variable whose value is one, or `Class.method`. Refuses if there is none, or more than
 * one.
 */
export function findFunction(sourceFile: ts.SourceFile, symbol: string): NamedFunction | { readonly refused: string } {
  const [topLevelName = '', member] = symbol.split('.');
  const statements = findDeclarations(sourceFile, topLevelName);
  if (statements.length === 0) return { refused: `There is no top-level ${topLevelName} in the file.` };
  const functions = statements.flatMap((statement): NamedFunction[] => {
    if (member !== undefined) {
      if (!ts.isClassDeclaration(statement)) return [];
      return statement.members.flatMap((classMember) =>
        ts.isMethodDeclaration(classMember) && ts.isIdentifier(classMember.name) && classMember.name.text === member
          ? [{ name: member, node: classMember, declaration: classMember, nameNode: classMember.name }]
          : [],
      );
    }
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [{ name: topLevelName, node: statement, declaration: statement, nameNode: statement.name }];
    if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1) return [];
    const [{ name, initializer }] = statement.declarationList.declarations as unknown as [ts.VariableDeclaration];
    return ts.isIdentifier(name) &&
      initializer &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [{ name: topLevelName, node: initializer, declaration: statement, nameNode: name }]
      : [];
  });
  const [onlyFunction] = functions;
  if (!onlyFunction) return { refused: `${symbol} is not a function of the file.` };
  return functions.length === 1 ? onlyFunction : { refused: `${symbol} has overloads.` };
}

/**
 * Parses one function with its comments. Its line ends become those of the file. Refuses code that does not parse, or
 * that is not exactly one function with a name.
 */
export function parseFunction(
  path: string,
  source: string,
  style: Style,
): { readonly text: string; readonly sourceFile: ts.SourceFile; readonly name: string } | { readonly refused: string } {
  const text = source.trim().replace(/\r?\n/g, style.newline);
  const sourceFile = parseSource(path, text);
  if (!sourceFile) return { refused: 'The file is not TypeScript or JavaScript.' };
  const [error] = listSyntaxErrors(sourceFile);
  if (error) return { refused: `The given function does not parse: ${error}` };
  const [onlyStatement] = sourceFile.statements;
  const [name] = onlyStatement ? listDeclaredNames(onlyStatement) : [];
  if (sourceFile.statements.length !== 1 || !onlyStatement || name === undefined)
    return { refused: 'The code is not exactly one function with a name.' };
  const parsedFunction = findFunction(sourceFile, name);
  return 'refused' in parsedFunction
    ? { refused: 'The code is not exactly one function with a name.' }
    : { text, sourceFile, name };
}
