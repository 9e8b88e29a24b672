// Writes the text of a new function before and after its body, and its call, in the style of its file or class.

import { ts } from 'ts-morph';
import type { Style } from '../fileStyle.ts';
import { detectPrivateStyle, type Conventions } from './conventions.ts';
import type { ExtractedFunction } from './refactor.ts';

/** The extracted function, with its name. */
export interface Part extends ExtractedFunction {
  readonly name: string;
}

/** The style in which the new function is written. */
export interface DeclarationStyle {
  readonly style: Style;
  readonly conventions: Conventions;
  /** Maximum line width in characters. */
  readonly lineWidth: number;
  /** True if parameters on lines of their own end with a comma. */
  readonly usesTrailingComma: boolean;
  readonly isTsx: boolean;
}

/** The bounds of the measured line width, in characters. */
const [MIN_WIDTH, MAX_WIDTH] = [80, 120];

/**
 * Writes the text of the function before and after its body. `head` may have several lines. `isAboveCaller`: true if
 * the function must or should precede its caller.
 */
export function createDeclaration(
  part: Part,
  scope: ts.Node,
  outerIndent: string,
  { style, conventions, lineWidth, usesTrailingComma, isTsx }: DeclarationStyle,
): { readonly head: string; readonly tail: string; readonly isAboveCaller: boolean } {
  const { name, isAsync, typeParameters, parameters } = part;
  const isAtTop = ts.isSourceFile(scope);
  const isArrow = isAtTop && conventions.usesArrows && !(isTsx && typeParameters);
  const asyncKeyword = isAsync ? 'async ' : '';
  const type = part.returnType ? `: ${part.returnType}` : '';
  const textBeforeParameters = ts.isClassLike(scope)
    ? `${formatModifiers(scope, part)}${asyncKeyword}${detectPrivateStyle(scope).prefix}${name}`
    : isArrow
      ? `const ${name} = ${asyncKeyword}`
      : `${asyncKeyword}function ${name}`;
  const space = style.spaceBeforeParameters && !isArrow ? ' ' : '';
  const headEnd = `${type}${isArrow ? ' =>' : ''} {`;
  const headOnOneLine = `${outerIndent}${textBeforeParameters}${typeParameters}${space}(${parameters.join(', ')})${headEnd}`;
  const parameterLines = parameters
    .map((parameter) => outerIndent + style.indent + parameter)
    .join(`,${style.newline}`);
  const head =
    headOnOneLine.length <= lineWidth || parameters.length === 0
      ? headOnOneLine
      : `${outerIndent}${textBeforeParameters}${typeParameters}${space}(${style.newline}${parameterLines}${usesTrailingComma ? ',' : ''}${style.newline}${outerIndent})${headEnd}`;
  return {
    head,
    tail: `${outerIndent}}${isArrow && style.semicolons ? ';' : ''}`,
    isAboveCaller: isArrow || (isAtTop && conventions.putsHelpersFirst),
  };
}

/** Writes the statement that calls the new function by its name; a private method of a class gets its prefix. */
export function createCallStatement(
  { call, typeParameters, parameters }: ExtractedFunction,
  name: string,
  scope: ts.Node,
): string {
  const fullName = ts.isClassLike(scope) ? detectPrivateStyle(scope).prefix + name : name;
  // Type arguments are omitted if the compiler can infer each of them from a parameter.
  const typeParameterNames = [...typeParameters.matchAll(/[<,]\s*(\w+)/g)].map(([, parameter = '']) => parameter);
  const isInferred =
    typeParameterNames.length > 0 &&
    typeParameterNames.every((parameter) => {
      const namePattern = new RegExp(`\\b${parameter}\\b`);
      return parameters.some((text) => namePattern.test(text));
    });
  return (isInferred ? call.replace(/NAME<[^()]*>\(/, 'NAME(') : call).replace('NAME', fullName);
}

/** The length of the longest line without strings and comments, at least 80 and at most 120 characters. */
export function measureLineWidth(text: string): number {
  const widths = text.split(/\r?\n/).flatMap((line) => (/['"`]|\/\/|^\s*\*/.test(line) ? [] : [line.length]));
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...widths));
}

/** The modifiers of the new method, each followed by a space. `private` only if the class marks its methods with it. */
function formatModifiers(scope: ts.ClassLikeDeclaration, { isStatic }: Part): string {
  return `${detectPrivateStyle(scope).usesKeyword ? 'private ' : ''}${isStatic ? 'static ' : ''}`;
}
