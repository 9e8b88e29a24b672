// Creates programs from the code blocks in documentation. Each program reports the results of the expressions for which
// a comment states one: `slug('Déjà vu') //=> 'deja-vu'`.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { findCodeBlocks, type CodeBlock } from './codeBlocks.ts';
import { findCommentBlocks } from './commentBlocks.ts';
import {
  EXAMPLE_FUNCTION,
  type DocumentText,
  type ExampleCheck,
  type ExamplePlan,
  type ExampleProgram,
} from './examplePlan.ts';
import { readExportedNames } from './exportedNames.ts';
import { findFreeNames } from './freeNames.ts';
import { provideNames, type CommentOrigin } from './providedNames.ts';
import { isStatedValue } from './statedValue.ts';
import { countErrorsOfParser } from '../../syntax/countSyntaxErrors.ts';

/** Matches a comment that states a result, and captures the result. */
const STATED_PATTERN = /^\s*\/\/\s*(?:=>|==>|-->|->|→|⇒|[Rr]eturns:?\s|(?:[Oo]utput|[Rr]esult):\s)\s*(.*)$/;
/** Matches a comment that begins with a word instead of an arrow. */
const WORD_PATTERN = /^\s*\/\/\s*(?:returns|output|result)\b/i;
/** Expressions that depend on how the program is started, or on a browser. */
const OUTSIDE_PATTERN =
  /\b(?:process|location|window|document|navigator|localStorage|__dirname|__filename|import\.meta)\b/;
