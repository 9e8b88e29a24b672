// Removes imports and locals that nothing reads, as TypeScript's language service sees it.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../recipe.ts';
import { hasEffects } from '../syntax/effects.ts';
import { nodesIn, spanOf, type Span } from '../syntax/locate.ts';
import { isJavaScript, parseSource } from '../syntax/parse.ts';
import { removeStatement } from '../syntax/removeStatement.ts';
import { singleFileService } from '../syntax/singleFile.ts';
import { continuesLine } from '../syntax/scopes.ts';
import type { Style } from '../style.ts';
import { applyReplacements, isFirstOnLine, type Replacement } from '../textEdit.ts';
import { unusedIn, type Unused } from '../syntax/unused.ts';

const MOST_NAMES = 50;
const STYLE_SHEET = /\.(?:css|s[ac]ss|less|styl|pcss)(?:\?.*)?$/;
/** Names that JSX may use without a trace in the file. */
const JSX_FACTORIES = new Set(['React', 'Preact', 'h', 'jsx', 'Fragment', 'createElement']);

/** An unused import takes the file's other unused imports with it: one decision instead of many. Where that is refused, it goes alone. */
export function removeUnused(context: RecipeContext): RecipeOutcome {
  const { opportunity, sourceFile } = context;
  const whole = spanOf(sourceFile, opportunity.range);
  const telling = spanOf(sourceFile, opportunity.nameRange);
  if (!whole || !telling) return refuse('The file has become shorter.');
  const span: Span = { start: Math.min(whole.start, telling.start), end: Math.max(whole.end, telling.end) };
  const block = importsAround(sourceFile, span);
  const together = block && removeWithin(context, block);
  return together && !('refused' in together) ? together : removeWithin(context, span);
}

/** The unbroken run of imports that the span lies in, or null when it lies in something else. */
function importsAround(sourceFile: ts.SourceFile, span: Span): Span | null {
  const { statements } = sourceFile;
  const at = statements.findIndex((statement) => ts.isImportDeclaration(statement) && statement.getStart(sourceFile) <= span.start && span.end <= statement.end);
  if (at < 0) return null;
  let [first, last] = [at, at];
  while (statements[first - 1]?.kind === ts.SyntaxKind.ImportDeclaration) first--;
  while (statements[last + 1]?.kind === ts.SyntaxKind.ImportDeclaration) last++;
  return { start: statements[first]?.getStart(sourceFile) ?? span.start, end: statements[last]?.end ?? span.end };
}

function removeWithin(context: RecipeContext, within: Span): RecipeOutcome {
  const { path } = context;
  let { sourceFile } = context;
  let span = within;
  const removed: string[] = [];
  while (removed.length < MOST_NAMES) {
    const fileName = `/${path}`;
    const service = singleFileService(fileName, sourceFile.text);
    try {
      const unused = unusedIn(service, fileName, sourceFile, span);
      if (!unused) break;
      const step = removalOf(service, fileName, sourceFile, unused, context.style);
      if ('refused' in step) return step;
      const text = applyReplacements(sourceFile.text, step.replacements);
      const parsed = parseSource(path, text);
      if (!parsed || text === sourceFile.text) return refuse('There is nothing to change.');
      span = { start: Math.max(0, Math.min(span.start, ...step.replacements.map(({ start }) => start))), end: span.end + text.length - sourceFile.text.length };
      sourceFile = parsed;
      removed.push(...unused.names);
    } finally {
      service.dispose();
    }
  }
  if (removed.length === 0) return refuse('Nothing here is unused any more.');
  if (ts.isExternalModule(context.sourceFile) && !ts.isExternalModule(sourceFile) && !/\.[cm][jt]s$/.test(path)) return refuse('The file would stop being a module.');
  const names = removed.length > 3 ? `${removed.length} names` : removed.join(', ');
  return {
    text: sourceFile.text,
    title: `Remove unused ${names}`,
    rationale: `${removed.length === 1 ? `Nothing reads ${names}` : `Nothing reads these names: ${removed.join(', ')}`}; TypeScript's own check for unused declarations says so.`,
  };
}

type Removal = { readonly replacements: readonly Replacement[] } | { readonly refused: string };

