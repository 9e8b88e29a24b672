// Adds an import of the tested function to a test file in which no existing import provides it.

import { ts } from 'ts-morph';
import { detectStyle, wrapInBraces } from '../fileStyle.ts';
import {
  declaresName,
  formatImportedName,
  detectLineEnd,
  type Access,
  type TestFileProgram,
  type WantedFunction,
} from './functionAccess.ts';
import { quoteText } from './caseText.ts';
import { findRequireCalls, findRequireCallsOfStatement } from './requireCalls.ts';
import { createSpecifierTo } from './testPlace.ts';

/**
 * Creates the access by a new import statement, after the last import or `require` call of the test file. Null if the
 * file has none, or if it uses the name for something else. `testPath`: the path of the test file.
 */
export function createAccessByImport(
  wantedFunction: WantedFunction,
  testPath: string,
  testProgram: Pick<TestFileProgram, 'sourceFile'>,
): Access | null {
  const file = testProgram.sourceFile();
  const imports = file.statements.filter(
    (statement): statement is ts.ImportDeclaration =>
      ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier),
  );
  const lastImport =
    imports.at(-1) ?? file.statements.findLast((statement) => findRequireCallsOfStatement(statement).length > 0);
  if (!lastImport || declaresName(file, wantedFunction.name)) return null;
  const isCommonJs = imports.length === 0;
  const specifiers = isCommonJs
    ? findRequireCalls(file).map(({ from }) => from)
    : imports.map(({ moduleSpecifier: from }) => (from as ts.StringLiteral).text);
  const style = detectStyle(file.text);
  const quotedSpecifier = quoteText(createSpecifierTo(testPath, wantedFunction.path, specifiers), style.quote);
  const text = lastImport.getText(file);
  const semicolon = text.endsWith(';') ? ';' : '';
  const { name, exportedAs } = wantedFunction;
  const isDefaultExport = exportedAs === 'default';
  const statement = isCommonJs
    ? `${/^\w+/.exec(text)?.[0] ?? 'const'} ${isDefaultExport ? name : wrapInBraces(exportedAs === name ? name : `${exportedAs}: ${name}`, style)} ` +
      `= require(${quotedSpecifier})${semicolon}`
    : `import ${isDefaultExport ? name : wrapInBraces(formatImportedName(exportedAs, name), style)} from ${quotedSpecifier}${semicolon}`;
  return {
    expression: name,
    insertion: { text: `${detectLineEnd(file)}${statement}`, offset: lastImport.end, statement: statement },
  };
}
