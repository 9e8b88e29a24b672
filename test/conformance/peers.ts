// The peers' own rules, unchanged, in this process: what ESLint and SonarJS say about every function of a text.

import { createRequire } from 'node:module';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter, type Rule } from 'eslint';
import { builtinRules } from 'eslint/use-at-your-own-risk';

/** Function, or code that runs as one (static blocks and field initialisers): their figures are ESLint's alone. */
export type PeerKind = 'function' | 'staticBlock' | 'fieldInitialiser';

export interface PeerFigure {
  readonly kind: PeerKind;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly figure: number;
}

export interface PeerAnswer {
  readonly cyclomatic: readonly PeerFigure[];
  readonly cognitive: readonly PeerFigure[];
}

interface Ranged {
  readonly type: string;
  readonly range: readonly [number, number];
}

/** So low that every function is reported. */
const EVERY_FUNCTION = -1;
const require = createRequire(import.meta.url);
const complexity = builtinRules.get('complexity');
const { rule: cognitiveComplexity } = require('eslint-plugin-sonarjs/cjs/S3776/rule.js') as { rule: Rule.RuleModule };
const linter = new Linter();

/** Null where their parsers refuse the text. */
export function askPeers(path: string, text: string): PeerAnswer | null {
  const parser = /\.[cm]?tsx?$/.test(path)
    ? { parser: typescriptParser, parserOptions: { ecmaFeatures: { jsx: path.endsWith('x') } } }
    : { parserOptions: { ecmaFeatures: { jsx: path.endsWith('x') } } };
  for (const sourceType of sourceTypesOf(path, text)) {
    const cyclomatic: PeerFigure[] = [];
    const cognitive: PeerFigure[] = [];
    const rules = {
      cyclomatic: listening(complexity!, ({ data, node }) =>
        cyclomatic.push(figureOf(node, data['name'], data['complexity'])),
      ),
      cognitive: listening(cognitiveComplexity, ({ data, node }) =>
        cognitive.push(figureOf(node, null, data['complexityAmount'])),
      ),
    };
    const config: Linter.Config = {
      files: ['**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'],
      linterOptions: { noInlineConfig: true },
      plugins: { peer: { rules } },
      rules: { 'peer/cyclomatic': 'error', 'peer/cognitive': 'error' },
      languageOptions: { ecmaVersion: 'latest', sourceType, ...parser },
    };
    const messages = linter.verify(text, [config], { filename: path });
    if (!messages.some((message) => message.fatal)) return { cyclomatic, cognitive };
  }
  return null;
}

function sourceTypesOf(path: string, text: string): readonly ('module' | 'commonjs')[] {
  if (/\.(mjs|[cm]?tsx?|jsx)$/.test(path)) return ['module'];
  return /^\s*(import|export)\b/m.test(text) ? ['module', 'commonjs'] : ['commonjs', 'module'];
}

/**
 * The rule itself, told to report every function, its reports caught. Both rules report a function when the walk leaves
 * it; SonarJS names a place only, so the node is noted first.
 */
function listening(
  rule: Rule.RuleModule,
  heard: (report: { readonly data: Record<string, unknown>; readonly node: Ranged }) => void,
): Rule.RuleModule {
  return {
    meta: { type: 'suggestion', schema: [] },
    create(context) {
      let left: Ranged | null = null;
      const overheard = Object.create(context, {
        options: { value: [EVERY_FUNCTION] },
        report: {
          value: ({ data, node }: { data: Record<string, unknown>; node?: Ranged }) =>
            heard({ data, node: node ?? left! }),
        },
      }) as Rule.RuleContext;
      const listeners = rule.create(overheard) as Record<string, (node: Ranged, ...rest: unknown[]) => void>;
      const leave = listeners[':function:exit'];
      if (leave) {
        listeners[':function:exit'] = (node) => {
          left = node;
          leave(node);
        };
      }
      return listeners as Rule.RuleListener;
    },
  };
}

function figureOf({ type, range: [start, end] }: Ranged, name: unknown, figure: unknown): PeerFigure {
  return {
    kind: type === 'StaticBlock' ? 'staticBlock' : name === 'Class field initializer' ? 'fieldInitialiser' : 'function',
    start,
    end,
    figure: Number(figure),
  };
}