function removalOf(service: ts.LanguageService, fileName: string, sourceFile: ts.SourceFile, unused: Unused, style: Style): Removal {
  const reason = spared(service, fileName, sourceFile, unused);
  if (reason) return { refused: reason };
  const { statement } = unused;
  if (unused.whole) {
    if (ts.isImportDeclaration(statement)) return wholeImport(sourceFile, statement);
    if (ts.isVariableStatement(statement)) return wholeVariable(sourceFile, statement, style);
    if ((ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) && runsCode(sourceFile, statement)) return { refused: 'Declaring it runs code.' };
    const overloads = overloadsOf(statement);
    return { replacements: [removeStatement(sourceFile, overloads[0] ?? statement, overloads.at(-1))] };
  }
  if (unused.parts.some((part) => hasEffects(sourceFile, part))) return { refused: 'Its value is computed by something that may have effects, and it shares its declaration with others.' };
  return byCodeFix(service, fileName, sourceFile, unused);
}

/** Why the names stay although nothing in the code reads them; null when they may go. */
function spared(service: ts.LanguageService, fileName: string, sourceFile: ts.SourceFile, { names, identifiers, statement, isImport }: Unused): string | null {
  if (isImport) {
    const jsx = /x$/.test(fileName) || nodesIn(sourceFile).some((node) => ts.isJsxOpeningLikeElement(node) || ts.isJsxFragment(node));
    const factory = names.find((name) => jsx && JSX_FACTORIES.has(name));
    if (factory) return `JSX may need ${factory}.`;
    const documented = isJavaScript(sourceFile) && names.find((name) => inDocComments(sourceFile, name));
    return documented ? `A doc comment refers to ${documented}.` : null;
  }
  const declarations = overloadsOf(statement);
  for (const identifier of identifiers) {
    const mention = mentionsOf(service, fileName, identifier).find((start) => !declarations.some((declaration) => start >= declaration.pos && start < declaration.end));
    if (mention !== undefined) return `${identifier.text} is still mentioned in line ${sourceFile.getLineAndCharacterOfPosition(mention).line + 1}.`;
  }
  return null;
}

/** Offsets of every identifier that means the same local, its declaration included. */
function mentionsOf(service: ts.LanguageService, fileName: string, identifier: ts.Identifier): number[] {
  const program = service.getProgram();
  const file = program?.getSourceFile(fileName);
  if (!program || !file) return [];
  const checker = program.getTypeChecker();
  const symbolOf = (node: ts.Identifier) => (ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node));
  const named = nodesIn(file).filter((node): node is ts.Identifier => ts.isIdentifier(node) && node.text === identifier.text);
  const own = named.find((node) => node.getStart(file) === identifier.getStart());
  const symbol = own && symbolOf(own);
  return symbol ? named.filter((node) => symbolOf(node) === symbol).map((node) => node.getStart(file)) : [];
}

/** Importing a style sheet is what it is imported for; only the name goes. */
function wholeImport(sourceFile: ts.SourceFile, statement: ts.ImportDeclaration): Removal {
  const { moduleSpecifier, importClause } = statement;
  if (importClause && ts.isStringLiteral(moduleSpecifier) && STYLE_SHEET.test(moduleSpecifier.text)) return { replacements: [{ start: importClause.getStart(sourceFile), end: moduleSpecifier.getStart(sourceFile), text: '' }] };
  return { replacements: [removeStatement(sourceFile, statement)] };
}