/** Calls whose result differs each time; a document shows one of many. */
const VARYING_PATTERN = /random|shuffle|sample|unique_?id|uuid|nanoid|timestamp|\.now\(/i;
/** Matches an expression that only waits for something that was started earlier. */
const WAITING_PATTERN = /^await\s+[\w$.]+$/;
/** Maximum number of characters of an expression that is shown. */
const MAX_CALL_LENGTH = 120;
/** Gives an ES module a `require` of its own. */
const OWN_REQUIRE =
  "import { createRequire as createOwnRequire } from 'node:module'; const require = createOwnRequire(import.meta.url);";
/** Matches a comment above an example that says under which condition its result holds. */
const CONDITION_PATTERN = /^\s*\/\/\s*(?:on|if|when|with|in|for|after|before|assuming|given|suppose|while|where)\b/i;
/** Maximum number of lines on which a stated result continues. */
const MAX_STATED_LINES = 30;

interface Import {
  readonly text: string;
  readonly names: readonly string[];
}

/** The programs of the examples of one document that state results: its code blocks, or the comments of a script. */
export function planExamples(document: DocumentText): ExamplePlan {
  return SCRIPT_PATTERN.test(document.path) ? planComments(document) : planMarkdown(document);
}

/** The programs of the `@example` tags in a script. Each gets the names that it does not import. */
function planComments({ path, text, packageName, codePath, isAtPackageRoot }: DocumentText): ExamplePlan {
  const programs: ExampleProgram[] = [];
  const leftOut: ExamplePlan['leftOut'][number][] = [];
  if (!text.includes('@example')) return { programs, leftOut };
  const exportedNames = readExportedNames(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  const origin: CommentOrigin = {
    codeFile: codePath === null ? null : posix.basename(codePath),
    exportedNames,
    packageName: codePath === null && !isAtPackageRoot ? null : packageName,
  };
  for (const block of findCommentBlocks(text)) {
    const { source, parts, checks } = readBlock(block);
    if (checks.length === 0) continue;
    const { used, assigned } = findFreeNames(source, new Set(exportedNames.keys()));
    const lines = isValidCode(source) ? provideNames(used, origin) : null;
    if (lines !== null) {
      const variables = assigned.length > 0 ? [`let ${assigned.join(', ')};`] : [];
      programs.push({ path, code: writeProgram([], parts, [...lines, ...variables]), checks });
    } else {
      const reason = isValidCode(source) ? 'It uses names that its file does not export.' : 'It is not valid code.';
      leftOut.push({ path, line: block.line, reason });
    }
  }
  return { programs, leftOut };
}

/** The programs of the fenced code blocks in Markdown. Blocks without imports get those of earlier blocks. */
function planMarkdown({ path, text }: DocumentText): ExamplePlan {
  const programs: ExampleProgram[] = [];
  const leftOut: ExamplePlan['leftOut'][number][] = [];
  const earlierImports: Import[] = [];
  for (const block of findCodeBlocks(text)) {
    const { source, parts, checks } = readBlock(block);
    const imports = source.statements.flatMap((statement) => readImport(statement, source) ?? []);
    if (checks.length > 0) {
      const problem = explainUnusable(source, imports, earlierImports);
      if (problem === null) {
        const inheritedImports =
          imports.length > 0
            ? []
            : earlierImports
                .filter(({ names }) => names.some((name) => mentions(source, name)))
                .map(({ text }) => text);
        programs.push({ path, code: writeProgram(inheritedImports, parts), checks });
      } else leftOut.push({ path, line: block.line, reason: problem });
    }
    for (const newImport of imports)
      if (!earlierImports.some(({ text }) => text === newImport.text)) earlierImports.push(newImport);
  }
  return { programs, leftOut };
}

/** The statements of a block, and the results that its comments state. */
function readBlock(block: CodeBlock): {
  readonly source: ts.SourceFile;
  readonly parts: readonly StatementPart[];
  readonly checks: readonly ExampleCheck[];
} {
  const source = ts.createSourceFile('example.ts', block.code, ts.ScriptTarget.Latest, true);
  const parts = source.statements.map((statement) => readStatement(statement, source, block));
  return { source, parts, checks: parts.flatMap(({ check }) => check ?? []) };
}

interface StatementPart {
  readonly text: string;
  readonly check: ExampleCheck | null;
  /** The expression whose result is stated; null if the comments state none. */
  readonly expression: string | null;
  /**
   * True if the statement is only this expression, or a call of `console.log` with it, so that the check replaces it.
   */
  readonly isReplaced: boolean;
}

/** The statement with the result that a comment on its last line, or on the line after it, states. */
function readStatement(statement: ts.Statement, source: ts.SourceFile, block: CodeBlock): StatementPart {
  const text = statement.getText(source);
  const uncheckedPart: StatementPart = { text, check: null, expression: null, isReplaced: false };
  const subject = findSubject(statement, source);
  if (subject === null || isStatedValue(subject.call)) return uncheckedPart;
  const lines = block.code.split('\n');
  const end = source.getLineAndCharacterOfPosition(statement.end);
  const sameLine = STATED_PATTERN.exec(lines[end.line]!.slice(end.character));
  const nextLine =
    sameLine || isAboutNextStatement(statement, lines) ? null : STATED_PATTERN.exec(lines[end.line + 1] ?? '');
  const startLine = source.getLineAndCharacterOfPosition(statement.getStart(source)).line;
  const lineAbove = lines.slice(0, startLine).findLast((line) => line.trim() !== '') ?? '';
  if (CONDITION_PATTERN.test(lineAbove)) return uncheckedPart;
  // The comment states what is printed meanwhile.
  if (WAITING_PATTERN.test(subject.expression) && /\bconsole\.\w+\(/.test(block.code)) return uncheckedPart;
  const [, firstLine] = sameLine ?? nextLine ?? [];
  if (firstLine === undefined || OUTSIDE_PATTERN.test(subject.expression) || VARYING_PATTERN.test(subject.call))
    return uncheckedPart;
  const index = sameLine ? end.line : end.line + 1;
  // Several lines of results in a row are what the program prints.
  if (!sameLine && STATED_PATTERN.test(lines[index + 1] ?? '')) return uncheckedPart;
  const stated = readStated(firstLine.trimEnd(), lines.slice(index + 1));
  if (stated === null) return uncheckedPart;
  const call = subject.call.replaceAll(/\s+/g, ' ');
  return {
    text,
    expression: subject.expression,
    isReplaced: subject.isReplaced,
    check: {
      line: block.line + index,
      column: block.columns[index]! + lines[index]!.length - firstLine.length,
      call: call.length > MAX_CALL_LENGTH ? `${call.slice(0, MAX_CALL_LENGTH)}…` : call,
      stated,
    },
  };
}

/**
 * True if the comment on the next line may be about the statement after it: `// Returns 3`, directly above an
 * expression.
 */
function isAboutNextStatement(statement: ts.Statement, lines: readonly string[]): boolean {
  const source = statement.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(statement.end);
  if (!WORD_PATTERN.test(lines[line + 1] ?? '')) return false;
  const next = source.statements[source.statements.indexOf(statement) + 1];
  return (
    next !== undefined &&
    ts.isExpressionStatement(next) &&
    source.getLineAndCharacterOfPosition(next.getStart(source)).line === line + 2
  );
}

/** The stated result, which may continue in the comments of the following lines; null if it is not a literal value. */
function readStated(firstLine: string, following: readonly string[]): string | null {
  let stated = firstLine;
  for (const line of ['', ...following.slice(0, MAX_STATED_LINES)]) {
    const comment = line === '' ? '' : /^\s*\/\/(.*)$/.exec(line)?.[1];
    if (comment === undefined || STATED_PATTERN.test(line)) return null;
    stated = line === '' ? stated : `${stated}\n${comment}`;
    if (isStatedValue(stated)) return stated;
  }
  return null;
}

/**
 * The expression of a statement: of an expression statement, of the first argument of `console.log`, or the variable
 * that a declaration or an assignment sets. Null for any other statement.
 */
function findSubject(
  statement: ts.Statement,
  source: ts.SourceFile,
): { readonly expression: string; readonly call: string; readonly isReplaced: boolean } | null {
  if (ts.isVariableStatement(statement)) {
    const [declaration] = statement.declarationList.declarations;
    if (statement.declarationList.declarations.length !== 1 || !declaration?.initializer) return null;
    if (!ts.isIdentifier(declaration.name)) return null;
    const call = declaration.initializer.getText(source);
    return { expression: declaration.name.text, call, isReplaced: false };
  }
  if (!ts.isExpressionStatement(statement)) return null;
  const { expression } = statement;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    if (!ts.isIdentifier(expression.left)) return null;
    return { expression: expression.left.text, call: expression.right.getText(source), isReplaced: false };
  }
  const isLog =
    ts.isCallExpression(expression) && /^console\.(?:log|info|dir)$/.test(expression.expression.getText(source));
  const shownExpressions = isLog ? expression.arguments : [expression];
  // The text of several arguments of `console.log` is not a result.
  if (shownExpressions.length !== 1) return null;
  const text = shownExpressions[0]!.getText(source);
  return { expression: text, call: text, isReplaced: true };
}

/** The text and the names of an import or of constants set by `require`; null for any other statement. */
function readImport(statement: ts.Statement, source: ts.SourceFile): Import | null {
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    const names = [
      ...(name ? [name.text] : []),
      ...(namedBindings && ts.isNamespaceImport(namedBindings) ? [namedBindings.name.text] : []),
      ...(namedBindings && ts.isNamedImports(namedBindings)
        ? namedBindings.elements.map((element) => element.name.text)
        : []),
    ];
    return { text: statement.getText(source), names };
  }
  if (!ts.isVariableStatement(statement)) return null;
  const { declarations } = statement.declarationList;
  if (!declarations.every(({ initializer }) => initializer && /^require\(/.test(initializer.getText(source))))
    return null;
  const names = declarations.flatMap(({ name }) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((part) => (ts.isBindingElement(part) ? [part.name.getText(source)] : [])),
  );
  return { text: statement.getText(source), names };
}

/** The reason why a block cannot be run, as a sentence; null if it can be run. */
function explainUnusable(
  source: ts.SourceFile,
  imports: readonly Import[],
  earlierImports: readonly Import[],
): string | null {
  if (!isValidCode(source)) return 'It is not valid code.';
  if (imports.length > 0) return null;
  if (earlierImports.length === 0) return 'It imports nothing, and neither does an earlier block.';
  const names = earlierImports.flatMap((earlierImport) => earlierImport.names);
  const ambiguousName = names.find((name, index) => names.indexOf(name) !== index && mentions(source, name));
  return ambiguousName === undefined ? null : `Earlier blocks import ${ambiguousName} in more than one way.`;
}

function isValidCode(source: ts.SourceFile): boolean {
  return countErrorsOfParser(source) === 0;
}

function mentions(source: ts.SourceFile, name: string): boolean {
  return source.text.split(/[^\w$]+/).includes(name);
}

/** The program in JavaScript. `firstLines` come first as they are. */
function writeProgram(
  imports: readonly string[],
  parts: readonly StatementPart[],
  firstLines: readonly string[] = [],
): string {
  let index = -1;
  const statements = parts.map(({ text, check, expression, isReplaced }) => {
    if (!check) return text;
    index += 1;
    const checkCall = `await ${EXAMPLE_FUNCTION}(${index}, async () => (${expression}));`;
    return isReplaced ? checkCall : `${text}\n${checkCall}`;
  });
  const declaredNames = new Set(
    parts.flatMap(({ text }) =>
      [...text.matchAll(/^(?:const|let|var|function|class)\s+([\w$]+)/g)].map(([, name]) => name),
    ),
  );
  const neededImports = imports.filter(
    (text) =>
      !text
        .split(/[^\w$]+/)
        .some((word) => declaredNames.has(word) && !/^(?:const|let|var|import|from|require)$/.test(word)),
  );
  const lines = [...neededImports, ...statements];
  const usesRequire = lines.some((text) => /\brequire\(/.test(text)) && !declaredNames.has('require');
  const { outputText } = ts.transpileModule(
    [...(usesRequire ? [OWN_REQUIRE] : []), ...firstLines, ...lines].join('\n'),
    {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        // Imports whose only use is in a type, or none at all, may still set something up.
        verbatimModuleSyntax: true,
      },
    },
  );
  return outputText;
}
