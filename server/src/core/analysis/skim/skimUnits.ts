// The functions of a lazily read tree as every walk leaves them.

import type { FunctionUnit } from '../functionUnit.ts';
import { lineIndexOf, type LineStarts } from '../lines.ts';
import { halsteadOf, maintainabilityIndex } from '../metrics/halstead.ts';
import { behindTrivia } from '../script/leadingComments.ts';
import type { LazyNode } from './lazyTree.ts';
import type { SkimFrame } from './skimFrames.ts';
import type { NameWalk } from './skimNames.ts';

/** Tokens are not counted. */
const NO_TOKENS = halsteadOf({ operators: new Map(), operands: new Map() });

/** As a brief walk over the compiler's tree has it. */
export function unitOf(frame: SkimFrame, names: NameWalk, text: string, lines: LineStarts): FunctionUnit {
  const { kind, start, end, name } = names.describe(frame.node, frame.kind);
  const code: LazyNode = kind === 'fieldInitialiser' ? frame.node['value'] : frame.node;
  const parameters = parametersOf(code, text);
  const { cyclomatic, cognitive, deepestDepth, deepest, statements } = frame;
  return {
    kind,
    name: name.name,
    start,
    end,
    nameStart: name.start,
    nameEnd: name.end,
    hasBlock: code.type === 'StaticBlock' || code['body']?.type === 'FunctionBody',
    injected: parameters.injected,
    cyclomatic,
    cognitive,
    nesting: deepestDepth,
    deepest,
    statements,
    parameters: parameters.count,
    halstead: NO_TOKENS,
    maintainability: maintainabilityIndex({ volume: NO_TOKENS.volume, cyclomatic, lines: lineIndexOf(lines, end) - lineIndexOf(lines, start) + 1 }),
  };
}

function parametersOf(code: LazyNode, text: string): { readonly count: number; readonly injected: boolean } {
  if (!code['params']) return { count: 0, injected: false };
  const items = [...(code['params'].items as readonly LazyNode[])];
  const rest = hasRest(code, items, text);
  return { count: items.length + (rest ? 1 : 0), injected: !rest && items.length > 0 && items.every(({ start, decorators, pattern }) => decorators.length > 0 || start < pattern.start) };
}

/** The parameters `this` and what takes the rest are not in the tree. */
function hasRest({ start, id, typeParameters, body }: LazyNode, items: readonly LazyNode[], text: string): boolean {
  const before = items.at(-1)?.end ?? text.indexOf('(', typeParameters?.end ?? id?.end ?? start) + 1;
  const behind = behindTrivia(text, before);
  if (items.length === 0 && text.startsWith('this', behind)) return /^this\s*:[^]*,\s*\.\.\./.test(text.slice(behind, body.start));
  return text.startsWith('...', text[behind] === ',' ? behindTrivia(text, behind + 1) : behind);
}