function wholeVariable(sourceFile: ts.SourceFile, statement: ts.VariableStatement, style: Style): Removal {
  const { declarations } = statement.declarationList;
  if ((statement.declarationList.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using) return { refused: 'Leaving the block disposes of it.' };
  const effects = declarations.filter((declaration) => hasEffects(sourceFile, declaration));
  if (effects.length === 0) return { replacements: [removeStatement(sourceFile, statement)] };
  const [only] = declarations;
  const value = only?.initializer;
  if (declarations.length > 1 || !only || !value) return { refused: 'One of the values is computed by something that may have effects.' };
  if (ts.isArrayBindingPattern(only.name)) return { refused: 'Taking the value apart runs its iterator.' };
  if (hasEffects(sourceFile, only.name)) return { refused: 'A default value may have effects.' };
  if (!standsAlone(value)) return { refused: 'Its value may have effects, and as a statement it would read like something else.' };
  const start = statement.getStart(sourceFile);
  const kept = sourceFile.text.slice(value.getStart(sourceFile));
  if (!style.semicolons && continuesLine(kept)) return { refused: 'Without a semicolon its value would continue the line before it.' };
  if (!isFirstOnLine(sourceFile.text, start) && continuesLine(kept)) return { refused: 'Its value would continue what stands before it.' };
  return { replacements: [{ start, end: value.getStart(sourceFile), text: '' }] };
}

/** Only what acts by itself may become a statement; `a + f()` would be left hanging there. */
function standsAlone(value: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) return false;
  if (ts.isAwaitExpression(value)) return true;
  if (!ts.isCallExpression(value) && !ts.isNewExpression(value)) return false;
  let first: ts.Node = value;
  while (ts.isCallExpression(first) || ts.isPropertyAccessExpression(first) || ts.isElementAccessExpression(first) || ts.isNonNullExpression(first)) first = first.expression;
  return !ts.isFunctionExpression(first) && !ts.isClassExpression(first) && !ts.isObjectLiteralExpression(first) && !ts.isArrowFunction(first) && !(ts.isIdentifier(first) && first.text === 'let');
}

/** Evaluating the declaration itself acts: static blocks and fields, decorators, computed names, `extends f()`. */
function runsCode(sourceFile: ts.SourceFile, statement: ts.ClassDeclaration | ts.EnumDeclaration): boolean {
  if (ts.isEnumDeclaration(statement)) return hasEffects(sourceFile, statement);
  const isStatic = (node: ts.Node) => ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false);
  const decorated = [statement, ...statement.members].some((node) => ts.canHaveDecorators(node) && (ts.getDecorators(node)?.length ?? 0) > 0);
  const extended = statement.heritageClauses?.some((clause) => hasEffects(sourceFile, clause)) ?? false;
  return decorated || extended || statement.members.some((member) => ts.isClassStaticBlockDeclaration(member) || (member.name && ts.isComputedPropertyName(member.name)) || (ts.isPropertyDeclaration(member) && isStatic(member) && member.initializer && hasEffects(sourceFile, member.initializer)));
}

function overloadsOf(statement: ts.Statement): ts.Statement[] {
  if (!ts.isFunctionDeclaration(statement) || !('statements' in statement.parent)) return [statement];
  const siblings = statement.parent.statements as ts.NodeArray<ts.Statement>;
  return siblings.filter((other) => ts.isFunctionDeclaration(other) && other.name?.text === statement.name?.text);
}

/** TypeScript's own fix, for a part of an import, a list of variables or a pattern. */
function byCodeFix(service: ts.LanguageService, fileName: string, sourceFile: ts.SourceFile, { diagnostic }: Unused): Removal {
  const { start = 0, length = 0, code } = diagnostic;
  const fixes = service.getCodeFixesAtPosition(fileName, start, start + length, [code], {}, {});
  const fix = fixes.find(({ fixName, fixId }) => fixName === 'unusedIdentifier' && fixId !== 'unusedIdentifier_prefix');
  const changes = fix?.changes.flatMap(({ textChanges }) => textChanges) ?? [];
  if (changes.length === 0) return { refused: 'TypeScript offers no way to remove it.' };
  const replacements = changes.map(({ span, newText }) => ({ start: span.start, end: span.start + span.length, text: newText }));
  return { replacements: replacements.map((replacement) => withoutHole(sourceFile.text, replacement)) };
}

/** A name that stood on a line of its own takes the whole line along. */
function withoutHole(text: string, { start, end, text: inserted }: Replacement): Replacement {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  const alone = inserted === '' && isFirstOnLine(text, start) && rest && start > 0 && text.slice(start, end).trim() !== '';
  return alone ? { start: text.lastIndexOf('\n', start - 1) + 1, end: end + rest[0].length, text: '' } : { start, end, text: inserted };
}

/** In JavaScript, types live in doc comments. */
function inDocComments(sourceFile: ts.SourceFile, name: string): boolean {
  const mention = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  return (sourceFile.text.match(/\/\*\*[\s\S]*?\*\//g) ?? []).some((comment) => mention.test(comment));
}
